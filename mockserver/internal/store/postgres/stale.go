package postgres

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// attempts is how often an operation is tried that finds its connection stale, and conflicts how often one that meets others.
const attempts, conflicts = 3, 100

// tryAgain runs an operation, and again if it found its connection stale, unless it may have happened. A connection is stale that a
// restart of the database has cut, and also one that leads to a server that was the primary before a failover: it stays open and can only
// be read. Others like it are dropped as well.
func (e *engine) tryAgain(operation func() error) error {
	for stale, met := 0, 0; ; {
		err := operation()
		if met++; isConflict(err) && met < conflicts {
			continue
		}
		if !isStale(err) {
			return err
		}
		e.pool.Reset()
		if stale++; stale == attempts || errors.As(err, new(*store.UnknownError)) {
			return err
		}
	}
}

// isConflict tells a change that met another one. It was not made, and the other one was.
func isConflict(err error) bool {
	const unique, deadlock = "23505", "40P01"
	var refusal *pgconn.PgError
	return errors.As(err, &refusal) && (refusal.Code == unique || refusal.Code == deadlock)
}

// isStale tells whether another connection may do what this one did not.
func isStale(err error) bool {
	var refusal *pgconn.PgError
	var connect *pgconn.ConnectError
	var network net.Error
	switch {
	case err == nil, errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		return false
	case errors.As(err, &connect):
		return false // it is new
	case errors.As(err, &refusal):
		return isReadOnly(err) || strings.HasPrefix(refusal.Code, "57P")
	}
	return pgconn.SafeToRetry(err) || errors.As(err, &network) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF)
}

// isReadOnly tells a write that the database refused because it can only be read.
func isReadOnly(err error) bool {
	var refusal *pgconn.PgError
	return errors.As(err, &refusal) && refusal.Code == "25006"
}
