package rows

import (
	"errors"
	"fmt"
	"io"
	"sort"
)

// Open opens a part, from 1, for reading from any offset. Layout comes first.
// The reader holds one block and belongs to one goroutine.
func (f *File) Open(part int) (io.ReadSeekCloser, error) {
	if part < 1 || part > len(f.parts) {
		return nil, fmt.Errorf("part %d: the file has parts 1 to %d", part, len(f.parts))
	}
	return &reader{file: f, span: f.spans[part-1], size: f.parts[part-1].Size, loaded: -1}, nil
}

type reader struct {
	file     *File
	span     partSpan
	size     int64
	position int64
	loaded   int // index of the block in text, -1: none
	text     []byte
	memory   scratch
	closed   bool
}

func (r *reader) Read(into []byte) (int, error) {
	if r.closed {
		return 0, errors.New("the file is closed")
	}
	if r.position >= r.size {
		return 0, io.EOF
	}
	n := copy(into, r.window())
	r.position += int64(n)
	return n, nil
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
	index := r.span.first + sort.Search(r.span.last-r.span.first, func(i int) bool {
		return blocks[r.span.first+i+1].offset > at
	})
	if index != r.loaded {
		r.file.renderer.Turn(func() { r.text = r.file.render(blocks[index], &r.memory) })
		r.loaded = index
	}
	return r.text[at-blocks[index].offset:]
}

// render is the text of the rows of a block.
func (f *File) render(b block, s *scratch) []byte {
	s.text = s.text[:0]
	skip, left := int(b.skip), int(b.rows)
	for unit := b.unit; left > 0; unit++ {
		s.rows = f.view.Append(s.rows[:0], unit)
		for i := skip; i < len(s.rows) && left > 0; i++ {
			s.text = f.plan.appendRow(s.text, &s.rows[i], s)
			left--
		}
		skip = 0
	}
	return s.text
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
	r.closed, r.text, r.memory = true, nil, scratch{}
	return nil
}
