package world

import (
	"math"
	"math/bits"
	"sync/atomic"
)

// timeline is when one yes-or-no fact about many entities (profiles or
// installations) changes: whether an installation is opted in, whether a
// profile has an e-mail address.
//
// Time is cut in passes. In every pass the same small number of entities, the
// movers, is picked from each block of 64, the blocks in the order of a
// permutation; each leaves its usual state in the first half of the pass and
// returns in the second, in another order. So the state at any instant needs a
// look at one pass, the changes of any span of time are a range of ranks, in
// order, and which members of a block may change at all in a pass is known at
// once.
type timeline struct {
	passOrders   permutationCache // by pass: order of the blocks
	returnOrders permutationCache // by pass: rank of leaving to rank of returning
	entities     int64
	blocks       int64
	movers       int64 // how many entities may change in one pass
	each         int64 // movers of every block
	more         int64 // how many blocks have one more: the first of the order
	phase        int64 // seconds by which the passes are moved against 1970: whole weeks
	key          uint64
	usual        memberFilter
	moves        memberFilter // those that ever change; the others are skipped
}

// memberFilter returns those of some members of a block for which something is
// true.
type memberFilter func(block int64, members memberSet) memberSet

// cachedFilter caches the results of a filter for the latest few blocks that were asked
// for as a whole, or for several members in turn: files are about one entity after the
// other. Of a block that is met by chance, only the members in question are looked at. A
// small world is kept as a whole.
func cachedFilter(entities int64, of memberFilter) memberFilter {
	// Both halves of an entry are written on their own. They fit together only if
	// they are of one block.
	wanted := max(min(blocksOf(entities), mostKept), leastKept)
	kept := make([]struct {
		word, check atomic.Uint64
		asked       lastAsked
	}, 1<<bits.Len64(uint64(wanted-1)))
	return func(block int64, members memberSet) memberSet {
		place := &kept[uint64(block)&uint64(len(kept)-1)]
		if word := place.word.Load(); place.check.Load() == word^uint64(block+1) {
			return memberSet(word) & members
		}
		if members != wholeBlock {
			if found, is := place.asked.answer(block, members, of); is {
				return found
			}
		}
		word := of(block, wholeBlock)
		place.word.Store(uint64(word))
		place.check.Store(uint64(word) ^ uint64(block+1))
		return word & members
	}
}

// leastKept and mostKept are of how many blocks the results are kept.
const leastKept, mostKept = 16, 256

// lastAsked is of which member of which block something was asked last, how many others of
// that block were before, and what the answer was, in one word.
type lastAsked struct{ atomic.Uint64 }

// The parts of lastAsked, from the lowest bit on. After 1<<asksBits others, the next ones
// will be of the same block.
const (
	asksBits = 2
	answered = 1 << asksBits
	answer   = answered << 1
	askedOf  = asksBits + 2 // bits before the member
)

// answer is the answer for some members of a block, unless many others of that were asked
// for one after the other. That of one member is kept: a row asks again.
func (l *lastAsked) answer(block int64, members memberSet, of memberFilter) (found memberSet, is bool) {
	last := l.Load()
	next := (uint64(block+1)<<blockBits | uint64(bits.TrailingZeros64(uint64(members)))%blockSize) << askedOf
	one := members != 0 && members&(members-1) == 0
	switch count := last % (1 << asksBits); {
	case last>>(askedOf+blockBits) != uint64(block+1):
	case last>>askedOf == next>>askedOf:
		if one && last&answered > 0 {
			if last&answer == 0 {
				return 0, true
			}
			return members, true
		}
		next += count
	case count == 1<<asksBits-1:
		return 0, false
	default:
		next += count + 1
	}
	found = of(block, members)
	if one {
		if next |= answered; found != 0 {
			next |= answer
		}
	}
	l.Store(next)
	return found, true
}

const (
	passWeeks  = 4
	passLength = passWeeks * week
	halfPass   = passLength / 2
)

// change is an instant at which the fact about one entity became state.
type change struct {
	entity int64
	at     int64
	state  bool
}

func newTimeline(key uint64, entities int64, share float64, usual, moves memberFilter) *timeline {
	blocks := blocksOf(entities)
	movers := int64(share * float64(blocks*blockSize))
	if movers == 0 && entities > 0 {
		movers = 1
	}
	made := &timeline{
		passOrders: permutationCache{key: key, n: blocks}, returnOrders: permutationCache{key: ^key, n: movers}, entities: entities, blocks: blocks, movers: movers,
		phase: below(draw(key, 0), passWeeks) * week, key: draw(key, 1), usual: usual, moves: moves,
	}
	if blocks > 0 {
		made.each, made.more = movers/blocks, movers%blocks
	}
	return made
}

// pickOrder is the order in which the members of a block are picked in a pass:
// pick n is member n*factor+start, modulo 64.
func (t *timeline) pickOrder(pass, block int64) (factor, start uint64) {
	random := draw(t.key^uint64(pass)<<40, uint64(block))
	return random | 1, random >> 32
}

// rankOf is the rank of an entity among the movers of a pass.
func (t *timeline) rankOf(pass, entity int64) (rank int64, moves bool) {
	block := entity >> blockBits
	factor, start := t.pickOrder(pass, block)
	inverse := factor * (2 - factor*factor) // right in three bits, then in six
	pick := int64((uint64(entity) - start) * inverse % blockSize)
	if pick > t.each || pick == t.each && t.more == 0 {
		return 0, false
	}
	place := t.passOrders.of(pass).indexOf(block)
	if pick == t.each && place >= t.more || t.moves(block, setOf(entity)) == 0 {
		return 0, false
	}
	return pick*t.blocks + place, true
}

// entityAt is the inverse of rankOf: the entity of a rank, which may move.
func (t *timeline) entityAt(pass int64, order *permutation, rank int64) int64 {
	block := order.at(rank % t.blocks)
	factor, start := t.pickOrder(pass, block)
	return block<<blockBits + int64((uint64(rank/t.blocks)*factor+start)%blockSize)
}

// mayChange returns the members of a block that may change between two
// instants.
func (t *timeline) mayChange(block, from, until int64) (set memberSet) {
	for pass := t.passOf(from); t.passStart(pass) <= until; pass++ {
		factor, start := t.pickOrder(pass, block)
		for pick := range t.each + min(t.more, 1) {
			set |= 1 << ((uint64(pick)*factor + start) % blockSize)
		}
	}
	return set
}

// usually is the usual state of an entity.
func (t *timeline) usually(entity int64) bool {
	return t.usual(entity>>blockBits, setOf(entity)) != 0
}

func (t *timeline) passOf(at int64) int64   { return floorDivide(at-t.phase, passLength) }
func (t *timeline) passStart(p int64) int64 { return p*passLength + t.phase }

// half is when the movers of one half of a pass move, by rank.
func (t *timeline) half(pass, half int64) spread {
	return newSpread(t.key^uint64(2*pass+half), t.passStart(pass)+half*halfPass, passWeeks/2, t.movers)
}

// at is the state of an entity at an instant, changes at that very second
// included.
func (t *timeline) at(entity, instant int64) bool {
	pass, usual := t.passOf(instant), t.usually(entity)
	rank, moves := t.rankOf(pass, entity)
	if !moves {
		return usual
	}
	leaves, returns := t.absence(pass, rank)
	if instant >= leaves && instant < returns {
		return !usual
	}
	return usual
}

// lastReturn is the number of the pass in which an entity last returned to its
// usual state, up to an instant, counted from the beginning of the world; 0: never.
func (t *timeline) lastReturn(entity, instant int64) int64 {
	if t.moves(entity>>blockBits, setOf(entity)) == 0 {
		return 0
	}
	first := t.passOf(worldStart)
	for pass := t.passOf(instant); pass > first; pass-- {
		if rank, moves := t.rankOf(pass, entity); moves {
			if _, returns := t.absence(pass, rank); returns <= instant {
				return pass - first
			}
		}
	}
	return 0
}

// holdsThroughout reports whether an entity is in a state throughout [from,
// until]. Most entities do not move in most passes, and need one look.
func (t *timeline) holdsThroughout(state bool, entity, from, until int64) bool {
	return t.holdsFrom(t.usually(entity), state, entity, from, until)
}

// holdsFrom is holdsThroughout of an entity whose usual state is known.
func (t *timeline) holdsFrom(usual, state bool, entity, from, until int64) bool {
	pass := t.passOf(from)
	rank, moves := t.rankOf(pass, entity)
	leaves, returns := int64(math.MaxInt64), int64(math.MaxInt64)
	if moves {
		leaves, returns = t.absence(pass, rank)
	}
	if t.passStart(pass+1) <= until {
		away := from >= leaves && from < returns
		return (usual != away) == state && t.nextChange(entity, from, until+1) > until
	}
	if usual == state {
		return until < leaves || from >= returns
	}
	return from >= leaves && until < returns
}

// absence is when the rank-th mover of a pass leaves its usual state and when
// it returns to it.
func (t *timeline) absence(pass, rank int64) (leaves, returns int64) {
	leaving, returning := t.half(pass, 0), t.half(pass, 1)
	return leaving.at(rank), returning.at(t.returnOrders.of(pass).at(rank))
}

// nextChange is the first change of an entity after an instant and before
// limit, or limit when there is none.
func (t *timeline) nextChange(entity, after, limit int64) int64 {
	for pass := t.passOf(after); t.passStart(pass) < limit; pass++ {
		rank, moves := t.rankOf(pass, entity)
		if !moves {
			continue
		}
		leaves, returns := t.absence(pass, rank)
		for _, at := range [2]int64{leaves, returns} {
			if at > after {
				return min(at, limit)
			}
		}
	}
	return limit
}

// wantedChanges are those of entities below a number that may count, of an entity at an
// instant; nil: all may. Who moves at all, and from which state, is only found out for them.
type wantedChanges struct {
	below    int64
	mayCount func(entity, at int64) bool
}

// changes calls visit for the changes in [from, to), in order of time.
func (t *timeline) changes(wanted wantedChanges, from, to int64, visit func(change)) {
	for nth := floorDivide(from-t.phase, halfPass); nth*halfPass+t.phase < to; nth++ {
		pass, half := nth>>1, nth&1
		order, movers := t.passOrders.of(pass), t.half(pass, half)
		first, last, begin, end := movers.around(from, to)
		for rank := first; rank < last; rank++ {
			if rank == first || rank == last-1 {
				if weight := movers.weightOf(rank); weight < begin || weight >= end {
					continue
				}
			}
			leaver := rank
			if half == 1 {
				leaver = t.returnOrders.of(pass).indexOf(rank)
			}
			entity := t.entityAt(pass, order, leaver)
			if entity >= wanted.below || wanted.mayCount != nil && !wanted.mayCount(entity, movers.at(rank)) {
				continue
			}
			if t.moves(entity>>blockBits, setOf(entity)) != 0 {
				visit(change{entity: entity, at: movers.at(rank), state: t.usually(entity) == (half == 1)})
			}
		}
	}
}
