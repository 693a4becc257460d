package world

import (
	"math"
	"math/bits"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/places"
)

const (
	day  = 86_400
	week = 7 * day

	// bucket is the resolution of an intensity, in seconds.
	bucket      = 900
	weekBuckets = week / bucket
)

// hourWeights are the relative weights of the hours of a day, and dayWeights
// those of the days of a week, from Thursday on (1970 began on one).
var (
	hourWeights = [24]int64{2, 1, 1, 1, 1, 2, 5, 9, 14, 18, 20, 18, 16, 14, 13, 13, 15, 18, 20, 17, 12, 8, 5, 3}
	dayWeights  = [7]int64{10, 11, 7, 6, 9, 10, 10}
)

// intensity is a piecewise constant density of events over time, by quarter
// hours. Behind the last one stands the total.
type intensity struct {
	quarters []quarter
	total    divisor
	// near is the index for the inverse: for every weight in steps of a power
	// of two, the quarter hour in which it lies.
	near  []uint16
	shift int
}

// quarter is a quarter hour of an intensity: the cumulated weight of all seconds before it,
// and that of each of its seconds.
type quarter struct{ before, rate int64 }

// nearSteps is the least number of steps of that index.
const nearSteps = 2048

// newIntensity makes an intensity from the weight of each second of every
// quarter hour.
func newIntensity(buckets int, weight func(i int) int64) *intensity {
	made := &intensity{quarters: make([]quarter, buckets+1)}
	for i := range buckets {
		made.quarters[i].rate = weight(i)
		made.quarters[i+1].before = made.quarters[i].before + made.quarters[i].rate*bucket
	}
	made.total = divisorOf(made.quarters[buckets].before)
	made.shift = max(bits.Len64(uint64(made.total.by/nearSteps))-1, 0)
	at := 0
	for weight := int64(0); weight < made.total.by; weight += 1 << made.shift {
		for made.quarters[at+1].before <= weight {
			at++
		}
		made.near = append(made.near, uint16(at))
	}
	return made
}

// weeklyIntensity is that of what people do of their own accord, and of
// messages that are sent all the time.
var weeklyIntensity = newIntensity(weekBuckets, func(i int) int64 { return hourWeights[i/4%24] * dayWeights[i/96] })

// appIntensities are those of the time in the app, by time zone: evenings, and weekends
// a little more.
var (
	appHourWeights = [hoursOfDay]int64{4, 3, 2, 1, 1, 2, 4, 7, 9, 9, 9, 9, 10, 10, 9, 9, 10, 12, 14, 16, 17, 16, 12, 7}
	appDayWeights  = [daysOfWeek]int64{10, 10, 11, 11, 9, 10, 10}
	appIntensities = func() (list [places.Zones]*intensity) {
		for zone, ahead := range places.HoursAhead {
			list[zone] = rhythmOf(appHourWeights, appDayWeights, ahead)
		}
		return list
	}()
)

// length is how many quarter hours there are.
func (r *intensity) length() int64 { return int64(len(r.quarters)) - 1 }

// weightBefore is the cumulated weight of the seconds before an offset.
func (r *intensity) weightBefore(offset int64) int64 {
	if offset <= 0 {
		return 0
	}
	i, rest := offset/bucket, offset%bucket
	if i >= r.length() {
		return r.total.by
	}
	return r.quarters[i].before + r.quarters[i].rate*rest
}

// secondAt is the inverse of weightBefore: the second in which a weight lies,
// which is below the total.
func (r *intensity) secondAt(weight int64) int64 {
	low := int(r.near[weight>>r.shift]) // the last quarter hour before which there is not more than weight
	for r.quarters[low+1].before <= weight {
		low++
	}
	at := &r.quarters[low]
	return int64(low)*bucket + int64(uint32(weight-at.before)/uint32(at.rate)) // both fit into 32 bits
}

// countBefore returns how many of count events, spread evenly over the weight,
// come before an offset.
func (r *intensity) countBefore(offset, count int64) int64 {
	return r.total.share(r.weightBefore(offset), count)
}

// countsAround is countBefore of the beginning and of the end of a slot, which is a part
// of a quarter hour.
func (r *intensity) countsAround(offset, slot, count int64) (first, last int64) {
	if offset < 0 || offset >= r.length()*bucket {
		return r.countBefore(offset, count), r.countBefore(offset+slot, count)
	}
	i, rest := uint64(offset)/bucket, int64(uint64(offset)%bucket)
	at := &r.quarters[i]
	weight := at.before + at.rate*rest
	return r.total.share(weight, count), r.total.share(weight+at.rate*slot, count)
}

// secondOf is the inverse of countBefore: the one second s for which
// countBefore(s) <= number < countBefore(s+1).
func (r *intensity) secondOf(number, count int64) int64 {
	high, low := bits.Mul64(uint64(number+1), uint64(r.total.by))
	weight, rest := bits.Div64(high, low, uint64(count))
	if rest == 0 {
		weight--
	}
	return r.secondAt(int64(weight))
}

// divisor is a number by which many are divided.
type divisor struct {
	by      int64
	inverse uint64 // (1<<64 - 1) / by
}

func divisorOf(by int64) divisor { return divisor{by, math.MaxUint64 / uint64(by)} }

// share is a*b divided by it, for a result that fits.
func (d *divisor) share(a, b int64) int64 {
	high, low := bits.Mul64(uint64(a), uint64(b))
	if high != 0 {
		return scale(a, b, d.by)
	}
	quotient, _ := bits.Mul64(low, d.inverse) // or one less than it is
	if low-quotient*uint64(d.by) >= uint64(d.by) {
		quotient++
	}
	return int64(quotient)
}

// divide is a number, from 0, divided by it, and what is left.
func (d *divisor) divide(n int64) (quotient, rest int64) {
	high, _ := bits.Mul64(uint64(n), d.inverse) // or one less than it is
	quotient, rest = int64(high), n-int64(high)*d.by
	if rest >= d.by {
		quotient, rest = quotient+1, rest-d.by
	}
	return quotient, rest
}

// scale is a*b/c, for a result that fits.
func scale(a, b, c int64) int64 {
	high, low := bits.Mul64(uint64(a), uint64(b))
	quotient, _ := bits.Div64(high, low, uint64(c))
	return int64(quotient)
}

// spread places count events in time: in order, over a number of weeks with
// the weekly intensity, each at an instant of its own between its neighbours.
type spread struct {
	key   uint64
	start int64 // seconds since 1970, where a week begins
	weeks int64
	count int64
	all   divisor // the weight of all
}

func newSpread(key uint64, start, weeks, count int64) spread {
	all := divisor{weeks * weeklyIntensity.total.by, weeklyIntensity.total.inverse / uint64(weeks)}
	return spread{key, start, weeks, count, all}
}

// weightOf is the weight before event number.
func (s *spread) weightOf(number int64) int64 {
	high, low := bits.Mul64(uint64(number)<<32|draw(s.key, uint64(number))>>32, uint64(s.all.by))
	weight, _ := bits.Div64(high, low, uint64(s.count)<<32)
	return int64(weight)
}

// at is the time of event number, in seconds since 1970. It never falls as the
// number rises.
func (s *spread) at(number int64) int64 {
	weight := s.weightOf(number)
	weeks := weeklyIntensity.total.share(weight, 1)
	return s.start + weeks*week + weeklyIntensity.secondAt(weight-weeks*weeklyIntensity.total.by)
}

// spreadTimes are the times of the events of a spread, of one after the other.
type spreadTimes struct {
	spread
	counted divisor // by the count
	week    int64   // begins then
	before  int64   // the weight before it
	quarter int     // of the last event
}

// timesFrom are those of the events from a weight on.
func (s *spread) timesFrom(weight int64) spreadTimes {
	weeks, rest := weeklyIntensity.total.divide(weight)
	made := spreadTimes{spread: *s, week: s.start + weeks*week, before: weight - rest, quarter: int(weeklyIntensity.near[rest>>weeklyIntensity.shift])}
	if s.count > 0 {
		made.counted = divisorOf(s.count)
	}
	return made
}

// next is the time of an event, which does not come before those that were asked for.
func (s *spreadTimes) next(number int64) int64 {
	high, low := bits.Mul64(uint64(number)<<32|draw(s.key, uint64(number))>>32, uint64(s.all.by))
	weight, _ := s.counted.divide(int64(high<<32 | low>>32)) // as weightOf has it
	weight -= s.before
	quarters := weeklyIntensity.quarters
	for quarters[s.quarter+1].before <= weight {
		if s.quarter++; s.quarter == len(quarters)-1 {
			weight, s.before, s.week, s.quarter = weight-weeklyIntensity.total.by, s.before+weeklyIntensity.total.by, s.week+week, 0
		}
	}
	at := &quarters[s.quarter]
	return s.week + int64(s.quarter)*bucket + int64(uint32(weight-at.before)/uint32(at.rate))
}

// before is the number of events before an instant.
func (s *spread) before(instant int64) int64 {
	number, weight := s.near(instant)
	if number < s.count && s.weightOf(number) < weight {
		number++
	}
	return number
}

// around are the events that may be in [from, to), first up to, not including, last: those
// are whose weight is from begin up to, not including, end. Only the first and the last
// one may not be.
func (s *spread) around(from, to int64) (first, last, begin, end int64) {
	first, begin = s.near(from)
	last, end = s.near(to)
	if begin == end {
		return first, first, begin, end
	}
	return first, min(last+1, s.count), begin, end
}

// isWithin reports whether the weight of an event is from begin up to, not including, end.
func (s *spread) isWithin(number, begin, end int64) bool {
	weight := s.weightOf(number)
	return weight >= begin && weight < end
}

// near is the number of events before an instant or, of one that the jitter decides
// about, that event, and the weight before the instant.
func (s *spread) near(instant int64) (number, weight int64) {
	offset := instant - s.start
	switch {
	case offset <= 0 || s.count == 0:
		return 0, 0
	case offset >= s.weeks*week:
		return s.count, s.all.by
	}
	weight = offset/week*weeklyIntensity.total.by + weeklyIntensity.weightBefore(offset%week)
	return s.all.share(weight, s.count), weight
}
