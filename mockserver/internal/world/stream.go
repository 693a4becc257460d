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
	steadyOnes     []int32 // the orchestrations that are no bursts
	burst          int64   // how many quarter hours a burst takes
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
	perSlot := int64(128) // messages in a slot of an average hour
	for number, o := range orchestrations {
		if !o.burst {
			s.steadyOnes = append(s.steadyOnes, int32(number))
		}
	}
	busy := typical * int64(len(s.steadyOnes)) / int64(max(len(orchestrations), 1))
	peak := (typical - busy) / int64(max(len(orchestrations)-len(s.steadyOnes), 1))
	s.burst = burstLength(peak)
	for _, s.slot = range slotLengths {
		if busy <= perSlot*week/s.slot && peak <= perSlot*s.burst*bucket/s.slot {
			break
		}
	}
	s.when = j.schedule(s.slot)
	return s
}

// numbersIn are the messages sent in a slot: those of a week from first up to,
// not including, last.
func (s *stream) numbersIn(slot int64) (in *sending, first, last int64) {
	start := slot * s.slot
	in = s.in(floorDivide(start, week))
	if start < birth || in.count == 0 {
		return in, 0, 0
	}
	offset := start - in.week*week
	return in, in.rhythm.firstFrom(offset, in.count), in.rhythm.firstFrom(offset+s.slot, in.count)
}

// quarterOf is the quarter hour of its week in which a slot lies.
func (s *stream) quarterOf(slot int64) int64 {
	start := slot * s.slot
	return (start - floorDivide(start, week)*week) / bucket
}

// name makes m message number of its week and slot.
func (s *stream) name(m *message, number, quarter int64) {
	m.key, m.number, m.recipient, m.level = draw(s.key^uint64(m.in.week), uint64(number)), number, -1, -1
	m.orchestration = s.orchestrationAt(m.in, quarter, draw(m.key, 2*maxSteps))
}

// place finds the second in which a message is sent. The messages of its slot
// are first up to, not including, last.
func (s *stream) place(m *message, first, last int64) {
	m.offset = ((m.number-first)*s.slot + below(draw(m.key, 4*maxSteps), s.slot)) / (last - first)
}

// happens says whether a step happens to a message.
func (s *stream) happens(m *message, i int) bool {
	step := &s.journey.steps[i]
	if s.orchestrations[m.orchestration].root != step.root {
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
	// Steps of many tempos look at the same few slots.
	var seen [16]struct {
		slot, first, last, quarter int64
		in                         *sending
	}
	for i := range seen {
		seen[i].slot = -1 << 63
	}
	var m message
	for i := range s.journey.steps {
		if wanted>>i&1 == 0 || s.journey.steps[i].consent {
			continue
		}
		for t := range int64(tempos) {
			m.slot = s.when.sentIn(i, int(t), slot)
			known := &seen[uint64(m.slot)%uint64(len(seen))]
			if known.slot != m.slot {
				known.slot, known.quarter = m.slot, s.quarterOf(m.slot)
				known.in, known.first, known.last = s.numbersIn(m.slot)
			}
			m.in = known.in
			for number := known.first + ((t-known.first)%tempos+tempos)%tempos; number < known.last; number += tempos {
				s.name(&m, number, known.quarter)
				if s.happens(&m, i) {
					s.place(&m, known.first, known.last)
					visit(&m, i)
				}
			}
		}
	}
}

// visitMember calls visit for every message to one member in one round that
// may have one of the wanted steps in [from, to), the latest week first. It
// returns the steps that are still wanted; none ends the visits.
func (s *stream) visitMember(member, round, from, to int64, wanted uint64, visit func(m *message) uint64) {
	first := floorDivide(max(from-s.reach(), birth), week)
	for inWeek := floorDivide(to-1, week); inWeek >= first && wanted != 0; inWeek-- {
		m := message{in: s.in(inWeek), level: -1}
		if member >= m.in.members {
			continue // not there yet
		}
		recipient := round*m.in.members + member
		number := m.in.order.indexOf(recipient)
		if number >= m.in.count {
			continue
		}
		second := m.in.rhythm.secondOf(number, m.in.count)
		s.name(&m, number, second/bucket)
		m.recipient, m.slot = recipient, (inWeek*week+second)/s.slot
		if !s.mayConcern(&m, wanted) {
			continue
		}
		_, low, high := s.numbersIn(m.slot)
		if number < low || number >= high {
			continue // it would be sent before the world begins
		}
		s.place(&m, low, high)
		wanted = visit(&m)
	}
}

// mayConcern says whether one of the wanted steps happens to a message.
func (s *stream) mayConcern(m *message, wanted uint64) bool {
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
