package world

import (
	"slices"
	"sync/atomic"
)

// sending is what a stream sends in one week: to whom, when, and by which of
// its orchestrations.
type sending struct {
	week    int64
	members int64 // who may be written to
	count   int64 // messages: the first of the order
	order   permutation
	rhythm  *rhythm
	bursts  []share // of all quarter hours, one after the other
	places  []int32 // where those of each quarter hour begin in bursts; nil: there are none
}

// share is how much of the weight of a quarter hour is one orchestration's.
type share struct {
	orchestration int32
	weight        int64
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

// A burst takes longer the larger the audience is: it begins with at most this
// many messages a second, and fades.
const (
	burstPerSecond = 400
	burstBuckets   = 6
	burstWeight    = 1 << 20 // of a burst where nothing else is sent
	burstWander    = 8       // quarter hours by which the hour of a burst moves
)

// burstLength is how many quarter hours a burst of messages takes.
func burstLength(messages int64) int64 {
	return min(max(2*messages/(burstPerSecond*bucket), burstBuckets), weekBuckets/2)
}

// burstStart is the quarter hour of a week in which an orchestration begins:
// always the same day and hour of the day, more or less.
func (s *stream) burstStart(orchestration int, week int64) int64 {
	key := draw(s.key^0x6275727374, uint64(orchestration))
	weekday, hour := int64(key%7), 8+int64(key>>8%11)
	start := weekday*96 + hour*4 + below(draw(key, uint64(week)), burstWander)
	return min(start, weekBuckets-s.burst)
}

func (s *stream) newSending(week int64) *sending {
	made := &sending{week: week, rhythm: everyday}
	made.members, made.count = s.size(week)
	made.order = newPermutation(draw(s.key, uint64(week)), s.rounds*made.members)
	if !slices.ContainsFunc(s.orchestrations, func(o orchestration) bool { return o.burst }) {
		return made
	}
	steady := int64(0)
	for _, o := range s.orchestrations {
		if !o.burst {
			steady++
		}
	}
	weight := int64(burstWeight)
	var weights [weekBuckets]int64 // of one second each
	if steady > 0 {
		weight = everyday.total() / bucket / steady
		for i := range weights {
			weights[i] = everydayWeight(i)
		}
	}
	var shares [weekBuckets][]share
	length := s.burst
	for number, o := range s.orchestrations {
		if !o.burst {
			continue
		}
		start := s.burstStart(number, week)
		for i := range length {
			part := weight * 2 * (length - i) / (length * (length + 1))
			shares[start+i] = append(shares[start+i], share{int32(number), part})
			weights[start+i] += part
		}
	}
	made.rhythm, made.places = &rhythm{}, make([]int32, weekBuckets+1)
	for i := range weekBuckets {
		made.bursts = append(made.bursts, shares[i]...)
		made.places[i+1] = int32(len(made.bursts))
		made.rhythm.sums[i+1] = made.rhythm.sums[i] + weights[i]*bucket
	}
	return made
}

// orchestrationAt chooses the orchestration of a message that is sent in a
// quarter hour of the week.
func (s *stream) orchestrationAt(in *sending, quarter int64, random uint64) int32 {
	if in.places == nil || in.places[quarter] == in.places[quarter+1] {
		return s.steadyOnes[below(random, int64(len(s.steadyOnes)))]
	}
	weight := (in.rhythm.sums[quarter+1] - in.rhythm.sums[quarter]) / bucket
	pick := below(random, weight)
	for _, burst := range in.bursts[in.places[quarter]:in.places[quarter+1]] {
		if pick -= burst.weight; pick < 0 {
			return burst.orchestration
		}
	}
	return s.steadyOnes[below(mix(random), int64(len(s.steadyOnes)))]
}

// sendings keep what a stream sends in the latest few weeks that were asked
// for: the rows of a file ask for the same ones again and again.
type sendings struct{ kept [32]atomic.Pointer[sending] }

func (s *stream) in(week int64) *sending {
	place := &s.sendings.kept[uint64(week)%uint64(len(s.sendings.kept))]
	if kept := place.Load(); kept != nil && kept.week == week {
		return kept
	}
	made := s.newSending(week)
	place.Store(made)
	return made
}
