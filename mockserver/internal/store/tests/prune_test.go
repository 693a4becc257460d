package store_test

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/storetest"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

func testPrune(t *testing.T, s store.Store) {
	ctx := context.Background()
	begin := storetest.Record("x", "a", "legacy").CreatedAt
	for i := range 300 {
		record := storetest.Record(fmt.Sprint(i), []string{"a", "b"}[i%2], "legacy")
		record.CreatedAt = begin.Add(time.Duration(i) * time.Minute)
		must.Do(t, s.Insert(ctx, record, nil))
	}
	before := storetest.Snapshot(t, s)
	old := func(record *exports.Record) bool {
		return record.Owner == "a" && record.CreatedAt.Before(begin.Add(100*time.Minute))
	}
	deleted, next, err := s.Prune(ctx, 0, old)
	if deleted != 50 || next == 0 || err != nil {
		t.Fatalf("deleted %d, %v; want 50 of the first page of two", deleted, err)
	}
	before.Records = slices.DeleteFunc(before.Records, old)
	if after := storetest.Snapshot(t, s); !reflect.DeepEqual(after, before) {
		t.Errorf("left %d records, want %d", len(after.Records), len(before.Records))
	}
	if record, err := s.Get(ctx, "98"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("Get = %+v, %v; want ErrNotFound", record, err)
	}
	page, err := s.List(ctx, store.ListOptions{Owner: "a", After: "104"})
	must.Hold(t, err == nil && len(page) == 2 && page[0].ID == "102" && page[1].ID == "100", "the page behind 104 is %v, %v", page, err)
	// Those behind the first page.
	last := func(record *exports.Record) bool { return record.ID == "299" }
	if deleted, _, err := s.Prune(ctx, 0, last); deleted != 1 || err != nil {
		t.Errorf("deleted %d of the last of 250, %v", deleted, err)
	}
	if deleted, end, err := s.Prune(ctx, next, func(record *exports.Record) bool { return record.ID == "298" }); deleted != 1 || end != 0 ||
		err != nil {
		t.Errorf("deleted %d behind the first page, and goes on at %d, %v", deleted, end, err)
	}
	if deleted, _, err := s.Prune(ctx, next, func(record *exports.Record) bool { return record.ID == "100" }); deleted != 0 || err != nil {
		t.Errorf("deleted %d that are before, %v", deleted, err)
	}
	if deleted, end, err := s.Prune(ctx, 0, func(*exports.Record) bool { return true }); deleted != 248 || end != 0 || err != nil {
		t.Errorf("deleted %d of the 248 that are left, %v", deleted, err)
	}
	if deleted, _, err := s.Prune(ctx, 0, func(*exports.Record) bool { return true }); deleted != 0 || err != nil {
		t.Errorf("deleted %d of none, %v", deleted, err)
	}
	must.Equal(t, s.Insert(ctx, storetest.Record("98", "a", "legacy"), nil), nil, "an identifier that was forgotten")
}
