//go:build unix

package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/postgres"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/postgres/postgrestest"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/storetest"
)

// testKnown: a store that has asked for the revision never shows a record as it was before, whoever changed it, and how.
func testKnown(t *testing.T, database *postgrestest.Server) {
	ctx := context.Background()
	began := storetest.Record("a", "owner", "legacy").Polls
	address := database.Address(t)
	here, there := open(t, address), open(t, address)
	defer storetest.Close(t, here)
	defer storetest.Close(t, there)
	poll := func(s *postgres.Store, id string) {
		t.Helper()
		if _, err := s.Update(ctx, id, func(r *exports.Record) error { r.Polls++; return nil }); err != nil {
			t.Fatal(err)
		}
	}
	expect := func(what string, polls int, missing bool) {
		t.Helper()
		if _, err := here.Revision(ctx); err != nil {
			t.Fatal(err)
		}
		for range 2 { // read, and then from memory
			record, err := here.GetKnown(ctx, "a")
			switch {
			case missing && !errors.Is(err, store.ErrNotFound):
				t.Errorf("%s: %v, %v", what, record, err)
			case missing:
			case err != nil:
				t.Errorf("%s: %v", what, err)
			case record.Polls != began+polls:
				t.Errorf("%s: %d polls, want %d", what, record.Polls, began+polls)
			default:
				record.Polls = -1 // what is handed out is a copy
			}
		}
	}
	storetest.Insert(t, here, storetest.Record("a", "owner", "legacy"))
	expect("inserted here", 0, false)
	poll(there, "a")
	expect("changed there", 1, false)
	poll(here, "a")
	expect("changed here", 2, false)
	poll(there, "a")
	poll(here, "a")
	expect("changed there and here", 4, false)
	for n := range 200 { // others in every slot
		id := fmt.Sprint("other-", n)
		storetest.Insert(t, there, storetest.Record(id, "owner", "legacy"))
		poll(there, id)
	}
	expect("others changed there", 4, false)
	snapshot, err := here.Snapshot(ctx, dataset.BatchesOf())
	if err != nil {
		t.Fatal(err)
	}
	poll(there, "a")
	expect("changed again", 5, false)
	if err := there.Restore(ctx, snapshot); err != nil {
		t.Fatal(err)
	}
	expect("restored there", 4, false)
	database.Execute(t, address, `UPDATE rehearsal_exports SET record = replace(record, '"polls":5', '"polls":10') WHERE id = 'a'`)
	expect("changed by hand", 9, false)
	if _, err := there.DeleteOwned(ctx, "owner", nil); err != nil {
		t.Fatal(err)
	}
	expect("deleted there", 0, true)
	storetest.Insert(t, there, storetest.Record("a", "owner", "legacy"))
	expect("inserted there", 0, false)
	if _, _, err := there.Prune(ctx, 0, func(*exports.Record) bool { return true }); err != nil {
		t.Fatal(err)
	}
	expect("pruned there", 0, true)
	storetest.Insert(t, there, storetest.Record("a", "owner", "legacy"))
	expect("inserted once more", 0, false)
	database.Execute(t, address, `TRUNCATE rehearsal_exports CASCADE`)
	expect("truncated by hand", 0, true)

	// An older database in the place of this one has counted less.
	storetest.Insert(t, there, storetest.Record("a", "owner", "legacy"))
	for range 5 {
		poll(here, "a")
	}
	expect("changed some more", 5, false)
	older := fmt.Sprintf(`UPDATE rehearsal_exports SET record = replace(record, '"polls":%d', '"polls":%d') WHERE id = 'a'; UPDATE rehearsal_changes SET changes = 0`, began+5, began+2)
	database.Execute(t, address, older)
	expect("an older database", 2, false)
	poll(there, "a")
	expect("changed there in the older database", 3, false)
}

// TestKnownIsAskedOnce: records that were written or read last cost no question.
func TestKnownIsAskedOnce(t *testing.T) {
	database := postgrestest.Start(t)
	address := database.Address(t)
	s := open(t, address)
	defer storetest.Close(t, s)
	storetest.Insert(t, s, storetest.Record("a", "owner", "legacy"))
	if _, err := s.Revision(t.Context()); err != nil {
		t.Fatal(err)
	}
	database.Stop() // whoever asks it now fails
	if record, err := s.GetKnown(t.Context(), "a"); err != nil || record.ID != "a" {
		t.Errorf("a record that was written: %v, %v", record, err)
	}
	if _, err := s.GetKnown(t.Context(), "b"); err == nil || errors.Is(err, store.ErrNotFound) {
		t.Errorf("a record that is not known, without the database: %v", err)
	}
}
