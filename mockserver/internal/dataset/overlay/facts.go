package overlay

import (
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/record"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// loadedFact is what a dataset says of a fact. Exactly one of text, time, flag,
// number and each is set; each reports false when nothing is said.
type loadedFact struct {
	text   func(*world.Row) (string, bool)
	time   func(*world.Row) (int64, bool)
	flag   func(*world.Row) (value, known bool)
	number func(*world.Row) (int64, bool)
	each   func(r *world.Row, items []world.Row) []world.Row
	// fallback is the text where the schema demands one and none is known.
	fallback func(*world.Row) string
	// latest says that a time is the last of some events: of a synthetic entity
	// with loaded events it is the later one of both.
	latest bool
}

// Fact is a fact of loaded rows, by the name it has in the world. With
// mandatory, a row always has a value: where the dataset says nothing, one is
// derived, always the same for the same row. It reports false for a name that
// nobody knows.
func (s *Overlay) Fact(name string, scope world.Scope, mandatory bool) (world.Fact, bool) {
	synthetic, known := s.world.Fact(name, scope)
	if !known {
		return synthetic, false
	}
	m := mergedFact{source: s, synthetic: synthetic}
	if loaded, found := world.InstallationFact(installationFacts{s}, name); found {
		m.loaded, m.inherits = loaded, s.inheritsInstallation
	} else if loaded, found := world.ProfileFact(profileFacts{s}, name); found {
		m.loaded, m.inherits = loaded, s.inheritsProfile
	} else {
		m.loaded, _ = world.EventFact(eventFacts{s}, name)
		m.inherits = func(*world.Row) bool { return false }
	}
	return m.fact(mandatory), true
}

// mergedFact is a fact that the dataset says, or the world where a row stands
// for a synthetic entity.
type mergedFact struct {
	source    *Overlay
	synthetic world.Fact
	inherits  func(*world.Row) bool
	loaded    loadedFact
}

func (m *mergedFact) fact(mandatory bool) world.Fact {
	var fact world.Fact
	var known func(*world.Row) bool
	switch loaded := &m.loaded; {
	case loaded.each != nil:
		return world.Fact{Each: loaded.each, Absent: func(r *world.Row) bool { return len(loaded.each(r, nil)) == 0 }}
	case loaded.time != nil:
		fact.Time = func(r *world.Row) int64 { at, _ := m.time(r); return at }
		known = func(r *world.Row) bool { _, known := m.time(r); return known }
	case loaded.flag != nil:
		fact.Flag = func(r *world.Row) bool { is, _ := m.flag(r); return is }
		known = func(r *world.Row) bool { _, known := m.flag(r); return known }
	case loaded.number != nil:
		fact.Number = func(r *world.Row) int64 { n, _ := m.number(r); return n }
		known = func(r *world.Row) bool { _, known := m.number(r); return known }
	default:
		fact.Words = func(r *world.Row) string {
			text, known := m.text(r)
			if !known && loaded.fallback != nil {
				return loaded.fallback(r)
			}
			return text
		}
		known = func(r *world.Row) bool { _, known := m.text(r); return known }
	}
	if !mandatory {
		fact.Absent = func(r *world.Row) bool { return !known(r) }
	}
	return fact
}

// syntheticRow is the synthetic row that a row stands for; nil for none, which
// is so for nearly all, and then takes no memory.
func (m *mergedFact) syntheticRow(r *world.Row) *world.Row {
	if r.Loaded == nil { // an item of a synthetic row
		return r
	}
	if !m.inherits(r) {
		return nil
	}
	made, is := m.source.syntheticRow(r)
	if !is {
		return nil
	}
	row := new(world.Row)
	*row = made
	return row
}

func (m *mergedFact) text(r *world.Row) (string, bool) {
	row := m.syntheticRow(r)
	if row == nil {
		return m.loaded.text(r)
	}
	switch {
	case m.synthetic.Absent != nil && m.synthetic.Absent(row):
		return "", false
	case m.synthetic.Choice != nil:
		return m.synthetic.Names[m.synthetic.Choice(row)], true
	case m.synthetic.Text != nil:
		return string(m.synthetic.Text(nil, row)), true
	case m.synthetic.Words != nil:
		return m.synthetic.Words(row), true
	}
	return "", false
}

// time is what the dataset says, or the world. The date of a last event is the
// later of both, since loaded events come beside those of the world.
func (m *mergedFact) time(r *world.Row) (int64, bool) {
	row := m.syntheticRow(r)
	if row == nil {
		return m.loaded.time(r)
	}
	at, known := int64(0), false
	if m.synthetic.Time != nil && (m.synthetic.Absent == nil || !m.synthetic.Absent(row)) {
		at, known = m.synthetic.Time(row), true
	}
	if r.Loaded != nil && m.loaded.latest {
		if later, found := m.loaded.time(r); found && (!known || later > at) {
			at, known = later, true
		}
	}
	return at, known
}

func (m *mergedFact) flag(r *world.Row) (value, known bool) {
	row := m.syntheticRow(r)
	switch {
	case row == nil:
		return m.loaded.flag(r)
	case m.synthetic.Flag == nil || m.synthetic.Absent != nil && m.synthetic.Absent(row):
		return false, false
	}
	return m.synthetic.Flag(row), true
}

func (m *mergedFact) number(r *world.Row) (int64, bool) {
	row := m.syntheticRow(r)
	switch {
	case row == nil:
		return m.loaded.number(r)
	case m.synthetic.Number == nil || m.synthetic.Absent != nil && m.synthetic.Absent(row):
		return 0, false
	}
	return m.synthetic.Number(row), true
}

// limitOf is the last event that a row reflects.
func limitOf(r *world.Row) record.Moment { return loadedOf(r).limit }

// textFact is a text of which the empty one says nothing.
func textFact(of func(*world.Row) string, fallback func(*world.Row) string) loadedFact {
	return loadedFact{fallback: fallback, text: func(r *world.Row) (string, bool) {
		text := of(r)
		return text, text != ""
	}}
}

func constantText(text string) func(*world.Row) string {
	return func(*world.Row) string { return text }
}
