package rows

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"io"
	"math"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
)

// Part is one piece of a file, a whole document of its own.
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

// WriteParts writes the parts of the file one behind the other. They are cut where rows end: of several rows, a part has at most the part
// size before it is packed. A truncated file ends behind the last byte of its last part, in what is written of it.
func (f *File) WriteParts(ctx context.Context, w io.Writer) ([]Part, error) {
	out := partWriter{file: f, to: w, most: math.MaxInt64, apart: markBytes}
	out.buffer = bufio.NewWriterSize(nil, pieceBytes)
	if f.spec.PartSize > 0 {
		out.most = f.spec.PartSize
	}
	out.begin()
	if err := f.eachRow(ctx, 0, f.view.Parts(), out.take); err != nil {
		return nil, err
	}
	cut := f.spec.Faults.Truncated && out.err == nil && out.part().Rows > 0
	if cut {
		out.err = out.buffer.Flush()
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
	buffer  *bufio.Writer // of the part that is being written
	most    int64         // bytes of a part
	parts   []Part
	digest  hash.Hash // of the part that is being written
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
	w.buffer.Reset(w)
	if w.box, w.err = exports.Pack(w.file.export, len(w.parts), w.file.spec.Now, w); w.box != nil {
		w.buffer.Reset(w.box)
	}
	w.write(w.file.plan.header)
}

// end ends a part.
func (w *partWriter) end() {
	if w.err != nil {
		return
	}
	w.write(w.file.plan.footer)
	if w.err = w.buffer.Flush(); w.box != nil && w.err == nil {
		w.err = w.box.Close()
		w.part().Size, w.part().Marks = w.sent, nil // no row begins at a byte of a container
	}
	w.part().ETag = `"` + hex.EncodeToString(w.digest.Sum(nil)[:16]) + `"`
}

// Write takes the bytes of a part, those of its container included.
func (w *partWriter) Write(text []byte) (int, error) {
	w.digest.Write(text)
	w.sent += int64(len(text))
	return w.to.Write(text)
}

func (w *partWriter) write(text []byte) {
	if w.err == nil {
		_, w.err = w.buffer.Write(text)
		w.part().Size += int64(len(text))
	}
}

// take writes a row, and says whether more may follow.
func (w *partWriter) take(_ int64, row []byte, _ float64) bool {
	if part := w.part(); part.Rows > 0 && part.Size+int64(len(row)+len(w.file.plan.footer)) > w.most {
		w.end()
		w.begin()
	}
	if w.err != nil {
		return false
	}
	part := w.part()
	if part.Rows == 0 {
		row = row[w.file.plan.lead():]
	}
	w.mark()
	w.write(row)
	part.Rows++
	w.lastRow = int64(len(row))
	return w.err == nil
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
