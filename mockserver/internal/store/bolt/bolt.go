// Package bolt keeps the state of a server in a file of bbolt, for one process at a time.
// See docs/decisions/server.md#which-database-is-in-the-state-file
package bolt

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"sync"

	"go.etcd.io/bbolt"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// engine is the [store.Engine] in a file. An acknowledged change survives the end of the process, kill -9 included.
// With [OpenDurable] it survives a power failure too; otherwise that may damage the file. One process at a time may use a file.
//
// Changes that wait at the same time share a commit, since a commit costs far more than a change. Reads never wait for changes.
type engine struct {
	path     string
	file     *os.File // the one that the database has open, whatever its path leads to later
	identity os.FileInfo
	db       *bbolt.DB
	writes   *queue
	broken   error // of a commit that found the file damaged: nothing is written any more; one commits at a time
	syncs    syncs // nothing is synced with a commit

	closeOnce sync.Once
	closeErr  error
}

// A table is a bucket of the file. A key of it is whole: those of bbolt are not empty.
const (
	formatBucket = "rehearsal"
	batchKey     = "batch" // of the bucket that each batch of the dataset is in: beside others, all of a page is written with each
)

// in returns the bucket of a key. One that grows at its end only fills its pages.
func in(tx *bbolt.Tx, key string) *bbolt.Bucket {
	const full = 0.95
	found := tx.Bucket([]byte(key[:1]))
	if key[:1] == store.RecordTables[1:2] {
		found.FillPercent = full
	}
	return found
}

// sumBytes is the length of the checksum before each value: of its key and itself.
const sumBytes = 4

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

func sumOf(key, value []byte) uint32 {
	return crc32.Update(crc32.Checksum(key, castagnoli), castagnoli, value)
}

// whole returns a value without its checksum, or the error of one that has changed since it was written.
func whole(key string, value []byte) (string, error) {
	if len(value) < sumBytes || binary.BigEndian.Uint32(value) != sumOf([]byte(key), value[sumBytes:]) {
		return "", damageError{fmt.Sprintf("the value of %.80q has changed since it was written", key)}
	}
	return string(value[sumBytes:]), nil
}

// reader reads in a transaction. What it returns is a copy.
type reader struct{ tx *bbolt.Tx }

// Get implements [store.Reader].
func (r reader) Get(_ context.Context, keys ...string) (found map[string]string, damage error) {
	found = make(map[string]string, len(keys))
	for _, key := range keys {
		bucket, name := in(r.tx, key), []byte(key)
		if key[:1] == store.DataTable {
			if bucket = bucket.Bucket(name); bucket == nil {
				continue
			}
			name = []byte(batchKey)
		}
		if value := bucket.Get(name); value != nil {
			if text, err := whole(key, value); err == nil {
				found[key] = text
			} else {
				damage = err
			}
		}
	}
	return found, damage
}

// Scan implements [store.Reader].
func (r reader) Scan(ctx context.Context, asked store.Range) (found []store.Entry, err error) {
	bucket := in(r.tx, asked.From)
	cursor := bucket.Cursor()
	begin, move := asked.From, cursor.Next
	if asked.Backwards {
		begin, move = asked.To, cursor.Prev
	}
	key, value := cursor.Seek([]byte(begin))
	switch {
	case asked.Backwards && key == nil:
		key, value = cursor.Last()
	case asked.Backwards:
		key, value = cursor.Prev()
	}
	for ; key != nil && len(found) < asked.Limit && string(key) >= asked.From && string(key) < asked.To; key, value = move() {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if asked.From[:1] == store.DataTable {
			value = bucket.Bucket(key).Get([]byte(batchKey))
		}
		text, err := whole(string(key), value)
		if err != nil {
			return nil, err
		}
		found = append(found, store.Entry{Key: string(key), Value: text})
	}
	return found, nil
}

// View implements [store.Engine].
func (e *engine) View(ctx context.Context, look func(store.Reader) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return e.explain(guarded(func() error { return e.db.View(func(tx *bbolt.Tx) error { return look(reader{tx}) }) }))
}

// Get implements [store.Engine].
func (e *engine) Get(ctx context.Context, keys ...string) (found map[string]string, err error) {
	err = e.View(ctx, func(r store.Reader) error { found, err = r.Get(ctx, keys...); return err })
	return found, err
}

// Scan implements [store.Engine].
func (e *engine) Scan(ctx context.Context, asked store.Range) (found []store.Entry, err error) {
	err = e.View(ctx, func(r store.Reader) error { found, err = r.Scan(ctx, asked); return err })
	return found, err
}

// put writes a value. Its failure spoils the transaction.
func put(tx *bbolt.Tx, key, value string) (err error) {
	bucket, name := in(tx, key), key
	if key[:1] == store.DataTable {
		name = batchKey
		if bucket, err = bucket.CreateBucketIfNotExists([]byte(key)); err != nil {
			return fileError{err}
		}
	}
	summed := append(make([]byte, sumBytes, sumBytes+len(value)), value...)
	binary.BigEndian.PutUint32(summed, sumOf([]byte(key), summed[sumBytes:]))
	return fileErrorOf(bucket.Put([]byte(name), summed))
}

// Change implements [store.Engine].
func (e *engine) Change(ctx context.Context, keys []string, change store.Change) error {
	return e.write(ctx, func(tx *bbolt.Tx) error {
		found, err := reader{tx}.Get(ctx, keys...)
		if err != nil {
			return err
		}
		number, err := in(tx, store.RecordTables).NextSequence()
		if err != nil {
			return fileError{err}
		}
		entries, err := called(change, found, int64(number))
		if err != nil {
			return err
		}
		for _, entry := range entries {
			if !entry.Gone {
				err = put(tx, entry.Key, entry.Value)
			} else {
				err = fileErrorOf(in(tx, entry.Key).Delete([]byte(entry.Key)))
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
}

// Replace implements [store.Engine].
func (e *engine) Replace(ctx context.Context, key string, fill func(before string, put store.Put) error) error {
	return e.write(ctx, func(tx *bbolt.Tx) error {
		found, err := reader{tx}.Get(ctx, key)
		if err != nil {
			return err
		}
		number := in(tx, store.RecordTables).Sequence()
		for _, table := range []byte(store.Tables) {
			err := tx.DeleteBucket([]byte{table})
			if err == nil {
				_, err = tx.CreateBucket([]byte{table})
			}
			if err != nil {
				return fileError{err}
			}
		}
		if err := in(tx, store.RecordTables).SetSequence(number); err != nil {
			return fileError{err}
		}
		return fileErrorOf(fill(found[key], func(key, value string) error { return put(tx, key, value) }))
	})
}

// Name implements [store.Engine].
func (e *engine) Name() string { return "state file " + e.path }

// Shared implements [store.Engine]: the file is locked.
func (*engine) Shared() bool { return false }

// Check implements [store.Engine].
func (e *engine) Check(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if _, closed := e.writes.waiting(); closed {
		return store.ErrClosed
	}
	if err := e.syncs.failed(); err != nil {
		return e.explain(err)
	}
	return e.isThere()
}

// Directory is the one that the file fills.
func (e *engine) Directory() string { return filepath.Dir(e.path) }

// Close implements [store.Engine]. Changes that were handed in are finished first.
func (e *engine) Close() error {
	e.closeOnce.Do(func() {
		e.writes.close()
		e.closeErr = e.explain(errors.Join(e.finish(), e.db.Close()))
	})
	return e.closeErr
}
