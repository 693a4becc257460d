// Package state says where a mock server keeps its state: a file or a PostgreSQL database.
//
//	mockserver.New(mockserver.Options{State: state.At("rehearsal.db")})
//
// It is apart from package mockserver so that programs and tests whose servers keep everything in memory compile no database.
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
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/bolt"
)

// addresses is what messages say of the addresses that At knows.
const addresses = "use memory, the path of a file or postgres://user:password@host/database"

// At is the state with an address, for [mockserver.Options]:
//
//   - memory: it ends with the process.
//   - The path of a file. It is made, readable by its owner only, if it is not
//     there. One server at a time may use it, and what it has acknowledged
//     survives kill -9; a power failure may damage it, unless the state is
//     [Durable].
//   - postgres://user:password@host:5432/database with the parameters of libpq,
//     for several servers that are one service. Its tables, whose names begin with
//     rehearsal_, are made in the first schema of the search_path. A program
//     that was built with the tag nopostgres refuses it.
//
// What is wrong with an address is an error of [mockserver.New]. No error repeats a password.
func At(address string) mockserver.State {
	if address == "memory" {
		return nil // what New makes
	}
	return func(ctx context.Context) (store.Store, error) { return open(ctx, address, bolt.Open) }
}

// Durable is the state with an address, as At knows it, whose acknowledged requests survive a power failure too: a file is synced with
// every commit, and a PostgreSQL session sets synchronous_commit to on, unless the address says what it is. Memory is not durable: that
// is an error.
func Durable(address string) mockserver.State {
	return func(ctx context.Context) (store.Store, error) {
		if address == "memory" {
			return nil, errors.New("store address memory cannot be durable: it ends with the process; name a file or a database")
		}
		return open(ctx, durableSession(address), bolt.OpenDurable)
	}
}

// durableSession is an address whose sessions wait for the disk of a PostgreSQL server, however that is set up.
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

// Disk is a temporary file for what a dataset derives from its rows beyond the first
// megabytes, in a directory; "" stands for that of the system. It takes its share of the budget of temporary files.
func Disk(under string) mockserver.DataDisk {
	return func(room blocks.Room) blocks.Store { return blocks.Disk(under, room) }
}

func open(ctx context.Context, address string, openFile func(ctx context.Context, path string) (*store.State, error)) (opened store.Store,
	err error) {
	// A scheme that is not known is not a file name.
	scheme, _, isURL := strings.Cut(address, "://")
	switch {
	case isPostgres(address):
		opened, err = openPostgres(ctx, address)
	case isURL:
		return nil, fmt.Errorf("store address with scheme %q is not known: %s", scheme, addresses)
	case strings.TrimSpace(address) == "", strings.EqualFold(strings.Trim(address, ": "), "memory"): // or almost
		return nil, fmt.Errorf("store address %q names no file: %s", address, addresses)
	default:
		opened, err = openFile(ctx, address)
	}
	if err != nil {
		return nil, err
	}
	return opened, nil
}

// Name is an address as it may be shown: without a password.
func Name(address string) string {
	if isPostgres(address) {
		return postgresName(address)
	}
	return address
}

func isPostgres(address string) bool {
	return strings.HasPrefix(address, "postgres://") || strings.HasPrefix(address, "postgresql://")
}
