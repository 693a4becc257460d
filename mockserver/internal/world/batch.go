package world

import (
	"math"
	"math/bits"
)

// batch is 64 consecutive messages of a week, which go to the members of one
// block: message first+n goes to member+(n^xorMask). What happens to them is
// drawn for the whole block at once.
type batch struct {
	stream    *stream
	plan      *weekPlan
	first     int64
	member    int64
	xorMask   uint64
	key       uint64
	levelSets [levels]memberSet // by level of activity
	leveled   bool              // levelSets are known
	asleep    sleepers
	own       blockLevels
	outcomes  *outcomes // nil: steps are asked for once
	visited   visited
}

// visited is what was looked at last.
type visited struct {
	slot    batchSlot
	sending sending
}

// sleepers are who does not start the app.
type sleepers struct {
	members memberSet
	known   bool
}

// batchSlot is the messages that a wave sends in one slot, first up to, not including,
// last. Most messages of a batch are sent in one.
type batchSlot struct {
	wave              *sendWave
	slot, first, last int64
}

// blockLevels are the levels of activity of the members of a block, which several batches go to, and
// whose messages machines load.
type blockLevels struct {
	of       int64 // the block, plus one
	words    [4]uint64
	sets     [levels]memberSet
	split    bool // sets are known
	machines machines
}

// ownWords are the levels of activity of the members, bit-sliced.
func (b *batch) ownWords(w *World) *[4]uint64 {
	if block := b.member >> blockBits; b.own.of != block+1 {
		b.own.of, b.own.words, b.own.split = block+1, w.activityWords(block), false
	}
	return &b.own.words
}

// ownLevels are the members by their level of activity.
func (b *batch) ownLevels(w *World) *[levels]memberSet {
	if words := b.ownWords(w); !b.own.split {
		b.own.split, b.own.sets = true, levelSetsOf(*words)
	}
	return &b.own.sets
}

// outcomes are what is known of the steps of a batch: who of those that were asked for reach one.
type outcomes struct {
	known        stepSet
	asked, reach [maxSteps]memberSet
}

// begin makes b the batch at an index in the order of a week.
func (s *stream) begin(b *batch, plan *weekPlan, index int64) {
	s.beginWith(b, plan, index, plan.order.at(index))
}

// beginFor makes b the nth batch that a block of members gets in a week, and returns the
// waves from the first on that sends some of it; none: b is not made.
func (s *stream) beginFor(b *batch, plan *weekPlan, block, nth int64) []sendWave {
	place := nth*plan.blocks + block
	index := plan.order.indexOf(place)
	if last := len(plan.behind) - 1; last < 0 || index<<blockBits >= plan.behind[last] || (index+1)<<blockBits <= plan.waves[0].first {
		return nil // most are of other streams
	}
	waves := plan.wavesFrom(index << blockBits)
	if waves[0].first >= (index+1)<<blockBits {
		return nil
	}
	s.beginWith(b, plan, index, place)
	return waves
}

func (s *stream) beginWith(b *batch, plan *weekPlan, index, place int64) {
	if s.messagesPerMember > 1 {
		place %= plan.blocks
	}
	b.stream, b.plan, b.first, b.member = s, plan, index<<blockBits, place<<blockBits
	b.key = draw(plan.key, uint64(index))
	b.xorMask = b.key % blockSize
	b.leveled, b.asleep = false, sleepers{known: s.recipients.asleep == nil}
	if b.outcomes != nil {
		b.outcomes.known = 0
	}
}

// membersOf are the members who get the messages of a wave from number first up to, not
// including, last, restricted to the messages at some positions of the batch.
func (b *batch) membersOf(wave *sendWave, first, last int64, positions memberSet) memberSet {
	r, among := &b.stream.recipients, wholeBlock
	if wave.zoned {
		among = r.inZone(b.member>>blockBits, wave.zone)
	}
	members := b.sentTo(first, last, positions, among)
	if members == 0 {
		return 0
	}
	if r.audience != nil {
		members = r.audience(b.member>>blockBits, members)
	}
	if r.using == nil || members == 0 {
		return members
	}
	return r.using(b, members)
}

// sentTo is membersOf some members, whether they are in the audience and use the app or not.
func (b *batch) sentTo(first, last int64, positions, among memberSet) memberSet {
	positions &= firstMembers(last-b.first) &^ firstMembers(first-b.first)
	if positions == 0 {
		return 0
	}
	members := positions.permuted(b.xorMask) & firstMembers(b.plan.members-b.member) & among
	if members == 0 || b.plan.sent == math.MaxUint64 {
		return members
	}
	return b.plan.sent.sample(mix(b.key+golden), members)
}

// numberOf is the message that goes to a member, given as a bit.
func (b *batch) numberOf(bit int) int64 { return b.first + int64(uint64(bit)^b.xorMask) }

// happening returns those of some members whose message reaches a step; all
// their messages begin with the root of that step.
func (b *batch) happening(i int, members memberSet) memberSet {
	s := &b.stream.journey.steps[i]
	if s.parent < 0 || members == 0 {
		return members
	}
	if s.nature.consent {
		return 0
	}
	known := b.outcomes
	if known == nil {
		return b.reaching(i, members)
	}
	if !known.known.has(i) || members&^known.asked[i] != 0 {
		known.reach[i] = b.reaching(i, members)
		known.known.add(i)
		known.asked[i] = members
	}
	return known.reach[i] & members
}

// reaching is happening, drawn anew.
func (b *batch) reaching(i int, members memberSet) memberSet {
	s, asked := &b.stream.journey.steps[i], members
	key := drawSalted(b.key^b.stream.recipients.outcome, s.salt)
	if s.variant.machine {
		members = b.withMachine(s, members)
	}
	if b.outcomes != nil { // other steps ask for that of the parent, too
		members = s.rate.top.sample(key, b.happening(s.parent, members))
	} else {
		members = b.happening(s.parent, s.rate.top.sample(key, members))
	}
	if members == 0 {
		return 0
	}
	if s.nature.inApp {
		members = b.awake(members)
	}
	if s.rate.varies {
		members = b.staying(&s.rate, mix(key^golden), members)
	}
	for _, other := range s.unless {
		if by := &b.stream.journey.steps[other]; by.root == s.root {
			if b.outcomes == nil || !by.variant.machine { // else it is asked for all of them, too
				asked = members
			}
			members &^= b.happening(other, asked)
		}
	}
	return members
}

// machines are the members of a block whose messages machines load, by the last step that asked.
type machines struct {
	of          int64  // the block, plus one
	key         uint64 // of the step
	asked, have memberSet
}

// withMachine are those of some members for whom machines do a step. A block whose next message is looked at is kept as a whole.
func (b *batch) withMachine(s *step, members memberSet) memberSet {
	block, key, kept := b.member>>blockBits, b.stream.key^s.salt, &b.own.machines
	if kept.of != block+1 || kept.key != key {
		*kept = machines{of: block + 1, key: key, asked: members}
	} else if members&^kept.asked != 0 {
		kept.asked = wholeBlock
	} else {
		return kept.have & members
	}
	kept.have = s.variant.behind.sample(draw(key, uint64(block)), kept.asked)
	return kept.have & members
}

// fewMembers are so few that looking at the level of each is faster than at those of all.
const fewMembers = 6

// staying are those of some members that stay by the ratios of their levels.
func (b *batch) staying(rate *activityRate, key uint64, members memberSet) (chosen memberSet) {
	if bits.OnesCount64(uint64(members)) > fewMembers {
		b.loadLevels()
		return rate.sample(key, members, &b.levelSets)
	}
	for members != 0 {
		bit := members.pop()
		if rate.holds(key, 1<<bit, b.stream.recipients.levelOf(b, bit)) {
			chosen.add(bit)
		}
	}
	return chosen
}

// awake are those of some members who start the app.
func (b *batch) awake(members memberSet) memberSet {
	if !b.asleep.known {
		b.asleep = sleepers{b.stream.recipients.asleep(b), true}
	}
	return members &^ b.asleep.members
}

// loadLevels makes known how active the members are.
func (b *batch) loadLevels() {
	if !b.leveled {
		b.leveled = true
		b.stream.recipients.levels(b)
	}
}

// message makes m the message to a member, given as a bit.
func (b *batch) message(m *message, wave *sendWave, bit int) {
	m.plan, m.wave, m.number, m.member = b.plan, wave, b.numberOf(bit), b.member+int64(bit)
	m.key = draw(b.plan.key, uint64(m.number))
}

// messageAt is message, and finds when it is sent; false: it would be before
// the world begins.
func (b *batch) messageAt(m *message, wave *sendWave, bit int) bool {
	b.message(m, wave, bit)
	if kept := &b.visited.slot; kept.wave != wave || m.number < kept.first || m.number >= kept.last {
		first, last := b.findSlot(m)
		if m.number < first || m.number >= last {
			return false
		}
		*kept = batchSlot{wave, m.slot, first, last}
	}
	m.slot = b.visited.slot.slot
	b.stream.place(m, b.visited.slot.first, b.visited.slot.last)
	return true
}

// findSlot finds the slot in which a message is sent, and the messages that its
// wave sends there.
func (b *batch) findSlot(m *message) (first, last int64) {
	second := m.wave.start + m.wave.intensity.secondOf(m.number-m.wave.first, m.wave.count)
	m.slot = (b.plan.week*week + second) / b.stream.slot
	return b.stream.messagesIn(b.plan, m.wave, m.slot)
}

// lastSent is when the last message is sent that a wave sends in a batch.
func (s *stream) lastSent(b *batch, wave *sendWave) int64 {
	last := min(b.first+blockSize, wave.first+wave.count) - 1
	return b.plan.week*week + wave.start + wave.intensity.secondOf(last-wave.first, wave.count)
}

// latestOfSteps is latestIn of whichever of some steps comes last.
func (s *stream) latestOfSteps(b *batch, steps stepSet, sent int64) (latest int64) {
	for steps != 0 {
		latest = max(latest, s.latestIn(b, steps.pop(), sent))
	}
	return latest
}

// latestIn is an instant after which a step does not happen to a message of a batch that
// is sent by another instant.
func (s *stream) latestIn(b *batch, i int, sent int64) int64 {
	reach := s.schedule.furthest[i]
	if s.delayClassBits == blockBits { // all its messages are of one class
		reach = s.schedule.reaches[i][s.delayClassOf(b.first)]
	}
	return sent + (reach+2)*s.slot
}
