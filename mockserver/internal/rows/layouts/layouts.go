// Package layouts writes down where the blocks of a laid-out file begin, in a few bytes
// each, so that whoever reads it need not lay the file out.
// See docs/explanation/files-and-links.md#what-is-kept-of-a-file
package layouts

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"iter"
)

// Block is a run of rows: it begins with row Skip of a unit.
type Block struct {
	Unit int64
	Skip int32
	Rows int32
	Size int64 // of its text
}

// Digest tells files apart: it is of everything that their bytes depend on.
type Digest [16]byte

// version begins every encoding. It is another one when blocks are cut otherwise or are
// written down otherwise.
const version = 3

// headBytes and sumBytes are those of the parts that have always the same length.
const (
	headBytes = 1 + len(Digest{})
	sumBytes  = 4
)

// typicalSize is near the size of most blocks: only the difference is written.
const typicalSize = 24 << 10

// Encode writes the blocks of a file down, in their order.
func Encode(of Digest, blocks iter.Seq[Block]) []byte {
	encoded := append([]byte{version}, of[:]...)
	before := int64(0)
	for b := range blocks {
		encoded = binary.AppendUvarint(encoded, uint64(b.Unit-before))
		encoded = binary.AppendUvarint(encoded, uint64(b.Skip))
		encoded = binary.AppendUvarint(encoded, uint64(b.Rows))
		encoded = binary.AppendVarint(encoded, b.Size-typicalSize)
		before = b.Unit
	}
	return binary.LittleEndian.AppendUint32(encoded, crc32.ChecksumIEEE(encoded))
}

// Decode gives take the blocks of a file that has a number of units, in their order, and
// begin about how many there will be. The error says why they are not those of this file.
func Decode(encoded []byte, of Digest, units int64, begin func(about int), take func(Block)) error {
	if len(encoded) < headBytes+sumBytes || encoded[0] != version {
		return fmt.Errorf("it is not a layout of version %d", version)
	}
	end := len(encoded) - sumBytes
	if crc32.ChecksumIEEE(encoded[:end]) != binary.LittleEndian.Uint32(encoded[end:]) {
		return errors.New("its checksum is wrong")
	}
	if Digest(encoded[1:headBytes]) != of {
		return errors.New("it is of another file")
	}
	begin(len(encoded) / bytesPerBlock)
	last, count := Block{}, 0
	total, rest := int64(0), encoded[headBytes:end]
	for at := 0; at < len(rest); {
		step, at1 := number(rest, at)
		skip, at2 := number(rest, at1)
		lines, at3 := number(rest, at2)
		more, at4 := number(rest, at3)
		if at4 > len(rest) {
			return errors.New("it ends within a block")
		}
		at = at4
		size := int64(more>>1) ^ -int64(more&1) + typicalSize // as binary.Varint has it
		b := Block{Unit: last.Unit + int64(step), Skip: int32(skip), Rows: int32(lines), Size: size}
		if step >= uint64(units) || b.Unit >= units || skip > maxRows || lines == 0 || lines > maxRows || size <= 0 || total > maxSize-size ||
			count > 0 && step == 0 && b.Skip <= last.Skip {
			return fmt.Errorf("block %d is not possible", count+1)
		}
		total += size
		take(b)
		last = b
		count++
	}
	return nil
}

const (
	bytesPerBlock = 5 // about
	maxRows       = 1<<31 - 1
	maxSize       = 1<<63 - 1
)

// number reads the number at a place, and returns the place behind it: behind the end, when
// it is not whole.
func number(text []byte, at int) (value uint64, next int) {
	if at < len(text) && text[at] < 0x80 {
		return uint64(text[at]), at + 1
	}
	if at+1 < len(text) && text[at+1] < 0x80 {
		return uint64(text[at]&0x7f) | uint64(text[at+1])<<7, at + 2
	}
	if at >= len(text) {
		return 0, len(text) + 1
	}
	value, length := binary.Uvarint(text[at:])
	if length <= 0 {
		return 0, len(text) + 1
	}
	return value, at + length
}
