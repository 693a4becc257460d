//go:build unix

package main

import (
	"context"
	"errors"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/postgres/postgrestest"
)

// startOverPostgres starts the program over a new database of its own, which waits for its disk as it does when nobody sets it
// up; nil when there is no PostgreSQL on this machine.
func (p programs) startOverPostgres(ctx context.Context) (server *running, stop func(), err error) {
	database, err := postgrestest.Launch()
	if errors.Is(err, postgrestest.ErrUnavailable) {
		return nil, func() {}, nil
	}
	if err != nil {
		return nil, nil, err
	}
	address, err := database.Create()
	if err == nil {
		server, err = p.startServed(ctx, address)
	}
	if err != nil {
		return nil, nil, errors.Join(err, database.Close())
	}
	return server, func() {
		server.stop()
		database.Close()
	}, nil
}
