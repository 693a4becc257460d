package rows

import (
	"context"
	"io"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// Progress is how far the writing of a file, or of a shard of one, has come.
type Progress struct {
	Rows  int64
	Bytes int64
	Done  float64 // the part of the work that is done, from 0 to 1
}

// pieceBytes is about how much text is written at a time.
const pieceBytes = 32 << 10

// WriteTo writes the whole file as one document, whatever the size of parts.
// It returns the number of bytes written and the first error of w.
func (f *File) WriteTo(w io.Writer) (int64, error) {
	return f.Write(context.Background(), w, Whole, nil)
}

// Write writes the file, or a shard of it, which [Merge] puts together with the others. All
// processors take part; the memory it takes does not depend on the size of the
// file. The context ends it early. progress, if not nil, is called now and then
// and at the end, always by the goroutine that called Write.
func (f *File) Write(ctx context.Context, w io.Writer, shard Shard, progress func(Progress)) (int64, error) {
	if err := shard.check(); err != nil {
		return 0, err
	}
	out := output{to: w, frame: f.frame(), progress: progress, limit: f.limit()}
	if shard != Whole {
		out.begin(shard, f.spec)
	} else {
		out.write(out.frame.Header)
	}
	var err error
	if from, to := shard.Units(f.view.Parts()); out.err == nil && out.limit > 0 {
		err = f.renderInOrder(ctx, from, to, out.take)
	}
	if !out.sharded {
		out.write(out.frame.Footer)
	}
	out.report(1)
	if out.err != nil {
		return out.bytes, out.err
	}
	return out.bytes, err
}

// output is where the rows of a file go, in their order.
type output struct {
	to       io.Writer
	frame    frame
	limit    int64
	rows     int64 // up to here
	bytes    int64
	err      error
	progress func(Progress)

	sharded bool
	last    int64 // when the last row of a shard was
	rest    []byte
}

func (o *output) write(text []byte) {
	if o.err != nil {
		return
	}
	n, err := o.to.Write(text)
	o.bytes += int64(n)
	o.err = err
}

// take writes a chunk, and says whether more may follow.
func (o *output) take(c *chunk) bool {
	c.cut(o.limit - o.rows)
	switch {
	case o.sharded:
		o.writeRows(c)
	case o.rows == 0 && len(c.ends) > 0:
		o.write(c.text[o.frame.Lead:])
	default:
		o.write(c.text)
	}
	o.rows += int64(len(c.ends))
	o.report(c.done)
	return o.err == nil && o.rows < o.limit
}

func (o *output) report(done float64) {
	if o.progress != nil {
		o.progress(Progress{Rows: o.rows, Bytes: o.bytes, Done: done})
	}
}

// chunk is the text of a few rows.
type chunk struct {
	done float64 // the part of the work up to here
	text []byte
	ends []int32 // of the rows, in the text
	at   []int64 // what orders the rows
}

// add adds a row: the text with it behind.
func (c *chunk) add(at int64, text []byte) {
	c.text = text
	c.ends, c.at = append(c.ends, int32(len(text))), append(c.at, at)
}

func (c *chunk) empty() { c.text, c.ends, c.at = c.text[:0], c.ends[:0], c.at[:0] }

// cut drops the rows beyond a number.
func (c *chunk) cut(most int64) {
	if most >= int64(len(c.ends)) {
		return
	}
	c.ends = c.ends[:most]
	end := int32(0)
	if most > 0 {
		end = c.ends[most-1]
	}
	c.text = c.text[:end]
}

// renderInOrder gives the rows of some units to take in their order, until it returns false.
func (f *File) renderInOrder(ctx context.Context, from, to int64, take func(*chunk) bool) error {
	c := chunk{text: make([]byte, 0, 2*pieceBytes)}
	more := true
	give := func() bool {
		more = take(&c)
		c.empty()
		return more
	}
	err := f.view.Write(ctx, f.renderer.spill.within(world.Output{
		Render: f.render, From: from, To: to, Do: f.renderer.limiter.DoAhead,
		Take: func(at int64, text []byte) (bool, error) {
			if c.add(at, append(c.text, text...)); len(c.text) >= pieceBytes {
				return give(), nil
			}
			return true, nil
		},
		// Rows in order of time are written when all people were simulated.
		Done: func(unit int64) { c.done = float64(unit-from) / float64(to-from) },
	}))
	if err == nil && more && len(c.ends) > 0 {
		give()
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return err
}

// render makes what renders rows in one goroutine.
func (f *File) render() world.Render {
	scratch := &scratch{}
	return func(dst []byte, row *world.Row) ([]byte, int) {
		copies := 1
		if f.arrives != nil && !row.Given() {
			fate := f.arrives.Of(arriving(row))
			copies, row.Skew, row.Shift = fate.Copies, fate.Skew, fate.Shift
		}
		if copies == 0 {
			return dst, 0
		}
		return f.plan.appendRow(dst, row, scratch), copies
	}
}
