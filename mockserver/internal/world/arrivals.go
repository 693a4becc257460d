package world

import "sync/atomic"

// arrivals is the schedule by which profiles are created, in the order of
// their numbers. Four fifths of them are created in the five years before the
// world begins; of the rest, half in each two years that follow. So the world
// never runs dry, and grows more slowly the larger it gets.
// See docs/explanation/world.md#how-many-profiles-exist-at-a-given-time
type arrivals struct {
	eras   []spread
	firsts []int64 // the number of the first profile of each era
}

const (
	weeksBefore = 260
	weeksOfEra  = 104
)

func newArrivals(key uint64, profiles int64) arrivals {
	made := arrivals{}
	start, weeks, count := floorDivide(worldStart, week)*week-weeksBefore*week, int64(weeksBefore), (profiles*4+4)/5
	for first := int64(0); first < profiles; {
		made.eras = append(made.eras, spread{key: key ^ uint64(first), start: start, weeks: weeks, count: count})
		made.firsts = append(made.firsts, first)
		first += count
		start, weeks, count = start+weeks*week, weeksOfEra, (profiles-first+1)/2
	}
	return made
}

// at is when a profile is created, in seconds since 1970.
func (a *arrivals) at(profile int64) int64 {
	era := len(a.firsts) - 1
	for a.firsts[era] > profile {
		era--
	}
	return a.eras[era].at(profile - a.firsts[era])
}

// before is how many profiles are created before an instant: those with the
// lowest numbers.
func (a *arrivals) before(instant int64) int64 {
	count := int64(0)
	for i := range a.eras {
		if a.eras[i].start >= instant {
			break
		}
		count += a.eras[i].before(instant)
	}
	return count
}

// arrivalCache caches, by week, how many profiles had been created some time
// before the week began. Most questions about a profile are answered by
// comparing its number with that bound.
type arrivalCache struct {
	arrivals *arrivals
	earlier  int64 // seconds
	entries  [64]atomic.Pointer[cachedArrivals]
}

type cachedArrivals struct{ week, count int64 }

// lowerBound returns a lower bound, cached by week, for the number of profiles
// that were created at least `earlier` before an instant.
func (a *arrivalCache) lowerBound(instant int64) int64 {
	inWeek := floorDivide(instant, week)
	place := &a.entries[uint64(inWeek)%uint64(len(a.entries))]
	if kept := place.Load(); kept != nil && kept.week == inWeek {
		return kept.count
	}
	made := &cachedArrivals{inWeek, a.arrivals.before(inWeek*week - a.earlier)}
	place.Store(made)
	return made.count
}
