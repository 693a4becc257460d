package bolt

import (
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"fmt"

	"go.etcd.io/bbolt"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// takeToken returns the bucket of a token without it. It writes nothing.
func takeToken(tx *bbolt.Tx, token *store.Token) ([]byte, error) {
	before, err := decodeLimit(in(tx, limitsBucket).Get(nameKey(token.Bucket)))
	if err != nil {
		return nil, err
	}
	after, err := token.TakeFrom(before)
	if err != nil {
		return nil, err
	}
	return encodeLimit(token.Bucket, after)
}

func encodeLimit(key string, limit exports.Bucket) ([]byte, error) {
	encoded, err := json.Marshal(limit)
	if err != nil {
		return nil, fmt.Errorf("bucket %.80q cannot be stored: %w", key, err)
	}
	return encoded, nil
}

// decodeLimit reads a stored token bucket; nil is one that was never used.
func decodeLimit(encoded []byte) (limit exports.Bucket, err error) {
	if encoded == nil {
		return limit, nil
	}
	if err := json.Unmarshal(encoded, &limit); err != nil {
		return limit, fileError{fmt.Errorf("a stored bucket is not readable: %w", err)}
	}
	return limit, nil
}

// setting returns a copy of a setting; nil: there is none.
func setting(tx *bbolt.Tx, name string) []byte {
	found := in(tx, settingsBucket).Get(nameKey(name))
	if found == nil {
		return nil
	}
	return append([]byte{}, found...)
}

// Setting implements [store.Store].
func (s *Store) Setting(ctx context.Context, name string) (value []byte, err error) {
	err = s.read(ctx, func(tx *bbolt.Tx) error {
		if value = setting(tx, name); value == nil {
			return store.NotFound("setting", name)
		}
		return nil
	})
	return value, err
}

// SetSetting implements [store.Store].
func (s *Store) SetSetting(ctx context.Context, name string, value []byte) error {
	return s.write(ctx, func(tx *bbolt.Tx) error { return put(in(tx, settingsBucket), nameKey(name), value) })
}

// UpdateSetting implements [store.Store].
func (s *Store) UpdateSetting(ctx context.Context, name string, change func([]byte) ([]byte, error)) error {
	return s.write(ctx, func(tx *bbolt.Tx) error {
		var after []byte
		err := calling(func() (err error) { after, err = change(setting(tx, name)); return err })
		if err != nil {
			return err
		}
		return put(in(tx, settingsBucket), nameKey(name), after)
	})
}

// InitSetting implements [store.Store].
func (s *Store) InitSetting(ctx context.Context, name string, value []byte) (there []byte, err error) {
	err = s.write(ctx, func(tx *bbolt.Tx) error {
		if there = setting(tx, name); there != nil {
			return nil
		}
		there = append([]byte{}, value...)
		return put(in(tx, settingsBucket), nameKey(name), value)
	})
	return there, err
}

// Revision implements [store.Store]: no other process has the file.
func (s *Store) Revision(context.Context) (store.Revision, error) { return store.Revision{}, nil }

// Shared implements [store.Store]: the file is locked.
func (*Store) Shared() bool { return false }

// AppendData implements [store.Store].
func (s *Store) AppendData(ctx context.Context, generation int64, batch []byte) error {
	return s.write(ctx, func(tx *bbolt.Tx) error {
		data := in(tx, dataBucket)
		var last int64
		if found, _ := data.Cursor().Last(); found != nil {
			last = int64(binary.BigEndian.Uint64(found))
		}
		if generation != last+1 {
			return store.NotNext(generation, last)
		}
		return putBatch(data, generation, batch)
	})
}

// batchKey is that of a batch in a bucket of its own: in one with others, all of a page would be written with each.
const batchKey = "batch"

func putBatch(data *bbolt.Bucket, generation int64, batch []byte) error {
	own, err := data.CreateBucketIfNotExists(numberKey(uint64(generation)))
	if err != nil {
		return fileError{err}
	}
	return put(own, []byte(batchKey), batch)
}

// DataAfter implements [store.Store].
func (s *Store) DataAfter(ctx context.Context, generation int64) (batches [][]byte, err error) {
	err = s.read(ctx, func(tx *bbolt.Tx) error {
		data, size := in(tx, dataBucket), 0
		last, _ := data.Cursor().Last()
		for next := numberKey(uint64(max(0, generation)) + 1); bytes.Compare(next, last) <= 0 && size < store.DataPage; {
			found := data.Bucket(next)
			number := binary.BigEndian.Uint64(next)
			if found == nil {
				return fileError{store.MissingData(int64(number))}
			}
			batch := append([]byte{}, found.Get([]byte(batchKey))...)
			batches, size, next = append(batches, batch), size+len(batch), numberKey(number+1)
		}
		return nil
	})
	return batches, err
}

// ReplaceData implements [store.Store].
func (s *Store) ReplaceData(ctx context.Context, generations []int64, batch []byte) error {
	return s.write(ctx, func(tx *bbolt.Tx) error {
		data := in(tx, dataBucket)
		for _, generation := range generations {
			if data.Bucket(numberKey(uint64(generation))) == nil {
				continue
			}
			if err := putBatch(data, generation, batch); err != nil {
				return err
			}
		}
		return nil
	})
}
