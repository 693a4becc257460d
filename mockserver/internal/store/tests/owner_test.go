package store_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/storetest"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

func testDeleteOwned(t *testing.T, s store.Store) {
	ctx := context.Background()
	owners := []string{"a", "b", "a", "c", "b", "a", "c"}
	for i, owner := range owners {
		must.Do(t, s.Insert(ctx, storetest.Record(fmt.Sprint(i), owner, "legacy"), storetest.Token("kind:"+owner, 9)))
	}
	must.Do(t, s.SetSetting(ctx, "clock", []byte("x")))
	before := storetest.Snapshot(t, s)
	if deleted, err := s.DeleteOwned(ctx, "b", []string{"kind:b", "never:used"}); deleted != 2 || err != nil {
		t.Fatalf("deleted %d, %v", deleted, err)
	}
	delete(before.Buckets, "kind:b")
	before.Records = slices.DeleteFunc(before.Records, func(r *exports.Record) bool { return r.Owner == "b" })
	must.Equal(t, storetest.Snapshot(t, s), before, "the state that is left")
	if record, err := s.Get(ctx, "1"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("Get = %+v, %v; want ErrNotFound", record, err)
	}
	if record, err := s.Update(ctx, "1", func(*exports.Record) error { return nil }); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("Update = %+v, %v; want ErrNotFound", record, err)
	}

	// Pages go on where they were, those of all and those of another owner.
	for _, page := range []struct {
		options store.ListOptions
		want    string
	}{
		{store.ListOptions{}, "[6 5 3 2 0]"}, {store.ListOptions{After: "5"}, "[3 2 0]"}, {store.ListOptions{Owner: "b"}, "[]"},
		{store.ListOptions{Owner: "a", After: "2"}, "[0]"}, {store.ListOptions{Owner: "c", After: "6"}, "[3]"},
	} {
		records, err := s.List(ctx, page.options)
		ids := []string{}
		for _, record := range records {
			ids = append(ids, record.ID)
		}
		if got := fmt.Sprint(ids); got != page.want || err != nil {
			t.Errorf("List(%+v) = %s, %v; want %s", page.options, got, err, page.want)
		}
	}

	// The owner begins anew: identifiers and buckets are free.
	must.Equal(t, s.Insert(ctx, storetest.Record("1", "b", "legacy"), storetest.Token("kind:b", 1)), nil, "inserted again")
	if records, err := s.List(ctx, store.ListOptions{Limit: 2}); err != nil || records[0].ID != "1" || records[1].ID != "6" {
		t.Errorf("the list begins with %+v, %v", records, err)
	}
	if deleted, err := s.DeleteOwned(ctx, "nobody", nil); deleted != 0 || err != nil {
		t.Errorf("of nobody %d were deleted, %v", deleted, err)
	}
	canceled, cancel := context.WithCancel(ctx)
	cancel()
	if _, err := s.DeleteOwned(canceled, "a", nil); !errors.Is(err, context.Canceled) {
		t.Errorf("with a canceled context: %v", err)
	}
	if record, err := s.Get(ctx, "0"); err != nil {
		t.Errorf("a refused deletion deleted %+v, %v", record, err)
	}
}

// testDeleteOwnedUnderInserts checks that nobody else loses anything while an owner comes and goes.
func testDeleteOwnedUnderInserts(t *testing.T, s store.Store) {
	const rounds = 30
	ctx := context.Background()
	var work sync.WaitGroup
	for _, owner := range []string{"stays", "goes"} {
		work.Go(func() {
			for i := range rounds {
				if err := s.Insert(ctx, storetest.Record(fmt.Sprint(owner, i), owner, "legacy"), storetest.Token("kind:"+owner, rounds)); err != nil {
					t.Errorf("insert of %s %d: %v", owner, i, err)
				}
			}
		})
	}
	for range 2 {
		work.Go(func() {
			for range rounds {
				if _, err := s.DeleteOwned(ctx, "goes", []string{"kind:goes", "other:goes"}); err != nil {
					t.Errorf("delete: %v", err)
				}
			}
		})
	}
	work.Wait()
	if _, err := s.DeleteOwned(ctx, "goes", []string{"kind:goes"}); err != nil {
		t.Error(err)
	}
	left := storetest.Snapshot(t, s)
	if len(left.Records) != rounds || len(left.Buckets) != 1 {
		t.Errorf("%d records and %d buckets are left, want %d and 1", len(left.Records), len(left.Buckets), rounds)
	}
	for i, record := range left.Records {
		if want := fmt.Sprint("stays", i); record.ID != want {
			t.Errorf("record %d is %s, want %s", i, record.ID, want)
		}
	}
}
