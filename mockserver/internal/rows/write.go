package rows

import (
	"bufio"
	"context"
	"encoding/binary"
	"io"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// Progress is how far the writing of a file, or of a shard of one, has come.
type Progress struct {
	Rows  int64
	Bytes int64
	Done  float64 // the part of the work that is done, from 0 to 1
}

const (
	// pieceBytes is how much text is written at a time.
	pieceBytes = 32 << 10
	// reportRows is how many rows are written between two reports of progress.
	reportRows = 256
)

// WriteTo writes the whole file as one document, whatever the size of parts.
// It returns the number of bytes written and the first error of w.
func (f *File) WriteTo(w io.Writer) (int64, error) {
	return f.Write(context.Background(), w, Whole, nil)
}

// Write writes the file, or a shard of it, which [Merge] puts together with the others. All processors take part; the memory it takes
// does not depend on the size of the file. The context ends it early. progress, if not nil, is called now and then and at the end, always
// by the goroutine that called Write.
func (f *File) Write(ctx context.Context, w io.Writer, shard Shard, progress func(Progress)) (int64, error) {
	if err := shard.check(); err != nil {
		return 0, err
	}
	counted := &countedWriter{to: w}
	out, begin := bufio.NewWriterSize(counted, pieceBytes), f.plan.header
	if shard != Whole {
		begin = f.shardBegin(shard)
	}
	_, _ = out.Write(begin) // Flush returns the first error
	var rows, last int64
	report := func(done float64) {
		if progress != nil {
			progress(Progress{Rows: rows, Bytes: counted.bytes + int64(out.Buffered()), Done: done})
		}
	}
	from, to := shard.Units(f.view.Parts())
	err := f.eachRow(ctx, from, to, func(at int64, row []byte, done float64) bool {
		if shard != Whole {
			var numbers [2 * binary.MaxVarintLen64]byte
			_, _ = out.Write(binary.AppendUvarint(binary.AppendUvarint(numbers[:0], uint64(at-last)), uint64(len(row))))
			last = at
		} else if rows == 0 {
			row = row[f.plan.lead():]
		}
		_, failed := out.Write(row)
		if rows++; rows%reportRows == 0 {
			report(done)
		}
		return failed == nil
	})
	if err != nil {
		return counted.bytes, err
	}
	if shard == Whole {
		_, _ = out.Write(f.plan.footer)
	}
	err = out.Flush()
	report(1)
	return counted.bytes, err
}

// countedWriter counts what it writes.
type countedWriter struct {
	to    io.Writer
	bytes int64
}

func (w *countedWriter) Write(text []byte) (int, error) {
	n, err := w.to.Write(text)
	w.bytes += int64(n)
	return n, err
}

// eachRow gives the rows of some units to take in their order, until it returns false, with the share of the units that are done.
func (f *File) eachRow(ctx context.Context, from, to int64, take func(at int64, row []byte, done float64) bool) error {
	rows, limit, done := int64(0), f.limit(), 0.0
	if limit == 0 {
		return nil
	}
	err := f.view.Write(ctx, f.renderer.spill.within(world.Output{
		Render: f.render, From: from, To: to, Do: f.renderer.Do,
		Take: func(at int64, text []byte) (bool, error) {
			if unfit := f.plan.unfit.Load(); unfit != nil && len(text) == 0 {
				return false, unfit
			}
			rows++
			return take(at, text, done) && rows < limit, nil
		},
		// Rows in order of time are written when all people were simulated.
		Done: func(unit int64) { done = float64(unit-from) / float64(to-from) },
	}))
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// render makes what renders rows in one goroutine.
func (f *File) render() world.Render {
	appendRow := f.plan.appendRow()
	return func(dst []byte, row *world.Row) ([]byte, int) {
		copies := 1
		if f.arrives != nil && !row.Given() {
			fate := f.arrives.Of(arriving(row))
			copies, row.Skew, row.Shift = fate.Copies, fate.Skew, fate.Shift
		}
		if copies == 0 {
			return dst, 0
		}
		return appendRow(dst, row), copies
	}
}
