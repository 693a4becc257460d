package rows

import (
	"context"
	"fmt"
	"runtime"
	"time"
	"unsafe"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/inorder"
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
	return f.use(blocks, end)
}

// use takes blocks as those of the file, which end at an offset. The lock is held.
func (f *File) use(blocks []block, end int64) error {
	f.blocks = append(blocks, block{offset: end})
	if !f.divide() {
		f.parts, f.spans = nil, nil
		return &PartsError{PartSize: f.spec.PartSize}
	}
	f.truncate()
	return nil
}

// measure finds the length of every row. The units are cut in pieces that processors take
// in turn; the result does not depend on who took which.
// See docs/explanation/performance.md#why-is-a-large-file-slow-to-start
func (f *File) measure(ctx context.Context) (all []block, end int64, err error) {
	const pieces = 4096
	units, keeps := f.view.Units(), false
	each := max((units+pieces-1)/pieces, 1)
	if f.spec.MaxRows == nil {
		_, size := f.sample(0, units, 32)
		keeps = f.renderer.texts.Keeps(int64(size))
		if f.plan.format.CSV { // a block of another format may be where a part ends
			each = max(each, int64(float64(units)*min(pieceBytes/max(size, 1), 1)))
		}
	}
	work := func(piece int64) measured { return f.measurePiece(ctx, piece*each, min((piece+1)*each, units), keeps) }
	kept := textKeeper{file: f}
	rest, tooMany := f.limit(), false
	take := func(m measured) bool {
		for i, b := range m.blocks {
			size := m.size - b.offset
			if i+1 < len(m.blocks) {
				size = m.blocks[i+1].offset - b.offset
			}
			if int64(b.rows) > rest {
				b.rows = int32(rest)
				size = int64(len(f.render(nil, b)))
			}
			if keeps {
				kept.add(end, m.text[b.offset:b.offset+size])
			}
			rest -= int64(b.rows)
			b.offset = end
			end += size
			if all = append(all, b); rest == 0 {
				return false
			}
		}
		tooMany = int64(len(all))*blockBytesKept > f.renderer.mostPlaces
		return !tooMany
	}
	workers := runtime.GOMAXPROCS(0)
	if f.spec.MaxRows != nil {
		workers = 1 // there are soon enough
	}
	if rest > 0 {
		err = inorder.Do(ctx, workers, (units+each-1)/each, work, take)
	}
	switch {
	case err != nil && ctx.Err() == nil:
		return nil, 0, fmt.Errorf("laying out %s %w", f.export.Kind, err)
	case err != nil:
		return nil, 0, err
	case tooMany:
		return nil, 0, &PlacesError{Bytes: f.renderer.mostPlaces}
	}
	kept.end()
	return all, end, nil
}

// pieceBytes is about how much text a piece of a CSV file has at least: where one ends, so
// does a block.
const pieceBytes = 4 * blockBytes

// turn is how long a piece keeps others from the processors, about. So it may have the one
// that is kept for other requests, too.
const turn = time.Millisecond

// measured are the blocks of a range of units, with offsets from 0, the length of their text, and the text if it is kept.
type measured struct {
	blocks []block
	size   int64
	text   []byte
}

// measurePiece measures a range of units. What it returns after the context has ended means nothing.
func (f *File) measurePiece(ctx context.Context, from, to int64, keeps bool) (m measured) {
	s := f.renderer.pool.GetScratch()
	defer f.renderer.pool.PutScratch(s)
	target, open, unit := f.blockTarget(), block{}, from
	add := func(skip int, count int32, length int64) {
		if open.rows > 0 && m.size+length-open.offset > target {
			m.blocks = append(m.blocks, open)
			open = block{}
		}
		if open.rows == 0 {
			open = block{unit: unit, skip: int32(skip), offset: m.size}
		}
		open.rows += count
		m.size += length
	}
	measureUnit := func() {
		if !keeps {
			if count, size, known := program.Size(f.plan.variants, f.view, unit, s); known && size <= target {
				add(0, int32(count), size) // no block ends in it
				return
			}
		}
		s.Rows = f.view.Append(s.Rows[:0], unit)
		for i := range s.Rows {
			var length int64
			if keeps {
				m.text = f.plan.appendRow(m.text, &s.Rows[i], s)
				length = int64(len(m.text)) - m.size
			} else {
				length = int64(f.plan.rowLength(&s.Rows[i], s))
			}
			add(i, 1, length)
		}
	}
	for unit < to && ctx.Err() == nil {
		f.renderer.limiter.DoAhead(func() {
			for ends := time.After(turn); unit < to && ctx.Err() == nil; {
				measureUnit()
				unit++
				select {
				case <-ends:
					return
				default:
				}
			}
		})
	}
	if open.rows > 0 {
		m.blocks = append(m.blocks, open)
	}
	return m
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
