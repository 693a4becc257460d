package world

import "math/bits"

// schedule is when the steps of a journey happen, counted in slots of a fixed
// length, by delay class.
type schedule struct {
	parents []int
	places  []int // of the steps among those of their messages
	lags    [][delayClasses]lag
	// reaches is, by step and delay class, how many slots after the first step it
	// happens at most, and furthest the same in whatever class.
	reaches  [][delayClasses]int64
	furthest []int64
}

// lag is the time from a step to the next one. Before it is added, slots are
// permuted by a key within blocks of jitter many. So the messages of a burst
// do not all continue after the same few lags, and an event in a slot is still
// traced back to one slot before.
type lag struct {
	slots   int64 // at least jitter, so that nothing happens before its cause
	jitter  int64 // 1<<width; 0: none
	width   int
	seconds int64
}

func (j *journey) schedule(slot int64) schedule {
	s := schedule{parents: make([]int, len(j.steps)), places: make([]int, len(j.steps)), lags: make([][delayClasses]lag, len(j.steps)), reaches: make([][delayClasses]int64, len(j.steps)), furthest: make([]int64, len(j.steps))}
	for i := range j.steps {
		s.parents[i], s.places[i] = j.steps[i].parent, j.steps[i].place
		if s.parents[i] < 0 {
			continue
		}
		scale := j.steps[i].delayScale()
		for t := range delayClasses {
			seconds := int64(j.steps[i].delay.median*scale[(5*t+3*j.steps[i].place)%delayClasses]) + 1
			if j.steps[i].variant.repeat > 0 {
				seconds = max(seconds, slot) // not in one second
			}
			made := lag{slots: seconds / slot, seconds: seconds}
			if width := bits.Len64(uint64(made.slots / 2)); width > 1 {
				made.jitter, made.width = 1<<(width-1), width-1
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
			s.reaches[i][t] = sum
			s.furthest[i] = max(s.furthest[i], sum)
		}
	}
	return s
}

// shuffled permutes a slot within its block. It is its own inverse.
func (l *lag) shuffled(slot int64, key uint64) int64 {
	if l.jitter == 0 {
		return slot
	}
	return slot ^ int64(mix(key^uint64(slot>>l.width)*golden))&(l.jitter-1)
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
