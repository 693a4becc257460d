package dataset

import (
	"encoding/binary"
	"fmt"
	"iter"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/record"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/extsort"
)

// sortBytes is how much of a sort is in memory; the rest is on disk.
const sortBytes = 6 << 20

// newSorter sorts what is in blocks, in the room that these have on a disk.
func newSorter(of blocks.Store) *extsort.Sorter {
	sorter := extsort.New("", sortBytes)
	if room := blocks.RoomOf(of); room != nil {
		sorter.Within(room)
	}
	return sorter
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
		s.err = sorter.Each(func(record []byte) error {
			if !yield(record) {
				return errStopped
			}
			return nil
		})
	})
	s.advance()
	return s
}

var errStopped = fmt.Errorf("nobody reads on")

func (s *stream) advance() { s.record, _ = s.pull() }

// of is the rest of the present record, if it begins with a number; otherwise
// nil.
func (s *stream) of(number int32) []byte {
	if s.record == nil || binary.BigEndian.Uint32(s.record) != uint32(number) {
		return nil
	}
	return s.record[4:]
}

func appendNumber(dst []byte, number int32) []byte {
	return binary.BigEndian.AppendUint32(dst, uint32(number))
}

// appendSortable writes a moment so that the order of bytes is that of time.
func appendSortable(dst []byte, m record.Moment) []byte {
	return appendNumber(binary.BigEndian.AppendUint64(dst, uint64(m.Second)^1<<63), m.Number)
}

// sortableBytes is the length of what appendSortable writes.
const sortableBytes = 12

// sortVersions sorts versions by what they are of, and those of one in their
// order.
func sortVersions(from *blocks.List) (*stream, func(), error) {
	sorter := newSorter(from.Blocks)
	text := []byte(nil)
	for at := from.From(0); at.More(from.Count); {
		of := at.Int32()
		text = binary.BigEndian.AppendUint64(appendNumber(text[:0], of), uint64(at.Number()))
		if err := sorter.Add(append(text, at.Record()...)); err != nil {
			sorter.Close()
			return nil, nil, err
		}
	}
	s := streamOf(sorter)
	return s, func() { s.stop(); sorter.Close() }, nil
}

// versionAt is where a version begins in what stream.of returns.
const versionAt = 8

func firstError(list ...error) error {
	for _, err := range list {
		if err != nil && err != errStopped {
			return err
		}
	}
	return nil
}
