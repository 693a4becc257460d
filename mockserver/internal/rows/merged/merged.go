// Package merged reads the schemas that apply to one value as one schema.
package merged

import (
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Schema is the schemas that all apply to one value: a schema, what it
// refers to, and the branches of its conditions once they are decided.
type Schema []*jsonschema.Schema

// Of collects the schemas that apply to a value of which some members are constant. A condition on anything else stays undecided and adds
// nothing; tests validate every row, so such a schema shows.
func Of(schemas []*jsonschema.Schema, known map[string]any) Schema {
	var all Schema
	var add func(*jsonschema.Schema)
	add = func(s *jsonschema.Schema) {
		if s == nil || slices.Contains(all, s) {
			return
		}
		all = append(all, s)
		add(s.Ref)
		for _, part := range s.AllOf {
			add(part)
		}
		for _, choice := range [][]*jsonschema.Schema{s.AnyOf, s.OneOf} {
			if !slices.ContainsFunc(choice, func(s *jsonschema.Schema) bool { return slices.Contains(schemas, s) }) { // else it is chosen
				add(firstUsable(choice))
			}
		}
		if s.If != nil && Decided(s.If, known) {
			if s.If.Validate(known) == nil {
				add(s.Then)
			} else {
				add(s.Else)
			}
		}
	}
	for _, s := range schemas {
		add(s)
	}
	return all
}

// firstUsable is the branch that a generated value takes: the first that is more than null and not false.
func firstUsable(branches []*jsonschema.Schema) *jsonschema.Schema {
	for _, branch := range branches {
		if !refuses(branch) && !(len(branch.Types) == 1 && branch.Types[0] == "null") {
			return branch
		}
	}
	return nil
}

// Decided reports whether a condition looks at nothing but constant members.
func Decided(condition *jsonschema.Schema, known map[string]any) bool {
	if known == nil {
		return false
	}
	for _, part := range Of([]*jsonschema.Schema{condition}, nil) {
		for name := range part.Properties {
			if _, is := known[name]; !is {
				return false
			}
		}
		for _, name := range part.Required {
			if _, is := known[name]; !is {
				return false
			}
		}
	}
	return true
}

// refuses says whether a schema is the boolean false.
func refuses(s *jsonschema.Schema) bool { return s.Always != nil && !*s.Always }

// Refused reports whether no value conforms, since a part is false.
func (c Schema) Refused() bool { return slices.ContainsFunc(c, refuses) }

// Accepts reports whether every schema accepts a value.
func (c Schema) Accepts(value any) bool {
	return !slices.ContainsFunc(c, func(s *jsonschema.Schema) bool { return s.Validate(value) != nil })
}

// Apart are the schemas that say all: without those that another one applies in any case.
func (c Schema) Apart() Schema {
	applied := map[*jsonschema.Schema]bool{}
	for _, s := range c {
		applied[s.Ref] = true
		for _, part := range s.AllOf {
			applied[part] = true
		}
	}
	return slices.DeleteFunc(slices.Clone(c), func(s *jsonschema.Schema) bool { return s != c[0] && applied[s] })
}

// Roots are the schemas that a value has to conform to whichever branch it takes: those that no other one leads to.
func (c Schema) Roots() Schema {
	var led Schema
	for _, s := range c {
		led = append(append(append(append(led, s.Ref, s.Then, s.Else), s.AllOf...), s.AnyOf...), s.OneOf...)
	}
	return slices.DeleteFunc(slices.Clone(c), func(s *jsonschema.Schema) bool { return s != c[0] && slices.Contains(led, s) })
}

// Keywords are the vocabulary keywords of the value: keyword by keyword, that of the first schema that has it.
func (c Schema) Keywords() (all schemas.Keywords) {
	for _, s := range c {
		found := schemas.KeywordsOf(s)
		if all.Source == "" {
			all.Source = found.Source
		}
		if all.DateFormat == "" {
			all.DateFormat = found.DateFormat
		}
		if all.WireNames == nil {
			all.WireNames = found.WireNames
		}
		if all.Values.Weights == nil {
			all.Values.Weights = found.Values.Weights
		}
		if all.Values.NullShare == nil {
			all.Values.NullShare = found.Values.NullShare
		}
		all.Values.Unique = all.Values.Unique || found.Values.Unique
		if all.Values.Earliest.IsZero() {
			all.Values.Earliest = found.Values.Earliest
		}
		if all.Values.Latest.IsZero() {
			all.Values.Latest = found.Values.Latest
		}
		if all.Values.AttributeTypes == nil {
			all.Values.AttributeTypes = found.Values.AttributeTypes
		}
		if all.Journey == nil {
			all.Journey = found.Journey
		}
		if all.CSV == nil {
			all.CSV = found.CSV
		}
	}
	return all
}

// Constant is the one value allowed, if a const says so.
func (c Schema) Constant() (any, bool) {
	for _, s := range c {
		if len(s.Constant) > 0 {
			return s.Constant[0], true
		}
	}
	return nil, false
}

// Enum are the values that every enum allows; nil without one.
func (c Schema) Enum() (allowed []any) {
	for _, s := range c {
		for _, value := range s.Enum {
			if c.Accepts(value) && !slices.Contains(allowed, value) {
				allowed = append(allowed, value)
			}
		}
	}
	return allowed
}

// Items are the schemas of the items of an array.
func (c Schema) Items() (list []*jsonschema.Schema) {
	for _, s := range c {
		if s.Items2020 != nil {
			list = append(list, s.Items2020)
		}
	}
	return list
}

// Property are the schemas of a member: those under its name, or the one for names that are not listed.
func (c Schema) Property(name string) (list []*jsonschema.Schema) {
	for _, s := range c {
		if found := s.Properties[name]; found != nil {
			list = append(list, found)
			continue
		}
		matched := false
		for pattern, found := range s.PatternProperties {
			if pattern.MatchString(name) {
				list, matched = append(list, found), true
			}
		}
		if other, is := s.AdditionalProperties.(*jsonschema.Schema); is && !matched {
			list = append(list, other)
		}
	}
	return list
}

// Names are the listed members, in the order of the files.
func (c Schema) Names(library *schemas.Library) (names []string) {
	for _, s := range c {
		for _, name := range library.PropertyOrder(s) {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

// Required reports whether a part needs a member.
func (c Schema) Required(name string) bool {
	return slices.ContainsFunc(c, func(s *jsonschema.Schema) bool { return slices.Contains(s.Required, name) })
}

// Kinds are the types that all its parts allow; null only where nothing else is allowed, because a share of nulls is drawn apart.
func (c Schema) Kinds() []string {
	var allowed []string
	for _, part := range c {
		if len(part.Types) == 0 {
			continue
		}
		if allowed == nil {
			allowed = slices.Clone(part.Types)
		}
		allowed = slices.DeleteFunc(allowed, func(kind string) bool {
			return !slices.Contains(part.Types, kind) && !(kind == "integer" && slices.Contains(part.Types, "number"))
		})
	}
	if len(allowed) > 1 {
		allowed = slices.DeleteFunc(allowed, func(kind string) bool { return kind == "null" })
	}
	if len(allowed) == 0 {
		return []string{c.impliedKind()}
	}
	return allowed
}

// impliedKind is the type that the keywords of a schema without type speak of.
func (c Schema) impliedKind() string {
	for _, part := range c {
		switch {
		case part.Minimum != nil || part.Maximum != nil || part.ExclusiveMinimum != nil || part.ExclusiveMaximum != nil || part.MultipleOf != nil:
			return "number"
		case part.Items2020 != nil:
			return "array"
		case len(part.Properties) > 0:
			return "object"
		}
	}
	return "string"
}
