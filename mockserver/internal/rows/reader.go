package rows

import (
	"errors"
	"fmt"
	"io"
	"math"
	"sort"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/ahead"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/program"
)

// Open opens a part, from 1, for reading from any offset. Layout comes first.
// The reader holds one block and belongs to one goroutine. It has a method
// Next(most int64) ([]byte, error) for those who would rather not copy.
func (f *File) Open(part int) (io.ReadSeekCloser, error) {
	if part < 1 || part > len(f.parts) {
		return nil, fmt.Errorf("part %d: the file has parts 1 to %d", part, len(f.parts))
	}
	span := f.spans[part-1]
	whole := &reader{file: f, span: span, size: f.parts[part-1].Size, loaded: -1, isKept: f.isKept(), ahead: ahead.Reader{
		Shared: f.renderer.ahead, End: span.last, CanBegin: f.canSkipTo,
		Render: func(dst []byte, index int) []byte { return f.render(dst, f.blocks[index]) },
	}}
	if f.spec.Faults.Truncated {
		return &shortReader{whole}, nil
	}
	return whole, nil
}

type reader struct {
	file     *File
	span     partSpan
	size     int64
	position int64
	loaded   int // index of the block in text, or of the first one; -1: none
	text     []byte
	isKept   bool // the text of the file is, and belongs to others
	closed   bool
	ahead    ahead.Reader
}

func (r *reader) Read(into []byte) (int, error) {
	text, err := r.Next(int64(len(into)))
	return copy(into, text), err
}

// Next reads up to a number of bytes and gives them where they are, which saves
// copying a block. They are good until the next call.
func (r *reader) Next(most int64) ([]byte, error) {
	if r.closed {
		return nil, errors.New("the file is closed")
	}
	if r.position >= r.size {
		return nil, io.EOF
	}
	text := r.window()
	text = text[:min(int64(len(text)), most)]
	r.position += int64(len(text))
	return text, nil
}

// window is the text from the position to the end of the block, header or
// footer it lies in.
func (r *reader) window() []byte {
	header, footer := r.file.plan.header, r.file.plan.footer
	at := r.position - int64(len(header))
	switch {
	case at < 0:
		return header[r.position:]
	case at >= r.span.bytes:
		return footer[at-r.span.bytes:]
	}
	at += r.span.begin
	blocks := r.file.blocks
	if r.isKept {
		if r.loaded < 0 || at < blocks[r.loaded].offset || at-blocks[r.loaded].offset >= int64(len(r.text)) {
			r.text, r.loaded = r.file.stretchAt(at)
		}
		// Of two parts, one may end where the next begins.
		return r.text[at-blocks[r.loaded].offset : min(int64(len(r.text)), r.span.begin+r.span.bytes-blocks[r.loaded].offset)]
	}
	index := r.span.first + sort.Search(r.span.last-r.span.first, func(i int) bool {
		return blocks[r.span.first+i+1].offset > at
	})
	if index != r.loaded {
		r.load(index)
	}
	return r.text[at-blocks[index].offset:]
}

// load makes text that of a block.
func (r *reader) load(index int) {
	r.loaded = index
	size := int(r.file.blocks[index+1].offset - r.file.blocks[index].offset)
	if cap(r.text) < size {
		r.text = make([]byte, 0, size) // no more: a slow client holds it for long
	}
	var there bool
	if r.text, there = r.ahead.Take(r.text[:0], index); !there {
		r.file.renderer.Do(func() { r.text = r.file.render(r.text[:0], r.file.blocks[index]) })
	}
}

// canSkipTo reports whether rendering may begin with a block. The rows of a unit that
// fills many blocks are made once, and handed from each to the next.
func (f *File) canSkipTo(index int) bool {
	b := f.blocks[index]
	return b.skip == 0 || index >= ahead.RunBlocks && f.blocks[index-ahead.RunBlocks].unit != b.unit
}

// render adds the text of the rows of a block.
func (f *File) render(dst []byte, b block) []byte {
	dst, _ = f.renderFrom(dst, b, math.MaxInt, func() bool { return false })
	return dst
}

// renderFrom adds the text of rows of a block until there is as much as wanted, or stop, which it asks before each
// unit, and returns those that are left.
func (f *File) renderFrom(dst []byte, b block, wanted int, stop func() bool) (text []byte, rest block) {
	pool, resume := &f.renderer.pool, &f.renderer.resume
	var s *program.Scratch
	if b.skip > 0 {
		s = resume.Take(f, b.unit)
	}
	cached := s != nil
	if !cached {
		s = pool.GetScratch()
	}
	for units := f.view.Units(); b.rows > 0 && b.unit < units && len(dst) < wanted && (cached || !stop()); b.unit++ {
		if !cached {
			s.Rows = f.view.Append(s.Rows[:0], b.unit)
		}
		cached = false
		for ; int(b.skip) < len(s.Rows) && b.rows > 0 && len(dst) < wanted; b.skip++ {
			dst = f.plan.appendRow(dst, &s.Rows[b.skip], s)
			b.rows--
		}
		if int(b.skip) < len(s.Rows) {
			pool.PutScratch(resume.Put(f, b.unit, s))
			return dst, b
		}
		b.skip = 0
	}
	pool.PutScratch(s)
	return dst, b
}

func (r *reader) Seek(offset int64, from int) (int64, error) {
	switch from {
	case io.SeekCurrent:
		offset += r.position
	case io.SeekEnd:
		offset += r.size
	}
	if offset < 0 {
		return 0, fmt.Errorf("seek to %d: an offset is not negative", offset)
	}
	r.position = offset
	return offset, nil
}

func (r *reader) Close() error {
	r.ahead.Close()
	r.closed, r.text, r.loaded = true, nil, -1
	return nil
}
