package bolt

import (
	"context"
	"fmt"

	"go.etcd.io/bbolt"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// Snapshot implements [store.Store]. All buckets are read in one transaction.
func (s *Store) Snapshot(ctx context.Context, data *dataset.Batches) (*store.Snapshot, error) {
	if err := data.Clear(); err != nil {
		return nil, err
	}
	snapshot := &store.Snapshot{Data: data, Buckets: map[string]exports.Bucket{}, Settings: map[string][]byte{}}
	err := s.read(ctx, func(tx *bbolt.Tx) error {
		for bucket, take := range map[string]func(key, value []byte) error{
			recordsBucket: func(_, value []byte) error {
				record, err := decode(value)
				snapshot.Records = append(snapshot.Records, record)
				return err
			},
			limitsBucket: func(key, value []byte) (err error) {
				snapshot.Buckets[string(key[1:])], err = decodeLimit(value)
				return err
			},
			settingsBucket: func(key, value []byte) error {
				snapshot.Settings[string(key[1:])] = append([]byte{}, value...)
				return nil
			},
			dataBucket: func(key, _ []byte) error { return data.Add(in(tx, dataBucket).Bucket(key).Get([]byte(batchKey))) },
		} {
			err := in(tx, bucket).ForEach(func(key, value []byte) error {
				if err := ctx.Err(); err != nil {
					return err
				}
				return take(key, value)
			})
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return snapshot, nil
}

// Restore implements [store.Store], in one transaction: a failure leaves nothing behind.
func (s *Store) Restore(ctx context.Context, snapshot *store.Snapshot) error {
	records, ids := make([]string, len(snapshot.Records)), map[string]bool{}
	for i, record := range snapshot.Records {
		encoded, err := store.EncodeRecord(record)
		if err != nil {
			return err
		}
		if ids[record.ID] {
			return fmt.Errorf("record %.80q: %w", record.ID, store.ErrExists)
		}
		records[i], ids[record.ID] = encoded, true
	}
	return s.write(ctx, func(tx *bbolt.Tx) error { return fileErrorOf(restore(tx, snapshot, records)) })
}

func restore(tx *bbolt.Tx, snapshot *store.Snapshot, records []string) error {
	for _, name := range kept() {
		if err := tx.DeleteBucket([]byte(name)); err != nil {
			return err
		}
		if _, err := tx.CreateBucket([]byte(name)); err != nil {
			return err
		}
	}
	for i, record := range snapshot.Records {
		if err := insert(tx, record, records[i]); err != nil {
			return err
		}
	}
	for key, bucket := range snapshot.Buckets {
		encoded, err := encodeLimit(key, bucket)
		if err == nil {
			err = put(in(tx, limitsBucket), nameKey(key), encoded)
		}
		if err != nil {
			return err
		}
	}
	for name, value := range snapshot.Settings {
		if err := put(in(tx, settingsBucket), nameKey(name), value); err != nil {
			return err
		}
	}
	return snapshot.Data.Each(func(generation int64, batch []byte) error {
		return putBatch(in(tx, dataBucket), generation, append([]byte{}, batch...))
	})
}
