package world

import (
	"math"
	"math/bits"
)

// levels are how many levels of activity there are; each has as many people.
const levels = 16

// activity is how much more or less often than on average people of each
// level open and click: a third of them hardly ever, a few nearly always. The
// mean is one.
var activity = [levels]float64{0.05, 0.1, 0.15, 0.25, 0.35, 0.45, 0.6, 0.7, 0.85, 1, 1.2, 1.4, 1.7, 2, 2.4, 2.8}

// activityWords are the levels of activity of 64 profiles in a row, bit by bit:
// the first word has the lowest bit of each.
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

// levelMasks are, for each level of activity, who of 64 has it.
func levelMasks(words [4]uint64) (masks [levels]uint64) {
	for level := range masks {
		mask := ^uint64(0)
		for i, word := range words {
			if level>>i&1 == 0 {
				word = ^word
			}
			mask &= word
		}
		masks[level] = mask
	}
	return masks
}

// graded is a rate that differs by the activity of people: first everybody has
// the chance of the most active, then each level its part of that.
type graded struct {
	top chance
	// parts are the levels whose part has a bit, from the highest on; parted says
	// that there are other parts than all.
	parts  [partBits]uint16
	parted bool
}

// partBits are how many bits of a part count.
const partBits = 24

func flat(rate float64) graded { return graded{top: chanceOf(rate)} }

// gradedBy spreads a rate over the levels of activity, so that the mean over
// all levels is the rate.
func gradedBy(rate float64) graded {
	// No level can pass one, so the higher the rate the more the others take
	// over.
	low, high := 0.0, 1/activity[0]
	for range 60 {
		middle, sum := (low+high)/2, 0.0
		for _, factor := range activity {
			sum += min(middle*factor, 1)
		}
		if sum < rate*levels {
			low = middle
		} else {
			high = middle
		}
	}
	most := min(high*activity[levels-1], 1)
	made := graded{top: chanceOf(most)}
	for level, factor := range activity {
		part := chanceOf(min(high*factor, 1) / most)
		made.parted = made.parted || part != math.MaxUint64
		for bit := range made.parts {
			made.parts[bit] |= uint16(part>>(63-bit)&1) << level
		}
	}
	return made
}

// among are those of a block for whom a chance of one level each holds.
func (g *graded) among(key, who uint64, masks *[levels]uint64) (holds uint64) {
	for bit := 0; who != 0 && bit < partBits; bit++ {
		random, threshold := mix(key+uint64(bit)*golden), uint64(0)
		for set := g.parts[bit]; set != 0; set &= set - 1 {
			threshold |= masks[bits.TrailingZeros16(set)]
		}
		holds |= who & threshold &^ random
		who &^= threshold ^ random
	}
	return holds
}
