package world

import "sync/atomic"

// permutationCache holds the permutations of numbered periods, one each, and
// caches the latest few: consecutive rows of a file use the same ones.
type permutationCache struct {
	key     uint64
	n       int64
	entries [32]atomic.Pointer[cachedPermutation]
}

type cachedPermutation struct {
	period      int64
	permutation permutation
}

func (o *permutationCache) of(period int64) *permutation {
	place := &o.entries[uint64(period)%uint64(len(o.entries))]
	if kept := place.Load(); kept != nil && kept.period == period {
		return &kept.permutation
	}
	made := &cachedPermutation{period, newPermutation(draw(o.key, uint64(period)), o.n)}
	place.Store(made)
	return &made.permutation
}
