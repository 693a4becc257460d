package dataset

import (
	"cmp"
	"slices"
	"sort"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// unitRows is how many rows a unit of loaded rows alone has.
const unitRows = 64

// View is the rows of the file: the synthetic ones with the loaded ones
// interleaved by time or, where rows have no time, appended; or the loaded
// ones alone.
func (s *Overlay) View() world.View {
	if s.query.Only {
		return &loadedView{events: s.synthetic.Events(), rows: s.rows}
	}
	_, timed := s.synthetic.(world.TimeOrdered)
	if s.query.World.View == world.ViewInstallationRecipients {
		timed = false
	}
	if timed && s.synthetic.Units() > 0 {
		return &interleavedView{Overlay: s, ordered: s.synthetic.(world.TimeOrdered)}
	}
	return &appendedView{Overlay: s, first: s.synthetic.Units(), loaded: loadedView{rows: s.rows}}
}

// loadedView is the loaded rows without synthetic ones.
type loadedView struct {
	events []string
	rows   []world.Row
}

func (v *loadedView) Events() []string { return v.events }
func (v *loadedView) Units() int64     { return int64(len(v.rows)+unitRows-1) / unitRows }

func (v *loadedView) Append(rows []world.Row, unit int64) []world.Row {
	return append(rows, v.rows[unit*unitRows:min((unit+1)*unitRows, int64(len(v.rows)))]...)
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
	from := func(unit int64) int {
		return sort.Search(len(v.rows), func(i int) bool { return v.ordered.UnitAt(v.rows[i].Time) >= unit })
	}
	first, last := from(unit), from(unit+1)
	if first == last {
		return rows
	}
	rows = append(rows, v.rows[first:last]...)
	slices.SortStableFunc(rows[begin:], func(a, b world.Row) int { return cmp.Compare(a.Time, b.Time) })
	return rows
}

// appendedView has loaded rows after all others.
type appendedView struct {
	*Overlay
	first  int64 // unit of loaded rows
	loaded loadedView
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
	if len(s.counterparts.loadedProfile)+len(s.counterparts.loadedInstallation) == 0 {
		return rows
	}
	kept := begin
	for i := begin; i < len(rows); i++ {
		row := rows[i]
		profile, ownProfile := s.counterparts.loadedProfile[row.Profile]
		installation, ownInstallation := int32(-1), false
		if row.Installation >= 0 {
			installation, ownInstallation = s.counterparts.loadedInstallation[row.Installation]
		}
		switch {
		case ownInstallation && s.installations[installation].row != nil,
			ownProfile && s.profiles[profile].row != nil:
			continue
		case !s.events && s.query.World.View == world.ViewProfiles && ownProfile:
			row = s.row(profile, -1, -1)
		case !s.events && s.query.World.View == world.ViewInstallations && ownInstallation:
			row = s.row(s.installations[installation].owner, installation, -1)
		}
		rows[kept] = row
		kept++
	}
	return rows[:kept]
}
