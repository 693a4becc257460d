package world

import "sync/atomic"

// arrivals say when profiles are created: in the order of their numbers. Four
// fifths of them come in the five years before the world begins; of the rest,
// half come in each two years that follow. So the world never runs dry, and
// grows more slowly the larger it gets.
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
	start, weeks, count := floorDivide(birth, week)*week-weeksBefore*week, int64(weeksBefore), (profiles*4+4)/5
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

// arrived remembers how many profiles were created before the beginnings of
// weeks, and some time earlier: most questions about a profile are answered by
// its number alone.
type arrived struct {
	arrivals *arrivals
	earlier  int64 // seconds
	kept     [64]atomic.Pointer[arrivedBefore]
}

type arrivedBefore struct{ week, count int64 }

// surely is how many profiles were created longer ago than that at an instant,
// or a few less.
func (a *arrived) surely(instant int64) int64 {
	inWeek := floorDivide(instant, week)
	place := &a.kept[uint64(inWeek)%uint64(len(a.kept))]
	if kept := place.Load(); kept != nil && kept.week == inWeek {
		return kept.count
	}
	made := &arrivedBefore{inWeek, a.arrivals.before(inWeek*week - a.earlier)}
	place.Store(made)
	return made.count
}
