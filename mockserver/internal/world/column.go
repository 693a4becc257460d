package world

import (
	"math"
	"math/bits"
)

// Column draws the values of a member that has no source in the world: from the seed, the name of the member and what a row is about.
// It is immutable and safe for concurrent use.
type Column struct {
	key          uint64
	alternatives uint64 // of a column of distinct values; 0: values may repeat
	order        permutation
}

// Column is the column of a name.
func (w *World) Column(name string) Column { return Column{key: named(w.seed, "column "+name)} }

// Distinct is the same column with another value for everything that rows are about, out of a number of alternatives.
// math.MaxUint64 stands for any larger number. [View.Room] tells how many are needed.
func (c Column) Distinct(alternatives uint64) Column {
	c.alternatives = alternatives
	if alternatives <= math.MaxInt64 {
		c.order = newPermutation(c.key, alternatives)
	}
	return c
}

// Room is how many alternatives a column of distinct values needs. Events are not numbered: they are spread over 64 bits.
func (v *View) Room() uint64 {
	if len(v.events) > 0 || v.ordered {
		return math.MaxUint64
	}
	return uint64(v.w.people) * mostDevices
}

// Draws are the random numbers that one value is made of.
func (c *Column) Draws(row *Row) Draws {
	if c.alternatives == 0 || row.Message != 0 || row.Given() {
		return c.DrawsFor(row.Key())
	}
	number := uint64(row.Person.number)
	if row.Installation >= 0 {
		number = number*mostDevices + uint64(row.Installation)
	}
	if c.alternatives > math.MaxInt64 {
		return c.DrawsFor(number)
	}
	return Draws{key: keyed(c.key, number), number: c.order.at(number % c.alternatives), room: c.alternatives - 1}
}

// DrawsFor are the random numbers for an identity that the world does not have.
func (c *Column) DrawsFor(identity uint64) Draws {
	d := Draws{key: keyed(c.key, identity)}
	if c.alternatives > 0 {
		d.number, d.room = d.key, math.MaxUint64 // keyed is a bijection
	}
	return d
}

// Draws is a sequence of random numbers. In a column of distinct values its first numbers are the digits of one that nothing else in
// the column has.
type Draws struct {
	key, count   uint64
	number, room uint64 // what is left of that one, and its bound
}

// Below draws a number in [0, n), and returns the draws behind it; n > 0.
func (d Draws) Below(n uint64) (uint64, Draws) {
	if d.room == 0 {
		d.count++
		high, _ := bits.Mul64(keyed(d.key, d.count), n)
		return high, d
	}
	digit := d.number % n
	d.number /= n
	d.room /= n
	return digit, d
}

// permutation is a keyed bijection of [0, n): two rounds of xor-shift and multiplication modulo a power of two, walked until the value
// falls below n, in fewer than two steps on average.
type permutation struct {
	n, mask            uint64
	shift              int
	add, first, second uint64
}

func newPermutation(key, n uint64) permutation {
	width := bits.Len64(max(n, 2) - 1)
	mask := uint64(1)<<width - 1
	return permutation{n: n, mask: mask, shift: (width + 1) / 2, add: keyed(key, 3) & mask, first: keyed(key, 1) | 1,
		second: keyed(key, 2) | 1}
}

func (p *permutation) at(x uint64) uint64 {
	for {
		x = (x + p.add) & p.mask
		x ^= x >> p.shift
		x = x * p.first & p.mask
		x ^= x >> p.shift
		x = x * p.second & p.mask
		if x ^= x >> p.shift; x < p.n {
			return x
		}
	}
}
