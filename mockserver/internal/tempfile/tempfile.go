// Package tempfile is temporary files of which nothing is left, even when the program is killed, and which
// take of a room that they share with others.
package tempfile

import (
	"fmt"
	"os"
	"sync"
)

// Room is what temporary files may take of a disk, in bytes, together.
type Room interface {
	// Take takes some, or says why there is no more.
	Take(bytes int64) error
	// Give gives back what was taken.
	Give(bytes int64)
}

// File is written at its end and read anywhere.
type File struct {
	file *os.File
	room Room
	size int64 // of the file, and taken of the room

	lock sync.Mutex // for the end of the file and of its readers
	open int        // readers
}

// Reader is a file that was opened again. The disk keeps the file, and the room counts it, until the last reader is closed.
type Reader struct {
	*os.File
	of *File
}

// Create makes a file in a directory, "" for that of the system. Without a room
// the disk alone is the limit.
func Create(directory, pattern string, room Room) (*File, error) {
	f, err := CreateShared(directory, pattern, room)
	if err == nil {
		// Where a file may lose its name while it is open, nothing stays behind even if the program is killed.
		_ = os.Remove(f.file.Name())
	}
	return f, err
}

// CreateShared is Create of a file that Open opens again. Where the system cannot open one
// without a name, it has one until it is closed.
func CreateShared(directory, pattern string, room Room) (*File, error) {
	file, err := os.CreateTemp(directory, pattern)
	if err != nil {
		return nil, fmt.Errorf("a temporary file is needed: %w", err)
	}
	if _, err := os.Stat(nameOf(file)); err == nil {
		_ = os.Remove(file.Name())
	}
	return &File{file: file, room: room}, nil
}

// nameOf is under what name Linux opens a file that is open.
func nameOf(file *os.File) string { return fmt.Sprintf("/proc/self/fd/%d", file.Fd()) }

// Size is how long the file is, in bytes.
func (f *File) Size() int64 { return f.size }

// Write adds to the end.
func (f *File) Write(p []byte) (int, error) {
	if f.room != nil {
		if err := f.room.Take(int64(len(p))); err != nil {
			return 0, err
		}
	}
	n, err := f.file.WriteAt(p, f.size)
	if f.room != nil {
		f.room.Give(int64(len(p) - n))
	}
	f.size += int64(n)
	if err != nil {
		return n, fmt.Errorf("a temporary file cannot be written: %w", err)
	}
	return n, nil
}

// ReadAt is that of io.ReaderAt.
func (f *File) ReadAt(p []byte, at int64) (int, error) { return f.file.ReadAt(p, at) }

// Open opens the file again, with a position of its own. The reader reads on after the file was closed.
func (f *File) Open() (*Reader, error) {
	f.lock.Lock()
	defer f.lock.Unlock()
	again, err := os.Open(nameOf(f.file))
	if err != nil {
		again, err = os.Open(f.file.Name())
	}
	if err != nil {
		return nil, err
	}
	f.open++
	return &Reader{again, f}, nil
}

// IsRead reports whether a reader is open.
func (f *File) IsRead() bool {
	f.lock.Lock()
	defer f.lock.Unlock()
	return f.open > 0
}

// Close ends reading.
func (r *Reader) Close() error {
	err := r.File.Close()
	if err == nil { // and not closed before
		r.of.lock.Lock()
		defer r.of.lock.Unlock()
		r.of.open--
		r.of.give()
	}
	return err
}

// Close removes the file. It may be called again.
func (f *File) Close() {
	if f == nil || f.file == nil {
		return
	}
	f.lock.Lock()
	defer f.lock.Unlock()
	f.file.Close()
	_ = os.Remove(f.file.Name()) // gone already where that was possible
	f.file = nil
	f.give()
}

// give gives the room back when nothing needs the file any more. The lock is held.
func (f *File) give() {
	if f.file == nil && f.open == 0 && f.room != nil {
		f.room.Give(f.size)
	}
}
