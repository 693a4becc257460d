package store

import (
	"context"
	"errors"
	"fmt"
	"strconv"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
)

// Snapshot is everything that a store keeps, at one instant. What it points to must not be changed.
type Snapshot struct {
	// Records are in the order of their insertion.
	Records []*exports.Record
	// Buckets and Settings are by their key and name. A setting may be a secret.
	Buckets  map[string]exports.Bucket
	Settings map[string][]byte
	// Data are the batches of the dataset, from generation 1; they are read one at a time.
	Data *dataset.Batches
}

// Snapshot implements [Store].
func (s *State) Snapshot(ctx context.Context, data *dataset.Batches) (*Snapshot, error) {
	var snapshot *Snapshot
	err := s.engine.View(ctx, func(from Reader) error {
		if err := data.Clear(); err != nil { // of an attempt before
			return err
		}
		snapshot = &Snapshot{Data: data, Buckets: map[string]exports.Bucket{}, Settings: map[string][]byte{}}
		for _, table := range []struct {
			name  string
			limit int
			take  func(page []Entry) error
		}{
			{orderTable, prunePage, func(page []Entry) error {
				records, err := s.records(ctx, from, page)
				snapshot.Records = append(snapshot.Records, records...)
				return err
			}},
			{limitTable, prunePage, func(page []Entry) (err error) {
				for _, entry := range page {
					if snapshot.Buckets[entry.Key[1:]], err = s.bucket(entry.Value); err != nil {
						return err
					}
				}
				return nil
			}},
			{settingTable, prunePage, func(page []Entry) error {
				for _, entry := range page {
					snapshot.Settings[entry.Key[1:]] = []byte(entry.Value)
				}
				return nil
			}},
			{dataTable, dataPage, func(page []Entry) error {
				for _, entry := range page {
					if err := data.Add([]byte(entry.Value)); err != nil {
						return err
					}
				}
				return nil
			}},
		} {
			next := Range{From: table.name, To: string(table.name[0] + 1), Limit: table.limit}
			for {
				page, err := from.Scan(ctx, next)
				if err == nil {
					err = table.take(page)
				}
				if err != nil {
					return err
				}
				if len(page) < table.limit {
					break
				}
				next.From = page[len(page)-1].Key + "\x00"
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	return snapshot, nil
}

// Restore implements [Store].
func (s *State) Restore(ctx context.Context, snapshot *Snapshot) error {
	ids := map[string]bool{}
	for _, record := range snapshot.Records {
		if ids[record.ID] {
			return fmt.Errorf("record %.80q: %w", record.ID, ErrExists)
		}
		ids[record.ID] = true
	}
	return s.engine.Replace(ctx, changesKey, func(before string, put Put) error {
		counted, err := s.changes(before)
		if err != nil {
			return err
		}
		counted.Changes++
		counted.Generation = int64(snapshot.Data.Len())
		putEntry := func(entry Entry, err error) error {
			if err != nil {
				return err
			}
			return put(entry.Key, entry.Value)
		}
		if err := errors.Join(putEntry(counted.entry(), nil), put(EpochKey, strconv.FormatInt(counted.Changes, 10))); err != nil {
			return err
		}
		for i, record := range snapshot.Records {
			value, err := encode(record)
			for _, entry := range entriesOf(record, int64(i)+1, numberKey(int64(i)+1)+value) {
				if err = putEntry(entry, err); err != nil {
					return err
				}
			}
		}
		for key, bucket := range snapshot.Buckets {
			if err := putEntry(bucketEntry(key, bucket)); err != nil {
				return err
			}
		}
		for name, value := range snapshot.Settings {
			if err := put(settingTable+name, string(value)); err != nil {
				return err
			}
		}
		return snapshot.Data.Each(func(generation int64, batch []byte) error {
			return put(dataTable+numberKey(generation), string(batch))
		})
	})
}
