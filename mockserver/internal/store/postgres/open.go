package postgres

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net/url"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

const (
	// patience is how long the database may take to finish a write that has
	// begun, and connectPatience to connect, unless its address says
	// connect_timeout.
	patience        = 30 * time.Second
	connectPatience = 5 * time.Second
	// mostConnections is how many connections a server has at most, unless its
	// address says pool_max_conns: a few servers fit into the 100 that a
	// database allows if nobody sets it up.
	mostConnections = 16
)

// Open opens the store in a PostgreSQL database, whose tables it makes
// if they are not there. The address is a URL,
// postgres://user:password@host:5432/database, with the parameters of libpq and
// of pgxpool. The tables, whose names begin with rehearsal_, are in the first
// schema of the search_path: two servers with different ones do not share state.
// No error repeats the password.
func Open(ctx context.Context, address string) (*Store, error) {
	config, err := configOf(address)
	if err != nil {
		return nil, err
	}
	p := &Store{name: Name(address)}
	p.lastData.Store(math.MaxInt64)
	if p.pool, err = pgxpool.NewWithConfig(ctx, config); err != nil {
		return nil, p.explain(err)
	}
	if err := p.migrate(ctx); err != nil {
		p.pool.Close()
		return nil, p.explain(err)
	}
	return p, nil
}

func configOf(address string) (*pgxpool.Config, error) {
	parsed, err := url.Parse(address)
	if err != nil {
		return nil, errors.New("state address is not a URL such as postgres://user:password@host:5432/database; write other characters than letters and digits in its parts with percent signs")
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

// begin starts an operation that Close has to wait for. The caller calls the
// returned function at its end.
func (p *Store) begin(ctx context.Context) (end func(), err error) {
	p.use.RLock()
	if err = ctx.Err(); p.closed {
		err = store.ErrClosed
	}
	if err != nil {
		p.use.RUnlock()
		return nil, err
	}
	return p.use.RUnlock, nil
}

// read runs what does not write. It may run more than once.
func (p *Store) read(ctx context.Context, work func(context.Context) error) error {
	end, err := p.begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	return p.explain(p.tryAgain(func() error { return work(ctx) }))
}

// write runs a write, and again if nothing can have been written. Its context counts until a connection is free: what has
// begun is finished, because an interrupted commit may have happened or not.
func (p *Store) write(ctx context.Context, work func(context.Context, *pgxpool.Conn) error) error {
	end, err := p.begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	return p.explain(p.tryAgain(func() error {
		conn, err := p.pool.Acquire(ctx)
		if err != nil {
			return err
		}
		defer conn.Release()
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
		defer cancel()
		return work(ctx, conn)
	}))
}

// transaction runs a write of several statements.
func (p *Store) transaction(ctx context.Context, work func(context.Context, pgx.Tx) error) error {
	return p.write(ctx, func(ctx context.Context, conn *pgxpool.Conn) error {
		tx, err := conn.BeginTx(ctx, pgx.TxOptions{IsoLevel: pgx.ReadCommitted})
		if err != nil {
			return err
		}
		defer tx.Rollback(ctx) // does nothing after a commit
		if err := work(ctx, tx); err != nil {
			return err
		}
		if err := tx.Commit(ctx); err != nil {
			return unknown{err}
		}
		return nil
	})
}

// Close implements [store.Store].
func (p *Store) Close() error {
	p.closeOnce.Do(func() {
		p.use.Lock()
		p.closed = true
		p.use.Unlock()
		p.pool.Close() // waits for connections in use
	})
	return nil
}
