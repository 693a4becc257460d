package world

import (
	"math/bits"
	"sync/atomic"
)

// pushHomes are the installations of the profiles of a block as push messages find them: what
// of it is the same at all times.
type pushHomes struct {
	block    int64
	first    int64  // installation
	count    int64  // of all of them
	shuffles uint32 // of the groups of eight, three bits each
	some     memberSet
	usual    [2][homeWords]memberSet // the states of what they need
}

// homeWords are so many words that the installations of a block of profiles fit, which begin
// anywhere in the first one.
const homeWords = (blockSize-1+blockInstallations)/blockSize + 1

// pushHomesCache keeps those of the blocks of a world that is not too large: a burst asks for
// each of them every week, and so does each step that follows, in an order of its own.
type pushHomesCache struct {
	kept atomic.Pointer[[]atomic.Pointer[pushHomes]]
}

// mostPushHomes is of how many blocks they are kept at most.
const mostPushHomes = 1 << 14

// of are those of a block; nil: they are not kept.
func (c *pushHomesCache) of(block int64) *pushHomes {
	kept := c.kept.Load()
	if kept == nil {
		return nil
	}
	if found := (*kept)[uint64(block)&uint64(len(*kept)-1)].Load(); found != nil && found.block == block {
		return found
	}
	return nil
}

func (c *pushHomesCache) keep(made *pushHomes, blocks int64) {
	kept := c.kept.Load()
	if kept == nil {
		list := make([]atomic.Pointer[pushHomes], 1<<bits.Len64(uint64(min(max(blocks, 1), mostPushHomes)-1)))
		if kept = &list; !c.kept.CompareAndSwap(nil, kept) {
			kept = c.kept.Load()
		}
	}
	(*kept)[uint64(made.block)&uint64(len(*kept)-1)].Store(made)
}

// pushHomesOf are those of a block.
func (w *World) pushHomesOf(block int64) *pushHomes {
	if kept := w.pushHomes.of(block); kept != nil {
		return kept
	}
	homes := w.ownership.householdsOf(block)
	made := &pushHomes{block: block, first: homes.first, count: homes.count, shuffles: w.ownership.shufflesOf(block)}
	for i, kind := range channelNeeds[channelPush] {
		words := homes.words(w.timelines[kind].usual.kept)
		copy(made.usual[i][:], words[:])
	}
	var both installationWords
	for i := range homeWords {
		both[i] = made.usual[0][i] & made.usual[1][i]
	}
	made.some = homes.ownersOf(&both)
	w.pushHomes.keep(made, blocksOf(w.profiles))
	return made
}

// fill makes r what is known of the installations in a span of time, and returns the members
// that may be reached: of some, at every time.
func (p *pushHomes) fill(r *installationReach, w *World, from, until int64) (possible memberSet) {
	r.begin = p.first &^ (blockSize - 1)
	possible = p.some
	tokens, choices := w.timelines[changeReachable], w.timelines[changeOptIn]
	for i, block := 0, r.begin>>blockBits; block<<blockBits < p.first+p.count; i, block = i+1, block+1 {
		here := firstMembers(p.first+p.count-block<<blockBits) &^ firstMembers(p.first-block<<blockBits)
		hasToken, optedIn := p.usual[0][i], p.usual[1][i]
		token, choice := tokens.mayChange(block, from, until), choices.mayChange(block, from, until)
		both := hasToken & optedIn
		r.certain[i], r.possible[i] = both&^(token|choice), (hasToken|token)&(optedIn|choice)
		r.usual[0][i], r.usual[1][i] = hasToken, optedIn
		for rest := r.possible[i] &^ both & here; rest != 0; {
			possible |= setOf(w.ownerOf(block<<blockBits + int64(rest.pop())))
		}
	}
	return possible
}

// fillUsually makes r what is known of them without a look at their changes.
func (p *pushHomes) fillUsually(r *installationReach) {
	r.begin = p.first &^ (blockSize - 1)
	for i := range homeWords {
		r.certain[i], r.possible[i] = 0, wholeBlock
		r.usual[0][i], r.usual[1][i] = p.usual[0][i], p.usual[1][i]
	}
}
