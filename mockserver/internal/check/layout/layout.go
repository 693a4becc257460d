// Package layout is what the schema of a row says of its values: what each prints, and what is below it.
package layout

import (
	"maps"
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Member is one value of a row.
type Member[S comparable] struct {
	Source  S                 // what it prints; the zero value for nothing that is known
	Neutral map[string]string // from the word in the file to the neutral one; nil: they are the same
	Journey []schemas.Step
	Allowed map[string]bool // the texts of an enumeration; nil: none is named
	Members map[string]*Member[S]
	Items   *Member[S]
}

// Of reads a schema together with all that it refers to, whatever the conditions: a column means the same under each of
// them. The sources have names in the vocabulary.
func Of[S comparable](s *jsonschema.Schema, sources map[string]S) *Member[S] {
	return read([]*jsonschema.Schema{s}, nil, sources)
}

func read[S comparable](roots, above []*jsonschema.Schema, sources map[string]S) *Member[S] {
	made := &Member[S]{}
	properties := map[string][]*jsonschema.Schema{}
	var items, seen []*jsonschema.Schema
	var add func(s *jsonschema.Schema)
	add = func(s *jsonschema.Schema) {
		if s == nil || slices.Contains(seen, s) || slices.Contains(above, s) {
			return
		}
		seen = append(seen, s)
		made.add(s, sources)
		for name, property := range s.Properties {
			properties[name] = append(properties[name], property)
		}
		items = append(items, s.Items2020)
		for _, part := range slices.Concat([]*jsonschema.Schema{s.Ref, s.Then, s.Else}, s.AllOf, s.AnyOf, s.OneOf) {
			add(part)
		}
	}
	for _, root := range roots {
		add(root)
	}
	below := slices.Concat(above, seen)
	for _, name := range slices.Sorted(maps.Keys(properties)) {
		if made.Members == nil {
			made.Members = map[string]*Member[S]{}
		}
		made.Members[name] = read(properties[name], below, sources)
	}
	if slices.ContainsFunc(items, func(s *jsonschema.Schema) bool { return s != nil }) {
		made.Items = read(items, below, sources)
	}
	return made
}

// add notes what one schema says of the value itself.
func (m *Member[S]) add(s *jsonschema.Schema, sources map[string]S) {
	var none S
	keywords := schemas.KeywordsOf(s)
	if m.Source == none {
		m.Source = sources[keywords.Source]
	}
	if m.Journey == nil {
		m.Journey = keywords.Journey
	}
	if m.Neutral == nil && keywords.WireNames != nil {
		m.Neutral = map[string]string{}
		for neutral, wire := range keywords.WireNames {
			m.Neutral[wire] = neutral
		}
	}
	for _, value := range s.Enum {
		if text, ok := value.(string); ok {
			if m.Allowed == nil {
				m.Allowed = map[string]bool{}
			}
			m.Allowed[text] = true
		}
	}
}

// Find is the first member below that prints a source, nil if none does.
func (m *Member[S]) Find(wanted S) *Member[S] {
	if m == nil {
		return nil
	}
	if m.Source == wanted {
		return m
	}
	for _, name := range slices.Sorted(maps.Keys(m.Members)) {
		if found := m.Members[name].Find(wanted); found != nil {
			return found
		}
	}
	return m.Items.Find(wanted)
}

// NameOf is the name of a member that prints a source, the uppermost one; "" for none.
func (m *Member[S]) NameOf(wanted S) string {
	if m == nil {
		return ""
	}
	names := slices.Sorted(maps.Keys(m.Members))
	for _, name := range names {
		if m.Members[name].Source == wanted {
			return name
		}
	}
	for _, name := range names {
		if found := m.Members[name].NameOf(wanted); found != "" {
			return found
		}
	}
	return m.Items.NameOf(wanted)
}
