package dataset

import (
	"encoding/binary"
	"errors"
	"iter"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/extsort"
)

// sortBytes is how much of a sort is in memory; the rest is on disk.
const sortBytes = 6 << 20

// newSorter sorts what is in blocks, in the room that these have on a disk.
func newSorter(of blocks.Store) *extsort.Sorter {
	return extsort.New("", sortBytes).Within(of.Room())
}

// stream is sorted records, one after the other. A record is good until the
// next call of advance.
type stream struct {
	record []byte
	pull   func() ([]byte, bool)
	stop   func()
	err    error
}

func streamOf(sorter *extsort.Sorter) *stream {
	s := &stream{}
	s.pull, s.stop = iter.Pull(func(yield func([]byte) bool) {
		err := sorter.Each(func(record []byte) error {
			if !yield(record) {
				return errStopped
			}
			return nil
		})
		if err != errStopped {
			s.err = err
		}
	})
	s.advance()
	return s
}

var errStopped = errors.New("nobody reads on")

func (s *stream) advance() { s.record, _ = s.pull() }

// of is the rest of the present record, if it begins with a number; otherwise
// nil.
func (s *stream) of(number int32) []byte {
	if s.record == nil || numberOf(s.record) != number {
		return nil
	}
	return s.record[4:]
}

func numberOf(text []byte) int32 { return int32(binary.BigEndian.Uint32(text)) }

func appendNumber(dst []byte, number int32) []byte {
	return binary.BigEndian.AppendUint32(dst, uint32(number))
}
