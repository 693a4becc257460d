// Package mixer makes random numbers out of numbers: the same ones always.
package mixer

import "math/bits"

// Mix is a random number for a number under a key: two folds of a product of 128 bits.
func Mix(key, number uint64) uint64 {
	return fold(fold(number^0x9e3779b97f4a7c15, key^0xa0761d6478bd642f), 0xe7037ed1a0b428db^key)
}

func fold(a, b uint64) uint64 {
	high, low := bits.Mul64(a, b)
	return high ^ low
}

// Name is a number for a name.
func Name(name string) uint64 {
	sum := uint64(len(name))
	for i := range len(name) {
		sum = Mix(sum, uint64(name[i]))
	}
	return sum
}
