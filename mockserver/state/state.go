// Package state says where a mock server keeps its state: an SQLite file or a
// PostgreSQL database.
//
//	mockserver.New(mockserver.Options{State: state.At("rehearsal.db")})
//
// It is apart from package mockserver so that programs and tests whose servers
// keep everything in memory compile no database.
package state

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/postgres"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/scratch"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/sqlite"
)

// addresses is what messages say of the addresses that At knows.
const addresses = "use memory, sqlite:PATH, a path or postgres://user:password@host/database"

// At is the state with an address, for [mockserver.Options]:
//
//   - memory: it ends with the process.
//   - The path of an SQLite file, also as sqlite:PATH. The file is made, readable
//     by its owner only, if it is not there. One server at a time may use it, and
//     what it has acknowledged survives kill -9; a power failure may take the
//     last of it, unless the state is [Durable].
//   - postgres://user:password@host:5432/database with the parameters of libpq,
//     for several servers that are one service. Its tables, whose names begin with
//     rehearsal_, are made in the first schema of the search_path.
//
// What is wrong with an address is an error of [mockserver.New]. No error repeats
// a password.
func At(address string) mockserver.State {
	if address == "memory" {
		return nil // what New makes
	}
	return func(ctx context.Context) (store.Store, error) { return open(ctx, address, sqlite.Open) }
}

// Durable is the state with an address, as At knows it, whose acknowledged
// requests survive a power failure too: an SQLite file is synced with every
// commit, and a PostgreSQL session sets synchronous_commit to on, unless the
// address says what it is. Memory is not durable: that is an error.
func Durable(address string) mockserver.State {
	return func(ctx context.Context) (store.Store, error) {
		if address == "memory" {
			return nil, errors.New("store address memory cannot be durable: it ends with the process; name a file or a database")
		}
		return open(ctx, durableSession(address), sqlite.OpenDurable)
	}
}

// durableSession is an address whose sessions wait for the disk of a PostgreSQL
// server, however that is set up.
func durableSession(address string) string {
	parsed, err := url.Parse(address)
	if err != nil || !isPostgres(address) || parsed.Query().Has("synchronous_commit") {
		return address
	}
	query := parsed.Query()
	query.Set("synchronous_commit", "on")
	parsed.RawQuery = query.Encode()
	return parsed.String()
}

// Disk is a temporary SQLite file for what a dataset derives from its rows, in a
// new directory under another one; "" stands for that of the system. It takes its
// share of the budget of temporary files.
func Disk(under string) mockserver.DataDisk {
	return func(ctx context.Context, room blocks.Room) (blocks.Store, error) {
		opened, err := scratch.Open(ctx, under, room)
		if err != nil {
			return nil, err
		}
		return opened, nil
	}
}

func open(ctx context.Context, address string, openFile func(ctx context.Context, path string) (*sqlite.Store, error)) (opened store.Store, err error) {
	path, found := strings.CutPrefix(address, "sqlite:")
	// A scheme that is not known is not a file name.
	scheme, _, isURL := strings.Cut(path, "://")
	switch {
	case isPostgres(address):
		opened, err = postgres.Open(ctx, address)
	case !found && isURL:
		return nil, fmt.Errorf("store address with scheme %q is not known: %s", scheme, addresses)
	case strings.TrimSpace(path) == "":
		return nil, fmt.Errorf("store address %q names no file: %s", address, addresses)
	default:
		opened, err = openFile(ctx, path)
	}
	if err != nil {
		return nil, err
	}
	return opened, nil
}

// Name is an address as it may be shown: without a password.
func Name(address string) string {
	if isPostgres(address) {
		return postgres.Name(address)
	}
	return address
}

func isPostgres(address string) bool {
	return strings.HasPrefix(address, "postgres://") || strings.HasPrefix(address, "postgresql://")
}
