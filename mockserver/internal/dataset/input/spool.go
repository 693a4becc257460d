package input

import (
	"context"
	"encoding/binary"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
)

// partBytes is about how many bytes of rows a part has: as many as are in
// memory at a time, and in one batch of the store.
const partBytes = 4 << 20

// Spool is rows on their way into a log, in parts that are in blocks.
type Spool struct {
	blocks blocks.Store
	files  []string
	parts  []int64
	open   []byte
	count  int
	inOpen int
	most   int // rows in a part
}

// NewSpool makes an empty spool whose rows are kept in blocks.
func NewSpool(kept blocks.Store) *Spool { return &Spool{blocks: kept} }

// Len is how many rows there are.
func (s *Spool) Len() int { return s.count }

// Close forgets the rows.
func (s *Spool) Close() error {
	gone := s.parts
	*s = Spool{blocks: s.blocks}
	return s.blocks.Drop(gone)
}

// add adds a row that was read.
func (s *Spool) add(row *Row) error {
	file := len(s.files) - 1
	if file < 0 || s.files[file] != row.File {
		s.files = append(s.files, row.File)
		file++
	}
	s.open = append(s.open, kindCodes[row.Kind])
	for _, number := range []int{file, row.Line, row.Column, row.number} {
		s.open = binary.AppendUvarint(s.open, uint64(number))
	}
	s.open = blocks.AppendText(s.open, string(row.Text))
	s.count++
	s.inOpen++
	s.most = max(s.most, s.inOpen)
	if len(s.open) < partBytes {
		return nil
	}
	return s.Flush()
}

var kindCodes = map[Kind]byte{Profiles: 0, Installations: 1, Events: 2}

// Parts is how many parts there are.
func (s *Spool) Parts() int { return len(s.parts) }

// Flush ends a part.
func (s *Spool) Flush() error {
	if len(s.open) == 0 {
		return nil
	}
	number, err := s.blocks.Add(s.open)
	s.parts, s.open, s.inOpen = append(s.parts, number), s.open[:0], 0
	return err
}

// part reads the rows of a part, which are decoded if a scanner is given.
func (s *Spool) part(index int, scan *scanner) ([]Row, error) {
	text, err := s.blocks.Get(s.parts[index], nil)
	if err != nil {
		return nil, err
	}
	rows := make([]Row, 0, s.most)
	for d := blocks.NewDecoder(string(text)); !d.Done(); {
		row := Row{Kind: Kinds()[d.Byte()]}
		row.File, row.Line, row.Column, row.number = s.files[d.Uint()], int(d.Uint()), int(d.Uint()), int(d.Uint())
		plain := d.Text()
		end := len(text) - d.Left()
		row.Text = text[end-len(plain) : end : end]
		if scan != nil {
			if err := row.decodeText(scan, plain); err != nil {
				return nil, err
			}
		}
		rows = append(rows, row)
	}
	return rows, nil
}

// Each implements [Source]. The rows of one part are in memory at a time.
func (s *Spool) Each(ctx context.Context, visit func([]Row) error) error {
	if err := s.Flush(); err != nil {
		return err
	}
	scan := newScanner()
	for i := range s.parts {
		rows, err := s.part(i, scan)
		if err != nil {
			return err
		}
		if err := visit(rows); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
	}
	return nil
}

// Fill adds what another source has.
func (s *Spool) Fill(ctx context.Context, from Source) error {
	return from.Each(ctx, func(rows []Row) error {
		for i := range rows {
			if err := s.add(&rows[i]); err != nil {
				return err
			}
		}
		return nil
	})
}

// AppendRows appends the rows of a part to the members of a batch.
func (s *Spool) AppendRows(text []byte, part int) ([]byte, error) {
	rows, err := s.part(part, nil)
	if err != nil {
		return nil, err
	}
	for _, kind := range Kinds() {
		separator := `,"` + string(kind) + `":[`
		for i := range rows {
			if rows[i].Kind == kind {
				text = append(append(text, separator...), rows[i].Text...)
				separator = ","
			}
		}
		if separator == "," {
			text = append(text, ']')
		}
	}
	return text, nil
}
