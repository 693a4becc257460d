package world

import (
	"math"
	"math/bits"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/places"
)

// appUsers keeps who of a block gets in-app messages in a week: a block is asked for it at
// other hours for each time zone, and for each step.
type appUsers struct{ kept []blockUsers }

type blockUsers struct {
	of uint64 // the week and the block, plus one
	in [places.Zones]memberSet
}

// mostUserBlocks is of how many blocks the users are kept at most: those of a population
// have to be at most blocksPerKept times as many, since a week of messages is sent evenly.
const (
	mostUserBlocks = 1 << 15
	blocksPerKept  = 2
)

// fit reports whether the members of a batch are kept.
func (u *appUsers) fit(b *batch) bool {
	return b.stream.recipients.using != nil && b.plan.sent == math.MaxUint64 && b.plan.blocks <= mostUserBlocks*blocksPerKept
}

// in are the members of a batch who get the messages of a wave of a time zone.
func (u *appUsers) in(b *batch, zone int) memberSet {
	if wanted := 1 << bits.Len64(uint64(max(b.plan.blocks/blocksPerKept, 1)-1)); len(u.kept) < wanted {
		u.kept = make([]blockUsers, wanted)
	}
	block := b.member >> blockBits
	kept, of := &u.kept[uint64(block)&uint64(len(u.kept)-1)], uint64(b.plan.week)<<40|uint64(block+1)
	if kept.of != of {
		r := &b.stream.recipients
		members := firstMembers(b.plan.members - b.member)
		if r.audience != nil {
			members = r.audience(block, members)
		}
		members = r.using(b, members)
		kept.of = of
		for zone := range kept.in {
			if kept.in[zone] = 0; members != 0 {
				kept.in[zone] = members & r.inZone(block, zone)
			}
		}
	}
	return kept.in[zone]
}
