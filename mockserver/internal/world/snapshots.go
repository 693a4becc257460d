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
	existing      int64        // how many profiles there are, of the segment or not
}

func (w *World) installationsView(q Query) View {
	view := &snapshot{world: w, now: lastSecond(q.Now), installations: true}
	view.count = w.ownership.before(w.ProfilesAt(view.now + 1))
	return view
}

func (w *World) profilesView(q Query) View {
	view := &snapshot{world: w, now: lastSecond(q.Now)}
	view.existing = w.ProfilesAt(view.now + 1)
	view.count = view.existing
	if q.Segment != "" && w.profiles > 0 {
		members, size := w.segment(q.Segment)
		view.members, view.count = &members, size
	}
	return view
}

// shareOf is a part of a number: the share that was set, or one between two
// percentages that a key chooses; at least one of a number above zero.
func shareOf(key uint64, of, fromPercent, toPercent int64) int64 {
	percent := fromPercent + below(draw(key, 0), toPercent-fromPercent+1)
	return max(of*percent/100, min(of, 1))
}

func (s *snapshot) Events() []string { return nil }
func (s *snapshot) Units() int64     { return (s.count + unitRows - 1) / unitRows }

func (s *snapshot) Append(rows []Row, unit int64) []Row {
	first, last := unit*unitRows, min((unit+1)*unitRows, s.count)
	if s.installations {
		s.world.ownership.ownersOf(first, last, func(installation, profile int64) {
			if installed := s.world.installedAt(installation, profile); installed <= s.now {
				rows = append(rows, Row{
					Profile: profile, Installation: installation, Time: s.now, Event: -1, changed: allChanged,
					traits: traits{ties: ties{linkedID: true, snapshot: true}}, cache: rowCache{installed: installed},
				})
			}
		})
		return rows
	}
	for i := first; i < last; i++ {
		row := Row{Profile: i, Installation: -1, Time: s.now, Event: -1, changed: allChanged, traits: traits{ties: ties{snapshot: true}}}
		if s.members != nil {
			row.Profile = s.members.at(i)
		}
		if s.members != nil && row.Profile >= s.existing {
			continue // of a segment: still to come
		}
		rows = append(rows, row)
	}
	return rows
}

// lastSecond is the last whole second before an instant: what a snapshot shows
// and what a window that ends at that instant holds are the same.
// See docs/explanation/world.md#which-moment-does-a-snapshot-show
func lastSecond(at time.Time) int64 { return ceilSecond(at) - 1 }
