package world

import (
	"math/bits"
	"sync/atomic"
)

// arrivals is the schedule by which profiles are created, in the order of
// their numbers, in periods of four weeks. The population grows by the same share every
// year, and by half of those who are still to come when that is less: so it never
// passes its size, and never runs dry.
// See docs/explanation/world.md#how-many-profiles-exist-at-a-given-time
type arrivals struct {
	start   int64   // of the first period
	firsts  []int64 // the number of the first profile of each period, and behind them the number of all
	periods []spread
	// near is the period of every profile whose number is a multiple of a power of two.
	near  []uint16
	shift int
}

const (
	yearsBefore = 5 // in which those were created who are there when the world begins
	yearsToSize = 4 // after which a population would have its size if nothing slowed it
	thousand    = 1_000
	nearPeriods = 1_024
)

func newArrivals(key uint64, profiles int64, growth float64) arrivals {
	factor := thousand + int64(float64(growth*thousand)+0.5)
	made := arrivals{start: (firstWeek - yearsBefore*yearWeeks) * week}
	began := profiles
	for range yearsToSize {
		began = scale(began, thousand, factor)
	}
	if profiles > 0 {
		began = max(began, 1)
	}
	// Before the world begins, a year has more than the one before by the same share.
	weight, all := int64(thousand), int64(0)
	var weights [yearsBefore]int64
	for i := range weights {
		weights[i], all, weight = weight, all+weight, weight*factor/thousand
	}
	count, before := int64(0), int64(0)
	for _, weight := range weights {
		before += weight
		upTo := scale(began, before, all)
		made.addYear(key, upTo-count)
		count = upTo
	}
	for count < profiles {
		joined := max(min(scale(count, factor-thousand, thousand), (profiles-count+1)/2), 1)
		made.addYear(key, joined)
		count += joined
	}
	made.firsts = append(made.firsts, count)
	made.shift = max(bits.Len64(uint64(profiles))-bits.Len(nearPeriods), 0)
	at := 0
	for number := int64(0); number < profiles; number += 1 << made.shift {
		for made.firsts[at+1] <= number {
			at++
		}
		made.near = append(made.near, uint16(at))
	}
	return made
}

// addYear adds a year in which so many profiles are created.
func (a *arrivals) addYear(key uint64, joined int64) {
	first := int64(0)
	if last := len(a.periods) - 1; last >= 0 {
		first = a.firsts[last] + a.periods[last].count
	}
	total := int64(0)
	for _, weight := range signUpWeights {
		total += weight
	}
	done, before := int64(0), int64(0)
	for _, weight := range signUpWeights {
		before += weight
		upTo := scale(joined, before, total)
		start := a.start + int64(len(a.periods))*periodWeeks*week
		a.firsts = append(a.firsts, first+done)
		a.periods = append(a.periods, newSpread(key^uint64(first+done), start, periodWeeks, upTo-done))
		done = upTo
	}
}

// at is when a profile is created, in seconds since 1970.
func (a *arrivals) at(profile int64) int64 {
	period := int(a.near[profile>>a.shift])
	for a.firsts[period+1] <= profile {
		period++
	}
	return a.periods[period].at(profile - a.firsts[period])
}

// ofBlock is when the profiles of a block are created that have numbers below an end. Of many that come
// close to each other, each is found from the one before.
func (a *arrivals) ofBlock(block, end int64) (times [blockSize]int64) {
	first := block << blockBits
	for number := first; number < end; {
		period := int(a.near[number>>a.shift])
		for a.firsts[period+1] <= number {
			period++
		}
		of, before := &a.periods[period], a.firsts[period]
		last := min(end, a.firsts[period+1])
		if of.count < closeArrivals {
			for ; number < last; number++ {
				times[number-first] = of.at(number - before)
			}
			continue
		}
		for next := of.timesFrom(of.weightOf(number - before)); number < last; number++ {
			times[number-first] = next.next(number - before)
		}
	}
	return times
}

// closeArrivals are so many in a period that there are at most a few quarter hours from one to the next.
const closeArrivals = periodWeeks * weekBuckets / 4

// before is how many profiles are created before an instant: those with the
// lowest numbers.
func (a *arrivals) before(instant int64) int64 {
	period := floorDivide(instant-a.start, periodWeeks*week)
	switch {
	case period < 0 || len(a.periods) == 0:
		return 0
	case period >= int64(len(a.periods)):
		return a.firsts[len(a.periods)]
	}
	return a.firsts[period] + a.periods[period].before(instant)
}

// arrivalCache caches, by week, how many profiles had been created some time
// before the week began. Most questions about a profile are answered by
// comparing its number with that bound.
type arrivalCache struct {
	arrivals *arrivals
	earlier  int64                               // seconds
	entries  [512]atomic.Pointer[cachedArrivals] // of ten years: people have installations for six
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
