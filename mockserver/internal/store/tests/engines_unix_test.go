//go:build unix

package store_test

import (
	"context"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/postgres"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/postgres/postgrestest"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

func TestDatabase(t *testing.T) {
	database := postgrestest.Start(t)
	run(t, func(t *testing.T) store.Store {
		return must.Get(postgres.Open(context.Background(), database.Address(t)))(t)
	})
}
