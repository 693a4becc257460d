package blocks

import "math/bits"

// NumberSet is a set of small numbers: a bit each.
type NumberSet struct {
	words []uint64
	Count int
}

// Has reports whether a number is in the set.
func (s *NumberSet) Has(number int32) bool {
	word := int(number >> 6)
	return number >= 0 && word < len(s.words) && s.words[word]>>(number&63)&1 != 0
}

// Add adds a number.
func (s *NumberSet) Add(number int32) {
	if s.Has(number) {
		return
	}
	if word := int(number >> 6); word >= len(s.words) {
		s.words = append(s.words, make([]uint64, max(word+1-len(s.words), len(s.words)/4))...)
	}
	s.words[number>>6] |= 1 << (number & 63)
	s.Count++
}

// Remove removes a number.
func (s *NumberSet) Remove(number int32) {
	if s.Has(number) {
		s.words[number>>6] &^= 1 << (number & 63)
		s.Count--
	}
}

// Truncate removes the numbers from one on.
func (s *NumberSet) Truncate(from int32) {
	for word := int(from >> 6); word < len(s.words); word++ {
		keep := uint64(0)
		if word == int(from>>6) {
			keep = 1<<(from&63) - 1
		}
		s.Count -= bits.OnesCount64(s.words[word] &^ keep)
		s.words[word] &= keep
	}
}
