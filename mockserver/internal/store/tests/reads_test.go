package store_test

import (
	"context"
	"errors"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/storetest"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// testReadsAgree: whatever a store keeps in memory in front of what it stores, one reader never sees a record as it was before what
// it has seen already, by itself or in a list, and a write that has returned is what everybody sees.
func testReadsAgree(t *testing.T, s store.Store) {
	ctx := context.Background()
	const updates, readers = 200, 3
	storetest.Insert(t, s, storetest.Record("a", "live_demo", "legacy"), storetest.Record("b", "live_demo", "legacy"))
	start := must.Get(s.Get(ctx, "a"))(t)
	first := start.Polls
	storetest.Parallel(1+readers, func(worker int) {
		if worker == 0 {
			for n := range updates {
				if _, err := s.Update(ctx, "a", func(r *exports.Record) error { r.Polls = first + n + 1; return nil }); err != nil {
					t.Error(err)
					return
				}
				if got, err := s.Get(ctx, "a"); err != nil || got.Polls != first+n+1 {
					t.Errorf("right after update %d: %+v, %v", n+1, got, err)
					return
				}
			}
			return
		}
		for last := first; last < first+updates && !t.Failed(); {
			got, err := s.Get(ctx, "a")
			if err != nil || got.Polls < last {
				t.Errorf("Get after %d: %+v, %v", last, got, err)
				return
			}
			last = got.Polls
			page, err := s.List(ctx, store.ListOptions{})
			if err != nil || len(page) != 2 || page[1].Polls < last {
				t.Errorf("List after %d: %+v, %v", last, page, err)
				return
			}
			last = page[1].Polls
		}
	})
}

// testReadsForget: what was deleted or replaced is gone for reads too, and what is changed in the hand of a reader changes nothing.
func testReadsForget(t *testing.T, s store.Store) {
	ctx := context.Background()
	storetest.Insert(t, s, storetest.Record("a", "live_demo", "legacy"), storetest.Record("b", "dev_demo", "legacy"))
	before := storetest.Snapshot(t, s)
	read := func(id string) *exports.Record {
		t.Helper()
		got, err := s.Get(ctx, id)
		if err != nil {
			t.Fatalf("%s: %v", id, err)
		}
		return got
	}
	mine := read("a")
	mine.Polls += 10
	if again := read("a"); again.Polls == mine.Polls {
		t.Error("a change of what Get returned reached the store")
	}
	if _, err := s.Update(ctx, "a", func(r *exports.Record) error { r.Polls = 99; return nil }); err != nil || read("a").Polls != 99 {
		t.Errorf("after an update: %+v, %v", read("a"), err)
	}
	must.Get(s.DeleteOwned(ctx, "live_demo", nil))(t)
	if got, err := s.Get(ctx, "a"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a deleted record: %+v, %v", got, err)
	}
	storetest.Insert(t, s, storetest.Record("a", "someone", "profiles"))
	if got := read("a"); got.Owner != "someone" {
		t.Errorf("a record in the place of another one: %+v", got)
	}
	must.Do(t, s.Restore(ctx, before.Store()))
	must.Equal(t, read("a"), storetest.Record("a", "live_demo", "legacy"), "after Restore")
	if _, _, err := s.Prune(ctx, 0, func(r *exports.Record) bool { return r.ID == "b" }); err != nil {
		t.Fatal(err)
	}
	if got, err := s.Get(ctx, "b"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a pruned record: %+v, %v", got, err)
	}
}
