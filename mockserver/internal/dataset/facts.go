package dataset

import (
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// limitOf says which events have happened before a row tells of its facts:
// those before the rank.
func (s *Overlay) limitOf(r *world.Row) int32 {
	if s.events {
		return r.Loaded
	}
	return s.limit
}

// given is what own data says of a fact. Exactly one of its functions is set;
// each reports false when nothing is said.
type given struct {
	text   func(*world.Row) (string, bool)
	time   func(*world.Row) (int64, bool)
	flag   func(*world.Row) (value, known bool)
	number func(*world.Row) (int64, bool)
	each   func(r *world.Row, items []world.Row) []world.Row
	// instead is the text of a fact that must have one.
	instead func(*world.Row) string
}

// Fact is a fact of own rows, by the name it has in the world. With must, a
// row always has a value: where own data says nothing, one is made, always the
// same for the same row. It reports false for a name nobody knows.
func (s *Overlay) Fact(name string, scope world.Scope, must bool) (world.Fact, bool) {
	synthetic, known := s.world.Fact(name, scope)
	if !known || synthetic.Constant != nil {
		return synthetic, known
	}
	inherits := func(*world.Row) bool { return false }
	var own given
	var found bool
	switch group, _, _ := strings.Cut(name, "."); group {
	case "installation":
		inherits = s.inheritsInstallation
		own, found = s.installationFact(name)
	case "profile":
		inherits = s.inheritsProfile
		own, found = s.profileFact(name)
	default:
		own, found = s.eventFact(name)
	}
	if !found { // the world has learned a fact that own data does not have
		own = given{text: func(*world.Row) (string, bool) { return "", false }}
		if synthetic.Time != nil {
			own = given{time: func(*world.Row) (int64, bool) { return 0, false }}
		}
	}
	m := mixed{source: s, synthetic: synthetic, inherits: inherits, own: own, latest: strings.Contains(name, ".last_")}
	switch {
	case own.each != nil:
		return world.Fact{Each: own.each, Absent: func(r *world.Row) bool { return len(own.each(r, nil)) == 0 }}, true
	case own.time != nil:
		return m.fact(must, world.Fact{Time: func(r *world.Row) int64 { at, _ := m.time(r); return at }},
			func(r *world.Row) bool { _, known := m.time(r); return known }), true
	case own.flag != nil:
		return m.fact(must, world.Fact{Flag: func(r *world.Row) bool { is, _ := m.flag(r); return is }},
			func(r *world.Row) bool { _, known := m.flag(r); return known }), true
	case own.number != nil:
		return m.fact(must, world.Fact{Number: func(r *world.Row) int64 { n, _ := m.number(r); return n }},
			func(r *world.Row) bool { _, known := m.number(r); return known }), true
	}
	return m.fact(must, world.Fact{Words: func(r *world.Row) string {
		text, known := m.text(r)
		if !known && own.instead != nil {
			return own.instead(r)
		}
		return text
	}}, func(r *world.Row) bool { _, known := m.text(r); return known }), true
}

// mixed is a fact that own data says, or the world where a row stands for one
// of its things.
type mixed struct {
	source    *Overlay
	synthetic world.Fact
	inherits  func(*world.Row) bool
	own       given
	latest    bool // the date of the last of some events
}

func (m *mixed) fact(must bool, of world.Fact, known func(*world.Row) bool) world.Fact {
	if !must {
		of.Absent = func(r *world.Row) bool { return !known(r) }
	}
	return of
}

// elsewhere is the synthetic row that a row stands for, if there is one.
func (m *mixed) elsewhere(r *world.Row) (world.Row, bool) {
	if r.Loaded == 0 { // an item of a synthetic row
		return *r, true
	}
	if !m.inherits(r) {
		return world.Row{}, false
	}
	return m.source.base(r)
}

func (m *mixed) text(r *world.Row) (string, bool) {
	row, is := m.elsewhere(r)
	if !is {
		return m.own.text(r)
	}
	switch {
	case m.synthetic.Absent != nil && m.synthetic.Absent(&row):
		return "", false
	case m.synthetic.Choice != nil:
		return m.synthetic.Names[m.synthetic.Choice(&row)], true
	case m.synthetic.Text != nil:
		return string(m.synthetic.Text(nil, &row)), true
	case m.synthetic.Words != nil:
		return m.synthetic.Words(&row), true
	}
	return "", false
}

// time is what own data say, or the world; the date of a last event is the
// later of both, since own events come beside those of the world.
func (m *mixed) time(r *world.Row) (int64, bool) {
	row, is := m.elsewhere(r)
	if !is {
		return m.own.time(r)
	}
	at, known := int64(0), false
	if m.synthetic.Time != nil && (m.synthetic.Absent == nil || !m.synthetic.Absent(&row)) {
		at, known = m.synthetic.Time(&row), true
	}
	if r.Loaded != 0 && m.latest {
		if later, told := m.own.time(r); told && (!known || later > at) {
			at, known = later, true
		}
	}
	return at, known
}

func (m *mixed) flag(r *world.Row) (value, known bool) {
	row, is := m.elsewhere(r)
	switch {
	case !is:
		return m.own.flag(r)
	case m.synthetic.Flag == nil || m.synthetic.Absent != nil && m.synthetic.Absent(&row):
		return false, false
	}
	return m.synthetic.Flag(&row), true
}

func (m *mixed) number(r *world.Row) (int64, bool) {
	row, is := m.elsewhere(r)
	switch {
	case !is:
		return m.own.number(r)
	case m.synthetic.Number == nil || m.synthetic.Absent != nil && m.synthetic.Absent(&row):
		return 0, false
	}
	return m.synthetic.Number(&row), true
}

// fixed is a given text: one that is empty is not given.
func fixed(of func(*world.Row) string) func(*world.Row) (string, bool) {
	return func(r *world.Row) (string, bool) {
		text := of(r)
		return text, text != ""
	}
}

func always(text string) func(*world.Row) string { return func(*world.Row) string { return text } }
