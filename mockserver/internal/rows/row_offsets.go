package rows

import "fmt"

// RowOffset is where a row begins in a part.
type RowOffset struct {
	// Offset counts the bytes of the part before the row.
	Offset int64
	// Row counts the rows of the part before it.
	Row int64
}

// Index gives the offsets of at most `most` rows of a part, from 1, evenly
// spread and in order, the first row among them: a reader can seek to rows in
// the middle of a file. An empty part has none. Layout comes first.
func (f *File) Index(part, most int) ([]RowOffset, error) {
	if part < 1 || part > len(f.parts) {
		return nil, fmt.Errorf("the file has no part %d; it has %d", part, len(f.parts))
	}
	span := f.spans[part-1]
	count := span.last - span.first
	step := (count + most - 1) / max(most, 1)
	marks := make([]RowOffset, 0, min(count, most))
	header, row := int64(len(f.plan.header)), int64(0)
	for i := range count {
		b := f.blocks[span.first+i]
		if i%step == 0 {
			// The first row of a part leaves out its lead, and so begins where
			// the span does.
			offset := max(b.offset-span.begin, 0)
			marks = append(marks, RowOffset{Offset: header + offset, Row: row})
		}
		row += int64(b.rows)
	}
	return marks, nil
}
