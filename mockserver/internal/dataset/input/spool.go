package input

import (
	"context"
	"encoding/binary"
	"slices"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
)

// PartBeginning is how a batch begins that is a part of a later one.
const PartBeginning = `{"part":true`

// partBytes is about how many bytes of rows a part has: as many as are in memory at a time, and in one batch of the store.
const partBytes = 2 << 20

// rowsBetweenQuestions is how many rows a spool takes before it asks again whether they are too many.
const rowsBetweenQuestions = 1024

// Spool is rows on their way into a log, as the parts that a store gets, in blocks.
type Spool struct {
	// Fits, if not nil, refuses a number of rows that is too large.
	Fits func(rows int64) error
	// Work, if not nil, ends the work with the rows, such as checking them, when it ends; what stores them has a context of its own.
	Work context.Context

	blocks        blocks.Store
	files         []string
	parts, places []int64 // blocks of texts, and of where their rows were read
	open, at      []byte
	kind          int // of the last row in open, among all
	count         int
}

// NewSpool makes an empty spool whose rows are kept in blocks.
func NewSpool(kept blocks.Store) *Spool { return &Spool{blocks: kept} }

// Len is how many rows there are.
func (s *Spool) Len() int { return s.count }

// Close forgets the rows.
func (s *Spool) Close() error {
	gone := slices.Concat(s.parts, s.places)
	*s = Spool{blocks: s.blocks}
	return s.blocks.Drop(gone)
}

// add adds a row that was read.
func (s *Spool) add(row *Row) error {
	if s.count++; s.Fits != nil && s.count%rowsBetweenQuestions == 0 {
		if err := s.Fits(int64(s.count)); err != nil {
			return err
		}
	}
	kind := slices.Index(Kinds(), row.Kind)
	if len(s.open) > partBytes || kind < s.kind { // the rows of a part are in the order of kinds
		if err := s.Flush(); err != nil {
			return err
		}
	}
	begin := `,"` + string(row.Kind) + `":[`
	switch {
	case len(s.open) == 0:
		s.open = append(append(s.open, PartBeginning...), begin...)
	case kind == s.kind:
		s.open = append(s.open, ',')
	default:
		s.open = append(append(s.open, ']'), begin...)
	}
	s.open, s.kind = append(s.open, row.Text...), kind
	file := len(s.files) - 1
	if file < 0 || s.files[file] != row.File {
		s.files = append(s.files, row.File)
		file++
	}
	for _, number := range []int{file, row.Line, row.Column, row.number} {
		s.at = binary.AppendUvarint(s.at, uint64(number))
	}
	return nil
}

// Parts is how many parts there are.
func (s *Spool) Parts() int { return len(s.parts) }

// Part is the text of a part.
func (s *Spool) Part(number int) ([]byte, error) { return s.blocks.Get(s.parts[number], nil) }

// Flush ends a part.
func (s *Spool) Flush() error {
	if len(s.open) == 0 {
		return nil
	}
	part, err := s.blocks.Add(append(s.open, "]}"...))
	if err != nil {
		return err
	}
	s.parts = append(s.parts, part)
	place, err := s.blocks.Add(s.at)
	if err != nil {
		return err
	}
	s.places, s.open, s.at, s.kind = append(s.places, place), s.open[:0], s.at[:0], 0
	return nil
}

// Each implements [Source]. The rows of one part are in memory at a time.
func (s *Spool) Each(ctx context.Context, visit func([]Row) error) error {
	if err := s.Flush(); err != nil {
		return err
	}
	for i, number := range s.places {
		text, err := s.Part(i)
		if err != nil {
			return err
		}
		places, err := s.blocks.Get(number, nil)
		if err != nil {
			return err
		}
		d := blocks.NewDecoder(string(places))
		err = Batch{Text: text}.read(func(rows []Row) error {
			for i := range rows {
				row := &rows[i]
				row.File, row.Line, row.Column, row.number = s.files[d.Uint()], int(d.Uint()), int(d.Uint()), int(d.Uint())
			}
			return visit(rows)
		}, nil)
		if err != nil {
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
