package world

import "sync/atomic"

// sending is what a stream sends in one week: to whom, when, and by which of
// its orchestrations.
type sending struct {
	week    int64
	members int64       // who may be written to
	blocks  int64       // of members
	count   int64       // messages: the first of the order
	order   permutation // of the blocks of all rounds
	key     uint64
	lanes   []lane
}

// lane is a part of the messages of a week: those of all orchestrations that
// begin with one step and send all the time, or those of one burst.
type lane struct {
	root           int // the step
	first, count   int64
	start          int64 // of the first message, in seconds after the week begins
	length         int64 // seconds
	rhythm         *rhythm
	orchestrations []int32
}

// silent says whether a lane sends nothing in [from, to), in seconds after the
// week begins.
func (l *lane) silent(from, to int64) bool { return to <= l.start || from >= l.start+l.length }

// until is the number of messages of a lane that are sent before an offset in
// the week.
func (l *lane) until(offset int64) int64 { return l.rhythm.firstFrom(offset-l.start, l.count) }

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
	burstPerSecond = 400
	burstBuckets   = 6
	burstWander    = 8 // quarter hours by which the hour of a burst moves
)

// burstLength is how many quarter hours a burst of messages takes.
func burstLength(messages int64) int64 {
	return min(max(2*messages/(burstPerSecond*bucket), burstBuckets), weekBuckets/2)
}

// fading is the rhythm of a burst.
func fading(length int64) *rhythm {
	return rhythmOf(int(length), func(i int) int64 { return length - int64(i) })
}

// burstStart is when an orchestration begins in a week, in seconds: always on
// the same day, at the same hour, more or less.
func (s *stream) burstStart(orchestration int, week int64) int64 {
	key := draw(s.key^0x6275727374, uint64(orchestration))
	weekday, hour := int64(key%7), 8+int64(key>>8%11)
	start := weekday*96 + hour*4 + below(draw(key, uint64(week)), burstWander)
	return min(start, weekBuckets-s.burst) * bucket
}

func (s *stream) newSending(inWeek int64) *sending {
	made := &sending{week: inWeek, key: draw(s.key, uint64(inWeek))}
	members, quarters := s.size(inWeek)
	made.members, made.blocks = members, blocksOf(members)
	made.count = (s.rounds*made.blocks*blockSize*quarters + 3) / 4
	made.order = newPermutation(made.key, s.rounds*made.blocks)
	of, sent := int64(len(s.orchestrations)), int64(0)
	add := func(l lane) {
		sent += int64(len(l.orchestrations))
		l.first = 0
		if last := len(made.lanes) - 1; last >= 0 {
			l.first = made.lanes[last].first + made.lanes[last].count
		}
		l.count = made.count*sent/of - l.first
		made.lanes = append(made.lanes, l)
	}
	for _, root := range s.journey.roots {
		steady := lane{root: root, length: week, rhythm: everyday}
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
			add(lane{
				root: o.root, start: s.burstStart(number, inWeek), length: s.burst * bucket, rhythm: s.fading,
				orchestrations: []int32{int32(number)},
			})
		}
	}
	return made
}

// laneOf is the lane of message number of the week.
func (in *sending) laneOf(number int64) *lane {
	low, high := 0, len(in.lanes) // the last lane that does not begin behind the number
	for high-low > 1 {
		if middle := int(uint(low+high) / 2); in.lanes[middle].first <= number {
			low = middle
		} else {
			high = middle
		}
	}
	return &in.lanes[low]
}

// sendings keep what a stream sends in the latest few weeks that were asked
// for: the rows of a file ask for the same ones again and again.
type sendings struct{ kept [32]atomic.Pointer[sending] }

func (s *stream) in(inWeek int64) *sending {
	place := &s.sendings.kept[uint64(inWeek)%uint64(len(s.sendings.kept))]
	if kept := place.Load(); kept != nil && kept.week == inWeek {
		return kept
	}
	made := s.newSending(inWeek)
	place.Store(made)
	return made
}
