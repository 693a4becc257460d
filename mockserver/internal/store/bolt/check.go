package bolt

import (
	"context"
	"errors"
	"fmt"
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
		db, err := bbolt.Open(path, fileMode, &bbolt.Options{ReadOnly: true, Timeout: time.Nanosecond})
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
		if isWhole, err = inspect(ctx, path, tx, rescue); !isWhole { // a fault in what follows, which runs elsewhere, would end the program
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
func inspect(ctx context.Context, path string, tx *bbolt.Tx, rescue *store.Rescue) (isWhole bool, err error) {
	about := tx.Bucket([]byte(formatBucket))
	if about == nil || string(about.Get([]byte(versionKey))) != format {
		return false, fmt.Errorf("state file %s: %w", path, errOtherFormat)
	}
	isWhole = readAll(ctx, tx, func(key string, value []byte) bool {
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
	ctx context.Context, tx *bbolt.Tx, visit func(key string, value []byte) (isWhole bool), lose func(format string, arguments ...any),
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
			return bucket.ForEach(func(key, value []byte) error {
				if ctx.Err() != nil {
					return ctx.Err()
				}
				if counts[table]++; value == nil {
					value = bucket.Bucket(key).Get([]byte(batchKey))
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
