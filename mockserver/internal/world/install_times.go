package world

import "sync/atomic"

// installTimes are when the profiles of a block were created and their installations made, as seconds since
// the first of them was created: one profile joins each year at least, so these fit.
type installTimes struct {
	block int64
	households
	since   int64
	created [blockSize]uint32
	made    [blockInstallations]uint32
}

// at is when an installation was made, counted from the first of the block.
func (t *installTimes) at(nth int64) int64 { return t.since + int64(t.made[nth]) }

// createdAt is when a profile of the block was created.
func (t *installTimes) createdAt(profile int64) int64 {
	return t.since + int64(t.created[uint64(profile)%blockSize])
}

// installTimesCache keeps those of the latest few blocks. Of a block of which nobody else was
// asked for before, nor the one before it, only the profile in question is looked at.
type installTimesCache [16]struct {
	asked atomic.Int64 // the profile
	kept  atomic.Pointer[installTimes]
}

// installTimesOf are those of some profiles of a block; those of all of them are kept.
func (w *World) installTimesOf(block int64, members memberSet) *installTimes {
	cache := &w.kept.installTimes[uint64(block)%uint64(len(w.kept.installTimes))]
	if kept := cache.kept.Load(); kept != nil && kept.block == block {
		return kept
	}
	made := &installTimes{block: block, households: w.ownership.householdsOf(block)}
	whole := members == wholeBlock
	members &= firstMembers(w.profiles - block<<blockBits)
	pushOnly := w.pushOnlyOf(block, members&made.some)
	var created [blockSize]int64
	if whole {
		created = w.arrivals.ofBlock(block, min((block+1)<<blockBits, w.profiles))
		made.since = created[0]
	} else if members != 0 {
		made.since = w.createdAt(block << blockBits)
	}
	for rest := members; rest != 0; {
		bit := rest.pop()
		owned := &made.owned[bit]
		if !whole {
			created[bit] = w.createdAt(block<<blockBits + int64(bit))
		}
		made.created[bit] = uint32(created[bit] - made.since)
		for nth := range int64(owned.count) {
			at := int64(owned.before) + nth
			made.made[at] = made.created[bit] + uint32(w.installDelayOf(made.first+at, nth == 0, pushOnly.has(bit)))
		}
	}
	if whole {
		cache.kept.Store(made)
	}
	return made
}

// installTimesAround are those of the block of a profile; nil: nobody asked for its
// neighbours.
func (w *World) installTimesAround(profile int64) *installTimes {
	block := profile >> blockBits
	cache := &w.kept.installTimes[uint64(block)%uint64(len(w.kept.installTimes))]
	if kept := cache.kept.Load(); kept != nil && kept.block == block {
		return kept
	}
	before := w.kept.installTimes[uint64(block-1)%uint64(len(w.kept.installTimes))].kept.Load()
	if (before == nil || before.block != block-1) && isFirstAsked(&cache.asked, profile) {
		return nil
	}
	return w.installTimesOf(block, wholeBlock)
}

// installedAt is when an installation of a profile was made.
func (w *World) installedAt(installation, profile int64) int64 {
	if kept := w.installTimesAround(profile); kept != nil {
		if nth := installation - kept.first; nth >= 0 && nth < kept.count { // else the row made it up
			return kept.at(nth)
		}
	}
	return w.installedBy(installation, profile)
}

// isFirstAsked notes that a profile is asked for, and reports whether the one before was of
// another block, or the same.
func isFirstAsked(asked *atomic.Int64, profile int64) bool {
	last := asked.Load()
	if last != profile {
		asked.Store(profile)
	}
	return last == profile || last>>blockBits != profile>>blockBits
}
