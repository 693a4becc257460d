package postgres

import (
	"context"
	"errors"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
)

// attempts is how often an operation is tried that finds its connection stale.
const attempts = 3

// unknown is the error of a write that may have happened: the connection broke
// when the database was about to commit, or had done so.
type unknown struct{ error }

func (u unknown) Unwrap() error { return u.error }

// tryAgain runs an operation, and again if it found its connection stale, unless
// it may have happened. A connection is stale that a restart of the database has
// cut, and also one that leads to a server that was the primary before a
// failover: it stays open and can only be read. Others like it are dropped
// as well.
func (p *Store) tryAgain(operation func() error) error {
	for attempt := 1; ; attempt++ {
		err := operation()
		if !isStale(err) {
			return err
		}
		p.pool.Reset()
		if attempt == attempts || errors.As(err, new(unknown)) {
			return err
		}
	}
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
