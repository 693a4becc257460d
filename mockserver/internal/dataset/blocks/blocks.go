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

// memoryBlocks keeps blocks in memory.
type memoryBlocks struct {
	lock   sync.RWMutex
	last   int64
	blocks map[int64][]byte
}

// Memory keeps blocks in memory, for small datasets.
func Memory() Store { return &memoryBlocks{blocks: map[int64][]byte{}} }

func (m *memoryBlocks) Add(block []byte) (int64, error) {
	m.lock.Lock()
	defer m.lock.Unlock()
	m.last++
	m.blocks[m.last] = append([]byte(nil), block...)
	return m.last, nil
}

func (m *memoryBlocks) Get(number int64, dst []byte) ([]byte, error) {
	m.lock.RLock()
	defer m.lock.RUnlock()
	block, found := m.blocks[number]
	if !found {
		return dst, fmt.Errorf("block %d of the dataset is missing", number)
	}
	return append(dst, block...), nil
}

func (m *memoryBlocks) Drop(numbers []int64) error {
	m.lock.Lock()
	defer m.lock.Unlock()
	for _, number := range numbers {
		delete(m.blocks, number)
	}
	return nil
}

func (m *memoryBlocks) Close() error { return nil }

// SpillBytes is how much a dataset may take in memory before the rest of it goes
// to a disk.
const SpillBytes = 8 << 20

// spill keeps the first blocks in memory, under negative numbers, and opens a
// disk for what does not fit.
type spill struct {
	memory memoryBlocks
	open   func() (Store, error)

	lock sync.Mutex
	used int
	disk Store // nil: not needed yet
}

// Spill keeps a few megabytes in memory and all others in blocks that are opened
// when they are needed.
func Spill(open func() (Store, error)) Store {
	return &spill{memory: memoryBlocks{blocks: map[int64][]byte{}}, open: open}
}

func (s *spill) Add(block []byte) (int64, error) {
	s.lock.Lock()
	if s.used+len(block) <= SpillBytes {
		defer s.lock.Unlock()
		s.used += len(block)
		number, err := s.memory.Add(block)
		return -number, err
	}
	disk, err := s.opened()
	s.lock.Unlock()
	if err != nil {
		return 0, err
	}
	return disk.Add(block)
}

// opened is the disk, which is opened when it is needed first. The lock is held.
func (s *spill) opened() (Store, error) {
	if s.disk == nil {
		disk, err := s.open()
		if err != nil {
			return nil, err
		}
		s.disk = disk
	}
	return s.disk, nil
}

func (s *spill) Get(number int64, dst []byte) ([]byte, error) {
	if number < 0 {
		return s.memory.Get(-number, dst)
	}
	s.lock.Lock()
	disk := s.disk
	s.lock.Unlock()
	return disk.Get(number, dst)
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
		if block, err := s.memory.Get(-number, nil); err == nil {
			s.used -= len(block)
			_ = s.memory.Drop([]int64{-number}) // memory has no errors
		}
	}
	if len(others) == 0 {
		return nil
	}
	return s.disk.Drop(others)
}

// Room is that of the disk, which is opened for that; nil if there is none.
func (s *spill) Room() Room {
	s.lock.Lock()
	defer s.lock.Unlock()
	disk, err := s.opened()
	if err != nil {
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
	if err != nil {
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
