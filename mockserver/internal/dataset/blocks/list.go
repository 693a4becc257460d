package blocks

import "encoding/binary"

// recordsPerBlock is how many records a block holds: as many as a unit of rows, which are rendered together.
const recordsPerBlock = 64

// List is records in blocks, each behind its length.
type List struct {
	Count  int64
	blocks Store
	full   []int64
	tail   []byte // the records behind the full blocks
}

// NewList makes an empty list.
func NewList(blocks Store) *List { return &List{blocks: blocks} }

// Add adds a copy of a record.
func (l *List) Add(record []byte) error {
	l.tail = binary.AppendUvarint(l.tail, uint64(len(record)))
	l.tail = append(l.tail, record...)
	if l.Count++; l.Count%recordsPerBlock > 0 {
		return nil
	}
	number, err := l.blocks.Add(l.tail)
	l.full, l.tail = append(l.full, number), l.tail[:0]
	return err
}

// Drop returns what gives the blocks back, and needs nothing else of the list.
func (l *List) Drop() func() error {
	kept, numbers := l.blocks, l.full
	return func() error { return kept.Drop(numbers) }
}

// Each visits the records with numbers from one on, and before another. A block that cannot be read panics: see [Decoder].
func (l *List) Each(from, to int64, visit func(number int64, record string)) {
	for at := from / recordsPerBlock; at*recordsPerBlock < to; at++ {
		text := l.tail
		if at < int64(len(l.full)) {
			var err error
			if text, err = l.blocks.Get(l.full[at], nil); err != nil {
				panic(err)
			}
		}
		d := NewDecoder(string(text))
		for number := at * recordsPerBlock; number < to && !d.Done(); number++ {
			if record := d.Text(); number >= from {
				visit(number, record)
			}
		}
	}
}
