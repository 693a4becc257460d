package input

import (
	"context"
	"encoding/binary"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
)

// partBytes is about how many bytes of rows a part has: as many as are in
// memory at a time, and in one batch of the store.
const partBytes = 2 << 20

// rowsBetweenQuestions is how many rows a spool takes before it asks again whether
// they are too many.
const rowsBetweenQuestions = 1024

// Spool is rows on their way into a log, in parts that are in blocks.
type Spool struct {
	// Fits, if not nil, refuses a number of rows that is too large.
	Fits func(rows int64) error
	// Work, if not nil, ends the work with the rows, such as checking them, when it
	// ends; what stores them has a context of its own.
	Work context.Context

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
	s.open = blocks.AppendText(s.open, row.Text)
	s.count++
	s.inOpen++
	s.most = max(s.most, s.inOpen)
	if s.Fits != nil && s.count%rowsBetweenQuestions == 0 {
		if err := s.Fits(int64(s.count)); err != nil {
			return err
		}
	}
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
	if err != nil {
		return err
	}
	s.parts, s.open, s.inOpen = append(s.parts, number), s.open[:0], 0
	return nil
}

// part divides the text of a part into rows, whose members are not read.
func (s *Spool) part(text []byte) []Row {
	rows := make([]Row, 0, s.most)
	for d := blocks.NewDecoder(string(text)); !d.Done(); {
		row := Row{Kind: Kinds()[d.Byte()]}
		row.File, row.Line, row.Column, row.number = s.files[d.Uint()], int(d.Uint()), int(d.Uint()), int(d.Uint())
		row.Text = d.Text()
		rows = append(rows, row)
	}
	return rows
}

// Each implements [Source]. The rows of one part are in memory at a time.
func (s *Spool) Each(ctx context.Context, visit func([]Row) error) error {
	if err := s.Flush(); err != nil {
		return err
	}
	memory := make([][]member, runtime.GOMAXPROCS(0))
	for _, number := range s.parts {
		text, err := s.blocks.Get(number, nil)
		if err != nil {
			return err
		}
		rows := s.part(text)
		if err := readMembers(memory, rows); err != nil {
			return err
		}
		if err := visit(rows); err != nil {
			return err
		}
		if err := ctx.Err(); err != nil {
			return err
		}
		if s.Work != nil && s.Work.Err() != nil {
			return context.Cause(s.Work)
		}
	}
	return nil
}

// readMembers reads the members of rows, by all processors, into memory that is used again.
func readMembers(memory [][]member, rows []Row) error {
	var work errgroup.Group
	share := len(rows)/len(memory) + 1
	for i := range memory {
		some := rows[:min(share, len(rows))]
		rows = rows[len(some):]
		work.Go(func() (err error) {
			all := memory[i][:0]
			for i := 0; err == nil && i < len(some); i++ {
				all, err = some[i].read(all)
			}
			memory[i] = all
			return err
		})
	}
	return work.Wait()
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
	from, err := s.blocks.Get(s.parts[part], nil)
	if err != nil {
		return nil, err
	}
	rows := s.part(from)
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
