package world

// timeline says when one yes-or-no fact about many things changes: whether an
// installation is opted in, whether a profile has an e-mail address.
//
// Time is cut in passes. In every pass a permutation picks the same small
// number of things; each leaves its usual state in the first half of the pass
// and returns in the second, in another order. So the state at any instant
// needs one look at one pass, and the changes of any span of time are a range
// of ranks, in order.
type timeline struct {
	orders orders // of passes: rank to thing
	back   orders // of passes: rank of leaving to rank of returning
	things int64  // how many things there are
	movers int64  // how many of them change in one pass
	phase  int64  // seconds by which the passes are moved against 1970: whole weeks
	key    uint64
	usual  func(thing int64) bool
	moves  func(thing int64) bool // whether it ever changes; the others are passed over
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

func newTimeline(key uint64, things int64, share float64, usual, moves func(int64) bool) *timeline {
	movers := int64(share * float64(things))
	if movers == 0 && things > 0 {
		movers = 1
	}
	return &timeline{
		orders: orders{key: key, n: things}, back: orders{key: ^key, n: movers}, things: things, movers: movers,
		phase: below(draw(key, 0), passWeeks) * week, key: draw(key, 1), usual: usual, moves: moves,
	}
}

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
	usual := t.usual(thing)
	pass := t.passOf(instant)
	order := t.orders.of(pass)
	rank := order.indexOf(thing)
	if rank >= t.movers || !t.moves(thing) {
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
	if t.orders.of(pass).indexOf(thing) < t.movers || t.passStart(pass+1) <= until {
		return t.at(thing, from) == state && t.nextChange(thing, from, until+1) > until
	}
	return t.usual(thing) == state
}

// ever says whether a thing is in its positive state at any moment of
// [from, until].
func (t *timeline) ever(thing, from, until int64) bool {
	return t.at(thing, from) || t.nextChange(thing, from, until+1) <= until
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
	if !t.moves(thing) {
		return limit
	}
	for pass := t.passOf(after); t.passStart(pass) < limit; pass++ {
		order := t.orders.of(pass)
		rank := order.indexOf(thing)
		if rank >= t.movers {
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
				thing := order.at(leaver)
				if !t.moves(thing) {
					continue
				}
				visit(change{thing: thing, at: movers.at(rank), state: t.usual(thing) == (half == 1)})
			}
		}
	}
}
