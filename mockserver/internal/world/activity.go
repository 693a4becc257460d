package world

import (
	"math"
	"math/bits"
)

// levels is the number of levels of activity; every level has the same number
// of people.
const levels = 16

// activity is, by level, the factor by which its people open and click more or
// less often than average: a third of them hardly ever, a few nearly always.
// The mean is one.
var activity = [levels]float64{0.05, 0.1, 0.15, 0.25, 0.35, 0.45, 0.6, 0.7, 0.85, 1, 1.2, 1.4, 1.7, 2, 2.4, 2.8}

// activityWords draws the levels of activity of the 64 profiles of a block,
// bit-sliced: word n holds bit n of each level.
func (w *World) activityWords(block int64) (words [4]uint64) {
	for i := range words {
		words[i] = draw(w.keys.activity, uint64(block)<<2|uint64(i))
	}
	return words
}

// activityOf is the level of activity of a profile.
func (w *World) activityOf(profile int64) int {
	words, place := w.activityWords(profile>>blockBits), uint(profile)%blockSize
	return int(words[0]>>place&1 | words[1]>>place&1<<1 | words[2]>>place&1<<2 | words[3]>>place&1<<3)
}

// levelSetsOf are, for each level of activity, the members of a block that have it.
func levelSetsOf(words [4]uint64) (sets [levels]memberSet) {
	for level := range sets {
		set := wholeBlock
		for i, word := range words {
			if level>>i&1 == 0 {
				word = ^word
			}
			set &= memberSet(word)
		}
		sets[level] = set
	}
	return sets
}

// activityRate is a rate that depends on the level of activity: a member is
// first drawn with the chance of the most active level, then with the ratio of
// the own level to that.
type activityRate struct {
	top chance
	// parts are the levels whose part has a bit, from the highest on; parted says
	// that there are other parts than all.
	parts  [partBits]uint16
	varies bool
}

// partBits are how many bits of a part count.
const partBits = 24

func uniformRate(rate float64) activityRate { return activityRate{top: chanceOf(rate)} }

// activityRateOf spreads a rate over the levels of activity, keeping its mean.
func activityRateOf(rate float64) activityRate { return activityRateWithin(rate, &alwaysAwake) }

// activityRateWithin does so where the people of a level do nothing for a part of the
// time, and that much more in the rest: awake is that rest.
func activityRateWithin(rate float64, awake *[levels]float64) activityRate {
	// No level can pass one, so the higher the rate the more the others take
	// over.
	low, high := 0.0, 1/activity[0]
	for range 60 {
		middle, sum := (low+high)/2, 0.0
		for level, factor := range activity {
			sum += min(middle*factor/awake[level], 1) * awake[level]
		}
		if sum < rate*levels {
			low = middle
		} else {
			high = middle
		}
	}
	most := 0.0
	for level, factor := range activity {
		most = max(most, min(high*factor/awake[level], 1))
	}
	made := activityRate{top: chanceOf(most)}
	for level, factor := range activity {
		part := chanceOf(min(high*factor/awake[level], 1) / most)
		made.varies = made.varies || part != math.MaxUint64
		for bit := range made.parts {
			made.parts[bit] |= uint16(part>>(63-bit)&1) << level
		}
	}
	return made
}

// sample draws those of some members of a block that stay, each with the ratio
// of its own level.
func (g *activityRate) sample(key uint64, members memberSet, byLevel *[levels]memberSet) (chosen memberSet) {
	for bit := 0; members != 0 && bit < partBits; bit++ {
		random, threshold := memberSet(mix(key+uint64(bit)*golden)), memberSet(0)
		for rest := g.parts[bit]; rest != 0; rest &= rest - 1 {
			threshold |= byLevel[bits.TrailingZeros16(rest)]
		}
		chosen |= members & threshold &^ random
		members &^= threshold ^ random
	}
	return chosen
}
