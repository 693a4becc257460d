package world

import "sync/atomic"

// weekPlan is what a stream sends in one week: to whom, when, and by which of
// its orchestrations.
type weekPlan struct {
	week    int64
	members int64       // how many there are
	blocks  int64       // of members
	count   int64       // messages: the first of the order
	order   permutation // of the blocks, each once per message that a member gets
	key     uint64
	waves   []sendWave
}

// sendWave is a part of the messages of a week: those of all orchestrations
// that begin with one step and send all the time, or those of one burst.
type sendWave struct {
	root           int // the step
	first, count   int64
	start          int64 // of the first message, in seconds after the week begins
	length         int64 // seconds
	intensity      *intensity
	orchestrations []int32
}

// silent reports whether a wave sends nothing in [from, to), in seconds after
// the week begins.
func (wave *sendWave) silent(from, to int64) bool {
	return to <= wave.start || from >= wave.start+wave.length
}

// countUntil is the number of messages of a wave that are sent before an
// offset in the week.
func (wave *sendWave) countUntil(offset int64) int64 {
	return wave.intensity.countBefore(offset-wave.start, wave.count)
}

// orchestration sends messages that begin with one step: all the time, or in
// one burst a week.
type orchestration struct {
	root  int // the step
	burst bool
}

// orchestrationsOf shares orchestrations among the first steps of a journey, by
// channel. Every other one of a step that is sent in bursts is.
func orchestrationsOf(j *journey, count int) (list []orchestration) {
	weights := [...]int{channelNone: 2, channelEmail: 6, channelSMS: 2, channelPush: 4}
	given := make([]int, len(j.roots))
	for len(list) < count && len(j.roots) > 0 {
		next := 0
		for i := range j.roots {
			if (given[i]*2+1)*weights[j.steps[j.roots[next]].channel] < (given[next]*2+1)*weights[j.steps[j.roots[i]].channel] {
				next = i
			}
		}
		root := j.roots[next]
		list = append(list, orchestration{root: root, burst: j.steps[root].burst && given[next]%2 == 0})
		given[next]++
	}
	return list
}

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
	key := draw(s.key^0x6275727374, uint64(orchestration))
	weekday, hour := int64(key%7), 8+int64(key>>8%11)
	start := weekday*96 + hour*4 + below(draw(key, uint64(week)), burstWander)
	return min(start, weekBuckets-s.bursts.buckets) * bucket
}

func (s *stream) newWeekPlan(inWeek int64) *weekPlan {
	made := &weekPlan{week: inWeek, key: draw(s.key, uint64(inWeek))}
	members, quarters := s.size(inWeek)
	made.members, made.blocks = members, blocksOf(members)
	made.count = (s.messagesPerMember*made.blocks*blockSize*quarters + 3) / 4
	made.order = newPermutation(made.key, s.messagesPerMember*made.blocks)
	of, sent := int64(len(s.orchestrations)), int64(0)
	add := func(wave sendWave) {
		sent += int64(len(wave.orchestrations))
		wave.first = 0
		if last := len(made.waves) - 1; last >= 0 {
			wave.first = made.waves[last].first + made.waves[last].count
		}
		wave.count = made.count*sent/of - wave.first
		made.waves = append(made.waves, wave)
	}
	for _, root := range s.journey.roots {
		steady := sendWave{root: root, length: week, intensity: weeklyIntensity}
		for number, o := range s.orchestrations {
			if o.root == root && !o.burst {
				steady.orchestrations = append(steady.orchestrations, int32(number))
			}
		}
		if len(steady.orchestrations) > 0 {
			add(steady)
		}
	}
	for number, o := range s.orchestrations {
		if o.burst {
			add(sendWave{
				root: o.root, start: s.burstStart(number, inWeek), length: s.bursts.buckets * bucket, intensity: s.bursts.intensity,
				orchestrations: []int32{int32(number)},
			})
		}
	}
	return made
}

// waveOf is the wave of message number of the week.
func (plan *weekPlan) waveOf(number int64) *sendWave {
	low, high := 0, len(plan.waves) // the last wave that begins at or before the number
	for high-low > 1 {
		if middle := int(uint(low+high) / 2); plan.waves[middle].first <= number {
			low = middle
		} else {
			high = middle
		}
	}
	return &plan.waves[low]
}

// weekPlanCache caches the plans of the latest few weeks: consecutive rows of
// a file use the same ones.
type weekPlanCache struct{ entries [32]atomic.Pointer[weekPlan] }

func (s *stream) planOf(inWeek int64) *weekPlan {
	place := &s.plans.entries[uint64(inWeek)%uint64(len(s.plans.entries))]
	if kept := place.Load(); kept != nil && kept.week == inWeek {
		return kept
	}
	made := s.newWeekPlan(inWeek)
	place.Store(made)
	return made
}
