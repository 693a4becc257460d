// Package blocks keeps what a dataset derives from its rows, as blocks of some kilobytes that may be on a disk: records in lists, and the
// numbers of identifiers in sorted runs. It knows nothing of rows. See docs/decisions/server.md#where-are-the-rows-of-a-dataset
package blocks

import (
	"errors"
	"fmt"
	"math/bits"
	"os"
	"sync"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/tempfile"
)

// Store is where a log keeps what it derives from the rows of its store, as blocks of some kilobytes: in memory, or on a disk. It is
// empty when a log opens, and safe for concurrent use.
type Store interface {
	// Add keeps a copy of a block. The number that it returns is never used again.
	Add(block []byte) (number int64, err error)
	// Get appends a block to dst.
	Get(number int64, dst []byte) ([]byte, error)
	// Drop forgets blocks.
	Drop(numbers []int64) error
	// Room is that of a disk; nil: there is none, or no limit.
	Room() Room
	// Directory is the one on a disk that blocks fill; "": there is none.
	Directory() string
	Close() error
}

// Room is what blocks on a disk may take of it, in bytes, beside others.
type Room = tempfile.Room

// SpillBytes is how much a dataset may take in memory before the rest of it goes to a disk.
const SpillBytes = 8 << 20

// blocks are in memory, or in a temporary file when they do not fit.
type blocks struct {
	onDisk    bool
	directory string // "": that of the system
	room      Room

	lock   sync.RWMutex // one writer at a time; for the fields below
	last   int64        // number
	memory map[int64][]byte
	used   int      // bytes of memory
	file   *os.File // nil: it was not needed so far
	places map[int64]place
	free   map[int64][]int64 // offsets of places whose block was dropped, by their size
	end    int64             // of the places
	taken  int64             // of the room
}

// place is where a block is in the file.
type place struct{ offset, length int64 }

// size returns how many bytes of the file a place takes: at most an eighth more than its block, so that there are few
// sizes, and places are used again.
func (p place) size() int64 {
	const significant = 3
	step := int64(1) << max(0, bits.Len64(uint64(p.length))-significant-1)
	return (p.length + step - 1) / step * step
}

// Memory keeps blocks in memory, for small datasets.
func Memory() Store { return &blocks{memory: map[int64][]byte{}} }

// Disk keeps a few megabytes in memory, and all others in a temporary file in a directory, of which nothing is left when it is
// closed, or the program is killed. The file takes of the room; nil: as much as the disk has.
func Disk(directory string, room Room) Store {
	return &blocks{
		onDisk: true, directory: directory, room: room,
		memory: map[int64][]byte{}, places: map[int64]place{}, free: map[int64][]int64{},
	}
}

func (b *blocks) Room() Room { return b.room }

func (b *blocks) Directory() string {
	if b.onDisk && b.directory == "" {
		return os.TempDir()
	}
	return b.directory
}

func (b *blocks) Add(block []byte) (int64, error) {
	b.lock.Lock()
	defer b.lock.Unlock()
	if b.onDisk && b.used+len(block) > SpillBytes {
		if err := b.write(block); err != nil {
			return 0, err
		}
	} else {
		b.used += len(block)
		b.memory[b.last+1] = append([]byte(nil), block...)
	}
	b.last++
	return b.last, nil
}

// write writes the next block into the file. The lock is held.
func (b *blocks) write(block []byte) error {
	if b.file == nil {
		file, err := os.CreateTemp(b.directory, "rehearsal-data-*")
		if err != nil {
			return tempfile.Failed("a temporary file is needed for the dataset: %w", err)
		}
		// The open file lives on without its name, but for Windows, where Close removes it.
		_ = os.Remove(file.Name())
		b.file = file
	}
	p := place{length: int64(len(block))}
	if b.room != nil {
		if err := b.room.Take(p.length); err != nil {
			return err
		}
	}
	b.taken += p.length
	size := p.size()
	dropped := b.free[size]
	if p.offset = b.end; len(dropped) > 0 {
		p.offset = dropped[len(dropped)-1]
	}
	if _, err := b.file.WriteAt(block, p.offset); err != nil {
		b.give(p.length)
		return tempfile.Failed("the temporary file of the dataset cannot be written: %w", err)
	}
	if len(dropped) > 0 {
		b.free[size] = dropped[:len(dropped)-1]
	} else {
		b.end += size
	}
	b.places[b.last+1] = p
	return nil
}

// give gives room back.
func (b *blocks) give(bytes int64) {
	if b.taken -= bytes; b.room != nil {
		b.room.Give(bytes)
	}
}

func (b *blocks) Get(number int64, dst []byte) ([]byte, error) {
	b.lock.RLock() // nobody writes over the block meanwhile
	defer b.lock.RUnlock()
	if block, is := b.memory[number]; is {
		return append(dst, block...), nil
	}
	p, is := b.places[number]
	if !is {
		return dst, missing(number)
	}
	before := len(dst)
	dst = append(dst, make([]byte, p.length)...)
	if _, err := b.file.ReadAt(dst[before:], p.offset); err != nil {
		return dst[:before], tempfile.Failed("the temporary file of the dataset cannot be read: %w", err)
	}
	return dst, nil
}

func missing(number int64) error { return fmt.Errorf("block %d of the dataset is missing", number) }

func (b *blocks) Drop(numbers []int64) (err error) {
	b.lock.Lock()
	defer b.lock.Unlock()
	for _, number := range numbers {
		block, inMemory := b.memory[number]
		p, inFile := b.places[number]
		switch {
		case inMemory:
			b.used -= len(block)
			delete(b.memory, number)
		case inFile:
			delete(b.places, number)
			b.free[p.size()] = append(b.free[p.size()], p.offset)
			b.give(p.length)
		default:
			err = missing(number)
		}
	}
	if b.file == nil || len(b.places) > 0 || b.end == 0 {
		return err
	}
	clear(b.free)
	b.end = 0
	return errors.Join(err, b.file.Truncate(0))
}

func (b *blocks) Close() error {
	b.lock.Lock()
	defer b.lock.Unlock()
	b.give(b.taken)
	clear(b.memory)
	clear(b.places)
	if b.file == nil {
		return nil
	}
	err := b.file.Close()
	_ = os.Remove(b.file.Name()) // gone already where that was possible
	b.file = nil
	return err
}
