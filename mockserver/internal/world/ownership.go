package world

import "math/bits"

// households say how many installations each profile has, so that the
// installations of a profile, and the profile of an installation, are found by
// arithmetic. A fixed share of profiles have none; of the others, seven in a
// row own ten installations. Within a group of eight the profiles are shuffled.
type households struct {
	key      uint64
	profiles int64
	none     int64   // the share of profiles without installations, in parts of noneParts
	stretch  float64 // how many profiles there are for each that has installations
}

const (
	noneParts = 1 << 20

	ownersInRow        = 7
	installationsInRow = 10
)

// rowShares are how many installations the seven owners of a row have, rowSums
// how many come before each, and rowOwners whose each installation is.
var (
	rowShares = [ownersInRow]int64{1, 2, 1, 1, 3, 1, 1}
	rowSums   = [ownersInRow]int64{0, 1, 3, 4, 5, 8, 9}
	rowOwners = [installationsInRow]int64{0, 1, 1, 2, 3, 4, 4, 4, 5, 6}
)

func newHouseholds(key uint64, profiles int64, none float64) households {
	made := households{key: key, profiles: profiles, none: int64(none*noneParts + 0.5), stretch: 1}
	if made.none < noneParts {
		made.stretch = noneParts / float64(noneParts-made.none)
	}
	return made
}

// shuffled is the place of a profile among those of its group; it is its own
// inverse. The last group stands as it is if it is not full.
func (h *households) shuffled(profile int64) int64 {
	if profile|7 >= h.profiles {
		return profile
	}
	return profile ^ int64(draw(h.key, uint64(profile>>3))&7)
}

// owners is how many of the first places have installations.
func (h *households) owners(places int64) int64 { return places - places*h.none/noneParts }

// first is the first installation of an owner.
func firstOf(owner int64) int64 {
	return owner/ownersInRow*installationsInRow + rowSums[owner%ownersInRow]
}

// of are the first installation of a profile and how many it has.
func (h *households) of(profile int64) (first, count int64) {
	place := h.shuffled(profile)
	owner := h.owners(place)
	if h.owners(place+1) == owner {
		return firstOf(owner), 0
	}
	return firstOf(owner), rowShares[owner%ownersInRow]
}

// without are those of some profiles of a block that have no installations.
func (h *households) without(block int64, who uint64) (mask uint64) {
	if who&(who-1) == 0 { // one of them, or nobody
		place := h.shuffled(block<<blockBits + int64(bits.TrailingZeros64(who)))
		if who != 0 && h.owners(place) == h.owners(place+1) {
			return who
		}
		return 0
	}
	first := block << blockBits
	for n := first*h.none/noneParts + 1; n <= (first+blockSize)*h.none/noneParts; n++ {
		mask |= placeIn(h.shuffled((n*noneParts+h.none-1)/h.none - 1))
	}
	return mask & who
}

// ownerOf is the profile of an installation.
func (h *households) ownerOf(installation int64) int64 {
	owner := installation/installationsInRow*ownersInRow + rowOwners[installation%installationsInRow]
	place := int64(float64(owner) * h.stretch)
	for h.owners(place+1) > owner {
		place--
	}
	for h.owners(place+1) <= owner {
		place++
	}
	return h.shuffled(place)
}

// before is how many installations the first profiles have, or a few more: the
// rest of their group may stand before them.
func (h *households) before(profiles int64) int64 {
	return firstOf(h.owners(min((profiles+7)&^7, h.profiles)))
}
