// Package places writes down where the blocks of a laid-out file begin, in a few bytes
// each, so that whoever reads it need not lay the file out.
// See docs/explanation/files-and-links.md#what-is-kept-of-a-file
package places

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
const version = 1

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

// Decode reads the blocks of a file that has a number of units. The error says why they
// are not those of this file.
func Decode(encoded []byte, of Digest, units int64) ([]Block, error) {
	if len(encoded) < headBytes+sumBytes || encoded[0] != version {
		return nil, fmt.Errorf("it is not a layout of version %d", version)
	}
	end := len(encoded) - sumBytes
	if crc32.ChecksumIEEE(encoded[:end]) != binary.LittleEndian.Uint32(encoded[end:]) {
		return nil, errors.New("its checksum is wrong")
	}
	if Digest(encoded[1:headBytes]) != of {
		return nil, errors.New("it is of another file")
	}
	var (
		r      = reader{encoded[headBytes:end]}
		blocks = make([]Block, 0, len(r.rest)/bytesPerBlock)
		last   Block
		total  int64
	)
	for len(r.rest) > 0 {
		step, skip, rows := r.unsigned(), r.unsigned(), r.unsigned()
		size := r.signed() + typicalSize
		b := Block{Unit: last.Unit + int64(step), Skip: int32(skip), Rows: int32(rows), Size: size}
		switch {
		case r.rest == nil:
			return nil, errors.New("it ends within a block")
		case step >= uint64(units) || b.Unit >= units,
			skip > maxRows, rows == 0, rows > maxRows, size <= 0, total > maxSize-size,
			len(blocks) > 0 && step == 0 && b.Skip <= last.Skip:
			return nil, fmt.Errorf("block %d is not possible", len(blocks)+1)
		}
		total += size
		blocks, last = append(blocks, b), b
	}
	return blocks, nil
}

const (
	bytesPerBlock = 5 // about
	maxRows       = 1<<31 - 1
	maxSize       = 1<<63 - 1
)

// reader reads numbers; rest is nil after one that is not whole.
type reader struct{ rest []byte }

func (r *reader) unsigned() uint64 {
	value, length := binary.Uvarint(r.rest)
	r.skip(length)
	return value
}

func (r *reader) signed() int64 {
	value, length := binary.Varint(r.rest)
	r.skip(length)
	return value
}

func (r *reader) skip(length int) {
	if length <= 0 {
		r.rest = nil
		return
	}
	r.rest = r.rest[length:]
}
