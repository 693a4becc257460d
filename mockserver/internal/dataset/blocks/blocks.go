// Package blocks keeps what a dataset derives from its rows, as blocks of some
// kilobytes that may be on a disk: records in lists, and the numbers of
// identifiers in sorted runs. It knows nothing of rows.
package blocks

import (
	"fmt"
	"sync"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/tempfile"
)

// Store is where a log keeps what it derives from the rows of its store, as
// blocks of some kilobytes: in memory, or on a disk. It is empty when a log
// opens, and safe for concurrent use.
type Store interface {
	// Add keeps a copy of a block. The number that it returns is never used again.
	Add(block []byte) (number int64, err error)
	// Get appends a block to dst.
	Get(number int64, dst []byte) ([]byte, error)
	// Drop forgets blocks.
	Drop(numbers []int64) error
	Close() error
}

// Room is what blocks on a disk may take of it, in bytes, beside others.
type Room = tempfile.Room

// RoomOf is the room of a store whose blocks are on a disk; nil: it has none, or no
// limit.
func RoomOf(store Store) Room {
	if limited, is := store.(interface{ Room() Room }); is {
		return limited.Room()
	}
	return nil
}

// SpillBytes is how much a dataset may take in memory before the rest of it goes
// to a disk.
const SpillBytes = 8 << 20

// spill keeps blocks in memory, under negative numbers, and those that do not fit
// on a disk.
type spill struct {
	open func() (Store, error) // nil: all of them fit

	lock   sync.RWMutex
	last   int64
	memory map[int64][]byte
	used   int
	disk   Store // nil: not needed yet
}

// Memory keeps blocks in memory, for small datasets.
func Memory() Store { return &spill{memory: map[int64][]byte{}} }

// Spill keeps a few megabytes in memory and all others in blocks that are opened
// when they are needed.
func Spill(open func() (Store, error)) Store {
	return &spill{memory: map[int64][]byte{}, open: open}
}

func (s *spill) Add(block []byte) (int64, error) {
	s.lock.Lock()
	if s.open == nil || s.used+len(block) <= SpillBytes {
		defer s.lock.Unlock()
		s.used += len(block)
		s.last--
		s.memory[s.last] = append([]byte(nil), block...)
		return s.last, nil
	}
	disk, err := s.opened()
	s.lock.Unlock()
	if err != nil {
		return 0, err
	}
	return disk.Add(block)
}

// opened is the disk, which is opened when it is needed first; nil if there is
// none. The lock is held.
func (s *spill) opened() (Store, error) {
	if s.disk == nil && s.open != nil {
		disk, err := s.open()
		if err != nil {
			return nil, err
		}
		s.disk = disk
	}
	return s.disk, nil
}

func (s *spill) Get(number int64, dst []byte) ([]byte, error) {
	s.lock.RLock()
	disk := s.disk
	block, found := s.memory[number]
	s.lock.RUnlock()
	if number >= 0 && disk != nil {
		return disk.Get(number, dst)
	}
	if !found {
		return dst, fmt.Errorf("block %d of the dataset is missing", number)
	}
	return append(dst, block...), nil
}

func (s *spill) Drop(numbers []int64) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	var others []int64
	for _, number := range numbers {
		if number > 0 {
			others = append(others, number)
			continue
		}
		s.used -= len(s.memory[number])
		delete(s.memory, number)
	}
	if len(others) == 0 || s.disk == nil {
		return nil
	}
	return s.disk.Drop(others)
}

// Room is that of the disk, which is opened for that; nil if there is none.
func (s *spill) Room() Room {
	s.lock.Lock()
	defer s.lock.Unlock()
	disk, err := s.opened()
	if err != nil || disk == nil {
		return nil // what writes is told
	}
	return RoomOf(disk)
}

// Directory is the one that the disk fills, which is opened for that; empty if
// there is none.
func (s *spill) Directory() string {
	s.lock.Lock()
	defer s.lock.Unlock()
	disk, err := s.opened()
	if err != nil || disk == nil {
		return "" // a request that writes is told
	}
	if filling, is := disk.(interface{ Directory() string }); is {
		return filling.Directory()
	}
	return ""
}

func (s *spill) Close() error {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.disk == nil {
		return nil
	}
	return s.disk.Close()
}
