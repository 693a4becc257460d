package dataset

import "math/bits"

// numberSet is a set of small numbers: a bit each.
type numberSet struct {
	words []uint64
	count int
}

func (s *numberSet) has(number int32) bool {
	word := int(number >> 6)
	return number >= 0 && word < len(s.words) && s.words[word]>>(number&63)&1 != 0
}

func (s *numberSet) add(number int32) {
	if s.has(number) {
		return
	}
	if word := int(number >> 6); word >= len(s.words) {
		s.words = append(s.words, make([]uint64, max(word+1-len(s.words), len(s.words)/4))...)
	}
	s.words[number>>6] |= 1 << (number & 63)
	s.count++
}

func (s *numberSet) remove(number int32) {
	if s.has(number) {
		s.words[number>>6] &^= 1 << (number & 63)
		s.count--
	}
}

// truncate removes the numbers from one on.
func (s *numberSet) truncate(from int32) {
	for word := int(from >> 6); word < len(s.words); word++ {
		keep := uint64(0)
		if word == int(from>>6) {
			keep = 1<<(from&63) - 1
		}
		s.count -= bits.OnesCount64(s.words[word] &^ keep)
		s.words[word] &= keep
	}
}
