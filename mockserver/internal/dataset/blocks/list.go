package blocks

import "encoding/binary"

// RecordsPerBlock is how many records a block holds: as many as a unit of rows,
// which are rendered together.
const RecordsPerBlock = 64

// List is records in blocks, each behind its length. It only grows at its end,
// so what it held at any time is its beginning.
type List struct {
	Blocks Store
	Full   []int64 // blocks
	tail   []byte  // the records behind them
	Count  int64
	Err    error // of the disk: it stands until the records are taken out again
}

// NewList makes an empty list.
func NewList(blocks Store) *List { return &List{Blocks: blocks} }

// Add adds a record.
func (l *List) Add(record []byte) {
	if l.Err != nil {
		return // nobody waits for what follows
	}
	l.tail = binary.AppendUvarint(l.tail, uint64(len(record)))
	l.tail = append(l.tail, record...)
	if l.Count++; l.Count%RecordsPerBlock > 0 {
		return
	}
	number, err := l.Blocks.Add(l.tail)
	if l.Err = err; err != nil {
		return // some records in the tail may have been there before, and stay
	}
	l.Full = append(l.Full, number)
	l.tail = make([]byte, 0, len(l.tail)+len(l.tail)/8)
}

// Until is the first records of the list, as they stay while it grows.
func (l *List) Until(count int64) (*List, error) {
	if l.Err != nil {
		return nil, l.Err
	}
	full := count / RecordsPerBlock
	made := &List{Blocks: l.Blocks, Full: l.Full[:full:full], Count: count}
	switch {
	case count%RecordsPerBlock == 0:
	case full < int64(len(l.Full)):
		text, err := l.Blocks.Get(l.Full[full], nil)
		if err != nil {
			return nil, err
		}
		made.tail = beginningOf(text, count%RecordsPerBlock)
	default:
		made.tail = beginningOf(l.tail, count%RecordsPerBlock)
	}
	return made, nil
}

// Truncate takes the records behind the first ones out again.
func (l *List) Truncate(count int64) error {
	l.Err = nil
	kept, err := l.Until(count)
	if err != nil {
		return err
	}
	gone := l.Full[len(kept.Full):]
	l.Full, l.Count = kept.Full, kept.Count
	l.tail = append([]byte(nil), kept.tail...) // others may read the old one
	return l.Blocks.Drop(gone)
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
func (l *List) block(index int64) (string, error) {
	if index == int64(len(l.Full)) {
		return string(l.tail), nil
	}
	text, err := l.Blocks.Get(l.Full[index], nil)
	return string(text), err
}

// Cursor reads records of a list in order. It belongs to one
// goroutine.
type Cursor struct {
	Decoder
	list  *List
	begin int   // of the present record in the text
	next  int64 // number of the record behind the present one
	end   int   // of the present one
	open  int64 // the block in the text, -1: none
}

// From reads from a record on.
func (l *List) From(number int64) *Cursor { return &Cursor{list: l, next: number, open: -1} }

// More goes to the next record, before a limit. A block that cannot be read
// panics: see [Decoder].
func (c *Cursor) More(limit int64) bool {
	if c.next >= limit {
		return false
	}
	if block := c.next / RecordsPerBlock; block != c.open {
		text, err := c.list.block(block)
		if err != nil {
			panic(err)
		}
		c.text, c.open, c.end = text, block, 0
		for range c.next % RecordsPerBlock {
			c.at = c.end
			length := int(c.Uint())
			c.end = c.at + length
		}
	}
	c.at = c.end
	length := int(c.Uint())
	c.begin, c.end = c.at, c.at+length
	c.next++
	return true
}

// Number is that of the present record.
func (c *Cursor) Number() int64 { return c.next - 1 }

// Record is the present record.
func (c *Cursor) Record() string { return c.text[c.begin:c.end] }
