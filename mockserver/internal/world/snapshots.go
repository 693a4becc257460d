package world

import "time"

// unitRows is how many rows a unit of a view without time makes.
const unitRows = 64

// snapshot shows installations or profiles as they are at one moment.
type snapshot struct {
	world         *World
	count         int64
	now           int64
	installations bool
	members       *permutation // of a segment: rank to profile
}

func (w *World) profilesView(q Query) View {
	view := &snapshot{world: w, count: w.profiles, now: lastSecond(q.Now)}
	if q.Segment != "" && w.profiles > 0 {
		key := keyOf(w.seed, "segment "+q.Segment)
		order := newPermutation(key, w.profiles)
		view.members = &order
		view.count = shareOf(key, w.profiles, 5, 50)
	}
	return view
}

// shareOf is a part of a number, between two percentages, that a key chooses:
// at least one when there is any.
func shareOf(key uint64, of, fromPercent, toPercent int64) int64 {
	percent := fromPercent + below(draw(key, 0), toPercent-fromPercent+1)
	return max(of*percent/100, min(of, 1))
}

func (s *snapshot) Events() []string { return nil }
func (s *snapshot) Units() int64     { return (s.count + unitRows - 1) / unitRows }

func (s *snapshot) Append(rows []Row, unit int64) []Row {
	for i := unit * unitRows; i < min((unit+1)*unitRows, s.count); i++ {
		if s.installations && !s.world.isInstalled(i, s.now) {
			continue
		}
		row := Row{Profile: i, Installation: -1, Time: s.now, Event: -1, after: changeKinds}
		switch {
		case s.installations:
			row.Profile, row.Installation, row.linkedID = s.world.ownerOf(i), i, true
		case s.members != nil:
			row.Profile = s.members.at(i)
		}
		if s.now < birth && s.world.createdAt(row.Profile) > s.now {
			continue // in the world, everybody has been created
		}
		rows = append(rows, row)
	}
	return rows
}

// lastSecond is the last whole second before an instant: what a snapshot shows
// and what a window that ends at that instant holds are the same.
func lastSecond(at time.Time) int64 { return ceilSecond(at) - 1 }
