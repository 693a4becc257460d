package world

import "math/bits"

// installationIndex says how many installations each profile has, so that the
// installations of a profile, and the profile of an installation, are found by
// arithmetic. A fixed share of profiles have none; of the others, seven
// consecutive ones own ten installations: a cycle. Within a group of eight the
// profiles are shuffled.
type installationIndex struct {
	key       uint64
	profiles  int64
	noneShare int64   // the share of profiles without installations, in parts of noneParts
	stretch   float64 // how many profiles there are for each that has installations
}

const (
	noneParts = 1 << 20

	ownersPerCycle        = 7
	installationsPerCycle = 10
)

// Of a cycle: how many installations each of its seven owners has, how many come
// before those, and which owner each of the ten belongs to.
var (
	cycleCounts  = [ownersPerCycle]int64{1, 2, 1, 1, 3, 1, 1}
	cycleOffsets = [ownersPerCycle]int64{0, 1, 3, 4, 5, 8, 9}
	cycleOwners  = [installationsPerCycle]int64{0, 1, 1, 2, 3, 4, 4, 4, 5, 6}
)

func newInstallationIndex(key uint64, profiles int64, none float64) installationIndex {
	made := installationIndex{key: key, profiles: profiles, noneShare: int64(float64(none*noneParts) + 0.5), stretch: 1}
	if made.noneShare < noneParts {
		made.stretch = noneParts / float64(noneParts-made.noneShare)
	}
	return made
}

// shuffled is the position of a profile within its group of eight; it is its
// own inverse. An incomplete last group is not shuffled.
func (h *installationIndex) shuffled(profile int64) int64 {
	if profile|7 >= h.profiles {
		return profile
	}
	return profile ^ int64(draw(h.key, uint64(profile>>3))&7)
}

// shufflesOf are the shuffles of the groups of a block, three bits each.
func (h *installationIndex) shufflesOf(block int64) (shuffles uint32) {
	for group := range int64(blockSize / 8) {
		if first := block<<blockBits + 8*group; first|7 < h.profiles {
			shuffles |= uint32(draw(h.key, uint64(first>>3))&7) << (3 * group)
		}
	}
	return shuffles
}

// owners is how many of the first positions have installations.
func (h *installationIndex) owners(places int64) int64 {
	return places - int64(uint64(places)*uint64(h.noneShare)/noneParts)
}

// firstOf is the first installation of an owner.
func firstOf(owner int64) int64 {
	return owner/ownersPerCycle*installationsPerCycle + cycleOffsets[owner%ownersPerCycle]
}

// of returns the first installation of a profile and how many it has.
func (h *installationIndex) of(profile int64) (first, count int64) { return h.at(h.shuffled(profile)) }

// at is of the profile at a position.
func (h *installationIndex) at(place int64) (first, count int64) {
	owner := h.owners(place)
	if h.owners(place+1) == owner {
		return firstOf(owner), 0
	}
	return firstOf(owner), cycleCounts[owner%ownersPerCycle]
}

// blockInstallations is how many installations the profiles of a block have at most.
const blockInstallations = (blockSize/ownersPerCycle + 1) * installationsPerCycle

// households are the installations of the profiles of a block: of each, how many come
// before its first one, counted from the first of the block, and how many it has.
type households struct {
	first   int64 // installation
	count   int64 // of all of them
	owned   [blockSize]struct{ before, count uint8 }
	owners  [blockInstallations]uint8 // by installation, counted from the first
	some    memberSet                 // who has any
	several memberSet                 // who has more than one
}

// householdsOf is what [installationIndex.of] says of each profile of a block, with one
// draw for each group of eight.
func (h *installationIndex) householdsOf(block int64) (made households) {
	begin := block << blockBits
	owner := h.owners(begin)
	made.first = firstOf(owner)
	made.count = firstOf(h.owners(min(begin+blockSize, max(h.profiles, begin)))) - made.first
	before, nth := int64(0), owner%ownersPerCycle
	for place := begin; place < begin+blockSize; place += 8 {
		shuffle := int64(0)
		if place|7 < h.profiles {
			shuffle = int64(draw(h.key, uint64(place>>3)) & 7)
		}
		for i := range int64(8) {
			member := uint8((place + i ^ shuffle) % blockSize)
			owned := &made.owned[member]
			owned.before = uint8(before)
			if next := h.owners(place + i + 1); next > owner {
				count := cycleCounts[nth]
				owned.count = uint8(count)
				made.some.add(int(member))
				if made.owners[before] = member; count > 1 {
					made.several.add(int(member))
					for at := before + 1; at < before+count; at++ {
						made.owners[at] = member
					}
				}
				owner, before = next, before+count
				if nth++; nth == ownersPerCycle {
					nth = 0
				}
			}
		}
	}
	return made
}

// installationWords are sets of installations in the blocks that those of the profiles of
// a block touch: installations have blocks of their own. One more than a power of two, so
// that the compiler knows that there is a next word.
type installationWords [5]memberSet

// words are those that a filter finds among the installations of the households.
func (h *households) words(filter memberFilter) (found installationWords) {
	begin := h.first >> blockBits
	for block := begin; h.count > 0 && block <= (h.first+h.count-1)>>blockBits; block++ {
		here := firstMembers(h.first+h.count-block<<blockBits) &^ firstMembers(h.first-block<<blockBits)
		found[block-begin] = filter(block, here) & here
	}
	return found
}

// in are those of some installations that a profile has, its first one as the first bit.
func (h *households) in(words *installationWords, profile int) memberSet {
	owned := h.owned[profile%blockSize]
	at := uint64(h.first)%blockSize + uint64(owned.before)
	word, bit := at/blockSize%uint64(len(words)-1), at%blockSize
	return (words[word]>>bit | words[word+1]<<1<<(blockSize-1-bit)) & (1<<owned.count - 1)
}

// ownersOf are the profiles that have some of their installations in words.
func (h *households) ownersOf(words *installationWords) (profiles memberSet) {
	h.each(words, func(_ int64, profile int) { profiles.add(profile) })
	return profiles
}

// each calls visit for those of the installations in words, with their profile.
func (h *households) each(words *installationWords, visit func(installation int64, profile int)) {
	begin := h.first &^ (blockSize - 1)
	for i, rest := range words {
		for rest != 0 {
			installation := begin + int64(i*blockSize+rest.pop())
			visit(installation, int(h.owners[installation-h.first]))
		}
	}
}

// withoutInstallation are those of some profiles of a block that have no installations.
func (h *installationIndex) withoutInstallation(block int64, members memberSet) (without memberSet) {
	if bits.OnesCount64(uint64(members)) <= fewMembers {
		for rest := members; rest != 0; {
			bit := rest.pop()
			if place := h.shuffled(block<<blockBits + int64(bit)); h.owners(place) == h.owners(place+1) {
				without.add(bit)
			}
		}
		return without
	}
	first := block << blockBits
	for n := first*h.noneShare/noneParts + 1; n <= (first+blockSize)*h.noneShare/noneParts; n++ {
		without |= setOf(h.shuffled((n*noneParts+h.noneShare-1)/h.noneShare - 1))
	}
	return without & members
}

// ownerOf is the profile of an installation.
func (h *installationIndex) ownerOf(installation int64) int64 {
	owner := installation/installationsPerCycle*ownersPerCycle + cycleOwners[installation%installationsPerCycle]
	return h.shuffled(h.placeOf(owner))
}

// placeOf is the position of an owner.
func (h *installationIndex) placeOf(owner int64) int64 {
	place := int64(float64(owner) * h.stretch)
	for h.owners(place+1) > owner {
		place--
	}
	for h.owners(place+1) <= owner {
		place++
	}
	return place
}

// before is an upper bound for the number of installations of the first
// profiles: the rest of the last group of eight may stand before them.
func (h *installationIndex) before(profiles int64) int64 {
	return firstOf(h.owners(min((profiles+7)&^7, h.profiles)))
}

// ownersOf calls visit for consecutive installations, from one up to, not including,
// another, with the profile of each: one step per installation where ownerOf searches.
func (h *installationIndex) ownersOf(from, to int64, visit func(installation, profile int64)) {
	var (
		owner, place = int64(-1), int64(0)
		group        = int64(-1)
		shuffle      int64 // of the group
	)
	for installation := from; installation < to; installation++ {
		is := installation/installationsPerCycle*ownersPerCycle + cycleOwners[installation%installationsPerCycle]
		if is != owner {
			if owner < 0 {
				place = h.placeOf(is)
			} else {
				for place++; h.owners(place+1) <= is; place++ {
				}
			}
			owner = is
			if place>>3 != group {
				if group, shuffle = place>>3, 0; place|7 < h.profiles {
					shuffle = int64(draw(h.key, uint64(group)) & 7)
				}
			}
		}
		visit(installation, place^shuffle)
	}
}
