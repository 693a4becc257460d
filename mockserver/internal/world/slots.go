package world

// slotList is the slots that a view lists, in order of time: all slots of a
// span, or, of a stream that only sends one burst a week, those in which an
// event is possible.
type slotList struct {
	stream  *stream
	first   int64 // the first slot, or the first week
	count   int64 // slots
	perWeek int64 // 0: all slots count
}

func (s *stream) units(of span, all bool) slotList {
	list := slotList{stream: s}
	active := (s.rhythm.buckets*bucket + s.reach()) / s.slot
	if all || len(s.senders) != 1 || !s.senders[0].burst || active*s.slot > week-burstWander*bucket {
		list.first, list.count = of.slots(s.slot)
		return list
	}
	if of.to <= of.from {
		return list
	}
	list.perWeek = active
	list.first = floorDivide(of.from-active*s.slot, week)
	list.count = (floorDivide(of.to-1, week) - list.first + 1) * active
	return list
}

func (l *slotList) slotOf(unit int64) int64 {
	if l.perWeek == 0 {
		return l.first + unit
	}
	inWeek := l.first + unit/l.perWeek
	return (inWeek*week+l.stream.burstStart(int(l.stream.senders[0].number), inWeek))/l.stream.slot + unit%l.perWeek
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
