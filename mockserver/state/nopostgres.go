//go:build nopostgres

package state

import (
	"context"
	"errors"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

func openPostgres(context.Context, string) (store.Store, error) {
	return nil, errors.New("this program was built without PostgreSQL, with the tag nopostgres: " +
		"go build ./mockserver/cmd/mockserver makes one that has it")
}

// postgresName returns an address without what may be a password.
func postgresName(string) string { return "postgres://..." }
