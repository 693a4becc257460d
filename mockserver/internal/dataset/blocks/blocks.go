// Package blocks keeps what a dataset derives from its rows, as blocks of some
// kilobytes that may be on a disk: records in lists, and the numbers of
// identifiers in sorted runs. It knows nothing of rows.
package blocks

import (
	"fmt"
	"sync"
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

// FullError says that blocks have taken all the disk that they may take.
type FullError struct{ Limit int64 }

// Error says what may be done.
func (e *FullError) Error() string {
	return fmt.Sprintf("the dataset needs more than the %d MB of temporary disk that it may take: load fewer rows, or allow more", e.Limit>>20)
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

// spillBytes is how much a dataset may take in memory before the rest of it goes
// to a disk.
const spillBytes = 8 << 20

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
	if s.used+len(block) <= spillBytes {
		defer s.lock.Unlock()
		s.used += len(block)
		number, err := s.memory.Add(block)
		return -number, err
	}
	if s.disk == nil {
		var err error
		if s.disk, err = s.open(); err != nil {
			s.lock.Unlock()
			return 0, err
		}
	}
	disk := s.disk
	s.lock.Unlock()
	return disk.Add(block)
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

func (s *spill) Close() error {
	s.lock.Lock()
	defer s.lock.Unlock()
	if s.disk == nil {
		return nil
	}
	return s.disk.Close()
}
