package world

import (
	"math/bits"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/places"
)

// eventFinder finds the events of a view of messages in a window of slots: most of what
// there is to do is done once for all of them. How many slots it has does not change what they hold.
type eventFinder struct {
	window slotRun
	rows   foundRows // of the window
	given  int64     // how many slots were

	batch   batch
	message message
	homes   households
	reached weeklyReach
	way     messageWay
	runs    runsBuffer
	ends    endSlots
	users   *appUsers           // of the view, while the window is filled
	happens [maxSteps]memberSet // by place in a group
}

// messageWay is where messages of a batch go.
type messageWay struct {
	to      address // of the message
	push    installationReach
	certain memberSet // whom the messages reach, whenever
}

// find makes the window one that begins with a slot, and has so many or, if they hold too
// many rows, fewer of them.
func (f *eventFinder) find(v *messages, window slotRun) {
	if f.users, _ = v.windows.users.Get().(*appUsers); f.users == nil {
		f.users = &appUsers{}
	}
	defer v.windows.users.Put(f.users)
	for window.count > 1 && v.stream.sentIn(window) > mostSent*v.windows.rows {
		window.count /= 2
	}
	for f.window = window; !f.fill(v); {
		f.window.count /= 2
	}
	f.rows.sort()
	if v.about.linked {
		f.rows.leaveDistinct()
	}
}

// give adds the rows of a slot of the window.
func (f *eventFinder) give(v *messages, rows []Row, begin, end int64) []Row {
	first, count := f.rows.next, len(f.rows.order)
	if first > 0 && f.rows.timeOf(first-1) >= begin || first < count && f.rows.timeOf(first) < begin {
		first = f.rows.seek(begin)
	}
	for f.rows.next = first; f.rows.next < count && f.rows.timeOf(f.rows.next) < end; f.rows.next++ {
		rows = append(rows, Row{})
		f.rows.list[f.rows.order[f.rows.next]].fill(&rows[len(rows)-1], v)
	}
	return rows
}

// fill finds the rows of the window, in any order; false: it has too many.
func (f *eventFinder) fill(v *messages) bool {
	f.rows.list, f.rows.next, f.given = f.rows.list[:0], 0, 0
	// Slots of a whole week are listed for a burst, of which the span may have a part.
	from, to := max(f.window.first*v.stream.slot, v.span.from), min((f.window.first+f.window.count)*v.stream.slot, v.span.to)
	if from >= to {
		return true
	}
	of := slotRun{first: floorDivide(from, v.stream.slot)}
	of.count = floorDivide(to-1, v.stream.slot) + 1 - of.first
	for i := range v.groups {
		f.appendGroup(v, &v.groups[i], of)
		if f.isFull(v) {
			return false
		}
	}
	for i := range v.endings {
		f.ends.rows = v.endings[i].append(f.ends.rows[:0], v, &f.ends, from, to)
		for at := range f.ends.rows {
			*f.rows.add() = foundIn(&f.ends.rows[at])
		}
	}
	return true
}

// isFull reports whether the window has to become shorter.
func (f *eventFinder) isFull(v *messages) bool {
	return int64(len(f.rows.list)) > mostRows*v.windows.rows && f.window.count > 1
}

// usersAmong is of how many messages of a wave, about, one goes to somebody who uses the app.
const usersAmong = 16

// sentIn is about how many messages are sent in some slots, in the week in which they begin.
func (s *stream) sentIn(slots slotRun) (count int64) {
	plan := s.planOf(floorDivide(slots.first*s.slot, week))
	from := slots.first*s.slot - plan.week*week
	for i := range plan.waves {
		if wave := &plan.waves[i]; !wave.silent(from, from+slots.count*s.slot) {
			sent := wave.countUntil(from+slots.count*s.slot) - wave.countUntil(from)
			switch { // each time zone has a wave of all messages
			case s.recipients.using != nil:
				sent /= usersAmong
			case wave.zoned:
				sent /= int64(places.Zones)
			}
			count += sent
		}
	}
	return count
}

// appendGroup adds the rows of the steps of a group in some slots of the window.
func (f *eventFinder) appendGroup(v *messages, g *stepGroup, of slotRun) {
	s := v.stream
	sent := s.schedule.runsSentIn(&f.runs, g.leader, bits.TrailingZeros16(g.classes), of)
	low, high := sent.bounds()
	low = max(low, worldStart/s.slot)
	slotsOfWeek := week / s.slot
	for first := low - low%slotsOfWeek; first < high; first += slotsOfWeek {
		plan := s.planOf(first / slotsOfWeek)
		for i := range plan.waves {
			wave := &plan.waves[i]
			if wave.root != g.root || wave.silent((low-first)*s.slot, (high-first)*s.slot) {
				continue
			}
			for _, run := range sent {
				from, to := max(run.first, low)-first, run.first+run.count-first
				if from, to = max(from, 0)*s.slot, min(to, slotsOfWeek)*s.slot; from >= to || wave.silent(from, to) {
					continue
				}
				part := wavePart{plan: plan, wave: wave, from: plan.week*week + from}
				if part.first, part.last = wave.first+wave.countUntil(from), wave.first+wave.countUntil(to); part.first < part.last {
					part.settled = v.world.fullyInstalled.lowerBound(part.from)
					f.appendWave(v, g, &part)
				}
			}
		}
	}
}

// wavePart is messages that a wave sends from an instant on: first up to, not including, last.
type wavePart struct {
	plan        *weekPlan
	wave        *sendWave
	from        int64
	settled     int64 // the profiles below have their first installation at that instant
	first, last int64
}

// appendWave adds the rows of the steps of a group that some messages of a wave reach.
func (f *eventFinder) appendWave(v *messages, g *stepGroup, part *wavePart) {
	s, b, index, step, positions := v.stream, &f.batch, part.first>>blockBits, int64(1), wholeBlock
	kept := f.users.fit(s, part.plan)
	switch {
	case s.delayClassBits < blockBits:
		positions = positionsOf(g.classes)
	case g.classes&(g.classes-1) == 0:
		step = delayClasses
		index += (int64(bits.TrailingZeros16(g.classes)) - index) & (delayClasses - 1)
	}
	for ; index<<blockBits < part.last && !f.isFull(v); index += step {
		if s.delayClassBits == blockBits && g.classes>>uint(index&(delayClasses-1))&1 == 0 {
			continue
		}
		first := index << blockBits
		sent := positions & firstMembers(part.last-first) &^ firstMembers(part.first-first)
		if sent &= part.wave.of(first); sent == 0 {
			continue
		}
		members := memberSet(0)
		if kept {
			users := f.users.of(s, part.plan, index, b)
			if sent &= users.in[part.wave.zone]; sent == 0 {
				continue
			}
			s.beginWith(b, part.plan, index, users.place)
			members = sent.permuted(b.xorMask)
		} else {
			s.begin(b, part.plan, index)
			members = b.membersOf(part.wave, part.first, part.last, sent)
		}
		if members != 0 {
			f.appendBatch(v, g, part, members)
		}
	}
}

// positionsOf are the messages of a batch that are of some delay classes, four by four.
func positionsOf(classes uint16) memberSet {
	x := uint64(classes)
	x = (x | x<<24) & 0x000000ff_000000ff
	x = (x | x<<12) & 0x000f000f_000f000f
	x = (x | x<<6) & 0x03030303_03030303
	x = (x | x<<3) & 0x11111111_11111111
	return memberSet(x * 0xf)
}

// appendBatch adds the rows of the steps of a group that the messages to some members of
// the batch reach.
func (f *eventFinder) appendBatch(v *messages, g *stepGroup, part *wavePart, members memberSet) {
	var (
		s, b = v.stream, &f.batch
		all  memberSet
	)
	if len(g.steps) > 1 && b.outcomes == nil {
		b.outcomes = &outcomes{}
	}
	for i := range g.steps {
		of, asked := &g.steps[i], members
		if of.classes != g.classes {
			if s.delayClassBits == blockBits {
				if of.classes>>s.delayClassOf(b.first)&1 == 0 {
					asked = 0
				}
			} else {
				asked &= positionsOf(of.classes).permuted(b.xorMask)
			}
		}
		f.happens[i] = b.happening(of.step, asked)
		all |= f.happens[i]
	}
	if all == 0 {
		return
	}
	m, by, block := &f.message, s.journey.steps[g.leader].channel, b.member>>blockBits
	m.push, m.homes, m.settled = nil, nil, part.settled
	if v.about.sessions {
		m.reachable = true
	} else {
		all &= f.reach(v, by, block, all, part.from)
	}
	for positions := all.permuted(b.xorMask); positions != 0; {
		bit := int(uint64(positions.pop()) ^ b.xorMask)
		if b.messageAt(m, part.wave, bit) {
			f.appendMessage(v, g, bit)
		}
	}
}

// reach finds out whom of some members of a block the messages of a channel may reach that are
// sent from an instant on, and what is known of it.
func (f *eventFinder) reach(v *messages, by channel, block int64, members memberSet, from int64) (possible memberSet) {
	m, until, many := &f.message, (f.window.first+f.window.count)*v.stream.slot-1, bits.OnesCount64(uint64(members)) >= manyReached
	f.way.certain = 0
	if by == channelPush {
		homes := v.world.kept.pushHomes.of(block)
		if homes == nil && !many {
			return wholeBlock
		}
		if m.push = &f.way.push; many {
			return v.world.pushHomesOf(block, from).look(m.push, v.world, from, until)
		}
		homes.known(m.push, from)
		return wholeBlock
	}
	f.reached = weeklyReach{view: v, block: block, members: members}
	f.way.certain, possible = f.reached.between(by, from, until)
	return f.way.certain | possible
}

// appendMessage adds the rows of the steps of a group that the message reaches, which is
// to the member with a bit.
func (f *eventFinder) appendMessage(v *messages, g *stepGroup, bit int) {
	var (
		s, m   = v.stream, &f.message
		t      = s.delayClassOf(m.number)
		begins = s.schedule.slotOf(g.leader, t, m.slot) * s.slot
		by     = s.journey.steps[g.leader].channel
		to     = &f.way.to
		known  bool // where it goes
	)
	for i := range g.steps {
		if !f.happens[i].has(bit) {
			continue
		}
		step := g.steps[i].step
		at := begins + s.offsetOf(m, step, t)
		if !v.span.holds(at) {
			continue
		}
		if !known {
			m.reachable = v.about.sessions || f.way.certain.has(bit)
			if known = v.findAddress(to, m, by); !known {
				return
			}
		}
		if v.reaches(to, m, by, at) {
			f.rows.add().become(v, to, m, &s.journey.steps[step], at)
		}
	}
}
