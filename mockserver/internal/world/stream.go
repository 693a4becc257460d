package world

import "math/bits"

// stream is a row of messages without end: in every week a number of them,
// each at its place in the week, each to one recipient. Number q of a week goes
// to the recipient at(q) of the order of that week, so the messages of an hour
// and those of a recipient are both found directly.
type stream struct {
	key            uint64
	rounds         int64 // how many messages a week are meant for each member
	slot           int64 // seconds; a part of a quarter hour
	journey        *journey
	when           schedule
	orchestrations []orchestration
	bursts         int     // how many of the orchestrations are bursts
	burst          int64   // how many quarter hours a burst takes
	fading         *rhythm // of a burst
	// size says who may be written to in a week, and how many messages are sent.
	size func(week int64) (members, count int64)
	// level is the activity of the member who gets a message.
	level    func(m *message) int
	sendings sendings
}

// message is one message of a stream.
type message struct {
	key           uint64
	in            *sending
	lane          *lane
	number        int64
	slot          int64 // the slot it is sent in, counted since 1970
	offset        int64 // seconds after the slot begins
	recipient     int64 // in [0, rounds*members), -1: not looked up yet
	level         int   // of activity, -1: not looked up yet
	orchestration int32
}

// member is who the message goes to.
func (m *message) member() int64 {
	if m.recipient < 0 {
		m.recipient = m.in.order.at(m.number)
	}
	return m.recipient % m.in.members
}

// slotLengths all divide a quarter hour.
var slotLengths = [...]int64{900, 450, 300, 180, 90, 60, 30, 15, 10, 5, 2, 1}

// newStream makes a stream of a journey. Its busiest weeks have about so many
// messages as typical says.
func newStream(key uint64, rounds, typical int64, j *journey, orchestrations []orchestration) *stream {
	s := &stream{key: key, rounds: rounds, journey: j, orchestrations: orchestrations}
	for _, o := range orchestrations {
		if o.burst {
			s.bursts++
		}
	}
	each := typical / int64(max(len(orchestrations), 1))
	steady := typical - each*int64(s.bursts)
	s.burst = burstLength(each)
	s.fading = fading(s.burst)
	for _, s.slot = range slotLengths {
		if steady <= slotMessages*week/s.slot && (s.bursts == 0 || each <= burstMessages*s.burst*bucket/s.slot) {
			break
		}
	}
	s.when = j.schedule(s.slot)
	return s
}

// slotMessages are how many messages are sent in a slot, on average, and
// burstMessages how many more in a slot of a burst.
const (
	slotMessages  = 128
	burstMessages = 1_024
)

// between are the messages that a lane sends in a slot of the week: those from
// first up to, not including, last.
func (s *stream) between(in *sending, l *lane, slot int64) (first, last int64) {
	start := slot * s.slot
	offset := start - in.week*week
	if start < birth || offset+s.slot <= l.start || offset >= l.start+l.length {
		return 0, 0
	}
	return l.first + l.until(offset), l.first + l.until(offset+s.slot)
}

// name makes m message number of its week and lane.
func (s *stream) name(m *message, number int64) {
	m.key, m.number, m.recipient, m.level = draw(s.key^uint64(m.in.week), uint64(number)), number, -1, -1
}

// place finds the second in which a message is sent, and by whom. The messages
// of its slot are first up to, not including, last.
func (s *stream) place(m *message, first, last int64) {
	m.offset = ((m.number-first)*s.slot + below(draw(m.key, 4*maxSteps), s.slot)) / (last - first)
	senders := m.lane.orchestrations
	m.orchestration = senders[0]
	if len(senders) > 1 {
		m.orchestration = senders[below(draw(m.key, 2*maxSteps), int64(len(senders)))]
	}
}

// happens says whether a step happens to a message.
func (s *stream) happens(m *message, i int) bool {
	step := &s.journey.steps[i]
	if m.lane.root != step.root {
		return false
	}
	if step.personal && m.level < 0 {
		if !s.journey.mayHappen(m.key, i) {
			return false
		}
		m.level = s.level(m)
	}
	return s.journey.happens(m.key, i, max(m.level, 0))
}

// timeOf is when a step happens to a message, in seconds since 1970.
func (s *stream) timeOf(m *message, i int) int64 {
	t := int(m.number % tempos)
	return s.when.slotOf(i, t, m.slot)*s.slot + s.offsetOf(m, i, t)
}

// offsetOf is how many seconds after the beginning of its slot a step happens:
// soon after the step before when both fall in one slot, else anywhere in it.
func (s *stream) offsetOf(m *message, i, t int) int64 {
	parent := s.journey.steps[i].parent
	if parent < 0 {
		return m.offset
	}
	random := draw(m.key, uint64(i)+maxSteps)
	if s.when.lags[i][t].slots > 0 {
		return below(random, s.slot)
	}
	before := s.offsetOf(m, parent, t)
	room := s.slot - 1 - before
	if room <= 0 {
		return before
	}
	return before + 1 + below(random, min(2*s.when.lags[i][t].seconds, room))
}

// visitSlot calls visit for every message to which one of the wanted steps
// happens in a slot, once per such step, unless it cannot be reached.
func (s *stream) visitSlot(slot int64, wanted uint64, visit func(m *message, step int)) {
	var (
		m            message
		sent, offset [tempos]int64
		in           [tempos]*sending
	)
	for i := range s.journey.steps {
		step := &s.journey.steps[i]
		if wanted>>i&1 == 0 || step.consent {
			continue
		}
		low, high, oneWeek := int64(1)<<62, int64(-1)<<62, true
		for t := range sent {
			if sent[t] = s.when.sentIn(i, t, slot); t > 0 && sent[t] == sent[t-1] {
				in[t], offset[t] = in[t-1], offset[t-1]
				continue
			}
			in[t] = s.in(floorDivide(sent[t]*s.slot, week))
			offset[t] = sent[t]*s.slot - in[t].week*week
			low, high, oneWeek = min(low, offset[t]), max(high, offset[t]+s.slot), oneWeek && in[t] == in[0]
		}
		// The lanes of all weeks are of the same kinds.
		for l := range in[0].lanes {
			if in[0].lanes[l].root != step.root || oneWeek && in[0].lanes[l].silent(low, high) {
				continue
			}
			var first, last int64
			for t := range int64(tempos) {
				m.slot, m.in, m.lane = sent[t], in[t], &in[t].lanes[l]
				if t == 0 || m.slot != sent[t-1] {
					first, last = 0, 0
					if !m.lane.silent(offset[t], offset[t]+s.slot) {
						first, last = s.between(m.in, m.lane, m.slot)
					}
				}
				for number := first + tempoOf(t-first); number < last; number += tempos {
					s.name(&m, number)
					if s.happens(&m, i) {
						s.place(&m, first, last)
						visit(&m, i)
					}
				}
			}
		}
	}
}

// tempoOf is a number modulo the tempos, which are a power of two; never
// negative.
func tempoOf(n int64) int64 { return n & (tempos - 1) }

// visitMember calls visit for every message to one member in one round that
// may have one of the wanted steps in [from, to), the latest week first. It
// returns the steps that are still wanted; none ends the visits.
func (s *stream) visitMember(member, round, from, to int64, wanted uint64, visit func(m *message) uint64) {
	var m message
	first := floorDivide(max(from-s.reach(), birth), week)
	for inWeek := floorDivide(to-1, week); inWeek >= first && wanted != 0; inWeek-- {
		m.in = s.in(inWeek)
		if member >= m.in.members {
			return // not there yet
		}
		recipient := round*m.in.members + member
		number := m.in.order.indexOf(recipient)
		if number >= m.in.count {
			continue
		}
		m.lane = m.in.laneOf(number)
		if s.journey.rooted[m.lane.root]&wanted == 0 {
			continue
		}
		s.name(&m, number)
		m.recipient = recipient
		if !s.mayConcern(&m, wanted) {
			continue
		}
		second := m.lane.start + m.lane.rhythm.secondOf(number-m.lane.first, m.lane.count)
		m.slot = (inWeek*week + second) / s.slot
		low, high := s.between(m.in, m.lane, m.slot)
		if number < low || number >= high {
			continue // it would be sent before the world begins
		}
		s.place(&m, low, high)
		wanted = visit(&m)
	}
}

// mayConcern says whether one of the wanted steps happens to a message.
func (s *stream) mayConcern(m *message, wanted uint64) bool {
	wanted &= s.journey.rooted[m.lane.root]
	for wanted != 0 {
		step := bits.TrailingZeros64(wanted)
		wanted &= wanted - 1
		if s.happens(m, step) {
			return true
		}
	}
	return false
}

// reach is the longest time in seconds from sending a message to its last step.
func (s *stream) reach() int64 { return (s.when.longest + 1) * s.slot }
