package journal

import "iter"

// ring is the memory of a journal. It grows by chunks: nothing is copied when it
// does, and no chunk is taken before it is needed.
type ring [][]Entry

const chunk = 64

// grow is a place, which was there or is the next one.
func (r *ring) grow(place uint64) *Entry {
	if place/chunk == uint64(len(*r)) {
		*r = append(*r, make([]Entry, chunk))
	}
	return r.at(place)
}

// at is a place that is there.
func (r ring) at(place uint64) *Entry { return &r[place/chunk][place%chunk] }

// all are the places that are there, the empty ones as well.
func (r ring) all() iter.Seq[*Entry] {
	return func(yield func(*Entry) bool) {
		for _, part := range r {
			for i := range part {
				if !yield(&part[i]) {
					return
				}
			}
		}
	}
}
