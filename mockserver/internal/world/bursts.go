package world

import "sync/atomic"

// A burst takes longer the larger the audience is: it begins with at most so
// many messages a second, and fades.
const (
	burstPerSecond  = 400
	minBurstBuckets = 6
	burstWander     = 8 // quarter hours by which the hour of a burst moves
)

// burstLength is how many quarter hours a burst of messages takes.
func burstLength(messages int64) int64 {
	return min(max(2*messages/(burstPerSecond*bucket), minBurstBuckets), weekBuckets/2)
}

// newBurstIntensity is the intensity of a burst, which fades linearly.
func newBurstIntensity(length int64) *intensity {
	return newIntensity(int(length), func(i int) int64 { return length - int64(i) })
}

// burstStart is when an orchestration begins in a week, in seconds: always on
// the same day, at the same hour, more or less.
func (s *stream) burstStart(orchestration int, week int64) int64 {
	return min(s.burstBegins(orchestration, week), weekBuckets-s.rhythm.buckets) * bucket
}

// burstBegins is that quarter hour, by the clock of who sends; a burst that begins late would not end in the week.
func (s *stream) burstBegins(orchestration int, week int64) int64 {
	key := draw(s.key^0x6275727374, uint64(orchestration))
	weekday, hour := int64(key%7), 8+int64(key>>8%11)
	if s.rhythm.days != nil {
		weekday = (weighted(s.rhythm.days, mix(key)) + DaysOfWeek - thursday) % DaysOfWeek
	}
	if s.rhythm.hours != nil {
		hour = weighted(s.rhythm.hours, mix(key+1))
	}
	begins := weekday*96 + hour*4 + below(draw(key, uint64(week)), burstWander)
	if s.rhythm.resting != nil && !s.sendsIn(begins) {
		begins -= bucketsOfHour // which is in that hour
	}
	return begins
}

// restingBursts are the bursts of worlds whose hours have weights, by the quarter hour of the week in which they begin: they rest
// where the weight is 0.
type restingBursts [weekBuckets]atomic.Pointer[intensity]

// sendsIn reports whether messages go out in a quarter hour of a week, by the clock of who sends.
func (s *stream) sendsIn(quarter int64) bool {
	return s.rhythm.steady.quarters[quarter%weekBuckets].rate > 0
}

// burstFrom is the intensity of a burst that begins with a quarter hour, by the clock of who sends.
func (s *stream) burstFrom(quarter int64) *intensity {
	if s.rhythm.resting == nil {
		return s.rhythm.burst
	}
	kept := &s.rhythm.resting[quarter%weekBuckets]
	if made := kept.Load(); made != nil {
		return made
	}
	made := newIntensity(int(s.rhythm.buckets), func(i int) int64 {
		if !s.sendsIn(quarter + int64(i)) {
			return 0
		}
		return s.rhythm.buckets - int64(i)
	})
	kept.Store(made)
	return made
}
