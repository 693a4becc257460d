package proxy

import (
	"bytes"
	"io"
	"os"
	"sync/atomic"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/tempfile"
)

// inMemory is how much of a body is kept in memory; more goes to a temporary file, which a killed program does not leave behind.
const inMemory = 64 << 10

// spool keeps a copy of a body. A copy that cannot be written is given up, and the body passes all the same.
type spool struct {
	directory string
	most      int64
	memory    bytes.Buffer
	file      *tempfile.File
	size      int64
	lost      bool
}

func (s *spool) Write(data []byte) (int, error) {
	s.size += int64(len(data))
	switch {
	case s.lost:
	case s.size > s.most:
		s.giveUp()
	case s.file == nil && s.memory.Len()+len(data) <= inMemory:
		s.memory.Write(data)
	default:
		s.write(data)
	}
	return len(data), nil
}

// write goes to the file, and begins it with what was kept in memory.
func (s *spool) write(data []byte) {
	if s.file == nil {
		file, err := tempfile.Create(s.directory, "body-*", nil)
		if err != nil {
			s.giveUp()
			return
		}
		s.file = file
		if _, err := file.Write(s.memory.Bytes()); err != nil {
			s.giveUp()
			return
		}
		s.memory = bytes.Buffer{}
	}
	if _, err := s.file.Write(data); err != nil {
		s.giveUp()
	}
}

func (s *spool) giveUp() {
	s.lost = true
	s.Discard()
}

// Size is how many bytes have passed.
func (s *spool) Size() int64 { return s.size }

// Whole tells whether all of them were kept.
func (s *spool) Whole() bool { return !s.lost }

// Open reads the copy from its beginning.
func (s *spool) Open() (io.ReadCloser, error) {
	if s.lost {
		return nil, os.ErrNotExist
	}
	if s.file == nil {
		return io.NopCloser(bytes.NewReader(s.memory.Bytes())), nil
	}
	reader := s.file.Open()
	return struct {
		io.Reader
		io.Closer
	}{io.NewSectionReader(reader, 0, s.file.Size()), reader}, nil
}

// Discard forgets the copy.
func (s *spool) Discard() {
	s.memory = bytes.Buffer{}
	s.file.Close()
	s.file = nil
}

// tee copies what is read of a body into a spool, and notes how it ended.
type tee struct {
	io.ReadCloser
	into  *spool
	ended atomic.Bool
	err   error
	left  int64  // of an answer, if its length is known; else negative
	last  func() // is called before the last byte of it is given out
}

func (t *tee) Read(p []byte) (int, error) {
	n, err := t.ReadCloser.Read(p)
	if n > 0 {
		_, _ = t.into.Write(p[:n])
	}
	t.left -= int64(n)
	if err == io.EOF || t.last != nil && t.left == 0 {
		t.ended.Store(true)
	} else if err != nil {
		t.err = err
	}
	if t.last != nil && (err != nil || t.left == 0) {
		t.last()
	}
	return n, err
}
