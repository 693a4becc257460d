package acceptor

import (
	"encoding/json"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// Acceptor checks documents against one schema. It is immutable and safe for
// concurrent use.
type Acceptor struct{ check check }

// check says whether the value at an index of a document conforms. It is
// exact: the validator would say the same.
type check func(d *Document, at int) bool

// Compile makes the acceptor of a compiled schema. For a schema with a keyword
// that it does not know it returns an acceptor that accepts nothing, and an
// error that names the keyword and where it stands.
func Compile(schema *jsonschema.Schema) (*Acceptor, error) {
	c := &compiler{open: map[*jsonschema.Schema]bool{}}
	made, err := c.schema(schema)
	if err != nil {
		return &Acceptor{check: func(*Document, int) bool { return false }}, err
	}
	return &Acceptor{check: made}, nil
}

// Accept says whether text is a JSON document that conforms to the schema, and
// if so leaves it in the document. When it says no, nothing is known of the
// text. The document keeps a reference to the text.
func (a *Acceptor) Accept(text []byte, into *Document) bool {
	return into.parse(text) && a.check(into, 0)
}

type compiler struct{ open map[*jsonschema.Schema]bool }

func (c *compiler) schema(s *jsonschema.Schema) (check, error) {
	if s.Always != nil {
		always := *s.Always
		return func(*Document, int) bool { return always }, nil
	}
	if keyword := unknown(s); keyword != "" {
		return nil, fmt.Errorf("%s: the keyword %s is not known to the acceptor", s.Location, keyword)
	}
	if c.open[s] {
		return nil, fmt.Errorf("%s: a schema that contains itself is not known to the acceptor", s.Location)
	}
	c.open[s] = true
	defer delete(c.open, s)
	var checks []check
	for _, part := range []func(*jsonschema.Schema) ([]check, error){c.values, c.texts, c.numbers, c.arrays, c.objects, c.combined} {
		made, err := part(s)
		if err != nil {
			return nil, err
		}
		checks = append(checks, made...)
	}
	return all(checks), nil
}

func all(checks []check) check {
	if len(checks) == 1 {
		return checks[0]
	}
	return func(d *Document, at int) bool {
		for _, check := range checks {
			if !check(d, at) {
				return false
			}
		}
		return true
	}
}

// unknown names a keyword of a schema that no check is made for.
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

// values are the checks of type, const and enum.
func (c *compiler) values(s *jsonschema.Schema) (checks []check, err error) {
	if len(s.Types) > 0 {
		var allowed [kindObject + 1]bool
		for _, name := range s.Types {
			for _, k := range kindsNamed[name] {
				allowed[k] = true
			}
		}
		checks = append(checks, func(d *Document, at int) bool { return allowed[d.tokens[at].kind] })
	}
	for _, list := range [][]any{s.Constant, s.Enum} {
		if len(list) == 0 {
			continue
		}
		made, err := oneOf(list)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", s.Location, err)
		}
		checks = append(checks, made)
	}
	return checks, nil
}

var kindsNamed = map[string][]kind{
	"null": {kindNull}, "boolean": {kindTrue, kindFalse}, "integer": {kindInteger}, "number": {kindInteger},
	"string": {kindString}, "array": {kindArray}, "object": {kindObject},
}

// oneOf checks for one of some plain values.
func oneOf(values []any) (check, error) {
	var texts []string
	var numbers []int64
	var kinds []kind
	for _, value := range values {
		switch value := value.(type) {
		case string:
			texts = append(texts, value)
		case nil:
			kinds = append(kinds, kindNull)
		case bool:
			kinds = append(kinds, map[bool]kind{true: kindTrue, false: kindFalse}[value])
		default:
			number, exact := wholeNumber(value)
			if !exact {
				return nil, fmt.Errorf("the value %v of a const or enum is not known to the acceptor", value)
			}
			numbers = append(numbers, number)
		}
	}
	return func(d *Document, at int) bool {
		switch t := &d.tokens[at]; t.kind {
		case kindString:
			for _, text := range texts {
				if string(d.bytes(at)) == text {
					return true
				}
			}
			return false
		case kindInteger:
			return slices.Contains(numbers, t.number)
		default:
			return slices.Contains(kinds, t.kind)
		}
	}, nil
}

func wholeNumber(value any) (int64, bool) {
	switch value := value.(type) {
	case json.Number:
		number, err := strconv.ParseInt(value.String(), 10, 64)
		return number, err == nil
	case float64:
		return int64(value), value == float64(int64(value))
	case int:
		return int64(value), true
	}
	return 0, false
}

// texts are the checks of minLength, maxLength, pattern and format. A format
// that the validator does not know says nothing.
func (c *compiler) texts(s *jsonschema.Schema) (checks []check, err error) {
	ofText := func(holds func(text []byte, ascii bool) bool) {
		checks = append(checks, func(d *Document, at int) bool {
			return d.tokens[at].kind != kindString || holds(d.bytes(at), d.tokens[at].ascii)
		})
	}
	if least, most := s.MinLength, s.MaxLength; least > 0 || most >= 0 {
		ofText(func(text []byte, ascii bool) bool {
			length := len(text)
			if !ascii {
				length = utf8.RuneCount(text)
			}
			return length >= least && (most < 0 || length <= most)
		})
	}
	if s.Pattern != nil {
		ofText(newMatcher(s.Pattern).match)
	}
	if holds := jsonschema.Formats[s.Format]; s.Format != "" && holds != nil {
		ofText(func(text []byte, _ bool) bool { return holds(string(text)) })
	}
	return checks, nil
}

// numbers are the checks of the bounds of numbers.
func (c *compiler) numbers(s *jsonschema.Schema) (checks []check, err error) {
	bounds := []struct {
		bound *big.Rat
		holds func(number, bound int64) bool
	}{
		{s.Minimum, func(n, b int64) bool { return n >= b }},
		{s.ExclusiveMinimum, func(n, b int64) bool { return n > b }},
		{s.Maximum, func(n, b int64) bool { return n <= b }},
		{s.ExclusiveMaximum, func(n, b int64) bool { return n < b }},
	}
	for _, rule := range bounds {
		if rule.bound == nil {
			continue
		}
		if !rule.bound.IsInt() || !rule.bound.Num().IsInt64() {
			return nil, fmt.Errorf("%s: the bound %s is not known to the acceptor", s.Location, rule.bound)
		}
		bound := rule.bound.Num().Int64()
		checks = append(checks, func(d *Document, at int) bool {
			return d.tokens[at].kind != kindInteger || rule.holds(d.tokens[at].number, bound)
		})
	}
	return checks, nil
}
