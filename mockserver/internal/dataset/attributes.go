package dataset

import (
	"slices"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// Attribute is the value of a custom attribute of the profile of a row: what
// was loaded, with the tags and changes of the events since applied; nil when
// there is none. It reports false for a row about a synthetic profile.
func (s *Overlay) Attribute(r *world.Row, name string) (value any, found bool) {
	if r.Loaded == 0 || s.inheritsProfile(r) {
		return nil, false
	}
	p := &s.profiles[r.Profile]
	value = p.loaded().Attributes[name]
	limit := s.limitOf(r)
	for _, rank := range p.events {
		if rank >= limit {
			break
		}
		switch e := &s.Snapshot.events[rank]; {
		case e.Type == "attribute_changed" && e.Attribute == name:
			value = e.Value
		case e.Type == "tag_added" && e.Collection == name:
			if tags := tagsOf(value); !slices.Contains(tags, any(e.Tag)) {
				value = append(slices.Clone(tags), e.Tag)
			}
		case e.Type == "tag_removed" && e.Collection == name:
			left := slices.DeleteFunc(slices.Clone(tagsOf(value)), func(tag any) bool { return tag == e.Tag })
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
	if r.Loaded == 0 {
		return nil, false
	}
	if e := s.eventOf(r); e.further != nil {
		if value, found = e.further[name]; found {
			return value, true
		}
	}
	if in := s.installationOf(r); in.row != nil {
		if value, found = in.row.further[name]; found {
			return value, true
		}
	}
	if p := &s.profiles[r.Profile]; p.row != nil {
		value, found = p.row.further[name]
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
