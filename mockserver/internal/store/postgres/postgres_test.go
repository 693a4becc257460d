//go:build unix

package postgres_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/jackc/pgx/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/postgres"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/postgres/postgrestest"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/storetest"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

func open(t testing.TB, address string) *store.State {
	t.Helper()
	return must.Get(postgres.Open(context.Background(), address))(t)
}

func TestStore(t *testing.T) {
	database := postgrestest.Start(t)
	t.Run("several stores on one database", func(t *testing.T) { testSeveral(t, database.Address(t)) })
	t.Run("refused", func(t *testing.T) { testRefusedDatabases(t, database) })
	t.Run("a damaged record", func(t *testing.T) { testDamagedRow(t, database) })
	t.Run("creations wait for no other", func(t *testing.T) { testCreationsDoNotWait(t, database.Address(t)) })
	t.Run("apart by search_path", func(t *testing.T) {
		address := database.Address(t)
		database.Execute(t, address, "CREATE SCHEMA one; CREATE SCHEMA two")
		one, two := open(t, address+"&search_path=one"), open(t, address+"&search_path=two")
		defer storetest.Close(t, one)
		defer storetest.Close(t, two)
		storetest.Insert(t, one, storetest.Record("a", "a", "legacy"))
		if _, err := two.Get(context.Background(), "a"); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("a record of another schema: %v", err)
		}
	})
	t.Run("outlives the database's restart", func(t *testing.T) {
		address := database.Address(t)
		s := open(t, address)
		defer storetest.Close(t, s)
		storetest.Insert(t, s, storetest.Record("a", "a", "legacy"))
		useReads(t, s)
		database.Stop()
		err := s.Insert(context.Background(), storetest.Record("b", "a", "legacy"), nil)
		if err == nil || !contains(err, postgres.Name(address)) || contains(err, postgrestest.Password) {
			t.Errorf("without its database: %v", err)
		}
		if refused, err := postgres.Open(context.Background(), address); err == nil || !contains(err, "cannot be reached") ||
			contains(err, postgrestest.Password) {
			t.Errorf("opened without a database: %v, %v", refused, err)
		}
		database.Run(t)
		after, err := s.Get(context.Background(), "a")
		must.Hold(t, err == nil && after.ID == "a", "after the restart: %v, %v", after, err)
	})
}

// testSeveral has several stores, as several servers do, change the same rows.
func testSeveral(t *testing.T, address string) {
	const workers, each, burst = 4, 25, 30
	ctx := context.Background()
	stores := make([]store.Store, 3)
	storetest.Parallel(len(stores), func(i int) { stores[i] = open(t, address) }) // all make the tables
	defer func() {
		for _, s := range stores {
			storetest.Close(t, s)
		}
	}()
	storetest.Insert(t, stores[0], storetest.Record("shared", "a", "legacy"))
	first := must.Get(stores[1].Revision(ctx))(t)
	var inserted, taken, added atomic.Int64
	storetest.Parallel(workers*len(stores), func(worker int) {
		s := stores[worker%len(stores)]
		for n := range each {
			if _, err := s.Update(ctx, "shared", func(r *exports.Record) error { r.Polls++; return nil }); err != nil {
				t.Error(err)
			}
			if err := s.Insert(ctx, storetest.Record(fmt.Sprint("race-", n), "a", "legacy"), nil); err == nil {
				inserted.Add(1)
			} else if !errors.Is(err, store.ErrExists) {
				t.Error(err)
			}
			var limited *store.LimitedError
			if err := s.Insert(ctx, storetest.Record(fmt.Sprintf("limited-%d-%d", worker, n), "limited", "legacy"),
				storetest.Token("k", burst)); err == nil {
				taken.Add(1)
			} else if !errors.As(err, &limited) {
				t.Error(err)
			}
			if err := s.UpdateSetting(ctx, "count", func(value []byte) ([]byte, error) { return append(value, 'x'), nil }); err != nil {
				t.Error(err)
			}
			if err := s.AppendData(ctx, 0, int64(n+1), []byte("{}")); err == nil {
				added.Add(1)
			} else if !errors.Is(err, dataset.ErrBehind) && !errors.Is(err, dataset.ErrReplaced) {
				t.Error(err)
			}
		}
	})
	total := workers * len(stores) * each
	for i, s := range stores {
		got, err := s.Get(ctx, "shared")
		value, settingErr := s.Setting(ctx, "count")
		revision, revisionErr := s.Revision(ctx)
		batches := storetest.Batches(t, s, 0)
		must.Do(t, errors.Join(err, settingErr, revisionErr))
		if got.Polls != 1+total || len(value) != total || revision.Changes != first.Changes+int64(total) || len(batches) != int(added.Load()) {
			t.Errorf("store %d: %d lookups, %d settings, revision %+v after %+v, %d batches of %d", i, got.Polls, len(value), revision, first,
				len(batches), added.Load())
		}
	}
	if inserted.Load() != each || taken.Load() != burst {
		t.Errorf("%d inserts of %d ids succeeded, %d tokens of %d were taken", inserted.Load(), each, taken.Load(), burst)
	}
	// What one changes, another knows to have changed once the call is over.
	for _, change := range []func() error{
		func() error { return stores[0].SetSetting(ctx, "clock", []byte("1")) },
		func() error { return stores[0].Restore(ctx, &store.Snapshot{}) },
	} {
		before, err := stores[1].Revision(ctx)
		must.Do(t, errors.Join(err, change()))
		after, err := stores[1].Revision(ctx)
		if err != nil || after.Changes <= before.Changes {
			t.Errorf("after a change elsewhere the revision is %+v, %v; before it was %+v", after, err, before)
		}
	}
}

// testCreationsDoNotWait holds what all creations read, as another change would that locks it: they go on, with a dataset or without.
func testCreationsDoNotWait(t *testing.T, address string) {
	ctx := t.Context()
	s := open(t, address)
	defer storetest.Close(t, s)
	must.Do(t, s.Restore(ctx, &store.Snapshot{Settings: map[string][]byte{"clock": []byte("1")}}))
	other := must.Get(pgx.Connect(ctx, address))(t)
	defer other.Close(ctx)
	tx := must.Get(other.Begin(ctx))(t)
	held := must.Get(tx.Exec(ctx, "SELECT key FROM rehearsal_state WHERE key IN ('c', 'e') FOR UPDATE"))(t)
	if held.RowsAffected() != 2 {
		t.Fatalf("%d rows are held", held.RowsAffected())
	}
	shows := storetest.Record("shows a dataset", "a", "legacy")
	shows.File.DataGeneration = 1
	storetest.Insert(t, s, storetest.Record("plain", "a", "legacy"), shows)
	must.Do(t, tx.Rollback(ctx))
}

func testRefusedDatabases(t *testing.T, database *postgrestest.Server) {
	newer := database.Address(t)
	storetest.Close(t, open(t, newer))
	database.Execute(t, newer, `UPDATE rehearsal_state SET value = '99' WHERE key = '\000format'`)
	readOnly, empty := database.Address(t), database.Address(t)
	database.Execute(t, empty, "CREATE ROLE stranger LOGIN; REVOKE CREATE ON SCHEMA public FROM PUBLIC")
	for name, c := range map[string]struct{ address, mentions string }{
		"newer":             {newer, "format 99, but this program knows format 2"},
		"read-only":         {readOnly + "&default_transaction_read_only=on", "name the primary server"},
		"no such database":  {strings.Replace(empty, "/rehearsal_", "/nobody_", 1), "create it with CREATE DATABASE"},
		"no such schema":    {empty + "&search_path=nowhere", "create the one that search_path names"},
		"no permission":     {strings.Replace(empty, "rehearsal:", "stranger:", 1), "grant CREATE on the schema"},
		"no such user":      {strings.Replace(empty, "rehearsal:", "nobody:", 1), "does not let this user in"},
		"no such host":      {"postgres://user:" + postgrestest.Password + "@127.0.0.1:1/db", "cannot be reached"},
		"a wrong parameter": {"postgres://user:" + postgrestest.Password + "@localhost/db?pool_max_conns=none", "cannot be used"},
		"a wrong port":      {"postgres://user:" + postgrestest.Password + "@localhost:none/db", "is not a URL"},
		"a bad password":    {"postgres://user:" + postgrestest.Password + "%zz@localhost/db", "is not a URL"},
	} {
		s, err := postgres.Open(context.Background(), c.address)
		if err == nil {
			s.Close()
			t.Errorf("%s: accepted", name)
			continue
		}
		if s != nil || !contains(err, c.mentions) || contains(err, postgrestest.Password) {
			t.Errorf("%s: %v, want %q and no password", name, err, c.mentions)
		}
		if !contains(err, "is not a URL") && !contains(err, postgres.Name(c.address)) {
			t.Errorf("%s: %q does not name %q", name, err, postgres.Name(c.address))
		}
	}
}

func testDamagedRow(t *testing.T, database *postgrestest.Server) {
	ctx, address := context.Background(), database.Address(t)
	s := open(t, address)
	defer storetest.Close(t, s)
	storetest.Insert(t, s, storetest.Record("a", "a", "legacy"), storetest.Record("b", "a", "legacy"))
	database.Execute(t, address, "UPDATE rehearsal_state SET value = substr(value, 1, 8) || '{' WHERE key = 'ra'")
	_, getErr := s.Get(ctx, "a")
	_, updateErr := s.Update(ctx, "a", func(*exports.Record) error { return nil })
	_, listErr := s.List(ctx, store.ListOptions{})
	for name, err := range map[string]error{"Get": getErr, "Update": updateErr, "List": listErr} {
		if err == nil || !contains(err, postgres.Name(address)) || !contains(err, "not readable") {
			t.Errorf("%s of a damaged record: %v", name, err)
		}
	}
	if _, err := s.Get(ctx, "b"); err != nil {
		t.Errorf("the neighbour of a damaged record: %v", err)
	}
}

func TestName(t *testing.T) {
	for address, want := range map[string]string{
		"postgres://u:secret@h:1/db?sslmode=disable&password=secret": "postgres://u@h:1/db",
		"postgresql://h/db?password=secret&host=/run":                "postgresql://h/db?host=%2Frun",
		"postgres://u:secret%zz@h/db":                                "postgres://...",
	} {
		if got := postgres.Name(address); got != want {
			t.Errorf("Name(%q) = %q, want %q", address, got, want)
		}
	}
}

func contains(err error, part string) bool { return strings.Contains(err.Error(), part) }
