package dataset

import (
	"cmp"
	"slices"
	"sort"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// ownUnit is how many rows a unit of own data alone makes.
const ownUnit = 64

// View is the rows of the file: the synthetic ones with own data in its place
// in time or, where rows have no time, behind them; or own data alone.
func (s *Overlay) View() world.View {
	if s.query.Only {
		return &alone{events: s.synthetic.Events(), rows: s.rows}
	}
	_, timed := s.synthetic.(world.TimeOrdered)
	if s.query.World.View == world.ViewInstallationRecipients {
		timed = false
	}
	if timed && s.synthetic.Units() > 0 {
		return &among{Overlay: s, timed: s.synthetic.(world.TimeOrdered)}
	}
	return &behind{Overlay: s, first: s.synthetic.Units(), alone: alone{rows: s.rows}}
}

// alone is own data without synthetic rows.
type alone struct {
	events []string
	rows   []world.Row
}

func (v *alone) Events() []string { return v.events }
func (v *alone) Units() int64     { return int64(len(v.rows)+ownUnit-1) / ownUnit }

func (v *alone) Append(rows []world.Row, unit int64) []world.Row {
	return append(rows, v.rows[unit*ownUnit:min((unit+1)*ownUnit, int64(len(v.rows)))]...)
}

// among has own rows in the unit that holds their moment. Of two rows of one
// second, the synthetic one comes first.
type among struct {
	*Overlay
	timed world.TimeOrdered
}

func (v *among) Events() []string { return v.synthetic.Events() }
func (v *among) Units() int64     { return v.synthetic.Units() }

func (v *among) Append(rows []world.Row, unit int64) []world.Row {
	begin := len(rows)
	rows = v.replace(v.synthetic.Append(rows, unit), begin)
	from := func(unit int64) int {
		return sort.Search(len(v.rows), func(i int) bool { return v.timed.UnitAt(v.rows[i].Time) >= unit })
	}
	first, last := from(unit), from(unit+1)
	if first == last {
		return rows
	}
	rows = append(rows, v.rows[first:last]...)
	slices.SortStableFunc(rows[begin:], func(a, b world.Row) int { return cmp.Compare(a.Time, b.Time) })
	return rows
}

// behind has own rows after all others.
type behind struct {
	*Overlay
	first int64 // unit of own data
	alone alone
}

func (v *behind) Events() []string { return v.synthetic.Events() }
func (v *behind) Units() int64     { return v.first + v.alone.Units() }

func (v *behind) Append(rows []world.Row, unit int64) []world.Row {
	if unit >= v.first {
		return v.alone.Append(rows, unit-v.first)
	}
	begin := len(rows)
	return v.replace(v.synthetic.Append(rows, unit), begin)
}

// replace goes through synthetic rows from begin on: those of a profile or an
// installation that was loaded go, and a profile that has own events becomes a
// row that tells of them.
func (s *Overlay) replace(rows []world.Row, begin int) []world.Row {
	if len(s.bases.ownProfile)+len(s.bases.ownInstallation) == 0 {
		return rows
	}
	kept := begin
	for i := begin; i < len(rows); i++ {
		row := rows[i]
		profile, ownProfile := s.bases.ownProfile[row.Profile]
		installation, ownInstallation := int32(-1), false
		if row.Installation >= 0 {
			installation, ownInstallation = s.bases.ownInstallation[row.Installation]
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
