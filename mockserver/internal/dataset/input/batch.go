package input

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// Batch are the rows of a stored batch.
type Batch struct{ Text []byte }

// chunkRows is how many rows of a batch are in memory at a time.
const chunkRows = 1 << 14

// Each implements [Source].
func (b Batch) Each(_ context.Context, visit func([]Row) error) error {
	scan, count := newScanner(), 0
	var rows []Row
	for _, kind := range Kinds() {
		err := eachOf(b.Text, string(kind), func(text []byte) error {
			row := Row{Kind: kind, Text: bytes.Clone(text), number: count}
			if err := row.decode(scan); err != nil {
				return err
			}
			if !row.hasIdentifier() {
				return noIdentifier(kind, text)
			}
			count++
			if rows = append(rows, row); len(rows) < chunkRows {
				return nil
			}
			err := visit(rows)
			rows = rows[:0]
			return err
		})
		if err != nil {
			return err
		}
	}
	if len(rows) == 0 {
		return nil
	}
	return visit(rows)
}

// Count is how many rows there are.
func (b Batch) Count() (rows int64) {
	for _, kind := range Kinds() {
		_ = eachOf(b.Text, string(kind), func([]byte) error { rows++; return nil })
	}
	return rows
}

// eachOf visits the items of an array that is a member of a JSON object. What it
// visits is good until visit returns.
func eachOf(text []byte, member string, visit func([]byte) error) error {
	d := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if _, err := d.ReadToken(); err != nil {
		return err
	}
	for d.PeekKind() == '"' {
		name, err := d.ReadToken()
		if err != nil {
			return err
		}
		if name.String() != member || d.PeekKind() != '[' {
			if err := d.SkipValue(); err != nil {
				return err
			}
			continue
		}
		if _, err := d.ReadToken(); err != nil {
			return err
		}
		for d.PeekKind() != ']' {
			item, err := d.ReadValue()
			if err != nil {
				return err
			}
			if err := visit(item); err != nil {
				return err
			}
		}
		if _, err := d.ReadToken(); err != nil {
			return err
		}
	}
	if _, err := d.ReadToken(); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	return nil
}

func noIdentifier(kind Kind, text []byte) error {
	return fmt.Errorf("a row of %s has no identifier: %.80s", kind, text)
}
