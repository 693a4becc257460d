package world

import "sync/atomic"

// timeline says when one yes-or-no fact about many things changes: whether an
// installation is opted in, whether a profile has an e-mail address.
//
// Time is cut in passes. In every pass the same small number of things is
// picked from each block of 64, the blocks in the order of a permutation; each
// leaves its usual state in the first half of the pass and returns in the
// second, in another order. So the state at any instant needs one look at one
// pass, the changes of any span of time are a range of ranks, in order, and who
// of a block may change at all in a pass is known at once.
type timeline struct {
	orders orders // of passes: of the blocks
	back   orders // of passes: rank of leaving to rank of returning
	things int64  // how many things there are
	blocks int64
	movers int64 // how many places for things that change there are in one pass
	each   int64 // how many of them every block has
	more   int64 // how many blocks have one more: the first of the order
	phase  int64 // seconds by which the passes are moved against 1970: whole weeks
	key    uint64
	usual  choice
	moves  choice // whether they ever change; the others are passed over
}

// choice says which of some things of a block something is true of.
type choice func(block int64, who uint64) uint64

// remembered is a choice that keeps what it chose of the latest few blocks whose
// first thing was asked for: files are about one thing after the other.
func remembered(of choice) choice {
	// Both halves of an entry are written on their own. They fit together only if
	// they are of one block.
	var kept [16]struct{ word, check atomic.Uint64 }
	return func(block int64, who uint64) uint64 {
		place := &kept[uint64(block)%uint64(len(kept))]
		if word := place.word.Load(); place.check.Load() == word^uint64(block+1) {
			return word & who
		}
		if who&1 == 0 {
			return of(block, who)
		}
		word := of(block, ^uint64(0))
		place.word.Store(word)
		place.check.Store(word ^ uint64(block+1))
		return word & who
	}
}

const (
	passWeeks  = 4
	passLength = passWeeks * week
	halfPass   = passLength / 2
)

// change is a moment at which the fact about one thing became state.
type change struct {
	thing int64
	at    int64
	state bool
}

func newTimeline(key uint64, things int64, share float64, usual, moves choice) *timeline {
	blocks := blocksOf(things)
	movers := int64(share * float64(blocks*blockSize))
	if movers == 0 && things > 0 {
		movers = 1
	}
	made := &timeline{
		orders: orders{key: key, n: blocks}, back: orders{key: ^key, n: movers}, things: things, blocks: blocks, movers: movers,
		phase: below(draw(key, 0), passWeeks) * week, key: draw(key, 1), usual: usual, moves: moves,
	}
	if blocks > 0 {
		made.each, made.more = movers/blocks, movers%blocks
	}
	return made
}

// turnOf says how the things of a block are picked in a pass: pick n is thing
// n*factor+start, modulo 64.
func (t *timeline) turnOf(pass, block int64) (factor, start uint64) {
	random := draw(t.key^uint64(pass)<<40, uint64(block))
	return random | 1, random >> 32
}

// rankOf is the rank of a thing among those of a pass that move.
func (t *timeline) rankOf(pass, thing int64) (rank int64, moves bool) {
	block := thing >> blockBits
	factor, start := t.turnOf(pass, block)
	inverse := factor * (2 - factor*factor) // right in three bits, then in six
	pick := int64((uint64(thing) - start) * inverse % blockSize)
	if pick > t.each || pick == t.each && t.more == 0 {
		return 0, false
	}
	place := t.orders.of(pass).indexOf(block)
	if pick == t.each && place >= t.more || t.moves(block, placeIn(thing)) == 0 {
		return 0, false
	}
	return pick*t.blocks + place, true
}

// thingOf is the thing of a rank in a pass, if it moves.
func (t *timeline) thingOf(pass int64, order *permutation, rank int64) (thing int64, moves bool) {
	block := order.at(rank % t.blocks)
	factor, start := t.turnOf(pass, block)
	thing = block<<blockBits + int64((uint64(rank/t.blocks)*factor+start)%blockSize)
	return thing, thing < t.things && t.moves(block, placeIn(thing)) != 0
}

// picked are those of a block that may move between two instants.
func (t *timeline) picked(block, from, until int64) (mask uint64) {
	for pass := t.passOf(from); t.passStart(pass) <= until; pass++ {
		factor, start := t.turnOf(pass, block)
		for pick := range t.each + min(t.more, 1) {
			mask |= 1 << ((uint64(pick)*factor + start) % blockSize)
		}
	}
	return mask
}

// usually is the usual state of a thing.
func (t *timeline) usually(thing int64) bool { return t.usual(thing>>blockBits, placeIn(thing)) != 0 }

func (t *timeline) passOf(at int64) int64   { return floorDivide(at-t.phase, passLength) }
func (t *timeline) passStart(p int64) int64 { return p*passLength + t.phase }

// half is when the movers of one half of a pass move, by rank.
func (t *timeline) half(pass, half int64) spread {
	return spread{
		key: t.key ^ uint64(2*pass+half), start: t.passStart(pass) + half*halfPass, weeks: passWeeks / 2, count: t.movers,
	}
}

// at is the state of a thing at an instant; a change at that very second has
// happened.
func (t *timeline) at(thing, instant int64) bool {
	pass, usual := t.passOf(instant), t.usually(thing)
	rank, moves := t.rankOf(pass, thing)
	if !moves {
		return usual
	}
	leaves, returns := t.absence(pass, rank)
	if instant >= leaves && instant < returns {
		return !usual
	}
	return usual
}

// holds says whether a thing is in a state throughout [from, until]. Most
// things do not move in most passes, and are answered with one look.
func (t *timeline) holds(state bool, thing, from, until int64) bool {
	pass := t.passOf(from)
	if _, moves := t.rankOf(pass, thing); moves || t.passStart(pass+1) <= until {
		return t.at(thing, from) == state && t.nextChange(thing, from, until+1) > until
	}
	return t.usually(thing) == state
}

// absence is when the rank-th mover of a pass leaves its usual state and when
// it returns to it.
func (t *timeline) absence(pass, rank int64) (leaves, returns int64) {
	leaving, returning := t.half(pass, 0), t.half(pass, 1)
	return leaving.at(rank), returning.at(t.back.of(pass).at(rank))
}

// nextChange is the first change of a thing after an instant and before limit,
// or limit when there is none.
func (t *timeline) nextChange(thing, after, limit int64) int64 {
	for pass := t.passOf(after); t.passStart(pass) < limit; pass++ {
		rank, moves := t.rankOf(pass, thing)
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

// changes calls visit for every change in [from, to), in order of time.
func (t *timeline) changes(from, to int64, visit func(change)) {
	for pass := t.passOf(from); t.passStart(pass) < to; pass++ {
		order, back := t.orders.of(pass), t.back.of(pass)
		for half := range int64(2) {
			movers := t.half(pass, half)
			for rank, last := movers.before(from), movers.before(to); rank < last; rank++ {
				leaver := rank
				if half == 1 {
					leaver = back.indexOf(rank)
				}
				thing, moves := t.thingOf(pass, order, leaver)
				if moves {
					visit(change{thing: thing, at: movers.at(rank), state: t.usually(thing) == (half == 1)})
				}
			}
		}
	}
}
