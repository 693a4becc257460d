package world

import "math/bits"

// Members are numbered, and 64 consecutive ones are a block.
const (
	blockBits = 6
	blockSize = 1 << blockBits
)

// blocksOf is how many blocks so many members fill.
func blocksOf(members int64) int64 { return (members + blockSize - 1) / blockSize }

// memberSet is a set of members of one block: bit n stands for member n of the
// block. Sets are combined by the operators &, | and &^, for 64 members at once.
type memberSet uint64

// wholeBlock is every member of a block.
const wholeBlock = ^memberSet(0)

// setOf is the set of one member, whatever its block.
func setOf(member int64) memberSet { return 1 << (uint64(member) % blockSize) }

// firstMembers is the set of the first members of a block, at most all.
func firstMembers(count int64) memberSet {
	switch {
	case count <= 0:
		return 0
	case count >= blockSize:
		return wholeBlock
	}
	return 1<<uint(count) - 1
}

// has says whether bit n is set.
func (s memberSet) has(n int) bool { return s>>n&1 == 1 }

// add sets bit n.
func (s *memberSet) add(n int) { *s |= 1 << n }

// remove clears bit n.
func (s *memberSet) remove(n int) { *s &^= 1 << n }

// pop removes the lowest member and returns its bit. The set is not empty.
func (s *memberSet) pop() int {
	n := bits.TrailingZeros64(uint64(*s))
	*s &= *s - 1
	return n
}

// permuted moves bit n to n^mask. The bits of a mask are random, so none is branched on:
// a part of the set moves by its width, or by nothing.
func (s memberSet) permuted(mask uint64) memberSet {
	s = s.swapped(mask&1, 0x5555555555555555)
	s = s.swapped(mask&2, 0x3333333333333333)
	s = s.swapped(mask&4, 0x0f0f0f0f0f0f0f0f)
	s = s.swapped(mask&8, 0x00ff00ff00ff00ff)
	s = s.swapped(mask&16, 0x0000ffff0000ffff)
	return memberSet(bits.RotateLeft64(uint64(s), int(mask&32)))
}

// swapped exchanges the bits of a set in low with those that a shift is above them.
func (s memberSet) swapped(shift uint64, low memberSet) memberSet {
	if shift >= blockSize {
		return s // never: it spares the compiler to think of such shifts
	}
	moved := (s>>shift ^ s) & low
	return s ^ moved ^ moved<<shift
}

// stepSet is a set of steps of a journey: bit n stands for step n.
type stepSet uint64

// has says whether step n is in the set.
func (s stepSet) has(n int) bool { return s>>n&1 == 1 }

// add puts step n in the set.
func (s *stepSet) add(n int) { *s |= 1 << n }

// pop removes the lowest step and returns it. The set is not empty.
func (s *stepSet) pop() int {
	n := bits.TrailingZeros64(uint64(*s))
	*s &= *s - 1
	return n
}

// popLast is pop of the highest one.
func (s *stepSet) popLast() int {
	n := bits.Len64(uint64(*s)) - 1
	*s &^= 1 << n
	return n
}
