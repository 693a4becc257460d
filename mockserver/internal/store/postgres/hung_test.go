//go:build unix

package postgres_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/postgres/postgrestest"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/storetest"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestHungDatabase: a database that answers no more is away after half a minute, also for reads whose context never ends, and the
// store can be closed.
func TestHungDatabase(t *testing.T) {
	for range testlevel.Count(0, 1, 1) { // it waits for half a minute
		address := postgrestest.Start(t).Address(t)
		s := open(t, address)
		ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
		defer cancel()
		other := must.Get(pgx.Connect(ctx, address))(t)
		defer other.Close(ctx)
		must.Get(other.Exec(ctx, `BEGIN; LOCK TABLE rehearsal_state IN ACCESS EXCLUSIVE MODE`))(t)
		endless := context.WithoutCancel(ctx)
		reads := map[string]func() error{
			"Get":      func() error { _, err := s.Get(endless, "1"); return err },
			"List":     func() error { _, err := s.List(endless, store.ListOptions{}); return err },
			"Revision": func() error { _, err := s.Revision(endless); return err },
			"Snapshot": func() error { _, err := s.Snapshot(endless, dataset.BatchesOf()); return err },
		}
		type ended struct {
			name string
			err  error
		}
		all := make(chan ended, len(reads))
		for name, read := range reads {
			go func() { all <- ended{name, read()} }()
		}
		for range reads {
			select {
			case read := <-all:
				must.Hold(t, errors.Is(read.err, store.ErrAway), "%s: %v", read.name, read.err)
			case <-ctx.Done():
				t.Fatal("a read waits for longer than two minutes")
			}
		}
		storetest.Close(t, s)
	}
}
