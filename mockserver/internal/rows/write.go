package rows

import (
	"context"
	"fmt"
	"io"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/program"
)

// Progress is how far the writing of a file, or of a shard of one, has come.
type Progress struct {
	Rows  int64
	Bytes int64
	Done  float64 // the part of the work that is done, from 0 to 1
}

// WriteTo writes the whole file as one document, whatever the size of parts.
// It returns the number of bytes written and the first error of w.
func (f *File) WriteTo(w io.Writer) (int64, error) {
	return f.Write(context.Background(), w, Whole, nil)
}

// Write writes a shard of the file: the shards of a file, put together in order,
// are what WriteTo writes. Nothing outside of the shard is rendered. All
// processors take part; the memory it takes does not depend on the size of the
// file. The context ends it early. progress, if not nil, is called now and then
// and at the end, always by the goroutine that called Write.
func (f *File) Write(ctx context.Context, w io.Writer, shard Shard, progress func(Progress)) (int64, error) {
	if err := shard.check(); err != nil {
		return 0, err
	}
	from, to := shard.Units(f.view.Units())
	before, err := f.rowsBefore(ctx, from)
	if err != nil {
		return 0, err
	}
	out := output{file: f, to: w, rows: before, progress: progress, before: before, from: from, until: to}
	if shard.Number == 1 {
		out.write(f.plan.header)
	}
	if out.err == nil && before < f.limit() {
		err = f.renderInOrder(ctx, from, to, out.take)
	}
	if shard.Number == shard.Of {
		out.write(f.plan.footer)
	}
	out.report(to)
	if out.err != nil {
		return out.bytes, out.err
	}
	return out.bytes, err
}

// rowsBefore counts the rows before a unit: all of them when the file has a
// limit, and otherwise one at the most, as only the first row of a file looks
// different.
func (f *File) rowsBefore(ctx context.Context, unit int64) (int64, error) {
	enough := int64(1)
	if f.spec.MaxRows != nil {
		enough = f.limit()
	}
	return f.countRows(ctx, unit, enough)
}

// CountRows counts the rows of the file, up to a limit, without writing them.
func (f *File) CountRows(ctx context.Context, limit int64) (int64, error) {
	return f.countRows(ctx, f.view.Units(), min(limit, f.limit()))
}

func (f *File) countRows(ctx context.Context, units, limit int64) (count int64, err error) {
	if of, is := f.view.(*simulated); is {
		return of.count(ctx, f.plan, units, limit)
	}
	memory := f.renderer.pool.GetScratch()
	defer f.renderer.pool.PutScratch(memory)
	for unit := int64(0); unit < units && count < limit; unit++ {
		if err := ctx.Err(); err != nil {
			return 0, err
		}
		memory.Rows = f.view.Append(memory.Rows[:0], unit)
		count += int64(len(memory.Rows))
	}
	return min(count, limit), nil
}

// output is where the pieces of a file go, in their order.
type output struct {
	file     *File
	to       io.Writer
	rows     int64 // of the file up to here
	bytes    int64
	err      error
	progress func(Progress)

	before      int64 // rows before the shard
	from, until int64 // the units of the shard
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
	c.cut(o.file.limit() - o.rows)
	text := c.text
	if o.rows == 0 && len(c.ends) > 0 {
		text = text[o.file.plan.lead():]
	}
	o.rows += int64(len(c.ends))
	o.write(text)
	o.report(c.unit)
	return o.err == nil && o.rows < o.file.limit()
}

func (o *output) report(unit int64) {
	if o.progress == nil {
		return
	}
	done := 1.0
	if unit < o.until && o.rows < o.file.limit() {
		done = float64(unit-o.from) / float64(o.until-o.from)
		if limit := o.file.limit(); o.file.spec.MaxRows != nil {
			done = max(done, float64(o.rows-o.before)/float64(limit-o.before))
		}
	}
	o.progress(Progress{Rows: o.rows - min(o.before, o.rows), Bytes: o.bytes, Done: done})
}

// piece is a range of units that one worker renders, and the chunks that come
// of it.
type piece struct {
	from, to int64
	chunks   chan chunk
}

// chunk is the text of a few rows.
type chunk struct {
	unit int64 // behind those whose rows are written
	text []byte
	ends []int32 // of the rows, in the text
	err  error
}

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

// renderInOrder renders a range of units, in pieces that the processors share,
// and gives what comes of them to take in its order, until it returns false.
// How many rows a unit has differs much: a worker that is ahead of its turn
// waits with two chunks, however many its piece has.
func (f *File) renderInOrder(ctx context.Context, from, to int64, take func(*chunk) bool) error {
	if of, is := f.view.(*simulated); is {
		return of.renderInOrder(ctx, f.plan, from, to, take)
	}
	workers := runtime.GOMAXPROCS(0)
	work, stop := context.WithCancel(ctx)
	var group sync.WaitGroup
	defer group.Wait()
	defer stop()

	each := f.unitsPerPiece(from, to)
	queue := make(chan *piece, workers) // what take waits for, in order
	todo := make(chan *piece)
	group.Go(func() {
		defer close(queue)
		defer close(todo)
		for begin := from; begin < to; begin += each {
			p := &piece{from: begin, to: min(begin+each, to), chunks: make(chan chunk, 1)}
			for _, to := range []chan *piece{queue, todo} {
				select {
				case to <- p:
				case <-work.Done():
					return
				}
			}
		}
	})
	for range workers {
		group.Go(func() {
			for p := range todo {
				f.renderPiece(work, p)
			}
		})
	}
	for p := range queue {
		for open := true; open; {
			var c chunk
			select {
			case c, open = <-p.chunks:
			case <-ctx.Done():
			}
			if ctx.Err() != nil { // a piece may have ended before its end
				return context.Cause(ctx)
			}
			if c.err != nil {
				return c.err
			}
			if open && !take(&c) {
				return nil
			}
			f.renderer.pool.PutBuffer(c.text)
		}
	}
	if ctx.Err() != nil {
		return context.Cause(ctx)
	}
	return nil
}

// turn is how long a piece keeps others from the processors, about. So it may have the one
// that is kept for other requests, too.
const turn = time.Millisecond

// renderPiece makes a panic the error of the file: no caller stands above it.
func (f *File) renderPiece(work context.Context, p *piece) {
	defer close(p.chunks)
	send := func(c chunk) bool {
		select {
		case p.chunks <- c:
			return true
		case <-work.Done():
			return false
		}
	}
	defer func() {
		if cause := recover(); cause != nil {
			send(chunk{err: fmt.Errorf("writing %s panicked: %v\n%s", f.export.Kind, cause, debug.Stack())})
		}
	}()
	s := f.renderer.pool.GetScratch()
	defer f.renderer.pool.PutScratch(s)
	c := chunk{text: f.renderer.pool.GetBuffer()}
	next := 0 // the row of the unit that is to be written
	render := func() {
		for ends := time.After(turn); c.unit < p.to && len(c.text) < program.PieceBytes && work.Err() == nil; {
			if next == 0 {
				s.Rows = f.view.Append(s.Rows[:0], c.unit)
			}
			for ; next < len(s.Rows) && len(c.text) < program.PieceBytes; next++ {
				c.text = f.plan.appendRow(c.text, &s.Rows[next], s)
				c.ends = append(c.ends, int32(len(c.text)))
			}
			if next == len(s.Rows) {
				c.unit, next = c.unit+1, 0
			}
			select {
			case <-ends:
				return
			default:
			}
		}
	}
	for c.unit = p.from; c.unit < p.to && work.Err() == nil; {
		f.renderer.limiter.DoAhead(render)
		if len(c.text) < program.PieceBytes {
			continue
		}
		if !send(c) {
			return
		}
		c = chunk{unit: c.unit, text: f.renderer.pool.GetBuffer(), ends: make([]int32, 0, len(c.ends)+len(c.ends)/8)}
	}
	if len(c.ends) > 0 {
		send(c)
	}
}

// unitsPerPiece is how many units make about a piece: fewer when a shard has
// too few for all processors.
func (f *File) unitsPerPiece(from, to int64) int64 {
	f.pieces.once.Do(func() {
		units := f.view.Units()
		_, bytes := f.sample(0, units, 32)
		f.pieces.units = max(int64(program.PieceBytes*float64(units)/max(bytes, 1)), 1)
	})
	return max(min(f.pieces.units, (to-from)/int64(runtime.GOMAXPROCS(0))), 1)
}
