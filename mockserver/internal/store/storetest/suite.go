package storetest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
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
			Events: []string{"push_sent"}, IDs: []string{"install_id"}, MaxRows: &rows, Seed: 1<<64 - 1, Profiles: 10_000, WorldVersion: 1, SchemaDigest: "d", PartSize: 100 << 20,
		},
		Progress: exports.Progress{Mode: exports.ModePolls, Polls: 3}, Polls: 1, CompletedAt: &completed, Written: []int64{100, 20},
	}
}

// Insert stores records.
func Insert(t testing.TB, s store.Store, records ...*exports.Record) {
	t.Helper()
	for _, r := range records {
		must.Do(t, insert(s, r, nil))
	}
}

// insert stores a record in the state that there is.
func insert(s store.Store, record *exports.Record, token *store.Token) error {
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

// Run tests what every store must do. open returns a new, empty store.
func Run(t *testing.T, open func(t *testing.T) store.Store) {
	tests := []struct {
		name string
		run  func(t *testing.T, s store.Store)
	}{
		{"insert and get", testInsertAndGet},
		{"copies", testCopies},
		{"update", testUpdate},
		{"update under contention", testUpdateUnderContention},
		{"a panic in a change is the caller's", testPanic},
		{"errors stay with their request", testErrorsAreIsolated},
		{"reads agree", testReadsAgree},
		{"reads forget", testReadsForget},
		{"list", testList},
		{"pages are stable under inserts", testStablePages},
		{"what an owner has is deleted", testDeleteOwned},
		{"an owner is deleted under inserts", testDeleteOwnedUnderInserts},
		{"old records are deleted", testPrune},
		{"limited inserts", testLimitedInserts},
		{"limited inserts under contention", testLimitedInsertsUnderContention},
		{"limited inserts while restoring", testLimitedInsertsWhileRestoring},
		{"settings", testSettings},
		{"settings under contention", testSettingsUnderContention},
		{"a setting is changed", testUpdateSetting},
		{"snapshots", testSnapshots},
		{"snapshots move between stores", testSnapshotsMove},
		{"what shows a dataset is of its epoch", testEpoch},
		{"dataset", testData},
		{"batches of a dataset are replaced", testReplaceData},
		{"dataset under contention", testDataUnderContention},
		{"canceled context", testCanceled},
		{"close", testClose},
		{"close under load", testCloseUnderLoad},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := open(t)
			t.Cleanup(func() {
				if err := s.Close(); err != nil {
					t.Errorf("close: %v", err)
				}
			})
			test.run(t, s)
		})
	}
}

func testInsertAndGet(t *testing.T, s store.Store) {
	ctx := context.Background()
	for _, id := range []string{"a", "b", "quote ' and \x00 and ü", ""} {
		want := Record(id, "live_demo", "legacy")
		Insert(t, s, want)
		got, err := s.Get(ctx, id)
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("Get(%q) = %+v, %v; want %+v", id, got, err, want)
		}
		if err := s.Insert(ctx, Record(id, "other", "legacy"), nil); !errors.Is(err, store.ErrExists) {
			t.Errorf("the second insert of %q is %v, want ErrExists", id, err)
		}
		if got, err := s.Get(ctx, id); err != nil || got.Owner != "live_demo" {
			t.Errorf("the refused insert changed the record: %+v, %v", got, err)
		}
	}
	for _, id := range []string{"c", "A", "quote ' and "} {
		if got, err := s.Get(ctx, id); got != nil || !errors.Is(err, store.ErrNotFound) {
			t.Errorf("Get(%q) = %v, %v; want ErrNotFound", id, got, err)
		}
	}
}

func testCopies(t *testing.T, s store.Store) {
	ctx := context.Background()
	mine := Record("a", "live_demo", "legacy")
	Insert(t, s, mine)
	mine.Polls = 99
	got, err := s.Get(ctx, "a")
	if err != nil || got.Polls != 1 {
		t.Errorf("a change after Insert reached the store: %+v, %v", got, err)
	}
	got.Polls = 99
	updated := must.Get(s.Update(ctx, "a", func(r *exports.Record) error {
		if r.Polls != 1 {
			t.Errorf("a change of what Get returned reached the store: %d", r.Polls)
		}
		r.Polls = 2
		return nil
	}))(t)
	updated.Polls = 99
	listed, err := s.List(ctx, store.ListOptions{})
	if err != nil || len(listed) != 1 || listed[0].Polls != 2 {
		t.Fatalf("a change of what Update returned reached the store: %+v, %v", listed, err)
	}
	listed[0].Polls = 99
	if got, err := s.Get(ctx, "a"); err != nil || got.Polls != 2 {
		t.Errorf("a change of what List returned reached the store: %+v, %v", got, err)
	}
}

func testUpdate(t *testing.T, s store.Store) {
	ctx := context.Background()
	Insert(t, s, Record("a", "live_demo", "legacy"), Record("b", "live_demo", "legacy"))
	later := Noon.Add(time.Hour)
	updated, err := s.Update(ctx, "a", func(r *exports.Record) error {
		r.Polls, r.CompletedAt, r.Written, r.ErrorMessage = 2, &later, []int64{7}, "m"
		return nil
	})
	if err != nil || updated.Polls != 2 || !updated.CompletedAt.Equal(later) || updated.ErrorMessage != "m" || len(updated.Written) != 1 {
		t.Fatalf("Update = %+v, %v", updated, err)
	}
	if got, err := s.Get(ctx, "a"); err != nil || !reflect.DeepEqual(got, updated) {
		t.Errorf("Get after Update = %+v, %v; want %+v", got, err, updated)
	}
	if got, err := s.Get(ctx, "b"); err != nil || !reflect.DeepEqual(got, Record("b", "live_demo", "legacy")) {
		t.Errorf("the neighbour changed: %+v, %v", got, err)
	}
	refusal := &exports.Error{Code: exports.AlreadyFinal, Message: "no"}
	_, err = s.Update(ctx, "a", func(r *exports.Record) error {
		r.Polls = 99
		return refusal
	})
	if err != refusal {
		t.Errorf("the error of a change comes back as %v", err)
	}
	for name, change := range map[string]func(*exports.Record) error{
		"id":        func(r *exports.Record) error { r.ID = "c"; return nil },
		"owner":     func(r *exports.Record) error { r.Owner = "c"; return nil },
		"interface": func(r *exports.Record) error { r.Interface = "c"; return nil },
	} {
		if _, err := s.Update(ctx, "a", change); err == nil {
			t.Errorf("a change of the %s is accepted", name)
		}
	}
	if got, err := s.Get(ctx, "a"); err != nil || !reflect.DeepEqual(got, updated) {
		t.Errorf("a refused change reached the store: %+v, %v", got, err)
	}
	called := false
	_, err = s.Update(ctx, "x", func(*exports.Record) error { called = true; return nil })
	if !errors.Is(err, store.ErrNotFound) || called {
		t.Errorf("Update of an unknown id = %v, called %t; want ErrNotFound", err, called)
	}
}

func testUpdateUnderContention(t *testing.T, s store.Store) {
	const workers, each = 8, 40
	start := Record("a", "live_demo", "legacy")
	start.Polls = 0
	Insert(t, s, start)
	seen := make([][]int, workers)
	Parallel(workers, func(worker int) {
		for range each {
			updated, err := s.Update(context.Background(), "a", func(r *exports.Record) error {
				r.Polls++
				return nil
			})
			if err != nil {
				t.Error(err)
				return
			}
			seen[worker] = append(seen[worker], updated.Polls)
		}
	})
	all := slices.Concat(seen...)
	slices.Sort(all)
	if len(all) != workers*each || all[0] != 1 || all[len(all)-1] != workers*each || len(slices.Compact(all)) != workers*each {
		t.Errorf("%d updates were not each applied once", workers*each)
	}
	if got, err := s.Get(context.Background(), "a"); err != nil || got.Polls != workers*each {
		t.Errorf("after %d updates: %+v, %v", workers*each, got, err)
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

func testPanic(t *testing.T, s store.Store) {
	ctx := context.Background()
	Insert(t, s, Record("a", "live_demo", "legacy"))
	caught := func(act func()) (value any) {
		defer func() { value = recover() }()
		act()
		return nil
	}
	if got := caught(func() { _, _ = s.Update(ctx, "a", func(*exports.Record) error { panic("mine") }) }); got != "mine" {
		t.Errorf("a panic in the change of Update arrives as %v", got)
	}
	if got := caught(func() { _ = s.UpdateSetting(ctx, "k", func([]byte) ([]byte, error) { panic("mine") }) }); got != "mine" {
		t.Errorf("a panic in the change of UpdateSetting arrives as %v", got)
	}
	if _, err := s.Update(ctx, "a", func(*exports.Record) error { return nil }); err != nil {
		t.Errorf("after a panic: %v", err)
	}
}

func testErrorsAreIsolated(t *testing.T, s store.Store) {
	const workers, each = 8, 25
	Insert(t, s, Record("shared", "live_demo", "legacy"))
	refusal := errors.New("refused")
	Parallel(workers, func(worker int) {
		for i := range each {
			id := fmt.Sprintf("%d-%d", worker, i)
			switch worker % 4 {
			case 0:
				if err := s.Insert(context.Background(), Record("shared", "x", "legacy"), nil); !errors.Is(err, store.ErrExists) {
					t.Errorf("a second insert is %v", err)
				}
			case 1:
				if _, err := s.Update(context.Background(), "shared", func(*exports.Record) error { return refusal }); err != refusal {
					t.Errorf("a refused change is %v", err)
				}
			case 2:
				ctx, cancel := context.WithCancel(context.Background())
				cancel()
				if err := s.Insert(ctx, Record("canceled-"+id, "x", "legacy"), nil); !errors.Is(err, context.Canceled) {
					t.Errorf("a canceled insert is %v", err)
				}
			default:
				if err := s.Insert(context.Background(), Record(id, "good", "legacy"), nil); err != nil {
					t.Errorf("a good insert among bad neighbours: %v", err)
				}
			}
		}
	})
	good, err := s.List(context.Background(), store.ListOptions{Limit: store.MaxLimit})
	if want := workers/4*each + 1; err != nil || len(good) != want {
		t.Errorf("%d records are stored (%v), want %d", len(good), err, want)
	}
}

// IDs are the identifiers of records.
func IDs(records []*exports.Record) []string {
	list := []string{}
	for _, r := range records {
		list = append(list, r.ID)
	}
	return list
}

func testList(t *testing.T, s store.Store) {
	if got, err := s.List(context.Background(), store.ListOptions{}); err != nil || len(got) != 0 {
		t.Errorf("an empty store lists %v, %v", got, err)
	}
	Insert(t, s,
		Record("a1", "a", "legacy"), Record("b1", "b", "legacy"), Record("p1", "p", "profiles"),
		Record("a2", "a", "legacy"), Record("a3", "a", "profiles"), Record("b2", "b", "legacy"))
	must.Get(s.Update(context.Background(), "a1", func(r *exports.Record) error { r.Polls++; return nil }))(t)
	cases := []struct {
		options store.ListOptions
		want    []string // nil: ErrNotFound
	}{
		{store.ListOptions{}, []string{"b2", "a3", "a2", "p1", "b1", "a1"}},
		{store.ListOptions{Limit: 2}, []string{"b2", "a3"}},
		{store.ListOptions{Limit: -1}, []string{"b2", "a3", "a2", "p1", "b1", "a1"}},
		{store.ListOptions{Limit: 2, After: "a3"}, []string{"a2", "p1"}},
		{store.ListOptions{After: "a1"}, []string{}},
		{store.ListOptions{After: "nobody"}, nil},
		{store.ListOptions{Owner: "a"}, []string{"a3", "a2", "a1"}},
		{store.ListOptions{Owner: "a", After: "a3", Limit: 1}, []string{"a2"}},
		{store.ListOptions{Owner: "a", After: "b2"}, nil},
		{store.ListOptions{Owner: "a", Interface: "legacy"}, []string{"a2", "a1"}},
		{store.ListOptions{Owner: "a", Interface: "legacy", After: "a2"}, []string{"a1"}},
		{store.ListOptions{Owner: "a", Interface: "legacy", After: "a3"}, nil},
		{store.ListOptions{Interface: "profiles"}, []string{"a3", "p1"}},
		{store.ListOptions{Interface: "profiles", After: "a3"}, []string{"p1"}},
		{store.ListOptions{Interface: "profiles", After: "a2"}, nil},
		{store.ListOptions{Owner: "nobody"}, []string{}},
	}
	for _, c := range cases {
		got, err := s.List(context.Background(), c.options)
		if c.want == nil {
			if !errors.Is(err, store.ErrNotFound) {
				t.Errorf("%+v = %v, %v; want ErrNotFound", c.options, IDs(got), err)
			}
			continue
		}
		if err != nil || !slices.Equal(IDs(got), c.want) {
			t.Errorf("%+v = %v, %v; want %v", c.options, IDs(got), err, c.want)
		}
	}
}

func testStablePages(t *testing.T, s store.Store) {
	ctx := context.Background()
	var want []string
	for i := range 25 {
		id := "before-" + strconv.Itoa(i)
		Insert(t, s, Record(id, "a", "legacy"))
		want = append(want, id)
	}
	slices.Reverse(want)
	var got []string
	after := ""
	for page := 0; ; page++ {
		records := must.Get(s.List(ctx, store.ListOptions{Owner: "a", After: after, Limit: 4}))(t)
		if len(records) == 0 {
			break
		}
		got = append(got, IDs(records)...)
		after = records[len(records)-1].ID
		Insert(t, s, Record("between-"+strconv.Itoa(page), "a", "legacy"))
		must.Get(s.Update(ctx, "before-3", func(r *exports.Record) error { r.Polls++; return nil }))(t)
	}
	if !slices.Equal(got, want) {
		t.Errorf("the pages hold %v, want %v", got, want)
	}
	for i := range store.MaxLimit {
		Insert(t, s, Record("many-"+strconv.Itoa(i), "many", "legacy"))
	}
	for limit, want := range map[int]int{0: store.DefaultLimit, 999: 999, 5000: store.MaxLimit} {
		if records, err := s.List(ctx, store.ListOptions{Limit: limit}); err != nil || len(records) != want {
			t.Errorf("limit %d gives %d records, %v; want %d", limit, len(records), err, want)
		}
	}
}
