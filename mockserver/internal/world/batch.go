package world

import "math/bits"

// Members are numbered, and 64 in a row make a block. A batch is the messages
// that a week's order gives to one block, one after the other. What happens to
// them is found for all 64 at once, as bits of a word.
const (
	blockBits = 6
	blockSize = 1 << blockBits
)

// blocksOf is how many blocks a number of things makes.
func blocksOf(things int64) int64 { return (things + blockSize - 1) / blockSize }

// placeIn is the bit of a thing in its block.
func placeIn(thing int64) uint64 { return 1 << (uint64(thing) % blockSize) }

// lowest has the lowest bits set, at most all.
func lowest(count int64) uint64 {
	switch {
	case count <= 0:
		return 0
	case count >= blockSize:
		return ^uint64(0)
	}
	return 1<<uint(count) - 1
}

// turned moves bit n of a word to n^turn.
func turned(word uint64, turn uint64) uint64 {
	for i, mask := range [blockBits]uint64{
		0x5555555555555555, 0x3333333333333333, 0x0f0f0f0f0f0f0f0f, 0x00ff00ff00ff00ff, 0x0000ffff0000ffff, 0x00000000ffffffff,
	} {
		if turn>>i&1 == 1 {
			shift := uint(1) << i
			word = word&mask<<shift | word>>shift&mask
		}
	}
	return word
}

// batch is 64 messages of a week: number first+n goes to member member+(n^turn).
type batch struct {
	stream *stream
	in     *sending
	first  int64
	member int64
	turn   uint64
	key    uint64
	there  uint64 // which of the members there are
	masks  [levels]uint64
	masked uint64 // for whom the levels of activity are known
}

// begin makes b the batch of an index in the order of a week.
func (s *stream) begin(b *batch, in *sending, index int64) {
	s.beginWith(b, in, index, in.order.at(index))
}

// beginFor makes b the batch that a block of members gets in a round.
func (s *stream) beginFor(b *batch, in *sending, block, round int64) {
	place := round*in.blocks + block
	s.beginWith(b, in, in.order.indexOf(place), place)
}

func (s *stream) beginWith(b *batch, in *sending, index, place int64) {
	if s.rounds > 1 {
		place %= in.blocks
	}
	b.stream, b.in, b.first, b.member = s, in, index<<blockBits, place<<blockBits
	b.key = draw(in.key, uint64(index))
	b.turn, b.there, b.masked = b.key%blockSize, lowest(in.members-b.member), 0
	if s.chosen != nil {
		b.there &= s.chosen(place)
	}
}

// between are the members who get the messages from number first up to, not
// including, last, of those whose tempo is one of a mask.
func (b *batch) between(first, last int64, tempos uint64) uint64 {
	places := lowest(last-b.first) &^ lowest(first-b.first) & tempos
	if places == 0 {
		return 0
	}
	return turned(places, b.turn) & b.there
}

// numberOf is the message that goes to a member, given as a bit.
func (b *batch) numberOf(bit int) int64 { return b.first + int64(uint64(bit)^b.turn) }

// happening are those of some members to whose message a step happens; their
// messages begin with the first step of its journey.
func (b *batch) happening(i int, who uint64) uint64 {
	s := &b.stream.journey.steps[i]
	if s.parent < 0 || who == 0 {
		return who
	}
	if s.consent {
		return 0
	}
	key := draw(b.key, uint64(i))
	if who = b.happening(s.parent, s.rate.top.among(key, who)); who == 0 {
		return 0
	}
	if s.rate.parted {
		b.know(who)
		who = s.rate.among(mix(key^golden), who, &b.masks)
	}
	for _, other := range s.unless {
		if b.stream.journey.steps[other].root == s.root {
			who &^= b.happening(other, who)
		}
	}
	return who
}

// know finds the levels of activity of members.
func (b *batch) know(who uint64) {
	if who&^b.masked == 0 {
		return
	}
	b.masked |= b.stream.levels(b, who&^b.masked)
}

// message makes m the message to a member, given as a bit.
func (b *batch) message(m *message, l *lane, bit int) {
	m.in, m.lane, m.number, m.member = b.in, l, b.numberOf(bit), b.member+int64(bit)
	m.key = draw(b.in.key, uint64(m.number))
}

// messageAt is message, and finds when it is sent; false: it would be before
// the world begins.
func (b *batch) messageAt(m *message, l *lane, bit int) bool {
	b.message(m, l, bit)
	s := b.stream
	second := l.start + l.rhythm.secondOf(m.number-l.first, l.count)
	m.slot = (b.in.week*week + second) / s.slot
	first, last := s.between(b.in, l, m.slot)
	if m.number < first || m.number >= last {
		return false
	}
	s.place(m, first, last)
	return true
}

// visitBlock calls visit for the messages to some members of a block, in the
// weeks in which a step may happen in [from, to), the latest first: with the
// batch, the lane and who of the members gets one there. visit returns the
// members who are still of interest; nobody ends it.
func (s *stream) visitBlock(block, from, to int64, who uint64, visit func(b *batch, l *lane, who uint64) uint64) {
	var b batch
	first := floorDivide(max(from-s.reach(), birth), week)
	if len(s.orchestrations) == 0 {
		return
	}
	for inWeek := floorDivide(to-1, week); inWeek >= first && who != 0; inWeek-- {
		in := s.in(inWeek)
		if block >= in.blocks {
			return // nobody of them is there yet
		}
		for round := range s.rounds {
			s.beginFor(&b, in, block, round)
			last := min(b.first+blockSize, in.count)
			for at := b.first; at < last; {
				l := in.laneOf(at)
				end := min(l.first+l.count, last)
				if end <= at {
					break // behind the last lane
				}
				if part := b.between(at, end, ^uint64(0)) & who; part != 0 {
					left := visit(&b, l, part)
					who &^= part &^ left
				}
				at = end
			}
		}
	}
}

// visitSlot calls visit for the messages to which a step may happen in a slot:
// with the batch, the lane, the tempo, the slot they were sent in, which
// messages it has, and who gets one.
func (s *stream) visitSlot(i int, slot int64, visit func(part slotPart)) {
	var (
		sent, offset [tempos]int64
		in           [tempos]*sending
		b            batch
	)
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
		if in[0].lanes[l].root != s.journey.steps[i].root || oneWeek && in[0].lanes[l].silent(low, high) {
			continue
		}
		part := slotPart{batch: &b}
		for t := 0; t < tempos; t++ {
			if t == 0 || sent[t] != sent[t-1] {
				part.slot, part.lane = sent[t], &in[t].lanes[l]
				part.first, part.last = 0, 0
				if !part.lane.silent(offset[t], offset[t]+s.slot) {
					part.first, part.last = s.between(in[t], part.lane, part.slot)
				}
			}
			if part.first == part.last {
				continue
			}
			part.tempo = t
			index, step, mask := part.first>>blockBits, int64(1), ^uint64(0)
			if s.tempoBits == blockBits {
				step = tempos
				index += (int64(t) - index) & (tempos - 1)
			} else {
				mask = 0xf << (4 * uint(t))
			}
			for ; index<<blockBits < part.last; index += step {
				s.begin(&b, in[t], index)
				if part.who = b.between(part.first, part.last, mask); part.who != 0 {
					visit(part)
				}
			}
		}
	}
}

// slotPart is some messages of a slot.
type slotPart struct {
	batch       *batch
	lane        *lane
	tempo       int
	slot        int64 // they were sent in
	first, last int64 // the messages of the lane in that slot
	who         uint64
}

// next takes the lowest of the bits.
func next(bitset *uint64) int {
	bit := bits.TrailingZeros64(*bitset)
	*bitset &= *bitset - 1
	return bit
}
