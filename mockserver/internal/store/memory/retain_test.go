package memory_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/memory"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/storetest"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestRetain: what is old is found nowhere, and is deleted while others come.
func TestRetain(t *testing.T) {
	ctx := t.Context()
	kept := memory.New()
	s := store.Retain(kept, func(record *exports.Record) bool { return strings.HasPrefix(record.ID, "old") })
	for i, id := range []string{"old-1", "new-1", "old-2", "old-3", "new-2", "new-3"} {
		if err := s.Insert(ctx, storetest.Record(id, "a", "legacy"), nil); err != nil {
			t.Fatal(i, err)
		}
	}
	if record, err := s.Get(ctx, "old-2"); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("Get = %+v, %v; want ErrNotFound", record, err)
	}
	if record, err := s.Update(ctx, "old-2", func(*exports.Record) error { return nil }); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("Update = %+v, %v; want ErrNotFound", record, err)
	}
	for _, c := range []struct {
		options store.ListOptions
		want    string
	}{
		{store.ListOptions{}, "new-3 new-2 new-1"}, {store.ListOptions{Limit: 1}, "new-3"}, {store.ListOptions{Limit: 2}, "new-3 new-2"},
		{store.ListOptions{Limit: 1, After: "new-2"}, "new-1"}, {store.ListOptions{After: "new-1"}, ""},
	} {
		page, err := s.List(ctx, c.options)
		var ids []string
		for _, record := range page {
			ids = append(ids, record.ID)
		}
		if got := strings.Join(ids, " "); got != c.want || err != nil {
			t.Errorf("List(%+v) = %q, %v; want %q", c.options, got, err, c.want)
		}
	}
	if _, err := s.List(ctx, store.ListOptions{After: "old-3"}); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a page behind a record that is old: %v", err)
	}
	for i := range 2000 {
		must.Do(t, s.Insert(ctx, storetest.Record(fmt.Sprint("old-or-not-", i), "a", "legacy"), nil))
	}
	if left, err := kept.Snapshot(ctx, dataset.BatchesOf()); err != nil || len(left.Records) > 300 {
		t.Errorf("%d records are left, %v", len(left.Records), err)
	}
}

// TestRetainBehindOthers: records that are not old, however many, keep none that come after them.
func TestRetainBehindOthers(t *testing.T) {
	ctx := t.Context()
	kept := memory.New()
	s := store.Retain(kept, func(record *exports.Record) bool { return strings.HasPrefix(record.ID, "old") })
	for i := range 4000 {
		id := fmt.Sprint("old-", i)
		if i < 1000 {
			id = fmt.Sprint("new-", i)
		}
		must.Do(t, s.Insert(ctx, storetest.Record(id, "a", "legacy"), nil))
	}
	if left, err := kept.Snapshot(ctx, dataset.BatchesOf()); err != nil || len(left.Records) < 1000 || len(left.Records) > 2000 {
		t.Errorf("%d records are left, %v; 1000 are not old", len(left.Records), err)
	}
}
