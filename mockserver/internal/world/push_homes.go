package world

import (
	"math/bits"
	"sync/atomic"
)

// pushHomes are the installations of the profiles of a block as push messages find them: what
// of it is the same at all times.
type pushHomes struct {
	block    int64
	first    int64                   // installation
	count    int64                   // of all of them
	shuffles uint32                  // of the groups of eight, three bits each
	some     memberSet               // who has one that is usually reached
	usual    [2][homeWords]memberSet // the states of what they need
	there    [homeWords]memberSet    // of those that are usually reached, which were there at since
	since    int64
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

// pushHomesOf are those of a block, for messages that are sent from an instant on.
func (w *World) pushHomesOf(block, from int64) *pushHomes {
	if kept := w.kept.pushHomes.of(block); kept != nil {
		return kept
	}
	homes := w.ownership.householdsOf(block)
	made := &pushHomes{block: block, first: homes.first, count: homes.count, shuffles: w.ownership.shufflesOf(block), since: from}
	var both installationWords
	for i, kind := range channelNeeds[channelPush] {
		words := homes.words(w.timelines[kind].usual.kept)
		copy(made.usual[i][:], words[:])
	}
	for i := range homeWords {
		both[i] = made.usual[0][i] & made.usual[1][i]
	}
	homes.each(&both, func(installation int64, member int) {
		made.some.add(member)
		nth := installation - homes.first - int64(homes.owned[member].before)
		if w.isThereBy(installation, block<<blockBits+int64(member), nth == 0, from) {
			made.there[(installation-made.begin())/blockSize] |= setOf(installation)
		}
	})
	w.kept.pushHomes.keep(made, blocksOf(w.profiles))
	return made
}

// begin is the first installation of the first word.
func (p *pushHomes) begin() int64 { return p.first &^ (blockSize - 1) }

// known makes r what is known without a look at changes, of messages that are sent from an
// instant on.
func (p *pushHomes) known(r *installationReach, from int64) {
	r.homes, r.begin = p, p.begin()
	for i := range homeWords {
		r.usual[0][i], r.usual[1][i] = p.usual[0][i], p.usual[1][i]
		r.certain[i], r.possible[i], r.steady[0][i], r.steady[1][i] = 0, wholeBlock, 0, 0
		if r.there[i] = 0; from >= p.since {
			r.there[i] = p.there[i]
		}
	}
}

// look makes r what is known of the installations in a span of time, and returns the members
// that may be reached: of some, at every time.
func (p *pushHomes) look(r *installationReach, w *World, from, until int64) (possible memberSet) {
	p.known(r, from)
	possible = p.some
	for i, block := 0, r.begin>>blockBits; block<<blockBits < p.first+p.count; i, block = i+1, block+1 {
		here := firstMembers(p.first+p.count-block<<blockBits) &^ firstMembers(p.first-block<<blockBits)
		hasToken, optedIn := p.usual[0][i], p.usual[1][i]
		token, choice := w.timelines[changeReachable].mayChange(block, from, until), w.timelines[changeOptIn].mayChange(block, from, until)
		both := hasToken & optedIn
		r.certain[i], r.possible[i] = both&^(token|choice), (hasToken|token)&(optedIn|choice)
		r.steady[0][i], r.steady[1][i] = hasToken&^token, optedIn&^choice
		for rest := r.possible[i] &^ both & here; rest != 0; {
			possible |= setOf(w.ownerOf(block<<blockBits + int64(rest.pop())))
		}
	}
	return possible
}
