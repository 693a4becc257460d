package world

import (
	"math/bits"
	"sync/atomic"
)

// memberFilter returns those of some members of a block for which something is
// true.
type memberFilter func(block int64, members memberSet) memberSet

// memberFacts are a filter that keeps what it found, for blocks that are asked for one after
// the other, and the same one that draws it anew, for members of blocks that are met by
// chance. Of one that is met alone, it is known whose it is.
type memberFacts struct {
	kept, drawn memberFilter
	alone       func(entity, person int64) bool
}

// movingFacts are the members of a timeline that ever change; the others are skipped.
type movingFacts struct {
	memberFacts
	fromTrue bool // who changes is usually in the state
}

// factsOf are those of a filter of so many entities. A small world is kept as a whole, for
// whatever order.
func factsOf(entities int64, of memberFilter) memberFacts {
	kept := cachedFilter(entities, of)
	if blocksOf(entities) <= mostKept {
		of = kept
	}
	return memberFacts{kept, of, alone(of)}
}

// sameFacts are those of a filter that is not worth keeping.
func sameFacts(of memberFilter) memberFacts { return memberFacts{of, of, alone(of)} }

// alone asks a filter about one entity.
func alone(of memberFilter) func(entity, person int64) bool {
	return func(entity, _ int64) bool { return of(entity>>blockBits, setOf(entity)) != 0 }
}

// isAll is what is true of all entities.
func isAll() memberFacts {
	made := sameFacts(func(_ int64, members memberSet) memberSet { return members })
	made.alone = func(int64, int64) bool { return true }
	return made
}

// aloneBy replaces how an entity is asked about that is met alone, unless all are kept.
func (f memberFacts) aloneBy(entities int64, of func(entity, person int64) bool) memberFacts {
	if blocksOf(entities) > mostKept {
		f.alone = of
	}
	return f
}

// and is what is true of the entities of which both facts are.
func (f memberFacts) and(then memberFacts) memberFacts {
	both := func(first, then memberFilter) memberFilter {
		return func(block int64, members memberSet) memberSet {
			if members = first(block, members); members == 0 {
				return 0
			}
			return then(block, members)
		}
	}
	return memberFacts{both(f.kept, then.kept), both(f.drawn, then.drawn), func(entity, person int64) bool {
		return f.alone(entity, person) && then.alone(entity, person)
	}}
}

// not is what is true of the entities of which the fact is not.
func (f memberFacts) not() memberFacts {
	others := func(of memberFilter) memberFilter {
		return func(block int64, members memberSet) memberSet { return members &^ of(block, members) }
	}
	return memberFacts{others(f.kept), others(f.drawn), func(entity, person int64) bool { return !f.alone(entity, person) }}
}

// cachedFilter caches the results of a filter for the latest few blocks that were asked
// for as a whole, or for several members in turn: files are about one entity after the
// other. Of a block that is met by chance, only the members in question are looked at. A
// small world is kept as a whole.
func cachedFilter(entities int64, of memberFilter) memberFilter {
	// Both halves of an entry are written on their own. They fit together only if
	// they are of one block: those of two differ by more than their words may.
	wanted := max(min(blocksOf(entities), mostKept), leastKept)
	kept := make([]struct {
		word, check atomic.Uint64
		asked       lastAsked
	}, 1<<bits.Len64(uint64(wanted-1)))
	return func(block int64, members memberSet) memberSet {
		place := &kept[uint64(block)&uint64(len(kept)-1)]
		if word := place.word.Load(); place.check.Load() == word^uint64(block+1)*golden {
			return memberSet(word) & members
		}
		if members != wholeBlock {
			if found, is := place.asked.answer(block, members, of); is {
				return found
			}
		}
		word := of(block, wholeBlock)
		place.word.Store(uint64(word))
		place.check.Store(uint64(word) ^ uint64(block+1)*golden)
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
