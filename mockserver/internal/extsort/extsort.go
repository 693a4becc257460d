// Package extsort is an external merge sort of byte records.
package extsort

import (
	"bufio"
	"bytes"
	"cmp"
	"container/heap"
	"encoding/binary"
	"fmt"
	"io"
	"slices"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/tempfile"
)

// Sorter puts records in the order of their bytes, in memory that does not depend on how many there are:
// what does not fit is written to a temporary file as a sorted run, and runs are merged when they are read.
// See docs/decisions/server.md#why-an-external-sort-and-no-database-to-check-files
type Sorter struct {
	directory string // "": that of the system
	limit     int    // bytes of records and of their places that are held at once

	arena  []byte // records, each behind its length
	places []place
	file   *tempfile.File // nil: not needed yet
	room   tempfile.Room
	runs   []run
	buffer []byte
	// peak is the most that was ever held, in bytes.
	peak int
}

type run struct{ begin, end int64 }

// place is where a record begins, with the first bytes of it: most comparisons look no further.
type place struct {
	first uint64
	begin uint32
}

const placeBytes = 16

const (
	smallestArena = 64 << 10
	fanIn         = 64 // how many runs are merged at a time
)

// New makes a sorter that holds at most limit bytes at once. Its temporary file is made in a directory; "" stands for that of the system.
func New(directory string, limit int) *Sorter {
	return &Sorter{directory: directory, limit: min(max(limit, 2*smallestArena), 1<<30)}
}

// Within makes what the sorter writes count in a room until it is closed; nil: the disk alone is the limit.
func (s *Sorter) Within(room tempfile.Room) *Sorter {
	s.room = room
	return s
}

// Add keeps a copy of a record.
func (s *Sorter) Add(record []byte) error {
	need := len(record) + binary.MaxVarintLen32
	if used := len(s.arena) + placeBytes*len(s.places); used > 0 && used+need+placeBytes > s.limit {
		if err := s.spill(); err != nil {
			return err
		}
	}
	if cap(s.arena)-len(s.arena) < need {
		// Growing holds the old and the new arena for a moment, so the last step goes to the limit at once.
		size := max(2*cap(s.arena), smallestArena, len(s.arena)+need)
		if 3*size > s.limit {
			size = max(s.limit, len(s.arena)+need)
		}
		s.arena = append(make([]byte, 0, size), s.arena...)
	}
	s.places = append(s.places, place{firstOf(record), uint32(len(s.arena))})
	s.arena = binary.AppendUvarint(s.arena, uint64(len(record)))
	s.arena = append(s.arena, record...)
	s.peak = max(s.peak, len(s.arena)+placeBytes*len(s.places))
	return nil
}

// firstOf are the first eight bytes of a record; those that a short one does not have are zero.
func firstOf(record []byte) uint64 {
	if len(record) < 8 {
		var padded [8]byte
		copy(padded[:], record)
		return binary.BigEndian.Uint64(padded[:])
	}
	return binary.BigEndian.Uint64(record)
}

// at is the record at a place of the arena.
func (s *Sorter) at(of place) []byte {
	length, n := binary.Uvarint(s.arena[of.begin:])
	begin := int(of.begin) + n
	return s.arena[begin : begin+int(length)]
}

func (s *Sorter) sort() {
	slices.SortFunc(s.places, func(a, b place) int {
		if a.first != b.first {
			return cmp.Compare(a.first, b.first)
		}
		return bytes.Compare(s.at(a), s.at(b))
	})
}

// spill writes what is held as a run.
func (s *Sorter) spill() error {
	s.sort()
	err := s.write(func(put func([]byte) error) error {
		for _, place := range s.places {
			if err := put(s.at(place)); err != nil {
				return err
			}
		}
		return nil
	})
	s.arena, s.places = s.arena[:0], s.places[:0]
	return err
}

// write appends a run to the temporary file; fill puts its records, in order.
func (s *Sorter) write(fill func(put func([]byte) error) error) error {
	if s.file == nil {
		file, err := tempfile.Create(s.directory, "mockserver-sort-*", s.room)
		if err != nil {
			return fmt.Errorf("the rows cannot be sorted: %w", err)
		}
		s.file = file
	}
	begin := s.file.Size()
	buffered := bufio.NewWriterSize(s.file, 256<<10)
	err := fill(func(record []byte) error {
		s.buffer = binary.AppendUvarint(s.buffer[:0], uint64(len(record)))
		_, _ = buffered.Write(s.buffer) // the next write gives the same error
		_, err := buffered.Write(record)
		return err
	})
	if err == nil {
		err = buffered.Flush()
	}
	if err != nil {
		return fmt.Errorf("the rows cannot be sorted: %w", err)
	}
	s.runs = append(s.runs, run{begin, s.file.Size()})
	return nil
}

// Each calls visit with every record in order; the record is valid until visit returns. It can be called
// once, and nothing can be added after it.
func (s *Sorter) Each(visit func([]byte) error) error {
	if len(s.runs) == 0 {
		s.sort()
		for _, place := range s.places {
			if err := visit(s.at(place)); err != nil {
				return err
			}
		}
		return nil
	}
	if len(s.places) > 0 {
		if err := s.spill(); err != nil {
			return err
		}
	}
	s.arena, s.places = nil, nil
	for len(s.runs) > fanIn {
		first := s.runs[:fanIn]
		s.runs = slices.Clone(s.runs[fanIn:])
		if err := s.write(func(put func([]byte) error) error { return s.merge(first, put) }); err != nil {
			return err
		}
	}
	return s.merge(s.runs, visit)
}

// merge visits the records of some runs in order.
func (s *Sorter) merge(runs []run, visit func([]byte) error) error {
	var open queue
	for _, r := range runs {
		source := &runReader{reader: bufio.NewReaderSize(io.NewSectionReader(s.file, r.begin, r.end-r.begin), 64<<10)}
		if more, err := source.next(); err != nil {
			return err
		} else if more {
			open = append(open, source)
		}
	}
	heap.Init(&open)
	for len(open) > 0 {
		if err := visit(open[0].record); err != nil {
			return err
		}
		more, err := open[0].next()
		switch {
		case err != nil:
			return err
		case more:
			heap.Fix(&open, 0)
		default:
			heap.Pop(&open)
		}
	}
	return nil
}

// Close gives memory and disk back.
func (s *Sorter) Close() {
	s.arena, s.places, s.runs = nil, nil, nil
	s.file.Close()
}

// runReader reads the records of a run.
type runReader struct {
	reader *bufio.Reader
	record []byte
}

func (r *runReader) next() (more bool, err error) {
	length, err := binary.ReadUvarint(r.reader)
	if err == io.EOF {
		return false, nil
	}
	if err == nil {
		r.record = slices.Grow(r.record[:0], int(length))[:length]
		_, err = io.ReadFull(r.reader, r.record)
	}
	if err != nil {
		return false, fmt.Errorf("the temporary file for sorting cannot be read: %w", err)
	}
	return true, nil
}

// queue is a heap of runs by their next record.
type queue []*runReader

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return bytes.Compare(q[i].record, q[j].record) < 0 }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(x any)        { *q = append(*q, x.(*runReader)) }
func (q *queue) Pop() any {
	last := len(*q) - 1
	source := (*q)[last]
	*q = (*q)[:last]
	return source
}
