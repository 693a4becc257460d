package world

import "math/bits"

// schedule is when the steps of a journey happen, counted in slots of a fixed
// length, by delay class.
type schedule struct {
	parents []int
	places  []int // of the steps among those of their messages
	lags    [][delayClasses]lag
	longest int64 // slots from the first step to the last
}

// lag is the time from a step to the next one. Before it is added, slots are
// permuted by a key within blocks of jitter many. So the messages of a burst
// do not all continue after the same few lags, and an event in a slot is still
// traced back to one slot before.
type lag struct {
	slots   int64 // at least jitter, so that nothing happens before its cause
	jitter  int64 // a power of two; 0: none
	seconds int64
}

func (j *journey) schedule(slot int64) schedule {
	s := schedule{parents: make([]int, len(j.steps)), places: make([]int, len(j.steps)), lags: make([][delayClasses]lag, len(j.steps))}
	for i := range j.steps {
		s.parents[i], s.places[i] = j.steps[i].parent, j.steps[i].place
		if s.parents[i] < 0 {
			continue
		}
		for t := range delayClasses {
			seconds := int64(j.steps[i].delay*delayScale[(5*t+3*j.steps[i].place)%delayClasses]) + 1
			made := lag{slots: seconds / slot, seconds: seconds}
			if width := bits.Len64(uint64(made.slots / 2)); width > 1 {
				made.jitter = 1 << (width - 1)
			}
			s.lags[i][t] = made
		}
	}
	for i := range j.steps {
		for t := range delayClasses {
			sum := int64(0)
			for at := i; s.parents[at] >= 0; at = s.parents[at] {
				sum += s.lags[at][t].slots + s.lags[at][t].jitter
			}
			s.longest = max(s.longest, sum)
		}
	}
	return s
}

// shuffled permutes a slot within its block. It is its own inverse.
func (l *lag) shuffled(slot int64, key uint64) int64 {
	if l.jitter == 0 {
		return slot
	}
	block := floorDivide(slot, l.jitter)
	return slot ^ int64(mix(key^uint64(block)*golden))&(l.jitter-1)
}

func (s *schedule) lagKey(i, t int) uint64 { return uint64(s.places[i])<<8 | uint64(t) }

// slotOf is the slot in which a step happens to a message sent in a slot.
func (s *schedule) slotOf(i, t int, sent int64) int64 {
	if s.parents[i] < 0 {
		return sent
	}
	lag := &s.lags[i][t]
	return lag.shuffled(s.slotOf(s.parents[i], t, sent), s.lagKey(i, t)) + lag.slots
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
