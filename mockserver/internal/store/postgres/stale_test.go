//go:build unix

package postgres_test

import (
	"context"
	"fmt"
	"regexp"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/postgres/postgrestest"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/storetest"
)

// cut ends the connections of the stores on a database.
const cut = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'rehearsal'`

// TestStaleConnections: what finds its connection cut, or one that can only be read, is done on another.
func TestStaleConnections(t *testing.T) {
	database := postgrestest.Start(t)
	ctx := context.Background()
	for _, token := range []*store.Token{nil, storetest.Token("bucket", 9)} {
		t.Run(fmt.Sprintf("token %t", token != nil), func(t *testing.T) {
			address := database.Address(t)
			s := open(t, address)
			defer storetest.Close(t, s)
			insert := func(id string) error { return s.Insert(ctx, storetest.Record(id, "a", "legacy"), token) }

			// A restart cuts all connections.
			useReads(t, s)
			database.Stop()
			database.Run(t)
			if err := insert("after the restart"); err != nil {
				t.Error(err)
			}

			// A failover: the connections of before stay open, and can only be read.
			database.Execute(t, address, `ALTER DATABASE `+regexp.MustCompile(`rehearsal_[0-9]+`).FindString(address)+
				` SET default_transaction_read_only = on; `+cut)
			useReads(t, s)
			if err := insert("read-only"); err == nil || !contains(err, "can only be read") {
				t.Errorf("while it can only be read: %v", err)
			}
			useReads(t, s)
			database.Execute(t, database.Address(t), `ALTER DATABASE `+regexp.MustCompile(`rehearsal_[0-9]+`).FindString(address)+
				` RESET default_transaction_read_only`)
			if err := insert("after the failover"); err != nil {
				t.Error(err)
			}

			// The connection breaks while a change is made.
			runs := 0
			after, err := s.Update(ctx, "after the restart", func(r *exports.Record) error {
				if runs++; runs == 1 {
					database.Execute(t, address, cut)
				}
				r.Polls++
				return nil
			})
			if err != nil || runs != 2 || after.Polls != 2 {
				t.Errorf("changed %d times to %+v, %v", runs, after, err)
			}

			// It breaks once when an insert is committed.
			database.Execute(t, address, `CREATE SEQUENCE tries;
				CREATE FUNCTION cut() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
					IF nextval('tries') = 1 THEN PERFORM pg_terminate_backend(pg_backend_pid()); END IF; RETURN NULL; END $$;
				CREATE CONSTRAINT TRIGGER cut AFTER INSERT ON rehearsal_state DEFERRABLE INITIALLY DEFERRED FOR EACH ROW EXECUTE FUNCTION cut()`)
			if err := insert("cut"); err != nil {
				t.Error(err)
			}
			want := map[string]bool{"after the restart": true, "after the failover": true, "cut": true}
			page, err := s.List(ctx, store.ListOptions{Owner: "a"})
			if err != nil || len(page) != len(want) {
				t.Errorf("stored are %v, %v", storetest.IDs(page), err)
			}
			for _, record := range page {
				if !want[record.ID] {
					t.Errorf("stored is %s", record.ID)
				}
			}
		})
	}
}

// useReads lets a store open several connections by reading.
func useReads(t *testing.T, s store.Store) {
	t.Helper()
	storetest.Parallel(8, func(int) {
		if _, err := s.List(context.Background(), store.ListOptions{}); err != nil {
			t.Error(err)
		}
	})
}
