package world

import (
	"math"
	"math/bits"
)

// Column draws the values of a member that has no source in the world: from the
// seed, the name of the member and what a row is about, and from nothing else.
// So they are the same on any machine and in any part of any file. It is
// immutable and safe for concurrent use.
type Column struct {
	world        *World
	key          uint64
	alternatives uint64 // of a column of distinct values; 0: values may repeat
	order        permutation
}

// Column is the column of a name.
func (w *World) Column(name string) Column {
	return Column{world: w, key: keyOf(w.seed, "column "+name)}
}

// Distinct is the same column with another value for everybody, or everything,
// that rows are about, out of a number of alternatives. math.MaxUint64 stands
// for any larger number. [Column.Room] tells how many are needed.
func (c Column) Distinct(alternatives uint64) Column {
	c.alternatives = alternatives
	if alternatives <= math.MaxInt64 {
		c.order = newPermutation(c.key, int64(alternatives))
	}
	return c
}

// Room is how many alternatives a column of distinct values needs. Events are
// not numbered: their identities are spread over 64 bits.
func (w *World) Room(events bool) uint64 {
	if events {
		return math.MaxUint64
	}
	return uint64(max(w.profiles, w.Installations()))
}

// Draws are the random numbers that one value is made of.
func (c *Column) Draws(row *Row) Draws {
	if c.alternatives == 0 || row.Message != 0 || row.Loaded != nil {
		return c.DrawsFor(row.Key())
	}
	number := row.Profile
	if row.Installation >= 0 {
		number = row.Installation
	}
	if c.alternatives > math.MaxInt64 {
		return c.DrawsFor(uint64(number))
	}
	d := Draws{key: draw(c.key, uint64(number)), number: uint64(c.order.at(number % int64(c.alternatives))), room: c.alternatives - 1}
	return d
}

// DrawsFor are the random numbers for an identity that the world does not have.
func (c *Column) DrawsFor(identity uint64) Draws {
	d := Draws{key: draw(c.key, identity)}
	if c.alternatives > 0 {
		d.number, d.room = d.key, math.MaxUint64 // draw is a bijection
	}
	return d
}

// Draws is a sequence of random numbers. In a column of distinct values its
// first numbers are the digits of one that nothing else in the column has.
type Draws struct {
	key, count   uint64
	number, room uint64 // what is left of that one, and its bound
}

// Below draws a number in [0, n), and returns the draws behind it; n > 0.
func (d Draws) Below(n uint64) (uint64, Draws) {
	if d.room == 0 {
		d.count++
		high, _ := bits.Mul64(draw(d.key, d.count), n)
		return high, d
	}
	digit := d.number % n
	d.number /= n
	d.room /= n
	return digit, d
}
