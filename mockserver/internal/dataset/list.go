package dataset

import (
	"encoding/binary"
	"sync/atomic"
)

// blockRecords is how many records a block holds: as many as a unit of rows,
// which are rendered together.
const blockRecords = 64

// list is records in blocks, each behind its length. It only grows at its end,
// so what it held at any time is its beginning.
type list struct {
	blocks Blocks
	full   []int64 // blocks
	tail   []byte  // the records behind them
	count  int64
	err    error // of the disk: it stands until somebody asks
	// last are blocks that were read, for units that begin in the middle of one.
	last [16]atomic.Pointer[readBlock]
}

type readBlock struct {
	index int64
	text  string
}

func newList(blocks Blocks) *list { return &list{blocks: blocks} }

// add adds a record.
func (l *list) add(record []byte) {
	l.tail = binary.AppendUvarint(l.tail, uint64(len(record)))
	l.tail = append(l.tail, record...)
	if l.count++; l.count%blockRecords > 0 || l.err != nil {
		return
	}
	number, err := l.blocks.Add(l.tail)
	l.full, l.err = append(l.full, number), err
	l.tail = make([]byte, 0, len(l.tail)+len(l.tail)/8)
}

// until is the first records of the list, as they stay while it grows.
func (l *list) until(count int64) (*list, error) {
	if l.err != nil {
		return nil, l.err
	}
	full := count / blockRecords
	made := &list{blocks: l.blocks, full: l.full[:full:full], count: count}
	switch {
	case count%blockRecords == 0:
	case full < int64(len(l.full)):
		text, err := l.blocks.Get(l.full[full], nil)
		if err != nil {
			return nil, err
		}
		made.tail = beginningOf(text, count%blockRecords)
	default:
		made.tail = beginningOf(l.tail, count%blockRecords)
	}
	return made, nil
}

// truncate takes the records behind the first ones out again.
func (l *list) truncate(count int64) error {
	kept, err := l.until(count)
	if err != nil {
		return err
	}
	gone := l.full[len(kept.full):]
	l.full, l.count = kept.full, kept.count
	l.tail = append([]byte(nil), kept.tail...) // others may read the old one
	for i := range l.last {
		l.last[i].Store(nil)
	}
	return l.blocks.Drop(gone)
}

// beginningOf is the first records of a text.
func beginningOf(text []byte, count int64) []byte {
	at := 0
	for range count {
		length, n := binary.Uvarint(text[at:])
		at += n + int(length)
	}
	return text[:at:at]
}

// block is the text of a block of records, the last one included.
func (l *list) block(index int64, memory *[]byte) (string, error) {
	if index == int64(len(l.full)) {
		return string(l.tail), nil
	}
	place := &l.last[index%int64(len(l.last))]
	if known := place.Load(); known != nil && known.index == index {
		return known.text, nil
	}
	text, err := l.blocks.Get(l.full[index], (*memory)[:0])
	if err != nil {
		return "", err
	}
	*memory = text
	made := &readBlock{index, string(text)}
	place.Store(made)
	return made.text, nil
}

// cursor reads records of a list, one behind the other. It belongs to one
// goroutine.
type cursor struct {
	decoder
	list   *list
	begin  int   // of the present record in the text
	next   int64 // number of the record behind the present one
	end    int   // of the present one
	open   int64 // the block in the text, -1: none
	memory []byte
}

func (l *list) from(number int64) *cursor { return &cursor{list: l, next: number, open: -1} }

// more goes to the next record, before a limit. A block that cannot be read
// panics: see decoder.
func (c *cursor) more(limit int64) bool {
	if c.next >= limit {
		return false
	}
	if block := c.next / blockRecords; block != c.open {
		text, err := c.list.block(block, &c.memory)
		if err != nil {
			panic(err)
		}
		c.text, c.open, c.end = text, block, 0
		for range c.next % blockRecords {
			c.at = c.end
			length := int(c.uint())
			c.end = c.at + length
		}
	}
	c.at = c.end
	length := int(c.uint())
	c.begin, c.end = c.at, c.at+length
	c.next++
	return true
}

// number is that of the present record.
func (c *cursor) number() int64 { return c.next - 1 }

// record is the present record.
func (c *cursor) record() string { return c.text[c.begin:c.end] }

// rewind goes back to the beginning of the present record.
func (c *cursor) rewind() { c.at = c.begin }
