package world

import (
	"math"
	"math/bits"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/places"
)

// appUsers keeps who of a batch gets in-app messages in a week: it is asked for at other hours
// for each time zone, and for each step.
type appUsers struct{ kept []batchUsers }

type batchUsers struct {
	of    uint64                  // the week and the index of the batch, plus one
	place int64                   // of the batch in the order of the week
	in    [places.Zones]memberSet // the positions of the messages to those of a time zone
}

// mostUserBlocks is of how many blocks the users are kept at most: those of a population
// have to be at most blocksPerKept times as many, since a week of messages is sent evenly.
const (
	mostUserBlocks = 1 << 15
	blocksPerKept  = 2
)

// fit reports whether the batches of a week are kept.
func (u *appUsers) fit(s *stream, plan *weekPlan) bool {
	return s.recipients.using != nil && plan.sent == math.MaxUint64 && plan.blocks <= mostUserBlocks*blocksPerKept
}

// of are those of the batch at an index in the order of a week, which b becomes if they are
// not kept.
func (u *appUsers) of(s *stream, plan *weekPlan, index int64, b *batch) *batchUsers {
	if wanted := 1 << bits.Len64(uint64(max(plan.blocks/blocksPerKept, 1)-1)); len(u.kept) < wanted {
		u.kept = make([]batchUsers, wanted)
	}
	kept, of := &u.kept[uint64(index)&uint64(len(u.kept)-1)], uint64(plan.week)<<40|uint64(index+1)
	if kept.of == of {
		return kept
	}
	*kept = batchUsers{of: of, place: plan.order.at(index)}
	s.beginWith(b, plan, index, kept.place)
	members, r := firstMembers(plan.members-b.member), &s.recipients
	if r.audience != nil {
		members = r.audience(b.member>>blockBits, members)
	}
	if members = r.using(b, members); members != 0 {
		positions := members.permuted(b.xorMask)
		kept.in = r.zones(b.member>>blockBits, b.xorMask)
		for zone := range kept.in {
			kept.in[zone] &= positions
		}
	}
	return kept
}
