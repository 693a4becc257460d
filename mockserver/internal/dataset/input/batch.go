package input

import (
	"context"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"
)

// Batch are the rows of a stored batch.
type Batch struct{ Text []byte }

// chunkRows is how many rows of a batch are in memory at a time.
const chunkRows = 1 << 14

// Each implements [Source].
func (b Batch) Each(_ context.Context, visit func([]Row) error) error {
	var rows []Row
	count := 0
	err := b.each(func(kind Kind, text string) error {
		row := Row{Kind: kind, Text: text, number: count}
		if _, err := row.read(nil); err != nil {
			return err
		}
		if err := row.check(); err != nil {
			return err
		}
		if !row.hasIdentifier() {
			return fmt.Errorf("a row of %s has no identifier: %.80s", kind, text)
		}
		count++
		if rows = append(rows, row); len(rows) < chunkRows {
			return nil
		}
		err := visit(rows)
		rows = rows[:0]
		return err
	})
	if err != nil || len(rows) == 0 {
		return err
	}
	return visit(rows)
}

// Count is how many rows there are.
func (b Batch) Count() (rows int64) {
	_ = b.each(func(Kind, string) error { rows++; return nil })
	return rows
}

// each visits the rows, those of one kind after those of another.
func (b Batch) each(visit func(kind Kind, text string) error) error {
	if !jsontext.Value(b.Text).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
		return fmt.Errorf("no batch of rows: %.80s", b.Text)
	}
	members, _ := membersOf(string(b.Text), nil)
	for _, kind := range Kinds() {
		for _, m := range members {
			if m.name != string(kind) {
				continue
			}
			if err := eachItem(m.value, func(item string) error { return visit(kind, item) }); err != nil {
				return err
			}
		}
	}
	return nil
}
