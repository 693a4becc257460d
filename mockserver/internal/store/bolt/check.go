package bolt

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"strings"
	"time"

	"go.etcd.io/bbolt"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// Inspect reads a file that no server uses, for a rescue: the entries that are whole, and what is wrong with the others. The file
// stays as it is. An error says that it could not be read at all, or that the context ended before.
func Inspect(ctx context.Context, path string, rescue *store.Rescue) error {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return fmt.Errorf("state file %s: there is no such file", path)
	} else if err := checkPlace(path); err != nil {
		return err
	}
	return guarded(func() error {
		var file *os.File
		open := func(path string, flag int, mode os.FileMode) (_ *os.File, err error) {
			file, err = os.OpenFile(path, flag, mode)
			return file, err
		}
		db, err := bbolt.Open(path, fileMode, &bbolt.Options{ReadOnly: true, Timeout: time.Nanosecond, OpenFile: open})
		if err != nil {
			return explain(path, err)
		}
		tx, err := db.Begin(false)
		if err != nil {
			return errors.Join(explain(path, err), db.Close())
		}
		end := func() {
			_ = tx.Rollback() // of a transaction that reads
			_ = db.Close()
		}
		isWhole := false
		defer func() {
			if !isWhole {
				end()
			}
		}()
		if isWhole, err = inspect(ctx, file, tx, rescue); !isWhole { // a fault in what follows, which runs elsewhere, would end the program
			return err
		}
		return checkPages(ctx, tx, rescue, end)
	})
}

// checkPages looks for faults that no entry shows. Who looks reads the file to the end, which is waited for no longer than the context.
func checkPages(ctx context.Context, tx *bbolt.Tx, rescue *store.Rescue, end func()) error {
	found := tx.Check()
	for {
		select {
		case fault, more := <-found:
			if !more {
				end()
				return nil
			}
			rescue.Lose("%v", fault)
		case <-ctx.Done():
			go func() {
				for range found { // nobody wants to know
				}
				end()
			}()
			return context.Cause(ctx)
		}
	}
}

// inspect reads all entries, and reports whether each of them is whole.
func inspect(ctx context.Context, file *os.File, tx *bbolt.Tx, rescue *store.Rescue) (isWhole bool, err error) {
	about := tx.Bucket([]byte(formatBucket))
	if about == nil || string(about.Get([]byte(versionKey))) != format {
		return false, fmt.Errorf("state file %s: %w", file.Name(), errOtherFormat)
	}
	isWhole = readAll(ctx, file, tx, func(key string, value []byte) bool {
		text, err := whole(key, value)
		if err != nil {
			rescue.Lose("%v", err)
			return false
		}
		rescue.Add(store.Entry{Key: key, Value: text})
		return true
	}, rescue.Lose)
	if ctx.Err() != nil {
		return false, context.Cause(ctx)
	}
	return isWhole, nil
}

var errOtherFormat = errors.New("it has no format that this program knows: use the program that wrote it")

// readAll visits all entries until the context ends, tells what of the file cannot be read, and reports whether everything is whole.
func readAll(
	ctx context.Context, file io.ReaderAt, tx *bbolt.Tx,
	visit func(key string, value []byte) (isWhole bool), lose func(format string, arguments ...any),
) (isWhole bool) {
	counts := map[string]int{}
	isWhole = true
	lost := func(format string, arguments ...any) {
		isWhole = false
		lose(format, arguments...)
	}
	for _, table := range strings.Split(store.Tables, "") {
		err := guarded(func() error {
			bucket := tx.Bucket([]byte(table))
			if bucket == nil {
				return fs.ErrNotExist
			}
			if err := checkTree(file, bucket); err != nil {
				return err
			}
			return bucket.ForEach(func(key, value []byte) error {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				if counts[table]++; value == nil {
					batch := bucket.Bucket(key)
					if err := checkTree(file, batch); err != nil {
						return err
					}
					value = batch.Get([]byte(batchKey))
				}
				isWhole = visit(string(key), value) && isWhole
				return nil
			})
		})
		if ctx.Err() != nil {
			return false
		}
		if err != nil {
			lost("a part of the table %q cannot be read: %v", table, err)
		}
	}
	for _, table := range strings.Split(store.RecordTables, "") {
		if first := store.RecordTables[:1]; counts[table] != counts[first] {
			lost("there are %d exports, and %d entries of them in the table %q", counts[first], counts[table], table)
		}
	}
	return isWhole
}

// checkTree returns an error when a page of a bucket is below itself, where bbolt would read for ever: an earlier page in the place of a
// later one may lead back. Other faults are for the reader to find.
func checkTree(file io.ReaderAt, bucket *bbolt.Bucket) error {
	const header, element, branch = 16, 16, 1 // sizes of a page's header and of its elements, and the flag of pages that lead to others
	size := int64(bucket.Tx().DB().Info().PageSize)
	isAbove := map[uint64]bool{}
	var descend func(page uint64) error
	descend = func(page uint64) error {
		if above, isChecked := isAbove[page]; above {
			return damageError{fmt.Sprintf("page %d is below itself", page)}
		} else if isChecked {
			return nil
		}
		head := make([]byte, header)
		if _, err := file.ReadAt(head, int64(page)*size); err != nil || binary.NativeEndian.Uint16(head[8:]) != branch {
			return nil
		}
		elements := make([]byte, element*int(binary.NativeEndian.Uint16(head[10:])))
		if _, err := file.ReadAt(elements, int64(page)*size+header); err != nil {
			return nil
		}
		isAbove[page] = true
		for ; len(elements) > 0; elements = elements[element:] {
			if err := descend(binary.NativeEndian.Uint64(elements[8:])); err != nil {
				return err
			}
		}
		isAbove[page] = false
		return nil
	}
	return descend(uint64(bucket.Root()))
}
