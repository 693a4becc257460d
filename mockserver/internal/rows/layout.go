package rows

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"unsafe"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/program"
)

// blockBytes is about how much of a file is rendered at a time, and held by
// every client that is slow to take it.
const blockBytes = 24 << 10

// blockBytesKept is what is kept of a block.
const blockBytesKept = int64(unsafe.Sizeof(block{}))

// block is a run of rows: it begins with row skip of a unit.
type block struct {
	unit   int64
	offset int64 // of its text among that of all rows of all parts
	skip   int32
	rows   int32
}

// PlacesKept is how many bytes the places of the blocks take. Layout comes first.
func (f *File) PlacesKept() int64 { return int64(len(f.blocks)) * blockBytesKept }

// Layout finds how long the file is and where its blocks begin, in one pass
// over its rows. It keeps 24 bytes per block. Calling it again does nothing.
func (f *File) Layout(ctx context.Context) error {
	f.laidOut.Lock()
	defer f.laidOut.Unlock()
	if f.parts != nil {
		return nil
	}
	blocks, end, err := f.measure(ctx)
	if err != nil {
		return err
	}
	f.blocks = append(blocks, block{offset: end})
	if !f.divide() {
		f.parts, f.spans = nil, nil
		return &PartsError{PartSize: f.spec.PartSize}
	}
	f.truncate()
	return nil
}

// measure finds the length of every row. The units are cut in pieces
// that processors take in turn; the result does not depend on who took which.
// See docs/explanation/performance.md#why-is-a-large-file-slow-to-start
func (f *File) measure(ctx context.Context) ([]block, int64, error) {
	const pieces = 4096
	units := f.view.Units()
	keeps := false
	if f.spec.MaxRows == nil {
		_, size := f.sample(0, units, 32)
		keeps = f.renderer.texts.Keeps(int64(size))
	}
	each := max((units+pieces-1)/pieces, 1)
	results := make([][]block, (units+each-1)/each)
	sizes := make([]int64, len(results))
	var (
		next     atomic.Int64
		counted  atomic.Int64
		kept     atomic.Int64
		tooMany  atomic.Bool
		workers  sync.WaitGroup
		panicked atomic.Pointer[error]
	)
	work := func() {
		// A panic in a goroutine of ours would end the program.
		defer func() {
			if cause := recover(); cause != nil {
				err := fmt.Errorf("laying out %s panicked: %v\n%s", f.export.Kind, cause, debug.Stack())
				panicked.Store(&err)
			}
		}()
		s := f.renderer.pool.GetScratch()
		defer f.renderer.pool.PutScratch(s)
		for ctx.Err() == nil {
			piece := next.Add(1) - 1
			if piece >= int64(len(results)) {
				return
			}
			f.renderer.Do(func() {
				results[piece], sizes[piece] = f.measurePiece(ctx, piece*each, min((piece+1)*each, units), s, keeps)
			})
			if kept.Add(int64(len(results[piece]))*blockBytesKept) > f.renderer.mostPlaces {
				tooMany.Store(true)
				next.Store(int64(len(results)))
				return
			}
			rows := int64(0)
			for _, b := range results[piece] {
				rows += int64(b.rows)
			}
			if counted.Add(rows) >= f.limit() && f.spec.MaxRows != nil {
				next.Store(int64(len(results)))
				return
			}
		}
	}
	count := runtime.GOMAXPROCS(0)
	if f.spec.MaxRows != nil {
		count = 1 // in order, so that it can stop when there are enough
	}
	for range count {
		workers.Go(work)
	}
	workers.Wait()
	if err := panicked.Load(); err != nil {
		return nil, 0, *err
	}
	if ctx.Err() != nil {
		return nil, 0, context.Cause(ctx)
	}
	if tooMany.Load() {
		return nil, 0, &PlacesError{Bytes: f.renderer.mostPlaces}
	}
	var (
		all    []block
		offset int64
		rest   = f.limit()
	)
	for piece, list := range results {
		for i, b := range list {
			if rest == 0 {
				return all, offset, nil
			}
			size := sizes[piece] - b.offset
			if i+1 < len(list) {
				size = list[i+1].offset - b.offset
			}
			if int64(b.rows) > rest {
				b.rows = int32(rest)
				size = int64(len(f.render(nil, b)))
			}
			rest -= int64(b.rows)
			b.offset = offset
			offset += size
			all = append(all, b)
		}
	}
	return all, offset, nil
}

// measurePiece is the blocks of a range of units, with offsets from 0, and the
// length of their text, which is kept if so wanted. What it is after the context has
// ended means nothing.
func (f *File) measurePiece(ctx context.Context, from, to int64, s *program.Scratch, keeps bool) (list []block, size int64) {
	target := f.blockTarget()
	open, begin := block{}, int64(0)
	var text []byte // of the open block
	end := func() {
		if list = append(list, open); keeps {
			f.renderer.texts.Put(program.TextKey{File: f.number, Unit: open.unit, Skip: open.skip}, bytes.Clone(text[:size-begin]))
			text = append(text[:0], text[size-begin:]...)
		}
	}
	for unit := from; unit < to; unit++ {
		if ctx.Err() != nil { // a unit of a large population takes long
			return nil, 0
		}
		s.Rows = f.view.Append(s.Rows[:0], unit)
		for i := range s.Rows {
			var length int64
			if keeps {
				before := len(text)
				text = f.plan.appendRow(text, &s.Rows[i], s)
				length = int64(len(text) - before)
			} else {
				length = int64(f.plan.rowLength(&s.Rows[i], s))
			}
			if open.rows > 0 && size+length-begin > target {
				end()
				open = block{}
			}
			if open.rows == 0 {
				open, begin = block{unit: unit, skip: int32(i), offset: size}, size
			}
			open.rows++
			size += length
		}
	}
	if open.rows > 0 {
		end()
	}
	return list, size
}

// blockTarget keeps blocks well below the size of a part, so that parts come
// close to it.
func (f *File) blockTarget() int64 {
	if f.spec.PartSize > 0 && !f.plan.format.CSV {
		return max(min(blockBytes, f.spec.PartSize/8), 1)
	}
	return blockBytes
}

// divide cuts the blocks in parts of at most the part size; a block that is
// larger alone has a part of its own. It is false when there are too many.
func (f *File) divide() bool {
	frame := int64(len(f.plan.header) + len(f.plan.footer))
	last := len(f.blocks) - 1
	limit := int64(1<<63 - 1)
	if f.spec.PartSize > 0 && !f.plan.format.CSV {
		limit = f.spec.PartSize
	}
	for first := 0; len(f.parts) < MostParts; {
		end, rows := first, int64(0)
		for end < last && (end == first || f.blocks[end+1].offset-f.blocks[first].offset+frame <= limit) {
			rows += int64(f.blocks[end].rows)
			end++
		}
		span := partSpan{first: first, last: end, begin: f.blocks[first].offset, bytes: f.blocks[end].offset - f.blocks[first].offset}
		if span.bytes > 0 {
			span.begin += int64(f.plan.lead())
			span.bytes -= int64(f.plan.lead())
		}
		number := len(f.parts) + 1
		f.spans = append(f.spans, span)
		f.parts = append(f.parts, Part{Number: number, Size: frame + span.bytes, Rows: rows, ETag: f.tag(number)})
		if first = end; first >= last {
			return true
		}
	}
	return false
}
