package bolt

import (
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
// stays as it is. An error says that it could not be read at all.
func Inspect(path string, rescue *store.Rescue) error {
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
		defer db.Close()
		return db.View(func(tx *bbolt.Tx) error { return inspect(path, tx, rescue) })
	})
}

func inspect(path string, tx *bbolt.Tx, rescue *store.Rescue) error {
	about := tx.Bucket([]byte(formatBucket))
	if about == nil || string(about.Get([]byte(versionKey))) != format {
		return fmt.Errorf("state file %s: %w", path, errOtherFormat)
	}
	readAll(tx, func(key string, value []byte) bool {
		text, err := whole(key, value)
		if err != nil {
			rescue.Lose("%v", err)
			return false
		}
		rescue.Add(store.Entry{Key: key, Value: text})
		return true
	}, rescue.Lose)
	return nil
}

var errOtherFormat = errors.New("it has no format that this program knows: use the program that wrote it")

// readAll visits all entries, and tells what of the file cannot be read. It looks for less when a value is not whole.
func readAll(tx *bbolt.Tx, visit func(key string, value []byte) (isWhole bool), lose func(format string, arguments ...any)) {
	counts, isWhole := map[string]int{}, true
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
				if counts[table]++; value == nil {
					value = bucket.Bucket(key).Get([]byte(batchKey))
				}
				isWhole = visit(string(key), value) && isWhole
				return nil
			})
		})
		if err != nil {
			lost("a part of the table %q cannot be read: %v", table, err)
		}
	}
	for _, table := range strings.Split(store.RecordTables, "") {
		if first := store.RecordTables[:1]; counts[table] != counts[first] {
			lost("there are %d exports, and %d entries of them in the table %q", counts[first], counts[table], table)
		}
	}
	if !isWhole { // a fault in what follows, which runs elsewhere, would end the program
		return
	}
	for found := range tx.Check() {
		lose("%v", found)
	}
}
