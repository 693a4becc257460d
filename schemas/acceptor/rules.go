package acceptor

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math/big"
	"regexp"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// rules are what a schema says of a value, with what it refers to in place: what an acceptor is made of. They can be
// written down, so that a program need not compile the schema to have its acceptor.
type rules struct {
	Always *bool    `json:"always,omitempty"`
	Types  []string `json:"types,omitempty"`
	OneOf  [][]any  `json:"one_of,omitempty"` // of const, and of enum
	Text   *text    `json:"text,omitempty"`
	Number *number  `json:"number,omitempty"`
	Array  *array   `json:"array,omitempty"`
	Object *object  `json:"object,omitempty"`

	All     []*rules   `json:"all,omitempty"`
	Choices []choice   `json:"choices,omitempty"`
	Not     *rules     `json:"not,omitempty"`
	If      *condition `json:"if,omitempty"`
}

type text struct {
	Length  *size   `json:"length,omitempty"` // in code points
	Pattern *string `json:"pattern,omitempty"`
	Format  string  `json:"format,omitempty"`
}

type number struct {
	Least []int64 `json:"least,omitempty"`
	Most  []int64 `json:"most,omitempty"`
}

type array struct {
	Size *size  `json:"size,omitempty"`
	Item *rules `json:"item,omitempty"`
}

type object struct {
	Size     *size    `json:"size,omitempty"`
	Required []string `json:"required,omitempty"`
	Named    []member `json:"named,omitempty"`
	Matching []member `json:"matching,omitempty"` // those whose name matches a pattern
	Others   *rules   `json:"others,omitempty"`
}

// size bounds how many there are of something; Most is below zero where there may be any number.
type size struct {
	Least int `json:"least"`
	Most  int `json:"most"`
}

type member struct {
	Name  string `json:"name"`
	Rules *rules `json:"rules"`
}

// choice is anyOf, or oneOf where exactly one branch may hold.
type choice struct {
	Branches []*rules `json:"branches"`
	Exactly  bool     `json:"exactly,omitempty"`
}

type condition struct {
	If   *rules `json:"if"`
	Then *rules `json:"then,omitempty"`
	Else *rules `json:"else,omitempty"`
}

// reader reads the rules out of schemas; open are those that it is in.
type reader struct{ open map[*jsonschema.Schema]bool }

// schema reads one schema. The error names a keyword for which there is no rule.
func (r *reader) schema(s *jsonschema.Schema) (*rules, error) {
	if s.Always != nil {
		return &rules{Always: s.Always}, nil
	}
	if keyword := unknown(s); keyword != "" {
		return nil, fmt.Errorf("%s: the keyword %s is not known to the acceptor", s.Location, keyword)
	}
	if r.open[s] {
		return nil, fmt.Errorf("%s: a schema that contains itself is not known to the acceptor", s.Location)
	}
	r.open[s] = true
	defer delete(r.open, s)
	made := &rules{Types: s.Types}
	for _, part := range []func(*jsonschema.Schema, *rules) error{r.values, r.texts, r.numbers, r.arrays, r.objects, r.combined} {
		if err := part(s, made); err != nil {
			return nil, err
		}
	}
	return made, nil
}

func sized(least, most int) *size {
	if least <= 0 && most < 0 {
		return nil
	}
	return &size{least, most}
}

// values reads const and enum.
func (r *reader) values(s *jsonschema.Schema, into *rules) error {
	for _, list := range [][]any{s.Constant, s.Enum} {
		if len(list) == 0 {
			continue
		}
		if _, err := oneOf(list); err != nil {
			return fmt.Errorf("%s: %w", s.Location, err)
		}
		into.OneOf = append(into.OneOf, list)
	}
	return nil
}

func (r *reader) texts(s *jsonschema.Schema, into *rules) error {
	made := text{Length: sized(s.MinLength, s.MaxLength), Format: s.Format}
	if s.Pattern != nil {
		pattern := s.Pattern.String()
		made.Pattern = &pattern
	}
	if made != (text{}) {
		into.Text = &made
	}
	return nil
}

// numbers reads the bounds of numbers. Those that a number must not reach are one further: only whole numbers are accepted.
func (r *reader) numbers(s *jsonschema.Schema, into *rules) error {
	var made number
	for _, rule := range []struct {
		bound   *big.Rat
		into    *[]int64
		further int64
	}{{s.Minimum, &made.Least, 0}, {s.ExclusiveMinimum, &made.Least, 1}, {s.Maximum, &made.Most, 0}, {s.ExclusiveMaximum, &made.Most, -1}} {
		if rule.bound == nil {
			continue
		}
		const most = 1 << 60 // far more than the digits of an accepted number
		if !rule.bound.IsInt() || rule.bound.Num().CmpAbs(big.NewInt(most)) > 0 {
			return fmt.Errorf("%s: the bound %s is not known to the acceptor", s.Location, rule.bound)
		}
		*rule.into, into.Number = append(*rule.into, rule.bound.Num().Int64()+rule.further), &made
	}
	return nil
}

func (r *reader) arrays(s *jsonschema.Schema, into *rules) (err error) {
	made := array{Size: sized(s.MinItems, s.MaxItems)}
	if s.Items2020 != nil {
		made.Item, err = r.schema(s.Items2020)
	}
	if made != (array{}) {
		into.Array = &made
	}
	return err
}

func (r *reader) objects(s *jsonschema.Schema, into *rules) (err error) {
	made := object{Size: sized(s.MinProperties, s.MaxProperties), Required: s.Required}
	for name, below := range s.Properties {
		if made.Named, err = r.member(made.Named, name, below); err != nil {
			return err
		}
	}
	for name, below := range s.PatternProperties {
		if made.Matching, err = r.member(made.Matching, name.String(), below); err != nil {
			return err
		}
	}
	for _, list := range [][]member{made.Named, made.Matching} { // they come in any order, and are written in one
		slices.SortFunc(list, func(a, b member) int { return cmp.Compare(a.Name, b.Name) })
	}
	switch others := s.AdditionalProperties.(type) {
	case bool:
		made.Others = &rules{Always: &others}
	case *jsonschema.Schema:
		made.Others, err = r.schema(others)
	}
	if made.Size != nil || len(made.Required)+len(made.Named)+len(made.Matching) > 0 || made.Others != nil {
		into.Object = &made
	}
	return err
}

func (r *reader) member(list []member, name string, s *jsonschema.Schema) ([]member, error) {
	made, err := r.schema(s)
	return append(list, member{name, made}), err
}

// combined reads $ref, allOf, anyOf, oneOf, not and if.
func (r *reader) combined(s *jsonschema.Schema, into *rules) (err error) {
	read := func(s *jsonschema.Schema) *rules {
		if s == nil || err != nil {
			return nil
		}
		var made *rules
		made, err = r.schema(s)
		return made
	}
	each := func(schemas []*jsonschema.Schema) (list []*rules) {
		for _, s := range schemas {
			list = append(list, read(s))
		}
		return list
	}
	if s.Ref != nil {
		into.All = append(into.All, read(s.Ref))
	}
	into.All = append(into.All, each(s.AllOf)...)
	if len(s.AnyOf) > 0 {
		into.Choices = append(into.Choices, choice{Branches: each(s.AnyOf)})
	}
	if len(s.OneOf) > 0 {
		into.Choices = append(into.Choices, choice{Branches: each(s.OneOf), Exactly: true})
	}
	into.Not = read(s.Not)
	if s.If != nil {
		into.If = &condition{read(s.If), read(s.Then), read(s.Else)}
	}
	return err
}

// unknown names a keyword of a schema for which there is no rule.
func unknown(s *jsonschema.Schema) string {
	for _, known := range []struct {
		keyword string
		used    bool
	}{
		{"$recursiveRef", s.RecursiveRef != nil},
		{"$dynamicRef", s.DynamicRef != nil},
		{"propertyNames", s.PropertyNames != nil},
		{"dependencies", len(s.Dependencies) > 0},
		{"dependentRequired", len(s.DependentRequired) > 0},
		{"dependentSchemas", len(s.DependentSchemas) > 0},
		{"unevaluatedProperties", s.UnevaluatedProperties != nil},
		{"unevaluatedItems", s.UnevaluatedItems != nil},
		{"items", s.Items != nil || s.AdditionalItems != nil},
		{"prefixItems", len(s.PrefixItems) > 0},
		{"contains", s.Contains != nil},
		{"uniqueItems", s.UniqueItems},
		{"multipleOf", s.MultipleOf != nil},
		{"contentEncoding", s.ContentEncoding != ""},
		{"contentMediaType", s.ContentMediaType != ""},
		{"contentSchema", s.ContentSchema != nil},
	} {
		if known.used {
			return known.keyword
		}
	}
	return ""
}

// Rules writes down what [Read] makes the acceptor of a schema of, as JSON. The error is that of [Compile].
func Rules(schema *jsonschema.Schema) ([]byte, error) {
	made, err := (&reader{map[*jsonschema.Schema]bool{}}).schema(schema)
	if err != nil {
		return nil, err
	}
	return json.Marshal(made)
}

// patterns are those of one acceptor, each made once.
type patterns map[string]*matcher

func (p patterns) matcher(pattern string) (*matcher, error) {
	if known := p[pattern]; known != nil {
		return known, nil
	}
	compiled, err := regexp.Compile(pattern)
	if err != nil {
		return nil, err
	}
	p[pattern] = &matcher{pattern: compiled}
	return p[pattern], nil
}
