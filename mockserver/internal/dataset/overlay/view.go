package overlay

import (
	"cmp"
	"slices"
	"sort"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// unitRows is how many rows a unit of loaded rows alone has.
const unitRows = 64

// View is the rows of the file: the synthetic ones with the loaded ones
// interleaved by time or, where rows have no time, appended; or the loaded
// ones alone.
func (s *Overlay) View() world.View {
	if s.query.Only {
		return s.loadedView()
	}
	_, timed := s.synthetic.(world.TimeOrdered)
	if s.query.World.View == vocabulary.ViewInstallationRecipients {
		timed = false
	}
	if timed && s.synthetic.Units() > 0 {
		return &interleavedView{Overlay: s, ordered: s.synthetic.(world.TimeOrdered)}
	}
	return &appendedView{Overlay: s, first: s.synthetic.Units(), loaded: s.loadedView()}
}

// loadedView is the loaded rows without synthetic ones. It knows where each unit
// begins.
type loadedView struct {
	*Overlay
	marks []mark
}

// mark is a record of a list, and how many of its rows come before.
type mark struct {
	record int64
	skip   int
}

// loadedView goes through all records once.
func (s *Overlay) loadedView() *loadedView {
	v := &loadedView{Overlay: s}
	var rows []world.Row
	count := 0
	from, first, last := s.records()
	for at := read(from, first); at.More(last); {
		rows = s.record(at, rows[:0])
		for skip := range rows {
			if count%unitRows == 0 {
				v.marks = append(v.marks, mark{at.Number(), skip})
			}
			count++
		}
	}
	return v
}

func (v *loadedView) Events() []string { return v.synthetic.Events() }
func (v *loadedView) Units() int64     { return int64(len(v.marks)) }

func (v *loadedView) Append(rows []world.Row, unit int64) []world.Row {
	begin := v.marks[unit]
	from, _, last := v.records()
	want := len(rows) + unitRows
	skip := begin.skip
	for at := read(from, begin.record); len(rows) < want && at.More(last); {
		before := len(rows)
		rows = v.record(at, rows)
		rows = slices.Delete(rows, before, before+skip)
		skip = 0
	}
	return rows[:min(len(rows), want)]
}

// interleavedView has loaded rows in the unit that holds their time. Of two
// rows of one second, the synthetic one comes first.
type interleavedView struct {
	*Overlay
	ordered world.TimeOrdered
}

func (v *interleavedView) Events() []string { return v.synthetic.Events() }
func (v *interleavedView) Units() int64     { return v.synthetic.Units() }

func (v *interleavedView) Append(rows []world.Row, unit int64) []world.Row {
	begin := len(rows)
	rows = v.replace(v.synthetic.Append(rows, unit), begin)
	// The block before the first one that begins in the unit or later may hold
	// rows of the unit, too.
	block := sort.Search(len(v.Seconds), func(i int) bool { return v.ordered.UnitAt(v.Seconds[i]) >= unit })
	middle := len(rows)
	for at := read(v.Snapshot.Events, max(int64(block-1)*blocks.RecordsPerBlock, v.first)); at.More(v.last); {
		of := v.ordered.UnitAt(at.Int()) // a moment begins with it
		if of > unit {
			break
		}
		if of == unit {
			at.Rewind()
			rows = v.record(at, rows)
		}
	}
	if len(rows) == middle {
		return rows
	}
	slices.SortStableFunc(rows[begin:], func(a, b world.Row) int { return cmp.Compare(a.Time, b.Time) })
	return rows
}

// appendedView has loaded rows after all others.
type appendedView struct {
	*Overlay
	first  int64 // unit of loaded rows
	loaded *loadedView
}

func (v *appendedView) Events() []string { return v.synthetic.Events() }
func (v *appendedView) Units() int64     { return v.first + v.loaded.Units() }

func (v *appendedView) Append(rows []world.Row, unit int64) []world.Row {
	if unit >= v.first {
		return v.loaded.Append(rows, unit-v.first)
	}
	begin := len(rows)
	return v.replace(v.synthetic.Append(rows, unit), begin)
}

// replace goes through synthetic rows from begin on: those of a profile or an
// installation that was loaded are removed, and a profile with loaded events
// becomes a row that reflects them.
func (s *Overlay) replace(rows []world.Row, begin int) []world.Row {
	c := s.counterparts
	if len(c.loadedProfile)+len(c.loadedInstallation) == 0 {
		return rows
	}
	kept := begin
	for i := begin; i < len(rows); i++ {
		row := rows[i]
		profile, ownProfile := c.loadedProfile[row.Profile]
		installation, ownInstallation := int32(-1), false
		if row.Installation >= 0 {
			installation, ownInstallation = c.loadedInstallation[row.Installation]
		}
		switch {
		case ownInstallation && c.installations[installation].loaded,
			ownProfile && c.profiles[profile].loaded:
			continue
		case s.query.World.View == vocabulary.ViewProfiles && ownProfile:
			row = s.row(s.ProfileAt(profile), nil, nil)
		case s.query.World.View == vocabulary.ViewInstallations && ownInstallation:
			on, owner := s.InstallationAt(installation)
			row = s.row(owner, on, nil)
		}
		rows[kept] = row
		kept++
	}
	return rows[:kept]
}
