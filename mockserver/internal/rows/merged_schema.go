package rows

import (
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// conjuncts are schemas that all hold for one value: a schema, what it refers
// to, and what its conditions add once they are decided.
type conjuncts []*jsonschema.Schema

// flatten collects what holds for a value of which the members in known are
// already decided. A condition that looks at anything else stays undecided and
// adds nothing; tests validate every row, so such a schema shows.
func flatten(schemas []*jsonschema.Schema, known map[string]any) conjuncts {
	var all conjuncts
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

// firstUsable is the branch a generated value takes: the first that is more
// than null and not refused.
func firstUsable(branches []*jsonschema.Schema) *jsonschema.Schema {
	for _, branch := range branches {
		if !refuses(branch) && !(len(branch.Types) == 1 && branch.Types[0] == "null") {
			return branch
		}
	}
	return nil
}

// decided says whether a condition looks at nothing but known members.
func decided(condition *jsonschema.Schema, known map[string]any) bool {
	if known == nil {
		return false
	}
	for _, part := range flatten([]*jsonschema.Schema{condition}, nil) {
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

func (c conjuncts) refused() bool { return slices.ContainsFunc(c, refuses) }

// accepts says whether every schema holds for a value.
func (c conjuncts) accepts(value any) bool {
	return !slices.ContainsFunc(c, func(s *jsonschema.Schema) bool { return s.Validate(value) != nil })
}

// keywords are the vocabulary keywords of the value: the first that says
// something wins, keyword by keyword.
func (c conjuncts) keywords() (merged schemas.Keywords) {
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
		if merged.Weights == nil {
			merged.Weights = found.Weights
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
func (c conjuncts) constant() (any, bool) {
	for _, s := range c {
		if len(s.Constant) > 0 {
			return s.Constant[0], true
		}
	}
	return nil, false
}

// enum are the values that every enum allows; nil without one.
func (c conjuncts) enum() (allowed []any) {
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
func (c conjuncts) items() (list []*jsonschema.Schema) {
	for _, s := range c {
		if s.Items2020 != nil {
			list = append(list, s.Items2020)
		}
	}
	return list
}

// property are the schemas of a member: those under its name, or the one for
// names that are not listed.
func (c conjuncts) property(name string) (list []*jsonschema.Schema) {
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
func (c conjuncts) names(library *schemas.Library) (names []string) {
	for _, s := range c {
		for _, name := range library.PropertyOrder(s) {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	return names
}

func (c conjuncts) required(name string) bool {
	return slices.ContainsFunc(c, func(s *jsonschema.Schema) bool { return slices.Contains(s.Required, name) })
}
