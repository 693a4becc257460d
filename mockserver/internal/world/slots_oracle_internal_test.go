package world

import (
	"math/bits"
	"slices"
)

// The slow reading of a slot, one step, wave and delay class after the other: what windows
// of slots are compared with.

// appendSlot adds the rows of a slot.
func (v *messages) appendSlot(rows []Row, slot int64) []Row {
	from, to := max(slot*v.stream.slot, v.span.from), min((slot+1)*v.stream.slot, v.span.to)
	if from >= to {
		return rows
	}
	begin, finder := len(rows), &eventFinder{}
	for i := range v.stream.journey.steps {
		if !v.wantedSteps.has(i) || v.stream.journey.steps[i].nature.consent {
			continue
		}
		v.stream.visitSlot(&finder.batch, i, slot, func(part slotPart) {
			rows = finder.appendPart(rows, v, &part, i, slot)
		})
	}
	for i := range v.endings {
		rows = v.endings[i].appendSlot(rows, v, from, to)
	}
	sortRows(rows[begin:])
	if v.about.linked {
		return rows[:begin+distinctRows(rows[begin:])]
	}
	return rows
}

// appendPart adds the rows of a step that messages of a part reach in a slot.
func (f *eventFinder) appendPart(rows []Row, v *messages, part *slotPart, i int, slot int64) []Row {
	var (
		m, reached  = &f.message, &f.reached
		sent, until = part.slot * v.stream.slot, (slot+1)*v.stream.slot - 1
		by, block   = v.stream.journey.steps[i].channel, part.batch.member >> blockBits
	)
	// What is drawn is known soonest, and of rare steps it leaves nobody in most parts.
	members := part.batch.happening(i, part.members)
	if members == 0 {
		return rows
	}
	*reached = weeklyReach{view: v, block: block, members: members}
	m.homes, m.push = nil, nil
	if by == channelPush && bits.OnesCount64(uint64(members)) >= manyReached {
		f.homes = v.world.ownership.householdsOf(block)
		reached.households, m.homes, m.push = &f.homes, &f.homes, &reached.push
	}
	certain, possible := reached.between(by, sent, until)
	for members &= certain | possible; members != 0; {
		bit := members.pop()
		part.batch.message(m, part.wave, bit)
		m.slot, m.reachable = part.slot, certain.has(bit)
		v.stream.place(m, part.first, part.last)
		at := slot*v.stream.slot + v.stream.offsetOf(m, i, part.delayClass)
		if !v.span.holds(at) {
			continue
		}
		rows = append(rows, Row{})
		if !v.reached(&rows[len(rows)-1], m, i, at) {
			rows = rows[:len(rows)-1]
		}
	}
	return rows
}

// visitSlot calls visit for the messages to which a step may happen in a slot:
// one part per wave, delay class and batch, which is always made in b.
func (s *stream) visitSlot(b *batch, i int, slot int64, visit func(part slotPart)) {
	var (
		sent, offset [delayClasses]int64
		plan         [delayClasses]*weekPlan
	)
	var weeks sendingWeeks
	for t := range sent {
		if sent[t] = s.schedule.sentIn(i, t, slot); t > 0 && sent[t] == sent[t-1] {
			plan[t], offset[t] = plan[t-1], offset[t-1]
			continue
		}
		if t > 0 {
			plan[t], offset[t] = plan[t-1], sent[t]*s.slot-plan[t-1].week*week
		}
		if t == 0 || offset[t] < 0 || offset[t] >= week {
			plan[t] = s.planOf(floorDivide(sent[t]*s.slot, week))
			offset[t] = sent[t]*s.slot - plan[t].week*week
		}
		weeks.add(plan[t], offset[t], offset[t]+s.slot)
	}
	// The waves of all weeks are of the same kinds.
	root := s.journey.steps[i].root
	for wave := range plan[0].waves {
		if plan[0].waves[wave].root != root || weeks.silent(wave) {
			continue
		}
		part := slotPart{batch: b}
		for t := 0; t < delayClasses; t++ {
			if t == 0 || sent[t] != sent[t-1] {
				part.slot, part.wave = sent[t], &plan[t].waves[wave]
				part.first, part.last = 0, 0
				if !part.wave.silent(offset[t], offset[t]+s.slot) {
					part.first, part.last = s.messagesIn(plan[t], part.wave, part.slot)
				}
			}
			if part.first == part.last {
				continue
			}
			part.delayClass = t
			index, step, mask := part.first>>blockBits, int64(1), wholeBlock
			if s.delayClassBits == blockBits {
				step = delayClasses
				index += (int64(t) - index) & (delayClasses - 1)
			} else {
				mask = 0xf << (4 * uint(t))
			}
			for ; index<<blockBits < part.last; index += step {
				first := index << blockBits
				positions := mask & firstMembers(part.last-first) &^ firstMembers(part.first-first)
				if positions &= part.wave.of(first); positions == 0 {
					continue
				}
				s.begin(b, plan[t], index)
				if part.members = b.membersOf(part.wave, part.first, part.last, positions); part.members != 0 {
					visit(part)
				}
			}
		}
	}
}

// sendingWeeks are the weeks in which the messages to which a step happens in a slot were
// sent, and the offsets in them between which all were: classes are sent weeks apart, and a
// burst takes some hours of each.
type sendingWeeks struct {
	count int
	of    [4]struct {
		plan      *weekPlan
		low, high int64
	}
}

func (w *sendingWeeks) add(plan *weekPlan, from, to int64) {
	at := 0
	for at < min(w.count, len(w.of)) && w.of[at].plan != plan {
		at++
	}
	if at == len(w.of) { // too many to tell
		w.count = at + 1
		return
	}
	of := &w.of[at]
	if at == w.count {
		w.count++
		of.plan, of.low, of.high = plan, from, to
		return
	}
	of.low, of.high = min(of.low, from), max(of.high, to)
}

// silent reports whether it is known that a wave sends nothing in any of them.
func (w *sendingWeeks) silent(wave int) bool {
	if w.count > len(w.of) {
		return false
	}
	for i := range w.of[:w.count] {
		if of := &w.of[i]; !of.plan.waves[wave].silent(of.low, of.high) {
			return false
		}
	}
	return true
}

// slotPart is the messages of one batch that a wave sends in one slot and that
// have one delay class.
type slotPart struct {
	batch       *batch
	wave        *sendWave
	delayClass  int
	slot        int64 // they were sent in
	first, last int64 // the messages of the wave in that slot
	members     memberSet
}

// sentIn is the inverse of slotOf: the slot in which the messages were sent
// that reach a step in a slot.
func (s *schedule) sentIn(i, t int, slot int64) int64 {
	for ; s.parents[i] >= 0; i = s.parents[i] {
		lag := &s.lags[i][t]
		slot = lag.shuffled(slot-lag.slots, s.lagKey(i, t))
	}
	return slot
}

// classesIn are the delay classes whose withdrawals are looked for in a slot.
type classesIn struct {
	slot    int64
	classes uint32
}

// appendSlot adds the steps in [from, to), which lies within a slot. Each of the
// slots in which their withdrawals can be is looked at once.
func (f *ending) appendSlot(rows []Row, v *messages, from, to int64) []Row {
	if f.from == f.to || v.wantedSteps&f.steps() == 0 {
		return rows
	}
	s, looked, met, latest := v.stream, make([]classesIn, 0, 2*delayClasses), uint64(0), int64(0)
	for place := range f.chain {
		if !v.wantedSteps.has(f.chain[place]) {
			continue
		}
		for t := range delayClasses {
			slot := f.withdrawalSlot(s, place, t, floorDivide(from, s.slot))
			bit, at := uint64(1)<<(uint64(slot)%64), -1
			if met&bit != 0 {
				at = slices.IndexFunc(looked, func(in classesIn) bool { return in.slot == slot })
			}
			if at < 0 {
				at, met, latest = len(looked), met|bit, max(latest, slot)
				looked = append(looked, classesIn{slot: slot})
			}
			looked[at].classes |= 1 << t
		}
	}
	// Of the changes in a slot, those of its delay classes have their steps in [from, to).
	classes := uint32(0)
	inTime := func(entity, at int64) (person int64, is bool) {
		c := change{entity: entity, at: at}
		if key := f.keyOf(c); !f.endsBy(key) || classes>>delayClassBy(key)&1 == 0 {
			return entity, false
		}
		for place, step := range f.chain {
			if at := f.timeOf(s, place, c); v.wantedSteps.has(step) && at >= from && at < to {
				return entity, true
			}
		}
		return entity, false
	}
	wanted := wantedChanges{v.world.existing(f.kind, (latest+1)*s.slot), inTime}
	for _, in := range looked {
		classes = in.classes
		v.world.timelineOf(f.kind).changes(wanted, in.slot*s.slot, (in.slot+1)*s.slot, func(c change) {
			for place, step := range f.chain {
				if !v.wantedSteps.has(step) {
					continue
				}
				if at := f.timeOf(s, place, c); at >= from && at < to {
					var row Row
					if f.rowOf(v, c, &row) {
						row.Time, row.Event = at, int32(step)
						rows = append(rows, row)
					}
				}
			}
		})
	}
	return rows
}

// withdrawalSlot is the slot of the withdrawals that follow when the step at a
// place of the chain happens in a slot.
func (f *ending) withdrawalSlot(s *stream, place, delayClass int, slot int64) int64 {
	for _, step := range f.chain[place+1:] {
		lag := &s.schedule.lags[step][delayClass]
		slot = lag.shuffled(slot, s.schedule.lagKey(step, delayClass)) + lag.slots
	}
	return slot
}

// distinctRows moves the rows to the front that tell something new, of rows in order of
// time, and returns how many they are: a row without a message cannot tell apart what
// two messages do on one installation in one second.
func distinctRows(rows []Row) (count int) {
	const metWords = 32
	var (
		met   [metWords]uint64 // of the rows of a second
		first int              // of them, among those that stay
	)
	for i := range rows {
		if first == count || rows[first].Time != rows[i].Time {
			if count-first > 0 {
				met = [metWords]uint64{}
			}
			first = count
		}
		place := mix(uint64(rows[i].Installation)<<8^uint64(rows[i].Event)) % (metWords * 64)
		if word, bit := &met[place/64], uint64(1)<<(place%64); *word&bit == 0 {
			*word |= bit
		} else if slices.ContainsFunc(rows[first:count], func(other Row) bool {
			return other.Installation == rows[i].Installation && other.Event == rows[i].Event
		}) {
			continue
		}
		if count < i {
			rows[count] = rows[i]
		}
		count++
	}
	return count
}
