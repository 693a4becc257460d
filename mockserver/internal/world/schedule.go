package world

import "math/bits"

// schedule is when the steps of a journey happen, counted in slots of a fixed
// length, per tempo.
type schedule struct {
	parents []int
	lags    [][tempos]lag
	longest int64 // slots from the first step to the last
}

// lag is how long a step comes after the step before. Slots are taken in blocks
// of jitter many; within its block, by a key, a slot changes places with
// another one before the lag is added. So the messages of a burst do not all go
// on after the same few lags, and what happens in a slot is still traced back
// to one slot before.
type lag struct {
	slots   int64 // at least jitter, so that nothing happens before its cause
	jitter  int64 // a power of two; 0: none
	seconds int64
}

func (j *journey) schedule(slot int64) schedule {
	s := schedule{parents: make([]int, len(j.steps)), lags: make([][tempos]lag, len(j.steps))}
	for i := range j.steps {
		s.parents[i] = j.steps[i].parent
		if s.parents[i] < 0 {
			continue
		}
		for t := range tempos {
			seconds := int64(j.steps[i].delay*tempo[(5*t+3*i)%tempos]) + 1
			made := lag{slots: seconds / slot, seconds: seconds}
			if width := bits.Len64(uint64(made.slots / 2)); width > 1 {
				made.jitter = 1 << (width - 1)
			}
			s.lags[i][t] = made
		}
	}
	for i := range j.steps {
		for t := range tempos {
			sum := int64(0)
			for at := i; s.parents[at] >= 0; at = s.parents[at] {
				sum += s.lags[at][t].slots + s.lags[at][t].jitter
			}
			s.longest = max(s.longest, sum)
		}
	}
	return s
}

// moved is the slot with which a slot changes places before a lag.
func (l *lag) moved(slot int64, key uint64) int64 {
	if l.jitter == 0 {
		return slot
	}
	block := floorDivide(slot, l.jitter)
	return slot ^ int64(mix(key^uint64(block)*golden))&(l.jitter-1)
}

func lagKey(i, t int) uint64 { return uint64(i)<<8 | uint64(t) }

// slotOf is the slot in which a step happens to a message sent in a slot.
func (s *schedule) slotOf(i, t int, sent int64) int64 {
	if s.parents[i] < 0 {
		return sent
	}
	lag := &s.lags[i][t]
	return lag.moved(s.slotOf(s.parents[i], t, sent), lagKey(i, t)) + lag.slots
}

// sentIn is the slot in which a message was sent to which a step happens in a
// slot: the inverse of slotOf.
func (s *schedule) sentIn(i, t int, slot int64) int64 {
	for ; s.parents[i] >= 0; i = s.parents[i] {
		lag := &s.lags[i][t]
		slot = lag.moved(slot-lag.slots, lagKey(i, t))
	}
	return slot
}
