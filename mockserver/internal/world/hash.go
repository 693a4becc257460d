package world

import (
	"math"
	"math/bits"
)

const golden = 0x9e3779b97f4a7c15

// mix is the finaliser of splitmix64: a bijection of 64-bit numbers in which
// every input bit changes about half of the output bits.
func mix(x uint64) uint64 {
	x ^= x >> 30
	x *= 0xbf58476d1ce4e5b9
	x ^= x >> 27
	x *= 0x94d049bb133111eb
	return x ^ x>>31
}

// draw is a random number that belongs to number n under a key. For one key it
// is a bijection of n.
func draw(key, n uint64) uint64 { return drawSalted(key, saltOf(n)) }

// saltOf is what draw makes of a number, whatever the key, and drawSalted the rest of draw.
func saltOf(n uint64) uint64             { return mix(n*golden + golden) }
func drawSalted(key, salt uint64) uint64 { return mix(key ^ salt) }

// keyOf makes a key of its own for every name under a seed.
func keyOf(seed uint64, name string) uint64 {
	hash := mix(seed + golden)
	for i := 0; i < len(name); i++ {
		hash = mix(hash ^ uint64(name[i])*golden)
	}
	return draw(hash, uint64(len(name)))
}

// below maps a random number to [0, n) without bias worth mentioning; n > 0.
func below(random uint64, n int64) int64 {
	high, _ := bits.Mul64(random, uint64(n))
	return int64(high)
}

// chance is a probability as a bound that a random number stays under.
type chance uint64

func chanceOf(probability float64) chance {
	switch {
	case !(probability > 0):
		return 0
	case probability >= 1:
		return math.MaxUint64
	}
	return chance(float64(probability*(1<<63)) * 2)
}

func (c chance) holds(random uint64) bool { return random < uint64(c) || c == math.MaxUint64 }

// sample draws those of some members of a block for which a chance holds, each
// by a random number of its own. The numbers are bit-sliced: word n holds bit
// n of all of them, from the highest on. Few words are needed until every
// member is above or below the chance.
func (c chance) sample(key uint64, members memberSet) (chosen memberSet) {
	if c == math.MaxUint64 {
		return members
	}
	if members&(members-1) == 0 { // one, or none
		if c.holdsFor(key, members) {
			return members
		}
		return 0
	}
	for rest := uint64(c); members != 0 && rest != 0; rest <<= 1 {
		random := memberSet(mix(key))
		key += golden
		if rest>>63 == 1 {
			chosen |= members &^ random
			members &= random
		} else {
			members &^= random
		}
	}
	return chosen
}

// atOnce is how many bits of a random number are drawn at once, as a processor can. Few
// numbers are drawn on, and none are branched on but those.
const atOnce = 4

// holdsFor is sample of one member, given as its bit; of none it is false.
func (c chance) holdsFor(key uint64, member memberSet) bool {
	at := bits.TrailingZeros64(uint64(member)) & (blockSize - 1)
	for rest := uint64(c); rest != 0 && member != 0; rest <<= atOnce {
		random := mix(key)>>at&1<<3 | mix(key+golden)>>at&1<<2 | mix(key+2*golden&math.MaxUint64)>>at&1<<1 | mix(key+3*golden&math.MaxUint64)>>at&1
		if most := rest >> (64 - atOnce); random != most {
			return random < most
		}
		key += atOnce * golden & math.MaxUint64
	}
	return false
}

func floorDivide(a, b int64) int64 {
	quotient := a / b
	if a%b < 0 {
		quotient--
	}
	return quotient
}
