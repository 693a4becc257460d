package world

import (
	"sync"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/places"
)

// stream is an endless sequence of messages: every week has a number of them,
// each sent at its place in the week, each to one member. The messages of a
// week go to one block of 64 members after the other, in the order of a
// permutation that belongs to the week; so both the messages of an hour and
// those of a member are found directly.
type stream struct {
	key               uint64
	messagesPerMember int64 // how many messages a week are meant for each member, at most
	weekly, parts     int64 // how many messages that many shares are, per member
	slot              int64 // seconds; a part of a quarter hour
	journey           *journey
	schedule          schedule
	senders           []sender // in the order of their parts
	rhythm            rhythm
	delayClassBits    int // 1<<delayClassBits consecutive messages have one delay class
	recipients        recipientsOf
	kept              streamCache
}

// streamCache is what a stream keeps to use it again.
type streamCache struct {
	plans   weekPlanCache
	batches sync.Pool // of *batch
}

// recipientsOf is what a stream knows of the members that it writes to.
type recipientsOf struct {
	// size is how many members a week has.
	size func(week int64) int64
	// audience returns those of some members of a block that are in it; nil: all are.
	audience func(block int64, members memberSet) memberSet
	// levels fills in the levels of activity of the members of a batch.
	levels func(b *batch)
	// levelOf returns the level of one of them.
	levelOf func(b *batch, bit int) int
	// asleep returns who of them does not start the app; nil: all do.
	asleep func(b *batch) memberSet
	// using returns those of some members of a batch who use the app in its week; nil: everybody
	// gets messages.
	using func(b *batch, members memberSet) memberSet
	// inZone returns the members of a block whose clocks show the hours of a time zone.
	inZone func(block int64, zone int) memberSet
	// zones are those of all time zones, moved as a mask says.
	zones func(block int64, mask uint64) [places.Zones]memberSet
	// variant gives the key of a message its variant in an A/B test; nil: there are none.
	variant func(m *message) uint64
	// sent is which share of the messages of a week is sent; nil: all.
	sent func(week int64) chance
	// parts are those of all messages of a week that orchestrations send.
	parts []orchestrationPart
	// outcome is the key of what happens to the messages; zero in the stream of all
	// campaigns. Streams that have all but that in common write at the same times.
	outcome uint64
}

// rhythm is when a stream sends.
type rhythm struct {
	buckets       int64 // how many quarter hours a burst takes
	burst, steady *intensity
	app, local    [places.Zones]*intensity // of what is shown in the app and of what is sent all the time, by time zone
	quiet         [places.Zones]*intensity // local, of messages that ring
}

// message is one message of a stream.
type message struct {
	key           uint64
	plan          *weekPlan
	wave          *sendWave
	number        int64
	slot          int64              // the slot it is sent in, counted since 1970
	offset        int64              // seconds after the slot begins
	member        int64              // the recipient
	homes         *households        // of the block of the member, if they are known
	reachable     bool               // it is known that the channel reaches the member
	push          *installationReach // of their installations, if it is known
	settled       int64              // the profiles below have their first installation when it is sent
	orchestration int32
}

// slotLengths all divide a quarter hour.
var slotLengths = [...]int64{900, 450, 300, 180, 90, 60, 30, 15, 10, 5, 2, 1}

// newStream makes a stream of a journey: of some of a number of orchestrations
// that send so many messages a week to each of about so many members, some of
// them in bursts. How time is divided depends on all of them, not on those of the
// stream: so each has the same messages in every stream.
func newStream(key uint64, weekly, members int64, j *journey, all []orchestration, senders []sender) *stream {
	s := &stream{key: key, weekly: weekly, journey: j, senders: senders, rhythm: rhythm{steady: weeklyIntensity}}
	var sent, bursts, most int64 // shares of all, of those in bursts, of the largest
	for _, o := range all {
		sent, most = sent+o.share, max(most, o.share)
		if o.burst {
			bursts += o.share
		}
		if o.shown {
			s.parts++
		}
	}
	for _, from := range senders {
		sent = max(sent, from.part.before+from.part.width)
	}
	s.messagesPerMember = (weekly*sent + s.parts - 1) / s.parts
	each, steady := weekly*members*most/s.parts, weekly*members*(sent-bursts)/s.parts
	s.rhythm.buckets = burstLength(each)
	s.rhythm.burst = newBurstIntensity(s.rhythm.buckets)
	for _, s.slot = range slotLengths {
		if steady <= slotMessages*week/s.slot && (bursts == 0 || each <= burstMessages*s.rhythm.buckets*bucket/s.slot) {
			break
		}
	}
	s.schedule = j.schedule(s.slot)
	// With many messages, whole blocks share a delay class: nobody sees it.
	if s.delayClassBits = blockBits; each < manyMessages {
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
	first, last = wave.intensity.countsAround(offset-wave.start, s.slot, wave.count)
	return wave.first + first, wave.first + last
}

// placeSalt and pickSalt are those of the second of a message, and of the installation that it goes to.
var placeSalt, pickSalt = saltOf(4 * maxSteps), saltOf(3 * maxSteps)

// place finds the second in which a message is sent.
// The messages of its slot are first up to, not including, last.
func (s *stream) place(m *message, first, last int64) {
	m.offset = ((m.number-first)*s.slot + below(drawSalted(m.key, placeSalt), s.slot)) / (last - first)
	m.orchestration = m.wave.senderOf(m.number)
	if s.recipients.variant != nil {
		m.key = s.recipients.variant(m)
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
	random := drawSalted(m.key, s.journey.steps[i].delay.salt)
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
func (s *stream) reach() int64 { return s.reachOf(^stepSet(0)) }

// reachOf is the longest time in seconds from sending a message to some of the steps.
func (s *stream) reachOf(steps stepSet) int64 {
	longest := int64(0)
	for i, slots := range s.schedule.furthest {
		if steps.has(i) {
			longest = max(longest, slots)
		}
	}
	return (longest + 1) * s.slot
}
