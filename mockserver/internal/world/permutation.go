package world

import "math/bits"

// permutation is a keyed bijection of [0, n) with an inverse: two rounds of
// xor-shift and multiplication modulo a power of two, walked until the value
// falls below n (fewer than two steps on average).
type permutation struct {
	n, mask               uint64
	shift                 uint
	add, first, second    uint64
	firstBack, secondBack uint64
}

func newPermutation(key uint64, n int64) permutation {
	width := uint(bits.Len64(uint64(max(n, 2) - 1)))
	mask := uint64(1)<<width - 1
	first, second := draw(key, 1)|1, draw(key, 2)|1
	return permutation{
		n: uint64(n), mask: mask, shift: (width + 1) / 2, add: draw(key, 3) & mask,
		first: first, second: second, firstBack: oddInverse(first), secondBack: oddInverse(second),
	}
}

// oddInverse is the inverse of an odd number modulo 2^64, by Newton's method.
func oddInverse(x uint64) uint64 {
	inverse := x
	for range 5 {
		inverse *= 2 - x*inverse
	}
	return inverse
}

func (p *permutation) at(index int64) int64 {
	x := uint64(index)
	for {
		if x = p.step(x); x < p.n {
			return int64(x)
		}
	}
}

func (p *permutation) step(x uint64) uint64 {
	x = (x + p.add) & p.mask
	x ^= x >> p.shift
	x = x * p.first & p.mask
	x ^= x >> p.shift
	x = x * p.second & p.mask
	return x ^ x>>p.shift
}

// atAll is at for some indices, which become the values. Those that are walked further are
// told apart without branches, and step on together.
func (p *permutation) atAll(indices []int64) {
	var further [moversAtOnce]uint8
	count := 0
	for i, index := range indices {
		x := p.step(uint64(index))
		indices[i] = int64(x)
		further[count%moversAtOnce] = uint8(i)
		if x >= p.n {
			count++
		}
	}
	for count > 0 {
		left := 0
		for _, i := range further[:count] {
			x := p.step(uint64(indices[i]))
			indices[i] = int64(x)
			further[left%moversAtOnce] = i
			if x >= p.n {
				left++
			}
		}
		count = left
	}
}

func (p *permutation) indexOf(value int64) int64 {
	x := uint64(value)
	for {
		x ^= x >> p.shift
		x = x * p.secondBack & p.mask
		x ^= x >> p.shift
		x = x * p.firstBack & p.mask
		x ^= x >> p.shift
		x = (x - p.add) & p.mask
		if x < p.n {
			return int64(x)
		}
	}
}
