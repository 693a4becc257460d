//go:build unix

package store_test

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/postgrestest"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

func openPostgres(t testing.TB, address string) store.Store {
	t.Helper()
	s, err := store.Open(context.Background(), address)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestPostgres(t *testing.T) {
	database := postgrestest.Start(t)
	suite(t, func(t *testing.T) store.Store { return openPostgres(t, database.Address(t)) })
	t.Run("several stores on one database", func(t *testing.T) { testSeveral(t, database.Address(t)) })
	t.Run("refused", func(t *testing.T) { testRefusedDatabases(t, database) })
	t.Run("a damaged record", func(t *testing.T) { testDamagedRow(t, database) })
	t.Run("apart by search_path", func(t *testing.T) {
		address := database.Address(t)
		database.Execute(t, address, "CREATE SCHEMA one; CREATE SCHEMA two")
		one, two := openPostgres(t, address+"&search_path=one"), openPostgres(t, address+"&search_path=two")
		defer closeStore(t, one)
		defer closeStore(t, two)
		insert(t, one, record("a", "a", "legacy"))
		if _, err := two.Get(context.Background(), "a"); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("a record of another schema: %v", err)
		}
	})
	t.Run("outlives the database's restart", func(t *testing.T) {
		address := database.Address(t)
		s := openPostgres(t, address)
		defer closeStore(t, s)
		insert(t, s, record("a", "a", "legacy"))
		database.Stop()
		err := s.Insert(context.Background(), record("b", "a", "legacy"), nil)
		if err == nil || !contains(err, store.Name(address)) || contains(err, postgrestest.Password) {
			t.Errorf("without its database: %v", err)
		}
		if refused, err := store.Open(context.Background(), address); err == nil || !contains(err, "cannot be reached") || contains(err, postgrestest.Password) {
			t.Errorf("opened without a database: %v, %v", refused, err)
		}
		database.Run(t)
		// The connections of before are found broken one by one.
		var after *exports.Record
		for range 20 {
			if after, err = s.Get(context.Background(), "a"); err == nil {
				break
			}
		}
		if err != nil || after.ID != "a" {
			t.Errorf("after the restart: %v, %v", after, err)
		}
	})
}

// testSeveral has several stores, as several servers do, change the same rows.
func testSeveral(t *testing.T, address string) {
	const workers, each, burst = 4, 25, 30
	ctx := context.Background()
	stores := make([]store.Store, 3)
	parallel(len(stores), func(i int) { stores[i] = openPostgres(t, address) }) // all make the tables
	defer func() {
		for _, s := range stores {
			closeStore(t, s)
		}
	}()
	insert(t, stores[0], record("shared", "a", "legacy"))
	first, err := stores[1].Revision(ctx)
	if err != nil {
		t.Fatal(err)
	}
	var inserted, taken, added atomic.Int64
	parallel(workers*len(stores), func(worker int) {
		s := stores[worker%len(stores)]
		for n := range each {
			if _, err := s.Update(ctx, "shared", func(r *exports.Record) error { r.Polls++; return nil }); err != nil {
				t.Error(err)
			}
			if err := s.Insert(ctx, record(fmt.Sprint("race-", n), "a", "legacy"), nil); err == nil {
				inserted.Add(1)
			} else if !errors.Is(err, store.ErrExists) {
				t.Error(err)
			}
			var limited *store.LimitedError
			if err := s.Insert(ctx, record(fmt.Sprintf("limited-%d-%d", worker, n), "limited", "legacy"), token("k", burst)); err == nil {
				taken.Add(1)
			} else if !errors.As(err, &limited) {
				t.Error(err)
			}
			if err := s.UpdateSetting(ctx, "count", func(value []byte) ([]byte, error) { return append(value, 'x'), nil }); err != nil {
				t.Error(err)
			}
			if err := s.AppendData(ctx, int64(n+1), []byte("{}")); err == nil {
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
		batches, dataErr := s.DataAfter(ctx, 0)
		if err := errors.Join(err, settingErr, revisionErr, dataErr); err != nil {
			t.Fatal(err)
		}
		if got.Polls != 1+total || len(value) != total || revision.Changes != first.Changes+int64(total) || len(batches) != int(added.Load()) {
			t.Errorf("store %d: %d lookups, %d settings, revision %+v after %+v, %d batches of %d", i, got.Polls, len(value), revision, first, len(batches), added.Load())
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
		if err := errors.Join(err, change()); err != nil {
			t.Fatal(err)
		}
		after, err := stores[1].Revision(ctx)
		if err != nil || after.Changes <= before.Changes {
			t.Errorf("after a change elsewhere the revision is %+v, %v; before it was %+v", after, err, before)
		}
	}
}

func testRefusedDatabases(t *testing.T, database *postgrestest.Server) {
	newer := database.Address(t)
	closeStore(t, openPostgres(t, newer))
	database.Execute(t, newer, "INSERT INTO rehearsal_migrations (version) VALUES (99)")
	readOnly, empty := database.Address(t), database.Address(t)
	database.Execute(t, empty, "CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0")
	latin := regexp.MustCompile(`/rehearsal_[0-9]+`).ReplaceAllString(empty, "/latin")
	database.Execute(t, empty, "CREATE ROLE stranger LOGIN; REVOKE CREATE ON SCHEMA public FROM PUBLIC")
	for name, c := range map[string]struct{ address, mentions string }{
		"newer":             {newer, "schema version 99, but this program knows versions up to 1"},
		"another encoding":  {latin, "create a database with the encoding UTF8"},
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
		s, err := store.Open(context.Background(), c.address)
		if err == nil {
			s.Close()
			t.Errorf("%s: accepted", name)
			continue
		}
		if s != nil || !contains(err, c.mentions) || contains(err, postgrestest.Password) {
			t.Errorf("%s: %v, want %q and no password", name, err, c.mentions)
		}
		if !contains(err, "is not a URL") && !contains(err, store.Name(c.address)) {
			t.Errorf("%s: %q does not name %q", name, err, store.Name(c.address))
		}
	}
}

func testDamagedRow(t *testing.T, database *postgrestest.Server) {
	ctx, address := context.Background(), database.Address(t)
	s := openPostgres(t, address)
	defer closeStore(t, s)
	insert(t, s, record("a", "a", "legacy"), record("b", "a", "legacy"))
	database.Execute(t, address, "UPDATE rehearsal_exports SET record = '{' WHERE id = 'a'")
	_, getErr := s.Get(ctx, "a")
	_, updateErr := s.Update(ctx, "a", func(*exports.Record) error { return nil })
	_, listErr := s.List(ctx, store.ListOptions{})
	for name, err := range map[string]error{"Get": getErr, "Update": updateErr, "List": listErr} {
		if err == nil || !contains(err, store.Name(address)) || !contains(err, "not readable") {
			t.Errorf("%s of a damaged record: %v", name, err)
		}
	}
	if _, err := s.Get(ctx, "b"); err != nil {
		t.Errorf("the neighbour of a damaged record: %v", err)
	}
}

func TestName(t *testing.T) {
	for address, want := range map[string]string{
		"memory": "memory", "a b.db": "a b.db",
		"postgres://u:secret@h:1/db?sslmode=disable&password=secret": "postgres://u@h:1/db",
		"postgresql://h/db?password=secret&host=/run":                "postgresql://h/db?host=%2Frun",
		"postgres://u:secret%zz@h/db":                                "postgres://...",
	} {
		if got := store.Name(address); got != want {
			t.Errorf("Name(%q) = %q, want %q", address, got, want)
		}
	}
}
