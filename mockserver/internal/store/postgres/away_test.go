//go:build unix

package postgres_test

import (
	"context"
	"errors"
	"regexp"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/postgres/postgrestest"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/storetest"
)

// TestRefusedConnections: a database that is there and lets nobody in any more is away, whatever its reason.
func TestRefusedConnections(t *testing.T) {
	database := postgrestest.Start(t)
	address := database.Address(t)
	s := open(t, address)
	defer storetest.Close(t, s)
	storetest.Insert(t, s, storetest.Record("before", "a", "legacy"))
	name := regexp.MustCompile(`rehearsal_[0-9]+`).FindString(address)
	for refuse, let := range map[string]string{
		`RENAME TO elsewhere`:     `ALTER DATABASE elsewhere RENAME TO ` + name,
		`ALLOW_CONNECTIONS false`: `ALTER DATABASE ` + name + ` ALLOW_CONNECTIONS true`,
	} {
		other := database.Address(t)
		database.Execute(t, other, `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '`+name+`'`)
		database.Execute(t, other, `ALTER DATABASE `+name+` `+refuse)
		if err := s.Insert(context.Background(), storetest.Record("during", "a", "legacy"), nil); !errors.Is(err, store.ErrAway) {
			t.Errorf("%s: %v", refuse, err)
		}
		database.Execute(t, other, let)
		storetest.Insert(t, s, storetest.Record("after "+refuse, "a", "legacy"))
	}
}
