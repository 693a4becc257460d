package world

import (
	"math"
	"math/bits"
	"slices"
)

// levels is the number of levels of activity; every level has the same number
// of people.
const levels = 16

// activity is, by level, the factor by which its people open and click more or
// less often than average: a third of them hardly ever, a few nearly always.
// The mean is one.
var activity = [levels]float64{0.05, 0.1, 0.15, 0.25, 0.35, 0.45, 0.6, 0.7, 0.85, 1, 1.2, 1.4, 1.7, 2, 2.4, 2.8}

// engagement is, by level, the factor by which its people consent to messages more or
// less often than average: those of the two highest, who start the app all the time, clearly more often. The mean is one.
var engagement = [levels]float64{
	0.86, 0.88, 0.89, 0.91, 0.92, 0.94, 0.95, 0.97, 0.98, 1, 1.02, 1.04, 1.06, 1.08, 1.25, 1.25,
}

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
	words := w.activityWords(profile >> blockBits)
	return levelIn(&words, profile)
}

// levelIn is the level of a profile in the words of its block.
func levelIn(words *[4]uint64, profile int64) int {
	place := uint(profile) % blockSize
	return int(words[0]>>place&1 | words[1]>>place&1<<1 | words[2]>>place&1<<2 | words[3]>>place&1<<3)
}

// levelsOfOwners are, for each level of activity, the installations of a block whose
// profile has it.
func (w *World) levelsOfOwners(block int64, members memberSet) (sets [levels]memberSet) {
	if members == 0 {
		return sets
	}
	var (
		of    = int64(-1)
		words [4]uint64
		first = block << blockBits
		low   = first + int64(bits.TrailingZeros64(uint64(members)))
		high  = first + int64(bits.Len64(uint64(members)))
	)
	w.ownership.ownersOf(low, high, func(installation, profile int64) {
		if profile>>blockBits != of {
			of = profile >> blockBits
			words = w.activityWords(of)
		}
		sets[levelIn(&words, profile)] |= setOf(installation) & members
	})
	return sets
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
	parts   [partBits]uint16
	ofLevel [levels]chance // the same part by level
	varies  bool
}

// partBits are how many bits of a part count.
const partBits = 24

func uniformRate(rate float64) activityRate { return activityRate{top: chanceOf(rate)} }

// activityRateOf spreads a rate over the levels of activity, keeping its mean.
func activityRateOf(rate float64) activityRate {
	return rateByLevel(rate, &activity, levelWeights{awake: &alwaysAwake, acting: steadyLevels()})
}

// levelWeights say how often a level counts in a mean.
type levelWeights struct {
	// awake is the part of the time in which the people of a level do anything; they
	// do that much more in it.
	awake *[levels]float64
	// acting is at which levels people act.
	acting levelMix
	// reached is how often the people of a level are asked at all, against the mean; nil: all alike.
	reached *[levels]float64
}

// rateByLevel spreads a rate over the levels by their factors, keeping its mean. No
// product is fused with a sum, so that every processor has the same rates.
func rateByLevel(rate float64, factors *[levels]float64, weights levelWeights) activityRate {
	var counts [levels]float64 // how often somebody acts at a level, awake
	awake, all := weights.awake, 0.0
	for level, acting := range weights.acting {
		of := 1.0
		if weights.reached != nil {
			of = weights.reached[level]
		}
		all += of
		for as, share := range acting {
			counts[as] += float64(float64(of*awake[level]) * share)
		}
	}
	// No level can pass one, so the higher the rate the more the others take
	// over.
	low, high := 0.0, 1/slices.Min(factors[:])
	for range 60 {
		middle, sum := (low+high)/2, 0.0
		for level, factor := range factors {
			sum += float64(min(middle*factor/awake[level], 1) * counts[level])
		}
		if sum < rate*all {
			low = middle
		} else {
			high = middle
		}
	}
	most := 0.0
	for level, factor := range factors {
		most = max(most, min(high*factor/awake[level], 1))
	}
	made := activityRate{top: chanceOf(most)}
	for level, factor := range factors {
		part := chanceOf(min(high*factor/awake[level], 1) / most)
		made.varies = made.varies || part != math.MaxUint64
		made.ofLevel[level] = part &^ (1<<(64-partBits) - 1)
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

// holds is sample for one member of a level, given as its bit.
func (g *activityRate) holds(key uint64, member memberSet, level int) bool {
	return g.ofLevel[level].holdsFor(key, member)
}
