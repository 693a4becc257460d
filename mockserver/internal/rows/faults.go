package rows

import (
	"io"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/program"
)

// byteOrderMark is U+FEFF in UTF-8.
const byteOrderMark = "\uFEFF"

// truncate ends the last part in the middle of its last row; a file without
// rows stays as it is.
func (f *File) truncate() {
	last := len(f.parts) - 1
	if !f.spec.Faults.Truncated || f.parts[last].Rows == 0 {
		return
	}
	f.parts[last].Size -= int64(len(f.plan.footer)) + (f.lastRow()+1)/2
}

// lastRow is the length of the last row of all.
func (f *File) lastRow() (length int64) {
	var s program.Scratch
	b := f.blocks[len(f.blocks)-2] // behind it stands the end
	skip, left := int(b.skip), int(b.rows)
	for unit := b.unit; left > 0; unit++ {
		s.Rows = f.view.Append(s.Rows[:0], unit)
		for i := skip; i < len(s.Rows) && left > 0; i++ {
			if left--; left == 0 {
				length = int64(f.plan.rowLength(&s.Rows[i], &s))
			}
		}
		skip = 0
	}
	return length
}

// shortReader reads a part that ends within a block.
type shortReader struct {
	whole *reader
}

func (r *shortReader) Read(into []byte) (int, error) {
	if rest := r.whole.size - r.whole.position; rest >= 0 && int64(len(into)) > rest {
		into = into[:rest]
	}
	if len(into) == 0 && !r.whole.closed {
		return 0, io.EOF
	}
	return r.whole.Read(into)
}

func (r *shortReader) Seek(offset int64, from int) (int64, error) {
	return r.whole.Seek(offset, from)
}

func (r *shortReader) Close() error { return r.whole.Close() }
