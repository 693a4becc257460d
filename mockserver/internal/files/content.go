package files

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"syscall"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/tempfile"
)

// smallFile is how large a file is at most that stays in memory.
const smallFile = 4 << 20

// content is the bytes of a file. A file on the disk has no name, so nothing is left of it when the program is killed.
type content struct {
	small     int64 // how much stays in memory
	directory string
	room      *budget.Budget

	text   []byte
	file   *tempfile.File // nil: all is in text
	closed bool
}

// Write adds to the end.
func (c *content) Write(text []byte) (int, error) {
	if c.file == nil && int64(len(c.text)+len(text)) <= c.small {
		c.text = append(c.text, text...)
		return len(text), nil
	}
	if err := c.room.Fits(c.size() + int64(len(text))); err != nil {
		return 0, err
	}
	if c.file == nil {
		var err error
		if c.file, err = tempfile.Create(c.directory, "rehearsal-file-*", c.room); err != nil {
			return 0, err
		}
		if _, err := c.add(c.text); err != nil {
			return 0, err
		}
		c.text = nil
	}
	return c.add(text)
}

// add writes to the file; where the disk is full before the budget is, others make room.
func (c *content) add(text []byte) (n int, err error) {
	for {
		var more int
		more, err = c.file.Write(text[n:])
		if n += more; !errors.Is(err, syscall.ENOSPC) || !c.room.Relieve(int64(len(text)-n)) {
			return n, err
		}
	}
}

func (c *content) size() int64 {
	if c.file == nil {
		return int64(len(c.text))
	}
	return c.file.Size()
}

// read opens a part, from 1.
func (c *content) read(parts []rows.Part, number int) (io.ReadSeekCloser, error) {
	if number < 1 || number > len(parts) {
		return nil, fmt.Errorf("part %d: the file has parts 1 to %d", number, len(parts))
	}
	begin, size := int64(0), parts[number-1].Size
	for _, part := range parts[:number-1] {
		begin += part.Size
	}
	if c.file == nil {
		return inMemory{bytes.NewReader(c.text[begin : begin+size])}, nil
	}
	opened := c.file.Open()
	if opened.File == nil {
		return &copied{io.NewSectionReader(opened, begin, size), opened}, nil
	}
	part := &section{Reader: opened, begin: begin, size: size}
	if _, err := part.Seek(0, io.SeekStart); err != nil {
		opened.Close()
		return nil, err
	}
	return part, nil
}

// close drops the bytes. Readers that are open keep theirs, and the disk keeps a file for them.
func (c *content) close() {
	if c != nil {
		c.file.Close()
		c.text, c.closed = nil, true
	}
}

func (c *content) inMemory() int64 {
	if c == nil {
		return 0
	}
	return int64(cap(c.text))
}

func (c *content) onDisk() int {
	if c == nil || c.file == nil {
		return 0
	}
	return 1
}

type inMemory struct{ *bytes.Reader }

func (inMemory) Close() error { return nil }

// copied is a part of a file on a system that cannot open the file again.
type copied struct {
	*io.SectionReader
	io.Closer
}

// section is a part of a file. It is a file for the system, which sends it without a copy.
type section struct {
	*tempfile.Reader
	begin, size int64
}

// Seek moves within the part.
func (s *section) Seek(offset int64, from int) (int64, error) {
	switch from {
	case io.SeekStart:
		offset += s.begin
	case io.SeekEnd:
		offset += s.begin + s.size
	case io.SeekCurrent:
		at, err := s.File.Seek(0, io.SeekCurrent)
		if err != nil {
			return 0, err
		}
		offset += at
	}
	if offset < s.begin {
		return 0, fmt.Errorf("an offset in a part is not negative")
	}
	at, err := s.File.Seek(offset, io.SeekStart)
	return at - s.begin, err
}

// Read reads to the end of the part.
func (s *section) Read(into []byte) (int, error) {
	at, err := s.File.Seek(0, io.SeekCurrent)
	if err != nil {
		return 0, err
	}
	rest := s.begin + s.size - at
	if rest <= 0 {
		return 0, io.EOF
	}
	return s.File.Read(into[:min(int64(len(into)), rest)])
}

// later is a part that is opened when it is read.
type later struct {
	read     func() (io.ReadSeekCloser, error)
	size, at int64
	opened   io.ReadSeekCloser
}

// Seek moves within the part.
func (l *later) Seek(offset int64, from int) (int64, error) {
	switch {
	case l.opened != nil:
		return l.opened.Seek(offset, from)
	case from == io.SeekEnd:
		offset += l.size
	case from == io.SeekCurrent:
		offset += l.at
	}
	l.at = offset
	return offset, nil
}

// Read opens the part.
func (l *later) Read(into []byte) (n int, err error) {
	if l.opened == nil {
		if l.opened, err = l.read(); err != nil {
			return 0, err
		}
		if _, err := l.opened.Seek(l.at, io.SeekStart); err != nil {
			return 0, err
		}
	}
	return l.opened.Read(into)
}

// Close closes what was opened.
func (l *later) Close() error {
	if l.opened == nil {
		return nil
	}
	return l.opened.Close()
}
