package overlay

import (
	"encoding/json"
	"slices"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// Attribute is the value of a custom attribute of the profile of a row: what
// was loaded, with the tags and changes of the events since applied; nil when
// there is none. It reports false for a row about a synthetic profile.
func (s *Overlay) Attribute(r *world.Row, name string) (value any, found bool) {
	if r.Loaded == nil || s.inheritsProfile(r) {
		return nil, false
	}
	p := s.wholeOf(loadedOf(r).of)
	value = p.Value(name)
	limit := limitOf(r)
	traces := p.Traces.All()
	for i := range traces {
		t := &traces[i]
		if limit.Before(t.When) {
			break
		}
		switch {
		case t.EventType == "attribute_changed" && t.Attribute == name:
			value = decoded(t.Value)
		case t.EventType == "tag_added" && t.Collection == name:
			if tags := tagsOf(value); !slices.Contains(tags, any(t.Tag)) {
				value = append(slices.Clone(tags), t.Tag)
			}
		case t.EventType == "tag_removed" && t.Collection == name:
			left := slices.DeleteFunc(slices.Clone(tagsOf(value)), func(tag any) bool { return tag == t.Tag })
			if value = any(left); len(left) == 0 {
				value = nil
			}
		}
	}
	return value, true
}

// Member is a member of loaded rows that only the schemas of an overlay
// directory know, by its name: that of the event of a row, of its installation
// or of its profile. It reports false when none of them has it.
func (s *Overlay) Member(r *world.Row, name string) (value any, found bool) {
	if r.Loaded == nil {
		return nil, false
	}
	if e := s.eventOf(r); e.Further != nil {
		if value, found = e.Further[name]; found {
			return value, true
		}
	}
	if in := loadedOf(r).on; in != nil && in.Encoded != "" {
		if value, found = in.Given().Further[name]; found {
			return value, true
		}
	}
	if p := s.detailed(r); p.Loaded {
		value, found = p.Given().Further[name]
	}
	return value, found
}

// tagsOf is the list of tags that a custom attribute holds.
func tagsOf(value any) []any {
	switch held := value.(type) {
	case []any:
		return held
	case string:
		return []any{held}
	}
	return nil
}

// decoded is a value that was written as JSON.
func decoded(raw string) (value any) {
	if raw != "" {
		_ = input.DecodeExact(json.RawMessage(raw), &value, false)
	}
	return value
}
