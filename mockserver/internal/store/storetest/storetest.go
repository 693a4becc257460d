// Package storetest makes records for the tests of stores, and stores for the tests of servers.
package storetest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// Noon is when the records of the tests were made.
var Noon = time.Date(2025, 11, 20, 12, 0, 0, 0, time.UTC)

// Record returns a record with every field set.
func Record(id, owner, apiName string) *exports.Record {
	rows := int64(7)
	completed := Noon.Add(time.Minute)
	return &exports.Record{
		ID: id, Kind: "campaign.events", Interface: apiName, Owner: owner, URI: "/1.0/live_demo/export/campaign/c1/events",
		Request: json.RawMessage(`{"ids":["install_id"]}`), CreatedAt: Noon,
		File: exports.File{
			Kind: "campaign.events", Window: exports.Window{From: Noon.Add(-time.Hour), To: Noon}, Now: Noon, APIKey: "live_demo", Target: "c1",
			Events: []string{"push_sent"}, IDs: []string{"install_id"}, MaxRows: &rows, Seed: 1<<64 - 1, Profiles: 10_000, WorldVersion: 1,
			SchemaDigest: "d", PartSize: 100 << 20,
		},
		Progress: exports.Progress{Mode: exports.ModePolls, Polls: 3}, Polls: 1, CompletedAt: &completed, Written: []int64{100, 20},
	}
}

// Insert stores records.
func Insert(t testing.TB, s store.Store, records ...*exports.Record) {
	t.Helper()
	for _, r := range records {
		must.Do(t, InsertNow(s, r, nil))
	}
}

// InsertNow stores a record in the state that there is.
func InsertNow(s store.Store, record *exports.Record, token *store.Token) error {
	for {
		present := record.Clone()
		epoch, err := s.Epoch(context.Background())
		if present.Epoch = epoch; err == nil {
			err = s.Insert(context.Background(), present, token)
		}
		if !errors.Is(err, dataset.ErrReplaced) {
			return err
		}
	}
}

// Parallel runs the workers at once and waits for all.
func Parallel(workers int, work func(worker int)) {
	var group sync.WaitGroup
	for worker := range workers {
		group.Go(func() { work(worker) })
	}
	group.Wait()
}

// IDs are the identifiers of records.
func IDs(records []*exports.Record) []string {
	list := []string{}
	for _, r := range records {
		list = append(list, r.ID)
	}
	return list
}

// Batches reads every batch after a generation, however many come at once.
func Batches(t testing.TB, s store.Store, generation int64) [][]byte {
	t.Helper()
	var found [][]byte
	for {
		next, err := s.DataAfter(context.Background(), generation+int64(len(found)))
		if err != nil {
			t.Error(err)
		}
		if len(next) == 0 {
			return found
		}
		found = append(found, next...)
	}
}

// The second half of the suite: what is not a record, and how a store ends.

// Token returns a token of a bucket that holds burst of them and gains one a minute.
func Token(bucket string, burst int) *store.Token {
	return &store.Token{Bucket: bucket, Now: Noon, Burst: burst, Every: time.Minute}
}

// Kept is everything that a store keeps, to be compared.
type Kept struct {
	Records  []*exports.Record
	Buckets  map[string]exports.Bucket
	Settings map[string][]byte
	Data     [][]byte
}

// Store is what a store is told to restore.
func (k *Kept) Store() *store.Snapshot {
	return &store.Snapshot{Records: k.Records, Buckets: k.Buckets, Settings: k.Settings, Data: dataset.BatchesOf(k.Data...)}
}

// Snapshot is everything that a store keeps.
func Snapshot(t *testing.T, s store.Store) *Kept {
	t.Helper()
	data := dataset.BatchesOf([]byte("of another snapshot"))
	snapshot, err := s.Snapshot(context.Background(), data)
	if err != nil {
		t.Fatal(err)
	}
	kept := &Kept{Records: snapshot.Records, Buckets: snapshot.Buckets, Settings: snapshot.Settings}
	err = snapshot.Data.Each(func(_ int64, batch []byte) error {
		kept.Data = append(kept.Data, bytes.Clone(batch))
		return nil
	})
	if err != nil || snapshot.Data != data {
		t.Fatalf("reading the batches: %v", err)
	}
	return kept
}

// Close closes a store.
func Close(t testing.TB, s store.Store) {
	t.Helper()
	must.Do(t, s.Close())
}
