package rows

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"io"
	"sync"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// File is an export file that is written when it is read. It is safe for
// concurrent use.
type File struct {
	renderer *Renderer
	export   schemas.Export
	spec     exports.File
	plan     *plan
	view     world.View

	layout sync.Mutex
	blocks []block
	parts  []Part
	spans  []partSpan
}

// Part is one piece of a file, a whole document of its own. A CSV file has one
// part.
type Part struct {
	Number int    // from 1
	Size   int64  // bytes
	Rows   int64  // without the header
	ETag   string // a strong entity tag, with its quotes
}

// partSpan are the blocks of a part.
type partSpan struct {
	first, last  int   // blocks first up to, not including, last
	begin, bytes int64 // where its rows begin among those of all parts, and their length
}

func newFile(r *Renderer, export schemas.Export, spec exports.File, p *plan, view world.View) *File {
	return &File{renderer: r, export: export, spec: spec, plan: p, view: view}
}

// Name is a file name for the whole file, for example "campaign.events.csv".
func (f *File) Name() string { return f.export.Kind + "." + f.export.Format }

// ContentType is the media type of the file.
func (f *File) ContentType() string {
	if f.plan.format.csv {
		return "text/csv; charset=utf-8"
	}
	return "application/json"
}

// Parts are the parts of the file in order, at least one. Layout comes first.
func (f *File) Parts() []Part { return f.parts }

// tag is the entity tag of a part: equal files have equal tags.
func (f *File) tag(part int) string {
	spec, err := json.Marshal(struct {
		exports.File
		Digest string
		Part   int
	}{f.spec, f.export.Digest, part})
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(spec)
	return `"` + hex.EncodeToString(sum[:16]) + `"`
}

// WriteTo writes the whole file as one document, whatever the size of parts.
// It returns the number of bytes written and the first error of w.
func (f *File) WriteTo(w io.Writer) (int64, error) {
	return f.Write(context.Background(), w, nil)
}

// Write is WriteTo with a context that ends it early, and a function, if not
// nil, that is told the number of rows written so far now and then.
func (f *File) Write(ctx context.Context, w io.Writer, progress func(rows int64)) (int64, error) {
	var (
		out     = append(make([]byte, 0, 2*blockBytes), f.plan.header...)
		skip    = f.plan.lead()
		written int64
		rows    int64
		memory  scratch
	)
	flush := func() error {
		n, err := w.Write(out)
		written += int64(n)
		out = out[:0]
		if err == nil {
			err = ctx.Err()
		}
		if progress != nil {
			progress(rows)
		}
		return err
	}
	for unit := range f.view.Units() {
		memory.rows = f.view.Append(memory.rows[:0], unit)
		batch := memory.rows
		if rest := f.limit() - rows; int64(len(batch)) > rest {
			batch = batch[:rest]
		}
		for i := range batch {
			begin := len(out)
			out = f.plan.appendRow(out, &batch[i], &memory)
			if skip > 0 {
				out = append(out[:begin], out[begin+skip:]...)
				skip = 0
			}
		}
		rows += int64(len(batch))
		if len(out) >= blockBytes {
			if err := flush(); err != nil {
				return written, err
			}
		}
		if rows == f.limit() {
			break
		}
	}
	out = append(out, f.plan.footer...)
	return written, flush()
}

// CountRows counts the rows of the file, up to a limit, without writing them.
func (f *File) CountRows(limit int64) int64 {
	limit = min(limit, f.limit())
	count, batch := int64(0), []world.Row(nil)
	for unit := range f.view.Units() {
		batch = f.view.Append(batch[:0], unit)
		if count += int64(len(batch)); count >= limit {
			return limit
		}
	}
	return count
}

// limit is the largest number of rows of the file.
func (f *File) limit() int64 {
	if f.spec.MaxRows != nil {
		return max(*f.spec.MaxRows, 0)
	}
	return 1<<63 - 1
}
