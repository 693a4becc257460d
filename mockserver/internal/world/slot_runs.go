package world

import (
	"math/bits"
	"slices"
)

// slotRun is consecutive slots.
type slotRun struct{ first, count int64 }

// runs are slots that a few runs of them hold, in any order.
type runs []slotRun

// add adds a run; it becomes a part of the last one if it is next to that.
func (r runs) add(first, count int64) runs {
	if last := len(r) - 1; last >= 0 {
		switch {
		case r[last].first+r[last].count == first:
			r[last].count += count
			return r
		case first+count == r[last].first:
			r[last].first, r[last].count = first, r[last].count+count
			return r
		}
	}
	return append(r, slotRun{first, count})
}

// bounds are the first slot and that behind the last one.
func (r runs) bounds() (first, last int64) {
	first, last = r[0].first, r[0].first+r[0].count
	for _, run := range r[1:] {
		first, last = min(first, run.first), max(last, run.first+run.count)
	}
	return first, last
}

// shuffled adds what [lag.shuffled] makes of the slots of a run: an aligned part of it, as
// long as a power of two within a block, becomes another one.
func (r runs) shuffled(l *lag, key uint64, run slotRun) runs {
	if l.jitter == 0 {
		return r.add(run.first, run.count)
	}
	block, by := int64(-1), int64(0)
	for first, end := run.first, run.first+run.count; first < end; {
		size := min(l.jitter, first&-first, int64(1)<<(bits.Len64(uint64(end-first))-1))
		if size == l.jitter { // a whole block
			r = r.add(first, size)
			first += size
			continue
		}
		if in := first >> l.width; in != block {
			block, by = in, int64(mix(key^uint64(in)*golden))&(l.jitter-1)
		}
		r = r.add((first^by)&^(size-1), size)
		first += size
	}
	return r
}

// runsBuffer is the memory of two lists of runs.
type runsBuffer struct{ from, to runs }

// sentIn are the slots in which the messages were sent that reach a step in a slot of a run.
func (s *schedule) runsSentIn(b *runsBuffer, i, t int, run slotRun) runs {
	b.from = append(b.from[:0], run)
	for ; s.parents[i] >= 0; i = s.parents[i] {
		lag := &s.lags[i][t]
		b.to = b.to[:0]
		for _, part := range b.from {
			part.first -= lag.slots
			b.to = b.to.shuffled(lag, s.lagKey(i, t), part)
		}
		b.from, b.to = b.to, b.from
	}
	return b.from
}

// stepGroup are steps that happen in the slot in which another one does, their leader, to
// messages of some delay classes that are all sent in the same slots.
type stepGroup struct {
	root, leader int
	classes      uint16 // those of all steps
	steps        []groupStep
}

// groupStep is a step that happens with its leader to the messages of some delay classes.
type groupStep struct {
	step    int
	classes uint16
}

// groupsOf puts the steps that are wanted into groups.
func (s *stream) groupsOf(wanted stepSet) (groups []stepGroup) {
	type place struct {
		leader int
		slots  int64 // after the first step; below zero: of one class only
	}
	var places []place
	for i := range s.journey.steps {
		if !wanted.has(i) || s.journey.steps[i].nature.consent {
			continue
		}
		for t := range delayClasses {
			at := place{leader: i}
			for s.schedule.parents[at.leader] >= 0 && s.schedule.lags[at.leader][t].slots == 0 {
				at.leader = s.schedule.parents[at.leader]
			}
			for from := at.leader; s.schedule.parents[from] >= 0; from = s.schedule.parents[from] {
				if lag := &s.schedule.lags[from][t]; lag.jitter > 0 {
					at.slots = -1 - int64(t)
					break
				} else {
					at.slots += lag.slots
				}
			}
			nth := slices.Index(places, at)
			if nth < 0 {
				nth = len(places)
				places = append(places, at)
				groups = append(groups, stepGroup{root: s.journey.steps[i].root, leader: at.leader})
			}
			groups[nth].add(i, t)
		}
	}
	return groups
}

func (g *stepGroup) add(step, class int) {
	g.classes |= 1 << class
	for i := range g.steps {
		if g.steps[i].step == step {
			g.steps[i].classes |= 1 << class
			return
		}
	}
	g.steps = append(g.steps, groupStep{step, 1 << class})
}
