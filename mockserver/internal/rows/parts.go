package rows

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"math"
	"sort"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
)

// Part is one piece of a file, a whole document of its own. A CSV file has one
// part.
type Part struct {
	Number int    // from 1
	Size   int64  // bytes
	Rows   int64  // without the header
	ETag   string // a strong entity tag, with its quotes
	Marks  []Mark // in order; none of a part without rows
}

// Mark is where a row begins in a part.
type Mark struct {
	Offset int64 // bytes of the part before the row
	Row    int64 // rows of the part before it
}

// MostParts is how many parts a file has at most: an answer names all of them.
const MostParts = 10_000

// PartsError says that a file has more parts than that.
type PartsError struct{ PartSize int64 }

func (e *PartsError) Error() string {
	return fmt.Sprintf("the file has more than %d parts of %d bytes", MostParts, e.PartSize)
}

const (
	// markBytes is how far two marks are from each other, at least.
	markBytes = 24 << 10
	// mostMarks is how many a file has, about: of a larger file they are farther from each other.
	mostMarks = 1 << 15
)

// WriteParts writes the parts of the file one behind the other. They are cut where rows
// end: of several rows, a part has at most the part size. A truncated file ends behind
// the last byte of its last part, in what is written of it.
func (f *File) WriteParts(ctx context.Context, w io.Writer) ([]Part, error) {
	out := partWriter{file: f, to: w, most: math.MaxInt64, apart: markBytes}
	if f.spec.PartSize > 0 && !f.plan.format.CSV {
		out.most = f.spec.PartSize
	}
	out.begin()
	if f.limit() > 0 {
		if err := f.renderInOrder(ctx, 0, f.view.Parts(), out.take); err != nil {
			return nil, err
		}
	}
	cut := f.spec.Faults.Truncated && out.err == nil && out.part().Rows > 0
	if cut {
		out.digest.Write([]byte("truncated"))
	}
	out.end()
	if out.err != nil {
		return nil, out.err
	}
	if cut {
		last := out.part()
		if out.box != nil {
			last.Size -= (last.Size + 1) / 4
		} else {
			last.Size -= int64(len(f.plan.footer)) + (out.lastRow+1)/2
		}
	}
	return out.parts, nil
}

// partWriter is where the rows of the parts go.
type partWriter struct {
	file    *File
	to      io.Writer
	most    int64 // bytes of a part
	parts   []Part
	digest  hash.Hash // of the part that is being written
	rows    int64     // of all parts
	lastRow int64     // bytes
	apart   int64     // bytes between two marks
	marks   int
	box     io.WriteCloser // the container of the part; nil: none
	sent    int64          // bytes of the part with its container
	err     error
}

func (w *partWriter) part() *Part { return &w.parts[len(w.parts)-1] }

// begin begins a part.
func (w *partWriter) begin() {
	if len(w.parts) == MostParts {
		w.err = &PartsError{PartSize: w.file.spec.PartSize}
		return
	}
	w.parts = append(w.parts, Part{Number: len(w.parts) + 1})
	w.digest, w.sent = sha256.New(), 0
	w.box, w.err = exports.Pack(w.file.export, w.file.spec.Now, partBytes{w})
	w.write(w.file.plan.header)
}

// end ends a part.
func (w *partWriter) end() {
	if w.err != nil {
		return
	}
	w.write(w.file.plan.footer)
	if w.box != nil && w.err == nil {
		w.err = w.box.Close()
		w.part().Size, w.part().Marks = w.sent, nil // no row begins at a byte of a container
	}
	w.part().ETag = `"` + hex.EncodeToString(w.digest.Sum(nil)[:16]) + `"`
}

func (w *partWriter) write(text []byte) {
	if w.err != nil {
		return
	}
	if w.part().Size += int64(len(text)); w.box != nil {
		_, w.err = w.box.Write(text)
	} else {
		_, w.err = partBytes{w}.Write(text)
	}
}

// partBytes takes the bytes of a part, those of its container included.
type partBytes struct{ *partWriter }

func (w partBytes) Write(text []byte) (int, error) {
	w.digest.Write(text)
	w.sent += int64(len(text))
	return w.to.Write(text)
}

// take writes a chunk, and says whether more may follow.
func (w *partWriter) take(c *chunk) bool {
	c.cut(w.file.limit() - w.rows)
	for first := 0; first < len(c.ends) && w.err == nil; {
		part, begin := w.part(), int64(0)
		if first > 0 {
			begin = int64(c.ends[first-1])
		}
		if part.Rows == 0 {
			begin += int64(w.file.plan.lead())
		}
		room := w.most - part.Size - int64(len(w.file.plan.footer))
		fit := sort.Search(len(c.ends)-first, func(i int) bool { return int64(c.ends[first+i])-begin > room })
		if fit == 0 && part.Rows > 0 {
			w.end()
			w.begin()
			continue
		}
		rows := c.ends[first : first+max(fit, 1)]
		w.mark()
		w.write(c.text[begin:rows[len(rows)-1]])
		part.Rows += int64(len(rows))
		first += len(rows)
		w.lastRow = int64(rows[len(rows)-1]) - begin
		if len(rows) > 1 {
			w.lastRow = int64(rows[len(rows)-1] - rows[len(rows)-2])
		}
	}
	w.rows += int64(len(c.ends))
	return w.err == nil && w.rows < w.file.limit()
}

// mark marks the row that is about to be written, unless another one is near.
func (w *partWriter) mark() {
	part := w.part()
	if last := len(part.Marks) - 1; last >= 0 && part.Size < part.Marks[last].Offset+w.apart {
		return
	}
	part.Marks = append(part.Marks, Mark{Offset: part.Size, Row: part.Rows})
	if w.marks++; w.marks >= 2*mostMarks {
		w.thin()
	}
}

// thin drops every second mark of a part.
func (w *partWriter) thin() {
	w.apart, w.marks = 2*w.apart, 0
	for i := range w.parts {
		all := w.parts[i].Marks
		kept := all[:0]
		for k := 0; k < len(all); k += 2 {
			kept = append(kept, all[k])
		}
		w.parts[i].Marks, w.marks = kept, w.marks+len(kept)
	}
}
