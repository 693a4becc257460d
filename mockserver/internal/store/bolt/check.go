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
	counts := map[string]int{}
	for _, table := range strings.Split(store.Tables, "") {
		if err := guarded(func() error { return rescueTable(tx, table, counts, rescue) }); err != nil {
			rescue.Lose("a part of the table %q cannot be read: %v", table, err)
		}
	}
	for _, table := range strings.Split(store.RecordTables, "") {
		if first := store.RecordTables[:1]; counts[table] != counts[first] {
			rescue.Lose("there are %d exports, and %d entries of them in the table %q", counts[first], counts[table], table)
		}
	}
	if len(rescue.Faults) == 0 { // a fault in what follows, which runs elsewhere, would end the program
		for found := range tx.Check() {
			rescue.Lose("%v", found)
		}
	}
	return nil
}

var errOtherFormat = errors.New("it has no format that this program knows: use the program that wrote it")

func rescueTable(tx *bbolt.Tx, table string, counts map[string]int, rescue *store.Rescue) error {
	bucket := tx.Bucket([]byte(table))
	if bucket == nil {
		return fs.ErrNotExist
	}
	return bucket.ForEach(func(key, value []byte) error {
		counts[table]++
		if value == nil {
			value = bucket.Bucket(key).Get([]byte(batchKey))
		}
		text, err := whole(string(key), value)
		if err != nil {
			rescue.Lose("%v", err)
			return nil
		}
		rescue.Add(store.Entry{Key: string(key), Value: text})
		return nil
	})
}
