//go:build !nopostgres

package state

import (
	"context"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/postgres"
)

func openPostgres(ctx context.Context, address string) (store.Store, error) {
	return postgres.Open(ctx, address)
}

func postgresName(address string) string { return postgres.Name(address) }
