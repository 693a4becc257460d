package postgres

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// explain names the database an error is about, and says what to do.
func (e *engine) explain(err error) error {
	switch {
	case err == nil:
		return nil
	case errors.Is(err, store.ErrClosed), errors.Is(err, context.Canceled):
		return err
	}
	what, kind := whatToDo(err)
	if kind != nil {
		return fmt.Errorf("state database %s %s (%w): %w", e.name, what, kind, err)
	}
	return fmt.Errorf("state database %s %s: %w", e.name, what, err)
}

// whatToDo tells what is wrong, and whether it is store.ErrFull, store.ErrReadOnly or store.ErrAway.
func whatToDo(err error) (what string, kind error) {
	var refusal *pgconn.PgError
	var connect *pgconn.ConnectError
	var network net.Error
	switch {
	case errors.As(err, &refusal):
		switch code := refusal.Code; {
		case code == "53100":
			return "cannot grow: make room", store.ErrFull
		case code == "25006":
			kind = store.ErrReadOnly
		case strings.HasPrefix(code, "57P"), strings.HasPrefix(code, "53"), errors.As(err, &connect):
			kind = store.ErrAway
		}
		return ofCode(refusal.Code), kind
	case errors.As(err, &connect):
		return "cannot be reached: start it, or correct the address", store.ErrAway
	case errors.Is(err, context.DeadlineExceeded):
		return "does not answer in time", store.ErrAway
	case errors.As(err, &network), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, io.EOF):
		return "has cut the connection", store.ErrAway
	}
	return "cannot be used", nil
}

// ofCode tells by the code of an error (PostgreSQL, appendix A) what is wrong.
func ofCode(code string) string {
	switch {
	case strings.HasPrefix(code, "28"):
		return "does not let this user in: correct the user and the password in the address, or set PGPASSWORD"
	case code == "3D000":
		return "does not exist: create it with CREATE DATABASE"
	case code == "3F000":
		return "has no schema to make tables in: create the one that search_path names"
	case code == "42501":
		return "does not let this user make or use its tables: grant CREATE on the schema, or use another user"
	case code == "25006":
		return "can only be read: name the primary server, not a standby"
	case code == "53300":
		return "has no connection left: raise max_connections, or lower pool_max_conns in the address of each server"
	case strings.HasPrefix(code, "57P"):
		return "is starting or stopping: try again"
	case code == "XX001", code == "XX002":
		return "is damaged: restore a backup"
	}
	return "cannot be used"
}
