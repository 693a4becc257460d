// Package sample keeps some of many numbers.
package sample

import (
	"math"
	"slices"
)

// Numbers are a part of some numbers: every one, or every second, fourth and so on, which does not depend on chance.
type Numbers struct {
	kept         []float64
	stride, seen int
}

// Add adds a number.
func (s *Numbers) Add(number float64) {
	const most = 8_192
	if s.stride == 0 {
		s.stride = 1
	}
	if s.seen++; (s.seen-1)%s.stride != 0 {
		return
	}
	if s.kept = append(s.kept, number); len(s.kept) < most {
		return
	}
	for i := range most / 2 {
		s.kept[i] = s.kept[2*i]
	}
	s.kept, s.stride = s.kept[:most/2], 2*s.stride
}

// Between are the numbers that a hundredth of all are below, and above; or, of few, so many as may share a value. Of fewer than
// the fewest there are none: they would be somebody's.
func (s *Numbers) Between(least, fewest int64) (low, high float64, is bool) {
	if s == nil || int64(s.seen) < fewest {
		return 0, 0, false
	}
	sorted := slices.Sorted(slices.Values(s.kept))
	at := int(math.Ceil(max(0.01, float64(least)/float64(s.seen)) * float64(len(sorted))))
	at = min(at, (len(sorted)-1)/2)
	return sorted[at], sorted[len(sorted)-1-at], true
}
