package store_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/memory"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/storetest"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// furnish puts something of everything into a store.
func furnish(t *testing.T, s store.Store) {
	t.Helper()
	ctx := context.Background()
	storetest.Insert(t, s, storetest.Record("b", "live_demo", "legacy"))
	must.Do(t, s.Insert(ctx, storetest.Record("a", "project_demo", "profiles"), storetest.Token("bucket", 1)))
	storetest.Insert(t, s, storetest.Record("c", "live_demo", "legacy"))
	must.Do(t, errors.Join(
		s.SetSetting(ctx, "clock", []byte(`{"frozen":true}`)), s.SetSetting(ctx, "secret", []byte{0, 255, 1}), s.SetSetting(ctx, "empty", nil),
		s.AppendData(ctx, 0, 1, []byte(`{"first":true}`)), s.AppendData(ctx, 0, 2, []byte(`{}`)),
	))
}

func testSnapshots(t *testing.T, s store.Store) {
	ctx := context.Background()
	if empty := storetest.Snapshot(t, s); len(empty.Records)+len(empty.Buckets)+len(empty.Settings)+len(empty.Data) != 0 {
		t.Errorf("an empty store has %+v", empty)
	}
	furnish(t, s)
	taken := storetest.Snapshot(t, s)
	want := &storetest.Kept{
		Records: []*exports.Record{storetest.Record("b", "live_demo", "legacy"), storetest.Record("a", "project_demo", "profiles"),
			storetest.Record("c", "live_demo", "legacy")},
		Buckets:  map[string]exports.Bucket{"bucket": {FullAt: storetest.Noon.Add(time.Minute), TakenAt: storetest.Noon}},
		Settings: map[string][]byte{"clock": []byte(`{"frozen":true}`), "secret": {0, 255, 1}, "empty": {}},
		Data:     [][]byte{[]byte(`{"first":true}`), []byte(`{}`)},
	}
	must.Equal(t, taken, want, "the snapshot")

	// Everything changes, and comes back.
	must.Get(s.Update(ctx, "a", func(r *exports.Record) error { r.Polls = 9; return nil }))(t)
	err := errors.Join(s.Insert(ctx, storetest.Record("d", "live_demo", "legacy"), storetest.Token("bucket", 9)),
		s.SetSetting(ctx, "clock", []byte("x")),
		s.AppendData(ctx, 0, 3, []byte(`{"third":true}`)), s.SetSetting(ctx, "new", []byte("x")))
	if err != nil {
		t.Fatal(err)
	}
	must.Equal(t, taken, want, "later changes reached the snapshot")
	must.Do(t, s.Restore(ctx, taken.Store()))
	must.Equal(t, storetest.Snapshot(t, s), want, "restored")
	if page, err := s.List(ctx, store.ListOptions{Owner: "live_demo"}); err != nil || len(page) != 2 || page[0].ID != "c" ||
		page[1].ID != "b" {
		t.Errorf("the list is %+v, %v", page, err)
	}
	storetest.Insert(t, s, storetest.Record("d", "live_demo", "legacy"))
	if page, err := s.List(ctx, store.ListOptions{Limit: 2}); err != nil || page[0].ID != "d" || page[1].ID != "c" {
		t.Errorf("after one more, the list begins with %+v, %v", page, err)
	}
	must.Equal(t, len(taken.Records), 3, "the store goes on writing into the snapshot")

	// What cannot be restored changes nothing.
	before := storetest.Snapshot(t, s)
	twice := &store.Snapshot{Records: []*exports.Record{storetest.Record("x", "a", "legacy"), storetest.Record("x", "a", "legacy")},
		Settings: map[string][]byte{"other": []byte("x")}}
	if err := s.Restore(ctx, twice); !errors.Is(err, store.ErrExists) {
		t.Errorf("two records with one id: %v", err)
	}
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	if err := s.Restore(canceled, &store.Snapshot{}); !errors.Is(err, context.Canceled) {
		t.Errorf("with a canceled context: %v", err)
	}
	must.Equal(t, storetest.Snapshot(t, s), before, "a refused snapshot left")

	must.Do(t, s.Restore(ctx, &store.Snapshot{}))
	if empty := storetest.Snapshot(t, s); len(empty.Records)+len(empty.Buckets)+len(empty.Settings)+len(empty.Data) != 0 {
		t.Errorf("after a reset: %+v", empty)
	}
}

// testSnapshotsMove checks that what one kind of store kept, another one keeps.
func testSnapshotsMove(t *testing.T, s store.Store) {
	origin, target := memory.New(), memory.New()
	defer storetest.Close(t, origin)
	defer storetest.Close(t, target)
	furnish(t, origin)
	want := storetest.Snapshot(t, origin)
	must.Do(t, s.Restore(context.Background(), want.Store()))
	must.Do(t, target.Restore(context.Background(), storetest.Snapshot(t, s).Store()))
	must.Equal(t, storetest.Snapshot(t, target), want, "the copy")
}

// testEpoch checks that a record for a replaced state is not stored.
func testEpoch(t *testing.T, s store.Store) {
	ctx := context.Background()
	before := must.Get(s.Epoch(ctx))(t)
	made := func(id string, epoch int64) *exports.Record {
		record := storetest.Record(id, "a", "legacy")
		record.Epoch = epoch
		return record
	}
	must.Do(t, errors.Join(s.Insert(ctx, made("first", before), nil), s.Restore(ctx, &store.Snapshot{})))
	if err := s.Insert(ctx, made("late", before), storetest.Token("late", 1)); !errors.Is(err, dataset.ErrReplaced) {
		t.Errorf("a record of the state before: %v", err)
	}
	if _, err := s.Get(ctx, "late"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("it is there: %v", err)
	}
	after, err := s.Epoch(ctx)
	if err = errors.Join(err, s.Insert(ctx, made("late", after), storetest.Token("late", 1))); err != nil || after == before {
		t.Errorf("a record of the new state, %d after %d: %v", after, before, err)
	}
}
