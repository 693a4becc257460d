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
	made := installationIndex{key: key, profiles: profiles, noneShare: int64(none*noneParts + 0.5), stretch: 1}
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

// owners is how many of the first positions have installations.
func (h *installationIndex) owners(places int64) int64 { return places - places*h.noneShare/noneParts }

// firstOf is the first installation of an owner.
func firstOf(owner int64) int64 {
	return owner/ownersPerCycle*installationsPerCycle + cycleOffsets[owner%ownersPerCycle]
}

// of returns the first installation of a profile and how many it has.
func (h *installationIndex) of(profile int64) (first, count int64) {
	place := h.shuffled(profile)
	owner := h.owners(place)
	if h.owners(place+1) == owner {
		return firstOf(owner), 0
	}
	return firstOf(owner), cycleCounts[owner%ownersPerCycle]
}

// firstIn is the first installation of the profiles of a block.
func (h *installationIndex) firstIn(block int64) int64 { return firstOf(h.owners(block << blockBits)) }

// withoutInstallation are those of some profiles of a block that have no installations.
func (h *installationIndex) withoutInstallation(block int64, members memberSet) (without memberSet) {
	if members&(members-1) == 0 { // at most one
		place := h.shuffled(block<<blockBits + int64(bits.TrailingZeros64(uint64(members))))
		if members != 0 && h.owners(place) == h.owners(place+1) {
			return members
		}
		return 0
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
	place := int64(float64(owner) * h.stretch)
	for h.owners(place+1) > owner {
		place--
	}
	for h.owners(place+1) <= owner {
		place++
	}
	return h.shuffled(place)
}

// before is an upper bound for the number of installations of the first
// profiles: the rest of the last group of eight may stand before them.
func (h *installationIndex) before(profiles int64) int64 {
	return firstOf(h.owners(min((profiles+7)&^7, h.profiles)))
}
