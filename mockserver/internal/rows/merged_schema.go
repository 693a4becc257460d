package rows

import (
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// mergedSchema is the schemas that all apply to one value: a schema, what it
// refers to, and the branches of its conditions once they are decided.
type mergedSchema []*jsonschema.Schema

// mergeSchemas collects the schemas that apply to a value of which some
// members are constant. A condition on anything else stays undecided and adds
// nothing; tests validate every row, so such a schema shows.
func mergeSchemas(schemas []*jsonschema.Schema, known map[string]any) mergedSchema {
	var all mergedSchema
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
			add(firstUsable(choice))
		}
		if s.If != nil && decided(s.If, known) {
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

// firstUsable is the branch that a generated value takes: the first that is
// more than null and not false.
func firstUsable(branches []*jsonschema.Schema) *jsonschema.Schema {
	for _, branch := range branches {
		if !refuses(branch) && !(len(branch.Types) == 1 && branch.Types[0] == "null") {
			return branch
		}
	}
	return nil
}

// decided reports whether a condition looks at nothing but constant members.
func decided(condition *jsonschema.Schema, known map[string]any) bool {
	if known == nil {
		return false
	}
	for _, part := range mergeSchemas([]*jsonschema.Schema{condition}, nil) {
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

func (c mergedSchema) refused() bool { return slices.ContainsFunc(c, refuses) }

// accepts reports whether every schema accepts a value.
func (c mergedSchema) accepts(value any) bool {
	return !slices.ContainsFunc(c, func(s *jsonschema.Schema) bool { return s.Validate(value) != nil })
}

// roots are the schemas that a value has to conform to whichever branch it takes: those that no other one leads to.
func (c mergedSchema) roots() mergedSchema {
	var led mergedSchema
	for _, s := range c {
		led = append(append(append(append(led, s.Ref, s.Then, s.Else), s.AllOf...), s.AnyOf...), s.OneOf...)
	}
	return slices.DeleteFunc(slices.Clone(c), func(s *jsonschema.Schema) bool { return s != c[0] && slices.Contains(led, s) })
}

// keywords are the vocabulary keywords of the value: keyword by keyword, that
// of the first schema that has it.
func (c mergedSchema) keywords() (merged schemas.Keywords) {
	for _, s := range c {
		found := schemas.KeywordsOf(s)
		if merged.Source == "" {
			merged.Source = found.Source
		}
		if merged.DateFormat == "" {
			merged.DateFormat = found.DateFormat
		}
		if merged.WireNames == nil {
			merged.WireNames = found.WireNames
		}
		if merged.Values.Weights == nil {
			merged.Values.Weights = found.Values.Weights
		}
		if merged.Values.NullShare == nil {
			merged.Values.NullShare = found.Values.NullShare
		}
		merged.Values.Unique = merged.Values.Unique || found.Values.Unique
		if merged.Values.Earliest.IsZero() {
			merged.Values.Earliest = found.Values.Earliest
		}
		if merged.Values.Latest.IsZero() {
			merged.Values.Latest = found.Values.Latest
		}
		if merged.Values.AttributeTypes == nil {
			merged.Values.AttributeTypes = found.Values.AttributeTypes
		}
		if merged.Journey == nil {
			merged.Journey = found.Journey
		}
		if merged.CSV == nil {
			merged.CSV = found.CSV
		}
	}
	return merged
}

// constant is the one value allowed, if a const says so.
func (c mergedSchema) constant() (any, bool) {
	for _, s := range c {
		if len(s.Constant) > 0 {
			return s.Constant[0], true
		}
	}
	return nil, false
}

// enum are the values that every enum allows; nil without one.
func (c mergedSchema) enum() (allowed []any) {
	for _, s := range c {
		for _, value := range s.Enum {
			if c.accepts(value) && !slices.Contains(allowed, value) {
				allowed = append(allowed, value)
			}
		}
	}
	return allowed
}

// items are the schemas of the items of an array.
func (c mergedSchema) items() (list []*jsonschema.Schema) {
	for _, s := range c {
		if s.Items2020 != nil {
			list = append(list, s.Items2020)
		}
	}
	return list
}

// property are the schemas of a member: those under its name, or the one for
// names that are not listed.
func (c mergedSchema) property(name string) (list []*jsonschema.Schema) {
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

// names are the listed members, in the order of the files.
func (c mergedSchema) names(library *schemas.Library) (names []string) {
	for _, s := range c {
		for _, name := range library.PropertyOrder(s) {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

func (c mergedSchema) required(name string) bool {
	return slices.ContainsFunc(c, func(s *jsonschema.Schema) bool { return slices.Contains(s.Required, name) })
}
