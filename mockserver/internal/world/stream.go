package world

// stream is an endless sequence of messages: every week has a number of them,
// each sent at its place in the week, each to one member. The messages of a
// week go to one block of 64 members after the other, in the order of a
// permutation that belongs to the week; so both the messages of an hour and
// those of a member are found directly.
type stream struct {
	key               uint64
	messagesPerMember int64 // how many messages a week are meant for each member
	slot              int64 // seconds; a part of a quarter hour
	journey           *journey
	schedule          schedule
	orchestrations    []orchestration
	bursts            bursts
	delayClassBits    int // 1<<delayClassBits consecutive messages have one delay class
	// size is how many members a week has, and how many quarters of them get
	// messages.
	size func(week int64) (members, quarters int64)
	// audience returns the members in a block; nil: all 64.
	audience func(block int64) memberSet
	// levels fills in the levels of activity of some members of a batch, and
	// returns all members for which it did.
	levels func(b *batch, members memberSet) (known memberSet)
	plans  weekPlanCache
}

// bursts is how the bursts of a stream look.
type bursts struct {
	count     int   // how many of the orchestrations send in bursts
	buckets   int64 // how many quarter hours a burst takes
	intensity *intensity
}

// message is one message of a stream.
type message struct {
	key           uint64
	plan          *weekPlan
	wave          *sendWave
	number        int64
	slot          int64 // the slot it is sent in, counted since 1970
	offset        int64 // seconds after the slot begins
	member        int64 // the recipient
	reachable     bool  // it is known that the channel reaches the member
	orchestration int32
}

// slotLengths all divide a quarter hour.
var slotLengths = [...]int64{900, 450, 300, 180, 90, 60, 30, 15, 10, 5, 2, 1}

// newStream makes a stream of a journey. Its busiest weeks have about so many
// messages as typical says.
func newStream(key uint64, perMember, typical int64, j *journey, orchestrations []orchestration) *stream {
	s := &stream{key: key, messagesPerMember: perMember, journey: j, orchestrations: orchestrations}
	for _, o := range orchestrations {
		if o.burst {
			s.bursts.count++
		}
	}
	each := typical / int64(max(len(orchestrations), 1))
	steady := typical - each*int64(s.bursts.count)
	s.bursts.buckets = burstLength(each)
	s.bursts.intensity = newBurstIntensity(s.bursts.buckets)
	for _, s.slot = range slotLengths {
		if steady <= slotMessages*week/s.slot && (s.bursts.count == 0 || each <= burstMessages*s.bursts.buckets*bucket/s.slot) {
			break
		}
	}
	s.schedule = j.schedule(s.slot)
	// With many messages, whole blocks share a delay class: nobody sees it.
	if s.delayClassBits = blockBits; steady > 0 && steady < manyMessages || s.bursts.count > 0 && each < manyMessages {
		s.delayClassBits = 2
	}
	return s
}

// slotMessages are how many messages are sent in a slot, on average, and
// burstMessages how many more in a slot of a burst.
const (
	slotMessages  = 512
	burstMessages = 1_024
)

// manyMessages is from how many messages a week on an orchestration has one
// delay class per block.
const manyMessages = 20_000

// delayClassOf is the delay class of a message.
func (s *stream) delayClassOf(number int64) int {
	return int(number >> s.delayClassBits & (delayClasses - 1))
}

// messagesIn is the range of messages that a wave sends in a slot: first up
// to, not including, last.
func (s *stream) messagesIn(plan *weekPlan, wave *sendWave, slot int64) (first, last int64) {
	start := slot * s.slot
	offset := start - plan.week*week
	if start < worldStart || offset+s.slot <= wave.start || offset >= wave.start+wave.length {
		return 0, 0
	}
	return wave.first + wave.countUntil(offset), wave.first + wave.countUntil(offset+s.slot)
}

// place finds the second in which a message is sent, and its orchestration.
// The messages of its slot are first up to, not including, last.
func (s *stream) place(m *message, first, last int64) {
	m.offset = ((m.number-first)*s.slot + below(draw(m.key, 4*maxSteps), s.slot)) / (last - first)
	senders := m.wave.orchestrations
	m.orchestration = senders[0]
	if len(senders) > 1 {
		m.orchestration = senders[below(draw(m.key, 2*maxSteps), int64(len(senders)))]
	}
}

// timeOf is when a step happens to a message, in seconds since 1970.
func (s *stream) timeOf(m *message, i int) int64 {
	t := s.delayClassOf(m.number)
	return s.schedule.slotOf(i, t, m.slot)*s.slot + s.offsetOf(m, i, t)
}

// offsetOf is how many seconds after the beginning of its slot a step happens:
// soon after the step before when both fall in one slot, else anywhere in it.
func (s *stream) offsetOf(m *message, i, t int) int64 {
	parent := s.journey.steps[i].parent
	if parent < 0 {
		return m.offset
	}
	random := draw(m.key, uint64(i)+maxSteps)
	if s.schedule.lags[i][t].slots > 0 {
		return below(random, s.slot)
	}
	before := s.offsetOf(m, parent, t)
	room := s.slot - 1 - before
	if room <= 0 {
		return before
	}
	return before + 1 + below(random, min(2*s.schedule.lags[i][t].seconds, room))
}

// reach is the longest time in seconds from sending a message to its last step.
func (s *stream) reach() int64 { return (s.schedule.longest + 1) * s.slot }
