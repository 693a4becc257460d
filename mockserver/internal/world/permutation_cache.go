package world

import "sync/atomic"

// orders are the permutations of numbered periods, one each. The latest few
// are kept: the rows of a file ask for the same ones again and again.
type orders struct {
	key  uint64
	n    int64
	kept [32]atomic.Pointer[keptOrder]
}

type keptOrder struct {
	period int64
	order  permutation
}

func (o *orders) of(period int64) *permutation {
	place := &o.kept[uint64(period)%uint64(len(o.kept))]
	if kept := place.Load(); kept != nil && kept.period == period {
		return &kept.order
	}
	made := &keptOrder{period, newPermutation(draw(o.key, uint64(period)), o.n)}
	place.Store(made)
	return &made.order
}
