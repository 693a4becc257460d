package world

import "slices"

// endSlots is the memory in which the slots are listed whose changes may be the ends that
// are looked for.
type endSlots struct {
	runs  runsBuffer
	keys  []uint64 // of runs of one class: the first slot, how many, and the class
	looks []endLook
	rows  []Row // of one ending
}

// The lowest bits of a key.
const (
	classBits = 4
	countBits = 12
)

// endLook is a run of slots in which the changes of some delay classes count.
type endLook struct {
	slotRun
	classes uint16
}

// withdrawnIn are the slots of the withdrawals that follow when the step at a place of the
// chain happens in a slot of a run.
func (f *ending) withdrawnIn(b *runsBuffer, s *stream, place, delayClass int, run slotRun) runs {
	b.from = append(b.from[:0], run)
	for _, step := range f.chain[place+1:] {
		lag := &s.schedule.lags[step][delayClass]
		if lag.slots == 0 {
			continue
		}
		b.to = b.to[:0]
		for _, part := range b.from {
			b.to = b.to.shuffled(lag, s.schedule.lagKey(step, delayClass), part)
		}
		for i := range b.to {
			b.to[i].first += lag.slots
		}
		b.from, b.to = b.to, b.from
	}
	return b.from
}

// find lists the runs in which there may be changes of an ending whose steps are in some
// slots, in order. What is between two of them holds fewer changes than it costs to leave out.
func (e *endSlots) find(f *ending, v *messages, slots slotRun) {
	e.keys, e.looks = e.keys[:0], e.looks[:0]
	for place, step := range f.chain {
		if !v.wantedSteps.has(step) {
			continue
		}
		for t := range delayClasses {
			for _, run := range f.withdrawnIn(&e.runs, v.stream, place, t, slots) {
				e.keys = append(e.keys, uint64(run.first)<<(countBits+classBits)|uint64(run.count)<<classBits|uint64(t))
			}
		}
	}
	slices.Sort(e.keys)
	gap := halfPass / (v.stream.slot * (v.world.timelineOf(f.kind).movers + 1))
	for _, key := range e.keys {
		first, count, class := int64(key>>(countBits+classBits)), int64(key>>classBits%(1<<countBits)), uint16(1)<<(key%delayClasses)
		if last := len(e.looks) - 1; last >= 0 && first <= e.looks[last].first+e.looks[last].count+gap {
			before := &e.looks[last]
			before.count = max(before.count, first+count-before.first)
			before.classes |= class
			continue
		}
		e.looks = append(e.looks, endLook{slotRun{first, count}, class})
	}
}

// append adds the steps in [from, to).
func (f *ending) append(rows []Row, v *messages, e *endSlots, from, to int64) []Row {
	if from >= to || f.from == f.to || v.wantedSteps&f.steps() == 0 {
		return rows
	}
	s := v.stream
	first := floorDivide(from, s.slot)
	e.find(f, v, slotRun{first, floorDivide(to-1, s.slot) + 1 - first})
	classes := uint16(0)
	inTime := func(entity, at int64) (person int64, is bool) {
		c := change{entity: entity, at: at}
		if key := f.keyOf(c); !f.endsBy(key) || classes>>delayClassBy(key)&1 == 0 {
			return entity, false
		}
		for place, step := range f.chain {
			if !v.wantedSteps.has(step) {
				continue
			}
			if at := f.timeOf(s, place, c); at >= from && at < to {
				return entity, true
			}
		}
		return entity, false
	}
	end := &e.looks[len(e.looks)-1]
	wanted := wantedChanges{v.world.existing(f.kind, (end.first+end.count)*s.slot), inTime}
	for i := range e.looks {
		look := &e.looks[i]
		classes = look.classes
		v.world.timelineOf(f.kind).changes(wanted, look.first*s.slot, (look.first+look.count)*s.slot, func(c change) {
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
