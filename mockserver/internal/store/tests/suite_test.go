package store_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/storetest"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// run tests what every store must do. open returns a new, empty store.
func run(t *testing.T, open func(t *testing.T) store.Store) {
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
				must.Equal(t, s.Close(), nil, "close")
			})
			test.run(t, s)
		})
	}
}

func testInsertAndGet(t *testing.T, s store.Store) {
	ctx := context.Background()
	for _, id := range []string{"a", "b", "quote ' and \x00 and ü", ""} {
		want := storetest.Record(id, "live_demo", "legacy")
		storetest.Insert(t, s, want)
		got, err := s.Get(ctx, id)
		must.Hold(t, err == nil && reflect.DeepEqual(got, want), "Get(%q) = %+v, %v; want %+v", id, got, err, want)
		if err := s.Insert(ctx, storetest.Record(id, "other", "legacy"), nil); !errors.Is(err, store.ErrExists) {
			t.Errorf("the second insert of %q is %v, want ErrExists", id, err)
		}
		must.Equal(t, must.Get(s.Get(ctx, id))(t).Owner, "live_demo", "the refused insert changed the record")
	}
	for _, id := range []string{"c", "A", "quote ' and "} {
		if got, err := s.Get(ctx, id); got != nil || !errors.Is(err, store.ErrNotFound) {
			t.Errorf("Get(%q) = %v, %v; want ErrNotFound", id, got, err)
		}
	}
}

func testCopies(t *testing.T, s store.Store) {
	ctx := context.Background()
	mine := storetest.Record("a", "live_demo", "legacy")
	storetest.Insert(t, s, mine)
	mine.Polls = 99
	got, err := s.Get(ctx, "a")
	must.Hold(t, err == nil && got.Polls == 1, "a change after Insert reached the store: %+v, %v", got, err)
	got.Polls = 99
	updated := must.Get(s.Update(ctx, "a", func(r *exports.Record) error {
		must.Equal(t, r.Polls, 1, "a change of what Get returned reached the store")
		r.Polls = 2
		return nil
	}))(t)
	updated.Polls = 99
	listed, err := s.List(ctx, store.ListOptions{})
	if err != nil || len(listed) != 1 || listed[0].Polls != 2 {
		t.Fatalf("a change of what Update returned reached the store: %+v, %v", listed, err)
	}
	listed[0].Polls = 99
	must.Equal(t, must.Get(s.Get(ctx, "a"))(t).Polls, 2, "a change of what List returned reached the store")
}

func testUpdate(t *testing.T, s store.Store) {
	ctx := context.Background()
	storetest.Insert(t, s, storetest.Record("a", "live_demo", "legacy"), storetest.Record("b", "live_demo", "legacy"))
	later := storetest.Noon.Add(time.Hour)
	updated, err := s.Update(ctx, "a", func(r *exports.Record) error {
		r.Polls, r.CompletedAt, r.Written, r.ErrorMessage = 2, &later, []int64{7}, "m"
		return nil
	})
	if err != nil || updated.Polls != 2 || !updated.CompletedAt.Equal(later) || updated.ErrorMessage != "m" || len(updated.Written) != 1 {
		t.Fatalf("Update = %+v, %v", updated, err)
	}
	must.Equal(t, must.Get(s.Get(ctx, "a"))(t), updated, "Get after Update")
	must.Equal(t, must.Get(s.Get(ctx, "b"))(t), storetest.Record("b", "live_demo", "legacy"), "the neighbour changed")
	refusal := &exports.Error{Code: exports.AlreadyFinal, Message: "no"}
	_, err = s.Update(ctx, "a", func(r *exports.Record) error {
		r.Polls = 99
		return refusal
	})
	must.Hold(t, err == refusal, "the error of a change comes back as %v", err)
	for name, change := range map[string]func(*exports.Record) error{
		"id":        func(r *exports.Record) error { r.ID = "c"; return nil },
		"owner":     func(r *exports.Record) error { r.Owner = "c"; return nil },
		"interface": func(r *exports.Record) error { r.Interface = "c"; return nil },
	} {
		if _, err := s.Update(ctx, "a", change); err == nil {
			t.Errorf("a change of the %s is accepted", name)
		}
	}
	must.Equal(t, must.Get(s.Get(ctx, "a"))(t), updated, "a refused change reached the store")
	called := false
	_, err = s.Update(ctx, "x", func(*exports.Record) error { called = true; return nil })
	must.Hold(t, errors.Is(err, store.ErrNotFound) && !called, "Update of an unknown id = %v, called %t; want ErrNotFound", err, called)
}

func testUpdateUnderContention(t *testing.T, s store.Store) {
	const workers, each = 8, 40
	start := storetest.Record("a", "live_demo", "legacy")
	start.Polls = 0
	storetest.Insert(t, s, start)
	seen := make([][]int, workers)
	storetest.Parallel(workers, func(worker int) {
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
	must.Equal(t, must.Get(s.Get(context.Background(), "a"))(t).Polls, workers*each, "after all updates")
}

func testPanic(t *testing.T, s store.Store) {
	ctx := context.Background()
	storetest.Insert(t, s, storetest.Record("a", "live_demo", "legacy"))
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
	storetest.Insert(t, s, storetest.Record("shared", "live_demo", "legacy"))
	refusal := errors.New("refused")
	storetest.Parallel(workers, func(worker int) {
		for i := range each {
			id := fmt.Sprintf("%d-%d", worker, i)
			switch worker % 4 {
			case 0:
				if err := s.Insert(context.Background(), storetest.Record("shared", "x", "legacy"), nil); !errors.Is(err, store.ErrExists) {
					t.Errorf("a second insert is %v", err)
				}
			case 1:
				if _, err := s.Update(context.Background(), "shared", func(*exports.Record) error { return refusal }); err != refusal {
					t.Errorf("a refused change is %v", err)
				}
			case 2:
				ctx, cancel := context.WithCancel(context.Background())
				cancel()
				if err := s.Insert(ctx, storetest.Record("canceled-"+id, "x", "legacy"), nil); !errors.Is(err, context.Canceled) {
					t.Errorf("a canceled insert is %v", err)
				}
			default:
				must.Equal(t, s.Insert(context.Background(), storetest.Record(id, "good", "legacy"), nil), nil, "a good insert among bad neighbours")
			}
		}
	})
	good, err := s.List(context.Background(), store.ListOptions{Limit: store.MaxLimit})
	if want := workers/4*each + 1; err != nil || len(good) != want {
		t.Errorf("%d records are stored (%v), want %d", len(good), err, want)
	}
}

func testList(t *testing.T, s store.Store) {
	must.Equal(t, len(must.Get(s.List(context.Background(), store.ListOptions{}))(t)), 0, "an empty store lists")
	storetest.Insert(t, s,
		storetest.Record("a1", "a", "legacy"), storetest.Record("b1", "b", "legacy"), storetest.Record("p1", "p", "profiles"),
		storetest.Record("a2", "a", "legacy"), storetest.Record("a3", "a", "profiles"), storetest.Record("b2", "b", "legacy"))
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
				t.Errorf("%+v = %v, %v; want ErrNotFound", c.options, storetest.IDs(got), err)
			}
			continue
		}
		if err != nil || !slices.Equal(storetest.IDs(got), c.want) {
			t.Errorf("%+v = %v, %v; want %v", c.options, storetest.IDs(got), err, c.want)
		}
	}
}

func testStablePages(t *testing.T, s store.Store) {
	ctx := context.Background()
	var want []string
	for i := range 25 {
		id := "before-" + strconv.Itoa(i)
		storetest.Insert(t, s, storetest.Record(id, "a", "legacy"))
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
		got = append(got, storetest.IDs(records)...)
		after = records[len(records)-1].ID
		storetest.Insert(t, s, storetest.Record("between-"+strconv.Itoa(page), "a", "legacy"))
		must.Get(s.Update(ctx, "before-3", func(r *exports.Record) error { r.Polls++; return nil }))(t)
	}
	must.Equal(t, got, want, "the pages hold")
	for i := range store.MaxLimit {
		storetest.Insert(t, s, storetest.Record("many-"+strconv.Itoa(i), "many", "legacy"))
	}
	for limit, want := range map[int]int{0: store.DefaultLimit, 999: 999, 5000: store.MaxLimit} {
		must.Equal(t, len(must.Get(s.List(ctx, store.ListOptions{Limit: limit}))(t)), want, "limit %d gives", limit)
	}
}
