// Package scratch keeps blocks of bytes in a temporary file: what a dataset
// derives from its rows, which can be derived again.
// See docs/decisions/server.md#where-are-the-rows-of-a-dataset
package scratch

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/bits"
	"os"
	"path/filepath"
	"sync"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
)

// File is blocks in a file that is removed when it is closed. It is safe for
// concurrent use.
type File struct {
	file *os.File
	room blocks.Room

	lock   sync.RWMutex // one writer at a time; for the fields below
	last   int64        // number
	places map[int64]place
	free   map[int64][]int64 // offsets of places whose block was dropped, by their size
	end    int64             // of the places
	bytes  int64             // of the room
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

// Open makes a file in a directory; "" stands for that of the system. What it
// takes is asked of the room; nil: as much as the disk has.
func Open(ctx context.Context, directory string, room blocks.Room) (*File, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	file, err := os.CreateTemp(directory, "rehearsal-data-*")
	if err != nil {
		return nil, fmt.Errorf("a temporary file is needed for the dataset: %w", err)
	}
	// A program that is killed leaves nothing: the open file lives on without its
	// name, but for Windows, where Close removes it.
	_ = os.Remove(file.Name())
	return &File{file: file, room: room, places: map[int64]place{}, free: map[int64][]int64{}}, nil
}

// Room is that of what the file takes; nil: the disk alone is the limit.
func (f *File) Room() blocks.Room { return f.room }

// Add keeps a copy of a block.
func (f *File) Add(block []byte) (int64, error) {
	f.lock.Lock()
	defer f.lock.Unlock()
	p := place{length: int64(len(block))}
	if f.room != nil {
		if err := f.room.Take(p.length); err != nil {
			return 0, err
		}
	}
	size := p.size()
	dropped := f.free[size]
	if p.offset = f.end; len(dropped) > 0 {
		p.offset = dropped[len(dropped)-1]
	}
	if _, err := f.file.WriteAt(block, p.offset); err != nil {
		f.give(p.length)
		return 0, fmt.Errorf("the temporary file of the dataset cannot be written: %w", err)
	}
	if len(dropped) > 0 {
		f.free[size] = dropped[:len(dropped)-1]
	} else {
		f.end += size
	}
	f.last++
	f.places[f.last] = p
	f.bytes += p.length
	return f.last, nil
}

// give gives room back.
func (f *File) give(size int64) {
	if f.room != nil {
		f.room.Give(size)
	}
}

// Get appends a block to dst.
func (f *File) Get(number int64, dst []byte) ([]byte, error) {
	f.lock.RLock() // nobody writes over the block meanwhile
	defer f.lock.RUnlock()
	p, found := f.places[number]
	if !found {
		return dst, fmt.Errorf("block %d of the dataset is missing", number)
	}
	before := len(dst)
	dst = append(dst, make([]byte, p.length)...)
	if _, err := f.file.ReadAt(dst[before:], p.offset); err != nil {
		return dst[:before], fmt.Errorf("the temporary file of the dataset cannot be read: %w", err)
	}
	return dst, nil
}

// Drop forgets blocks; their room is used again.
func (f *File) Drop(numbers []int64) error {
	f.lock.Lock()
	defer f.lock.Unlock()
	for _, number := range numbers {
		p, found := f.places[number]
		if !found {
			return fmt.Errorf("block %d of the dataset is missing", number)
		}
		delete(f.places, number)
		f.free[p.size()] = append(f.free[p.size()], p.offset)
		f.bytes -= p.length
		f.give(p.length)
	}
	if len(f.places) > 0 {
		return nil
	}
	clear(f.free)
	f.end = 0
	return f.file.Truncate(0)
}

// Directory is the one that the file fills.
func (f *File) Directory() string { return filepath.Dir(f.file.Name()) }

// Close removes the file.
func (f *File) Close() error {
	f.lock.Lock()
	defer f.lock.Unlock()
	f.give(f.bytes)
	f.bytes = 0
	clear(f.places)
	err := f.file.Close()
	if errors.Is(err, fs.ErrClosed) {
		return nil
	}
	_ = os.Remove(f.file.Name()) // gone already where that was possible
	return err
}
