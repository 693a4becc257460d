package world

import (
	"math"
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
	blocks       divisor
	movers       int64 // how many entities may change in one pass
	each         int64 // movers of every block
	more         int64 // how many blocks have one more: the first of the order
	phase        int64 // seconds by which the passes are moved against 1970: whole weeks
	key          uint64
	usual        memberFacts
	moves        movingFacts
	snapshots    [4]struct { // by block
		asked atomic.Int64 // the block that was asked for last
		kept  atomic.Pointer[blockStates]
	}
}

const (
	passWeeks  = 4
	passLength = passWeeks * week
	halfPass   = passLength / 2
)

// change is an instant at which the fact about one entity became state.
type change struct {
	entity int64
	person int64 // whose the entity is, where that is known
	at     int64
	state  bool
}

func newTimeline(key uint64, entities int64, share float64, usual, moves memberFacts) *timeline {
	blocks := blocksOf(entities)
	movers := int64(share * float64(blocks*blockSize))
	if movers == 0 && entities > 0 && share > 0 {
		movers = 1
	}
	made := &timeline{
		passOrders: permutationCache{key: key, n: blocks}, returnOrders: permutationCache{key: ^key, n: movers}, entities: entities, movers: movers,
		phase: below(draw(key, 0), passWeeks) * week, key: draw(key, 1), usual: usual, moves: movingFacts{memberFacts: moves},
	}
	if blocks > 0 {
		made.each, made.more, made.blocks = movers/blocks, movers%blocks, divisorOf(blocks)
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
	if pick == t.each && place >= t.more || t.moves.kept(block, setOf(entity)) == 0 {
		return 0, false
	}
	return pick*t.blocks.by + place, true
}

// mayChange returns the members of a block that may change between two
// instants.
func (t *timeline) mayChange(block, from, until int64) (set memberSet) {
	for pass := t.passOf(from); t.passStart(pass) <= until; pass++ {
		set |= t.picked(pass, block)
	}
	return set
}

// picked returns the members of a block that may change in a pass.
func (t *timeline) picked(pass, block int64) (set memberSet) {
	factor, start := t.pickOrder(pass, block)
	for pick := range t.each + min(t.more, 1) {
		set |= 1 << ((uint64(pick)*factor + start) % blockSize)
	}
	return set
}

// usually is the usual state of an entity.
func (t *timeline) usually(entity int64) bool {
	return t.usual.kept(entity>>blockBits, setOf(entity)) != 0
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
	return t.stateAt(entity, instant, t.usually(entity))
}

// drawnAt is at of an entity of a person that is met by chance.
func (t *timeline) drawnAt(entity, person, instant int64) bool {
	return t.stateAt(entity, instant, t.usual.alone(entity, person))
}

// stateAt is at of an entity whose usual state is known.
func (t *timeline) stateAt(entity, instant int64, usual bool) bool {
	pass := t.passOf(instant)
	rank, moves := t.rankOf(pass, entity)
	if !moves {
		return usual
	}
	leaves, returns := t.absence(pass, rank, instant, instant)
	if instant >= leaves && instant < returns {
		return !usual
	}
	return usual
}

// blockStates are the members of a block that are in the state at an instant.
type blockStates struct {
	block, instant int64
	members        memberSet
}

// snapshotAt is at for an instant that is asked for again, mostly of the same block: from the
// second time on, all of it is looked at.
func (t *timeline) snapshotAt(entity, instant int64) bool {
	block := entity >> blockBits
	place := &t.snapshots[uint64(block)%uint64(len(t.snapshots))]
	if kept := place.kept.Load(); kept != nil && kept.block == block && kept.instant == instant {
		return kept.members&setOf(entity) != 0
	}
	if place.asked.Load() != block {
		place.asked.Store(block)
		return t.at(entity, instant)
	}
	made := &blockStates{block, instant, t.usual.kept(block, wholeBlock)}
	for rest := t.mayChange(block, instant, instant) & firstMembers(t.entities-block<<blockBits); rest != 0; {
		bit := rest.pop()
		if made.members.remove(bit); t.at(block<<blockBits+int64(bit), instant) {
			made.members.add(bit)
		}
	}
	place.kept.Store(made)
	return made.members&setOf(entity) != 0
}

// lastReturn is the number of the pass in which an entity last returned to its
// usual state, up to an instant, counted from the beginning of the world; 0: never.
func (t *timeline) lastReturn(entity, instant int64) int64 {
	if t.moves.kept(entity>>blockBits, setOf(entity)) == 0 {
		return 0
	}
	first := t.passOf(worldStart)
	for pass := t.passOf(instant); pass > first; pass-- {
		if rank, moves := t.rankOf(pass, entity); moves {
			if t.returns(pass, rank) <= instant {
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
	switch {
	case t.passStart(pass+1) <= until:
		away := false
		if moves {
			leaves, returns := t.absence(pass, rank, from, from)
			away = from >= leaves && from < returns
		}
		return (usual != away) == state && t.nextChange(entity, from, until+1) > until
	case !moves:
		return usual == state
	}
	leaves, returns := t.absence(pass, rank, from, until)
	if usual == state {
		return until < leaves || from >= returns
	}
	return from >= leaves && until < returns
}

// leaves is when the rank-th mover of a pass leaves its usual state, in the first half of
// it, and returns when it returns to it, in the second one.
func (t *timeline) leaves(pass, rank int64) int64 {
	leaving := t.half(pass, 0)
	return leaving.at(rank)
}

func (t *timeline) returns(pass, rank int64) int64 {
	returning := t.half(pass, 1)
	return returning.at(t.returnOrders.of(pass).at(rank))
}

// absence is both, to be compared with instants from one of the pass until another: what is
// before or behind all of them in any case is not found out.
func (t *timeline) absence(pass, rank, from, until int64) (leaves, returns int64) {
	leaves, returns = math.MinInt64, math.MaxInt64
	middle := t.passStart(pass) + halfPass
	if from < middle {
		leaves = t.leaves(pass, rank)
	}
	if until >= middle {
		returns = t.returns(pass, rank)
	}
	return leaves, returns
}

// endIn is when an entity leaves the state in a pass, if it does.
func (t *timeline) endIn(pass, entity int64) (at int64, ends bool) {
	rank, moves := t.rankOf(pass, entity)
	if !moves {
		return 0, false
	}
	half := t.half(pass, 0)
	if !t.usually(entity) {
		half, rank = t.half(pass, 1), t.returnOrders.of(pass).at(rank)
	}
	return half.at(rank), true
}

// nextChange is the first change of an entity after an instant and before
// limit, or limit when there is none.
func (t *timeline) nextChange(entity, after, limit int64) int64 {
	for pass := t.passOf(after); t.passStart(pass) < limit; pass++ {
		rank, moves := t.rankOf(pass, entity)
		if !moves {
			continue
		}
		leaves, returns := t.absence(pass, rank, after, math.MaxInt64)
		for _, at := range [2]int64{leaves, returns} {
			if at > after {
				return min(at, limit)
			}
		}
	}
	return limit
}

// wantedChanges are those of entities below a number that may count; nil: all may. Who moves
// at all, and from which state, is only found out for them. Of an installation it is said
// whose it is.
type wantedChanges struct {
	below    int64
	mayCount func(entity, at int64) (person int64, may bool)
}

// changes calls visit for the changes in [from, to), in order of time.
func (t *timeline) changes(wanted wantedChanges, from, to int64, visit func(change)) {
	for nth := floorDivide(from-t.phase, halfPass); nth*halfPass+t.phase < to; nth++ {
		pass, half := nth>>1, nth&1
		movers := t.half(pass, half)
		first, last, begin, end := movers.around(from, to)
		if first < last && !movers.isWithin(first, begin, end) {
			first++
		}
		if first < last && !movers.isWithin(last-1, begin, end) {
			last--
		}
		if first == last {
			continue
		}
		times := movers.timesFrom(begin)
		for first < last {
			var found [moversAtOnce]mover
			count := t.moversIn(&found, pass, half == 1, &first, last, wanted.below)
			for i := range found[:count] {
				m := &found[i]
				person, at := m.entity, int64(0)
				if wanted.mayCount != nil {
					may := false
					at = times.next(m.rank)
					if person, may = wanted.mayCount(m.entity, at); !may {
						continue
					}
				}
				if !t.moves.alone(m.entity, person) {
					continue
				}
				if wanted.mayCount == nil {
					at = times.next(m.rank)
				}
				usually := t.moves.fromTrue || t.usual.alone(m.entity, person)
				visit(change{entity: m.entity, person: person, at: at, state: usually == (half == 1)})
			}
		}
	}
}

// mover is an entity that may move, with its rank in a half of a pass.
type mover struct{ entity, rank int64 }

// moversAtOnce are so many that a processor finds several of them at the same time: what
// becomes of one does not depend on another, as long as nothing is asked about them.
const moversAtOnce = 32

// moversIn finds the entities below a number that have the ranks from first on up to, not
// including, last, as far as there is room for them, and moves first behind them: the inverse
// of rankOf.
func (t *timeline) moversIn(found *[moversAtOnce]mover, pass int64, returning bool, first *int64, last, below int64) (count int) {
	var returns *permutation
	if returning {
		returns = t.returnOrders.of(pass)
	}
	begin := *first
	*first = min(last, begin+moversAtOnce)
	var blocks, picks [moversAtOnce]int64
	for i := range *first - begin {
		rank := begin + i
		if returning {
			rank = returns.indexOf(rank)
		}
		picks[i], blocks[i] = t.blocks.divide(rank)
	}
	t.passOrders.of(pass).atAll(blocks[:*first-begin])
	for i := range *first - begin {
		factor, start := t.pickOrder(pass, blocks[i])
		entity := blocks[i]<<blockBits + int64((uint64(picks[i])*factor+start)%blockSize)
		found[count] = mover{entity, begin + i}
		if entity < below {
			count++
		}
	}
	return count
}
