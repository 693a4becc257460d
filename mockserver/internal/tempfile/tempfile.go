// Package tempfile is temporary files of which nothing is left, even when the program is killed, and which
// take of a room that they share with others.
package tempfile

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
)

// Room is what temporary files may take of a disk, in bytes, together.
type Room interface {
	// Take takes some, or says why there is no more.
	Take(bytes int64) error
	// Give gives back what was taken.
	Give(bytes int64)
}

// Error is that of a disk on which a temporary file cannot be made, written or read.
type Error struct{ error }

func (e *Error) Unwrap() error { return e.error }

// Place says where temporary files are, and why they cannot be there.
func (e *Error) Place() string {
	directory, reason := os.TempDir(), e.error
	if failed := new(fs.PathError); errors.As(e.error, &failed) {
		directory, reason = filepath.Dir(failed.Path), failed.Err
	}
	return fmt.Sprintf("temporary files in %s (TMPDIR): %v", directory, reason)
}

// Failed makes an Error of a format and what it needs.
func Failed(format string, arguments ...any) error { return &Error{fmt.Errorf(format, arguments...)} }

// File is written at its end and read anywhere.
type File struct {
	file *os.File
	room Room
	size int64 // of the file, and taken of the room

	lock   sync.Mutex // for the end of the file and the readers
	open   int        // readers
	closed bool
}

// Reader reads a file. The disk keeps the file, and the room counts it, until the last reader is closed.
type Reader struct {
	// File is the file opened again, with a position of its own, for a system that sends files by itself; nil where a
	// file without a name cannot be opened.
	*os.File
	of     *File
	closed bool
}

// Create makes a file in a directory, "" for that of the system. Without a room the disk alone is the limit.
func Create(directory, pattern string, room Room) (*File, error) {
	file, err := os.CreateTemp(directory, pattern)
	if err != nil {
		return nil, Failed("a temporary file is needed: %w", err)
	}
	// Where an open file may lose the name, a killed program leaves nothing behind.
	_ = os.Remove(file.Name())
	return &File{file: file, room: room}, nil
}

// Size is the length of the file in bytes.
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
		return n, Failed("a temporary file cannot be written: %w", err)
	}
	return n, nil
}

// ReadAt is that of io.ReaderAt.
func (f *File) ReadAt(p []byte, at int64) (int, error) { return f.file.ReadAt(p, at) }

// Open opens the file for a reader, which reads on after the file was closed.
func (f *File) Open() *Reader {
	f.lock.Lock()
	defer f.lock.Unlock()
	f.open++
	again, err := os.Open(fmt.Sprintf("/proc/self/fd/%d", f.file.Fd())) // Linux opens a file without a name by that
	if err != nil {
		again = nil
	}
	return &Reader{File: again, of: f}
}

// ReadAt is that of io.ReaderAt.
func (r *Reader) ReadAt(p []byte, at int64) (int, error) { return r.of.ReadAt(p, at) }

// IsRead reports whether a reader is open.
func (f *File) IsRead() bool {
	f.lock.Lock()
	defer f.lock.Unlock()
	return f.open > 0
}

// Close ends reading. It may be called again.
func (r *Reader) Close() (err error) {
	r.of.lock.Lock()
	defer r.of.lock.Unlock()
	if r.closed {
		return nil
	}
	r.closed = true
	if r.File != nil {
		err = r.File.Close()
	}
	r.of.open--
	r.of.end()
	return err
}

// Close removes the file; readers keep it. It may be called again.
func (f *File) Close() {
	if f == nil {
		return
	}
	f.lock.Lock()
	defer f.lock.Unlock()
	if !f.closed {
		f.closed = true
		f.end()
	}
}

// end gives file and room back when nothing needs them any more. The lock is held.
func (f *File) end() {
	if !f.closed || f.open > 0 {
		return
	}
	f.file.Close()
	_ = os.Remove(f.file.Name()) // gone already where that was possible
	if f.room != nil {
		f.room.Give(f.size)
	}
}
