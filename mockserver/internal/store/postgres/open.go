package postgres

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

const (
	// patience is how long the database may take to answer a question, or to finish a write that has begun, and connectPatience to
	// connect, unless its address says connect_timeout.
	patience        = 30 * time.Second
	connectPatience = 5 * time.Second
	// mostConnections is how many connections a server has at most, unless its address says pool_max_conns: a few servers fit into the
	// 100 that a database allows if nobody sets it up.
	mostConnections = 16
)

// Open opens the store in a PostgreSQL database, whose tables it makes if they are not there. The address is a URL,
// postgres://user:password@host:5432/database, with the parameters of libpq and of pgxpool. The tables, whose names begin with
// rehearsal_, are in the first schema of the search_path: two servers with different ones do not share state. No error repeats the
// password.
func Open(ctx context.Context, address string) (*store.State, error) {
	config, err := configOf(address)
	if err != nil {
		return nil, err
	}
	e := &engine{name: Name(address)}
	if e.pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return nil, e.explain(err)
	}
	if err := e.prepare(ctx); err != nil {
		e.pool.Close()
		return nil, e.explain(err)
	}
	return store.On(e), nil
}

const (
	// format is the version of what the tables hold. A program refuses any other.
	format = "2"
	// formatKey is the key of the format, before all tables of the store.
	formatKey = "\x00format"
	// openingLock is the advisory lock of the server that makes the tables ("Rhrs" in ASCII).
	openingLock = int64(0x52687273)
	// Keys are bytes: text in a database cannot hold everything that a client may send.
	tables = `CREATE TABLE IF NOT EXISTS rehearsal_state (key bytea PRIMARY KEY, value bytea NOT NULL);
		CREATE SEQUENCE IF NOT EXISTS rehearsal_numbers`
	noteFormat = `INSERT INTO rehearsal_state (key, value) VALUES ($1, $2) ON CONFLICT DO NOTHING`
)

// prepare makes the tables, and refuses a database whose format is not known. Servers that start at once take turns.
// See docs/decisions/server.md#how-does-one-code-keep-state-in-memory-in-a-file-and-in-postgresql
func (e *engine) prepare(ctx context.Context) error {
	return pgx.BeginTxFunc(ctx, e.pool, pgx.TxOptions{IsoLevel: pgx.ReadCommitted}, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock($1)`, openingLock); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, tables); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, noteFormat, []byte(formatKey), []byte(format)); err != nil {
			return err
		}
		found, err := reader{tx}.Get(ctx, formatKey)
		if err == nil && found[formatKey] != format {
			err = fmt.Errorf("it has format %s, but this program knows format %s: "+
				"use the program that made it, or another database or search_path", found[formatKey], format)
		}
		return err
	})
}

func configOf(address string) (*pgxpool.Config, error) {
	parsed, err := url.Parse(address)
	if err != nil {
		return nil,
			errors.New("state address is not a URL such as postgres://user:password@host:5432/database; write other characters than letters and " +
				"digits in its parts with percent signs")
	}
	config, err := pgxpool.ParseConfig(address)
	if err != nil {
		// The error repeats the address. What it wraps is only the reason.
		return nil, fmt.Errorf("state address %s cannot be used: %s", Name(address), reason(err))
	}
	if config.ConnConfig.ConnectTimeout == 0 {
		config.ConnConfig.ConnectTimeout = connectPatience
	}
	if !parsed.Query().Has("pool_max_conns") {
		config.MaxConns = mostConnections
	}
	if config.ConnConfig.RuntimeParams["application_name"] == "" {
		config.ConnConfig.RuntimeParams["application_name"] = "rehearsal"
	}
	return config, nil
}

func reason(err error) string {
	var parse *pgconn.ParseConfigError
	if errors.As(err, &parse) && parse.Unwrap() != nil {
		return parse.Unwrap().Error()
	}
	return "its parameters are not readable"
}

// Name is an address of a store as it may be shown: without a password.
func Name(address string) string {
	parsed, err := url.Parse(address)
	if err != nil {
		return "postgres://..."
	}
	shown := url.URL{Scheme: parsed.Scheme, Host: parsed.Host, Path: parsed.Path}
	if user := parsed.User.Username(); user != "" {
		shown.User = url.User(user)
	}
	kept := url.Values{}
	for _, name := range []string{"host", "port", "dbname", "user", "search_path"} {
		if value := parsed.Query().Get(name); value != "" {
			kept.Set(name, value)
		}
	}
	shown.RawQuery = kept.Encode()
	return shown.String()
}

// begin starts an operation that Close has to wait for. The caller calls the returned function at its end.
func (e *engine) begin(ctx context.Context) (end func(), err error) {
	e.use.RLock()
	if err = ctx.Err(); e.closed {
		err = store.ErrClosed
	}
	if err != nil {
		e.use.RUnlock()
		return nil, err
	}
	return e.use.RUnlock, nil
}

// read runs work that does not write. It may run more than once.
func (e *engine) read(ctx context.Context, work func() error) error {
	end, err := e.begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	return e.explain(e.tryAgain(work))
}

// write runs a write, and again if nothing can have been written. Its context counts until a connection is free: what has
// begun is finished, because an interrupted commit may have happened or not.
func (e *engine) write(ctx context.Context, work func(context.Context, *pgxpool.Conn) error) error {
	return e.tryAgain(func() error {
		limited, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		conn, err := e.pool.Acquire(limited)
		if err != nil {
			return err
		}
		defer conn.Release()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
		defer cancel()
		return work(ctx, conn)
	})
}

// Close implements [store.Engine].
func (e *engine) Close() error {
	e.closeOnce.Do(func() {
		e.use.Lock()
		e.closed = true
		e.use.Unlock()
		e.pool.Close() // waits for connections in use
	})
	return nil
}
