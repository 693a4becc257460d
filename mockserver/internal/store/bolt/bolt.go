// Package bolt keeps the state of a server in a file of bbolt, for one process at a time.
// See docs/decisions/server.md#which-database-is-in-the-state-file
package bolt

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"

	"go.etcd.io/bbolt"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// Store is the [store.Store] in a file. An acknowledged write survives the end of the process, kill -9 included.
// With [OpenDurable] it survives a power failure too; otherwise that may damage the file. One process at a time may use a file.
//
// Writes that wait at the same time share a commit, since a commit costs far more than a write. Reads never wait for writes.
type Store struct {
	path     string
	file     *os.File // the one that the database has open, whatever its path leads to later
	identity os.FileInfo
	db       *bbolt.DB
	writer   writer
	syncs    syncs // nothing is synced with a commit

	closeOnce sync.Once
	closeErr  error
}

var _ store.Store = (*Store)(nil)

// The buckets of the file. Records are in the order of their insertion, by a sequence number.
const (
	formatBucket   = "rehearsal"
	recordsBucket  = "records"  // sequence: record, as JSON
	idsBucket      = "ids"      // id: sequence
	ownersBucket   = "owners"   // owner and sequence: nothing
	limitsBucket   = "limits"   // token buckets, as JSON
	settingsBucket = "settings" // name: value
	dataBucket     = "data"     // generation: bucket with a batch of a dataset
)

// kept returns the names of the buckets that hold the state.
func kept() []string {
	return []string{recordsBucket, idsBucket, ownersBucket, limitsBucket, settingsBucket, dataBucket}
}

// in returns a bucket of the file. One that grows at its end only fills its pages.
func in(tx *bbolt.Tx, name string) *bbolt.Bucket {
	const full = 0.95
	found := tx.Bucket([]byte(name))
	if name == recordsBucket {
		found.FillPercent = full
	}
	return found
}

// nameKey returns the key of a name, which may be empty: those of bbolt are not.
func nameKey(name string) []byte { return append([]byte{'='}, name...) }

// numberKey returns the key of a number. Keys are in the order of their numbers.
func numberKey(number uint64) []byte { return binary.BigEndian.AppendUint64(nil, number) }

// ownerKey returns the beginning of the keys of an owner.
func ownerKey(owner string) []byte {
	return append(binary.AppendUvarint(nil, uint64(len(owner))), owner...)
}

// read runs a function on the state at one instant. What the file gives is valid only until it returns.
func (s *Store) read(ctx context.Context, look func(tx *bbolt.Tx) error) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.explain(guarded(func() error { return s.db.View(look) }))
}

// put writes a value. Its failure spoils the transaction.
func put(b *bbolt.Bucket, key, value []byte) error {
	if value == nil { // which reads as none in the same transaction
		value = []byte{}
	}
	return fileErrorOf(b.Put(key, value))
}

// Insert implements [store.Store].
func (s *Store) Insert(ctx context.Context, record *exports.Record, token *store.Token) error {
	encoded, err := store.EncodeRecord(record)
	if err != nil {
		return err
	}
	return s.write(ctx, func(tx *bbolt.Tx) error {
		var limit []byte // as it is afterwards
		if token != nil {
			if limit, err = takeToken(tx, token); err != nil {
				return err
			}
		}
		if err := insert(tx, record, encoded); err != nil || token == nil {
			return err
		}
		return put(in(tx, limitsBucket), nameKey(token.Bucket), limit)
	})
}

// insert adds a record, unless there is one with its id.
func insert(tx *bbolt.Tx, record *exports.Record, encoded string) error {
	ids, records := in(tx, idsBucket), in(tx, recordsBucket)
	id := nameKey(record.ID)
	if ids.Get(id) != nil {
		return fmt.Errorf("record %.80q: %w", record.ID, store.ErrExists)
	}
	next, err := records.NextSequence()
	if err != nil {
		return fileError{err}
	}
	sequence := numberKey(next)
	if err = put(ids, id, sequence); err == nil {
		err = put(records, sequence, []byte(encoded))
	}
	if err == nil {
		err = put(in(tx, ownersBucket), append(ownerKey(record.Owner), sequence...), nil)
	}
	return err
}

// decode reads a stored record.
func decode(encoded []byte) (*exports.Record, error) {
	record, err := store.DecodeRecord(encoded)
	return record, fileErrorOf(err)
}

// sequenceOf returns the key of the record with an id. It is a copy.
func sequenceOf(tx *bbolt.Tx, id string) ([]byte, error) {
	sequence := in(tx, idsBucket).Get(nameKey(id))
	if sequence == nil {
		return nil, store.NotFound("record", id)
	}
	return bytes.Clone(sequence), nil
}

// recordOf returns the record with an id, and its key.
func recordOf(tx *bbolt.Tx, id string) (record *exports.Record, sequence []byte, err error) {
	if sequence, err = sequenceOf(tx, id); err == nil {
		record, err = decode(in(tx, recordsBucket).Get(sequence))
	}
	return record, sequence, err
}

// Get implements [store.Store].
func (s *Store) Get(ctx context.Context, id string) (found *exports.Record, err error) {
	err = s.read(ctx, func(tx *bbolt.Tx) error {
		found, _, err = recordOf(tx, id)
		return err
	})
	return found, err
}

// Update implements [store.Store]. The change runs inside a transaction, and again if that has to be repeated.
func (s *Store) Update(ctx context.Context, id string, change func(*exports.Record) error) (after *exports.Record, err error) {
	err = s.write(ctx, func(tx *bbolt.Tx) error {
		before, sequence, err := recordOf(tx, id)
		if err != nil {
			return err
		}
		if err = calling(func() (err error) { after, err = store.Apply(before, change); return err }); err != nil {
			return err
		}
		encoded, err := store.EncodeRecord(after)
		if err != nil {
			return err
		}
		return put(in(tx, recordsBucket), sequence, []byte(encoded))
	})
	if err != nil {
		return nil, err
	}
	return after, nil
}

// List implements [store.Store].
func (s *Store) List(ctx context.Context, options store.ListOptions) (page []*exports.Record, err error) {
	err = s.read(ctx, func(tx *bbolt.Tx) error {
		var before []byte // the sequence of the record behind which the page begins
		if options.After != "" {
			last, sequence, err := recordOf(tx, options.After)
			if err != nil {
				return err
			}
			if !options.Matches(last) {
				return store.NotFound("record", options.After)
			}
			before = sequence
		}
		return backwards(tx, options.Owner, before, func(record *exports.Record) (more bool) {
			if options.Matches(record) {
				page = append(page, record)
			}
			return len(page) < options.PageSize()
		})
	})
	if err != nil {
		return nil, err
	}
	return page, nil
}

// backwards calls visit with records, the last one first: those of one owner, or with "" all, before a sequence or nil.
func backwards(tx *bbolt.Tx, owner string, before []byte, visit func(record *exports.Record) (more bool)) error {
	records, prefix := in(tx, recordsBucket), []byte(nil)
	cursor := records.Cursor()
	if owner != "" {
		cursor, prefix = in(tx, ownersBucket).Cursor(), ownerKey(owner)
	}
	if before == nil {
		before = numberKey(1<<64 - 1)
	}
	found, _ := cursor.Seek(append(bytes.Clone(prefix), before...))
	if found != nil {
		found, _ = cursor.Prev()
	} else {
		found, _ = cursor.Last()
	}
	for ; found != nil && bytes.HasPrefix(found, prefix); found, _ = cursor.Prev() {
		if record, err := decode(records.Get(found[len(prefix):])); err != nil || !visit(record) {
			return err
		}
	}
	return nil
}

// removeRecord deletes a record and what belongs to it.
func removeRecord(tx *bbolt.Tx, record *exports.Record) error {
	sequence, err := sequenceOf(tx, record.ID)
	for bucket, key := range map[string][]byte{
		idsBucket: nameKey(record.ID), ownersBucket: append(ownerKey(record.Owner), sequence...), recordsBucket: sequence,
	} {
		if err == nil {
			err = in(tx, bucket).Delete(key)
		}
	}
	return fileErrorOf(err)
}

// DeleteOwned implements [store.Store].
func (s *Store) DeleteOwned(ctx context.Context, owner string, buckets []string) (deleted int, err error) {
	err = s.write(ctx, func(tx *bbolt.Tx) error {
		var owned []*exports.Record
		err := backwards(tx, owner, nil, func(record *exports.Record) bool {
			if record.Owner == owner { // "" stands for all
				owned = append(owned, record)
			}
			return true
		})
		for _, record := range owned {
			if err == nil {
				err = removeRecord(tx, record)
			}
		}
		for _, key := range buckets {
			if err == nil {
				err = fileErrorOf(in(tx, limitsBucket).Delete(nameKey(key)))
			}
		}
		deleted = len(owned)
		return err
	})
	if err != nil {
		return 0, err
	}
	return deleted, nil
}

// Prune implements [store.Store].
func (s *Store) Prune(ctx context.Context, after int64, old func(*exports.Record) bool) (deleted int, next int64, err error) {
	err = s.write(ctx, func(tx *bbolt.Tx) error {
		var found []*exports.Record
		cursor, looked := in(tx, recordsBucket).Cursor(), 0
		next = 0
		for sequence, encoded := cursor.Seek(numberKey(uint64(after) + 1)); sequence != nil && looked < store.PrunePage; sequence, encoded = cursor.Next() {
			record, err := decode(encoded)
			if err == nil {
				err = calling(func() error {
					if old(record) {
						found = append(found, record)
					}
					return nil
				})
			}
			if err != nil {
				return err
			}
			if looked++; looked == store.PrunePage {
				next = int64(binary.BigEndian.Uint64(sequence))
			}
		}
		for _, record := range found {
			if err := removeRecord(tx, record); err != nil {
				return err
			}
		}
		deleted = len(found)
		return nil
	})
	if err != nil {
		return 0, 0, err
	}
	return deleted, next, nil
}

// Check implements [store.Store].
func (s *Store) Check(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if _, closed := s.writer.waiting(); closed {
		return store.ErrClosed
	}
	if err := s.syncs.failed(); err != nil {
		return s.explain(err)
	}
	return s.isThere()
}

// Directory is the one that the file fills.
func (s *Store) Directory() string { return filepath.Dir(s.path) }

// Close implements [store.Store]. Writes that were handed in are finished first.
func (s *Store) Close() error {
	s.closeOnce.Do(func() {
		s.writer.close()
		s.commitWaiting()
		s.closeErr = s.explain(errors.Join(s.finish(), s.db.Close()))
	})
	return s.closeErr
}
