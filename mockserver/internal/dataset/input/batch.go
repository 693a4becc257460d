package input

import (
	"context"
	"fmt"
	"runtime"
	"slices"

	"github.com/go-json-experiment/json/jsontext"
	"golang.org/x/sync/errgroup"
)

// Batch are the rows of a stored batch.
type Batch struct {
	Text []byte
	// Known says that the rows were read before, without an error.
	Known bool
}

// chunkRows is how many rows of a batch are in memory at a time.
const chunkRows = 1 << 14

// Each implements [Source].
func (b Batch) Each(_ context.Context, visit func([]Row) error) error {
	if b.Known {
		return b.read(visit, nil)
	}
	if !jsontext.Value(b.Text).IsValid(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)) {
		return fmt.Errorf("no batch of rows: %.80s", b.Text)
	}
	return b.read(visit, func(row *Row) error {
		if err := row.check(); err != nil {
			return err
		}
		if !row.hasIdentifier() {
			return fmt.Errorf("a row of %s has no identifier: %.80s", row.Kind, row.Text)
		}
		return nil
	})
}

// read visits the rows with their members, each of which is looked at before.
func (b Batch) read(visit func([]Row) error, look func(*Row) error) error {
	return b.chunks(func(rows []Row) error {
		if err := readMembers(rows, look); err != nil {
			return err
		}
		return visit(rows)
	})
}

// chunks visits the rows, some at a time, whose members are not read.
func (b Batch) chunks(visit func([]Row) error) error {
	var rows []Row
	count := 0
	err := b.each(func(kind Kind, text string) error {
		rows = append(rows, Row{Kind: kind, Text: text, number: count})
		if count++; len(rows) < chunkRows {
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

// readMembers reads the members of rows, by all processors, and looks at each.
func readMembers(rows []Row, look func(*Row) error) error {
	return inParallel(rows, func(some []Row) (err error) {
		all := make([]member, 0, 4*len(some))
		for i := range some {
			if all, err = some[i].read(all); err == nil && look != nil {
				err = look(&some[i])
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// inParallel divides a list among all processors.
func inParallel[T any](list []T, work func(some []T) error) error {
	var all errgroup.Group
	share := len(list)/runtime.GOMAXPROCS(0) + 1
	for some := range slices.Chunk(list, share) {
		all.Go(func() error { return work(some) })
	}
	return all.Wait()
}
