package rows

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
)

// Stream reads a file from its beginning before it is laid out, so that nobody knows its
// length, and as any other as soon as it is. It belongs to one goroutine.
type Stream struct {
	ctx     context.Context // of the request that is answered
	file    *File
	laidOut func() *File // nil: not yet

	text     []byte // rendered and not read yet
	memory   []byte // of text
	rest     block  // the rows behind it, or some of them
	left     int64  // how many rows are behind those
	position int64
	whole    *reader // of the file that is laid out
	ended    bool    // everything was read
	closed   bool
}

// CanStream reports whether the file can be read by a Stream: it has one part, whatever its
// length, and ends as it should.
func (f *File) CanStream() bool { return f.plan.format.CSV && !f.spec.Faults.Truncated }

// Stream opens a file that is not laid out. The function returns the same file, laid out,
// or nil as long as it is not. When the context ends, so does the search for the next row.
func (f *File) Stream(ctx context.Context, laidOut func() *File) *Stream {
	return &Stream{ctx: ctx, file: f, laidOut: laidOut, text: f.plan.header, left: f.limit()}
}

// ETag is that of the part, as it is when the file is laid out.
func (s *Stream) ETag() string { return s.file.tag(1) }

// ContentType is the media type of the file.
func (s *Stream) ContentType() string { return s.file.ContentType() }

// Ended reports whether everything was read.
func (s *Stream) Ended() bool { return s.ended }

// Next reads up to a number of bytes and gives them where they are. They are good until
// the next call.
func (s *Stream) Next(most int64) ([]byte, error) {
	if s.closed {
		return nil, errors.New("the file is closed")
	}
	if s.whole == nil && len(s.text) == 0 {
		if err := s.goOn(); err != nil {
			return nil, err
		}
	}
	if s.whole != nil {
		text, err := s.whole.Next(most)
		s.ended = s.ended || err == io.EOF
		return text, err
	}
	if len(s.text) == 0 {
		s.ended = true
		return nil, io.EOF
	}
	text := s.text[:min(int64(len(s.text)), most)]
	s.text = s.text[len(text):]
	s.position += int64(len(text))
	return text, nil
}

// goOn renders about a block, or goes over to the file that is laid out. Of a file with few rows,
// the next one may be far: it is looked for in turns.
func (s *Stream) goOn() error {
	for units := s.file.view.Units(); ; {
		if file := s.laidOut(); file != nil {
			return s.goOver(file)
		}
		if s.ctx.Err() != nil {
			return context.Cause(s.ctx)
		}
		more := min(math.MaxInt32-int64(s.rest.rows), s.left)
		s.left, s.rest.rows = s.left-more, s.rest.rows+int32(more)
		inTurn, end := context.WithTimeout(s.ctx, turn)
		stop := func() bool { return inTurn.Err() != nil }
		// The processor that is kept for others: a layout takes the rest.
		s.file.renderer.limiter.DoAhead(func() { s.memory, s.rest = s.file.renderFrom(s.memory[:0], s.rest, blockBytes, stop) })
		end()
		if s.text = s.memory; len(s.text) > 0 || s.rest.rows == 0 || s.rest.unit >= units {
			return nil
		}
	}
}

// goOver reads on in the file that is laid out.
func (s *Stream) goOver(file *File) error {
	whole, err := file.Open(1)
	if err != nil {
		return err
	}
	is := false
	if s.whole, is = whole.(*reader); !is {
		return fmt.Errorf("%s cannot be read on", file.export.Kind)
	}
	_, err = s.whole.Seek(s.position, io.SeekStart)
	return err
}

// Read implements [io.Reader].
func (s *Stream) Read(into []byte) (int, error) {
	text, err := s.Next(int64(len(into)))
	return copy(into, text), err
}

// Seek stays at the beginning: where anything else is, is not known.
func (s *Stream) Seek(offset int64, from int) (int64, error) {
	if from != io.SeekStart || offset != s.position {
		return 0, errors.New("a file that is not laid out is read from its beginning to its end")
	}
	return offset, nil
}

// Close implements [io.Closer].
func (s *Stream) Close() error {
	s.closed = true
	if s.whole == nil {
		return nil
	}
	return s.whole.Close()
}
