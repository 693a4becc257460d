package world

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
	return weekday*96 + hour*4 + below(draw(key, uint64(week)), burstWander)
}
