package world

// stream is a row of messages without end: in every week a number of them,
// each at its place in the week, each to one recipient. The messages of a week go
// to one block of 64 members after the other, in the order of that week, so the
// messages of an hour and those of a recipient are both found directly.
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
	tempoBits      int     // how many messages in a row go at one tempo: a power of two
	// size says who may be written to in a week, and how many quarters of them
	// are.
	size func(week int64) (members, quarters int64)
	// chosen says who of a block is a member; nil: everybody.
	chosen func(block int64) uint64
	// levels finds the levels of activity of some members of a batch, and of
	// whom else it found them.
	levels   func(b *batch, who uint64) (known uint64)
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
	member        int64 // who it goes to
	sure          bool  // it is known that they can be reached
	orchestration int32
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
	// Whole blocks go at one tempo where that is not seen.
	if s.tempoBits = blockBits; steady > 0 && steady < manyMessages || s.bursts > 0 && each < manyMessages {
		s.tempoBits = 2
	}
	return s
}

// slotMessages are how many messages are sent in a slot, on average, and
// burstMessages how many more in a slot of a burst.
const (
	slotMessages  = 512
	burstMessages = 1_024
)

// manyMessages are how many messages an orchestration sends in a week whose
// blocks go at one tempo each.
const manyMessages = 20_000

// tempoOf is the tempo of a message.
func (s *stream) tempoOf(number int64) int { return int(number >> s.tempoBits & (tempos - 1)) }

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

// timeOf is when a step happens to a message, in seconds since 1970.
func (s *stream) timeOf(m *message, i int) int64 {
	t := s.tempoOf(m.number)
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

// reach is the longest time in seconds from sending a message to its last step.
func (s *stream) reach() int64 { return (s.when.longest + 1) * s.slot }
