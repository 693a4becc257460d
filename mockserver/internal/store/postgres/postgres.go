// Package postgres keeps the state of one or several servers in a PostgreSQL
// database.
package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// Store is the [store.Store] in a database, which several servers may use at once.
// It is as durable as the database is set up to be; an acknowledged write
// survives the end of this process in any case.
//
// A write whose connection breaks when it is committed is an error, but the
// database may have committed it: the exception to what [store.Store] says of
// errors. An insert is no such write: the identifier tells. Whatever else finds
// its connection broken, or one that can only be read, is tried again.
type Store struct {
	name     string // of the database, for messages: without secrets
	pool     *pgxpool.Pool
	revision coalescer[store.Revision]
	// lastData is the last generation of the dataset when the revision was asked
	// for last; the largest number before.
	lastData atomic.Int64

	// use is held for reading by every operation while it must not be cut off,
	// and for writing to close.
	use       sync.RWMutex
	closed    bool
	closeOnce sync.Once
}

var _ store.Store = (*Store)(nil)

// Insert implements [store.Store].
func (p *Store) Insert(ctx context.Context, record *exports.Record, token *store.Token) error {
	encoded, err := store.EncodeRecord(record)
	if err != nil {
		return err
	}
	err = p.insert(ctx, record, token, encoded)
	if errors.As(err, new(unknown)) && isStale(err) {
		// The identifier tells whether it has happened.
		err = p.insert(ctx, record, token, encoded)
		if errors.Is(err, store.ErrExists) && p.isStored(ctx, record.ID, encoded) {
			return nil
		}
	}
	return err
}

// isStored tells whether a record is stored as it is encoded here.
func (p *Store) isStored(ctx context.Context, id, encoded string) (same bool) {
	err := p.read(ctx, func(ctx context.Context) error {
		return p.pool.QueryRow(ctx, `SELECT record = $2 FROM rehearsal_exports WHERE id = $1`, []byte(id), encoded).Scan(&same)
	})
	return err == nil && same
}

// insert stores a record, and takes a token if there is one.
func (p *Store) insert(ctx context.Context, record *exports.Record, token *store.Token, encoded string) error {
	insert := func(ctx context.Context, on querier) error {
		tag, err := on.Exec(ctx, `INSERT INTO rehearsal_exports (id, owner, interface, record) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING`,
			[]byte(record.ID), []byte(record.Owner), record.Interface, encoded)
		if err == nil && tag.RowsAffected() == 0 {
			return fmt.Errorf("record %.80q: %w", record.ID, store.ErrExists)
		}
		return err
	}
	if token == nil {
		return p.write(ctx, func(ctx context.Context, conn *pgxpool.Conn) error {
			err := insert(ctx, conn)
			if isStale(err) && !isReadOnly(err) && !pgconn.SafeToRetry(err) {
				return unknown{err} // a statement that is its own transaction
			}
			return err
		})
	}
	return p.transaction(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if err := take(ctx, tx, token); err != nil {
			return err
		}
		return insert(ctx, tx)
	})
}

// querier is a connection or a transaction.
type querier interface {
	Exec(ctx context.Context, query string, arguments ...any) (pgconn.CommandTag, error)
}

// take takes a token. The row of its bucket is locked until the transaction
// ends.
func take(ctx context.Context, tx pgx.Tx, token *store.Token) error {
	encoded, err := locked(ctx, tx, `SELECT bucket FROM rehearsal_buckets WHERE key = $1 FOR UPDATE`,
		`INSERT INTO rehearsal_buckets (key, bucket) VALUES ($1, '{}') ON CONFLICT DO NOTHING`, []byte(token.Bucket))
	if err != nil {
		return err
	}
	var before exports.Bucket
	if len(encoded) > 0 {
		if err := json.Unmarshal(encoded, &before); err != nil {
			return fmt.Errorf("a stored bucket is not readable: %w", err)
		}
	}
	after, err := token.TakeFrom(before)
	if err != nil {
		return refused{err}
	}
	if encoded, err = json.Marshal(after); err != nil {
		return fmt.Errorf("bucket %.80q cannot be stored: %w", token.Bucket, err)
	}
	_, err = tx.Exec(ctx, `UPDATE rehearsal_buckets SET bucket = $2 WHERE key = $1`, []byte(token.Bucket), string(encoded))
	return err
}

// Get implements [store.Store].
func (p *Store) Get(ctx context.Context, id string) (record *exports.Record, err error) {
	return record, p.read(ctx, func(ctx context.Context) error {
		var encoded []byte
		if err := p.pool.QueryRow(ctx, `SELECT record FROM rehearsal_exports WHERE id = $1`, []byte(id)).Scan(&encoded); err != nil {
			return missing(err, "record", id)
		}
		record, err = store.DecodeRecord(encoded)
		return err
	})
}

// missing turns a row that is not there into store.ErrNotFound.
func missing(err error, kind, name string) error {
	if errors.Is(err, pgx.ErrNoRows) {
		return store.NotFound(kind, name)
	}
	return err
}

// Update implements [store.Store]. The row is locked while the change runs.
func (p *Store) Update(ctx context.Context, id string, change func(*exports.Record) error) (after *exports.Record, err error) {
	err = p.transaction(ctx, func(ctx context.Context, tx pgx.Tx) error {
		var encoded []byte
		if err := tx.QueryRow(ctx, `SELECT record FROM rehearsal_exports WHERE id = $1 FOR UPDATE`, []byte(id)).Scan(&encoded); err != nil {
			return missing(err, "record", id)
		}
		before, err := store.DecodeRecord(encoded)
		if err != nil {
			return err
		}
		if after, err = store.Apply(before, change); err != nil {
			return refused{err}
		}
		text, err := store.EncodeRecord(after)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `UPDATE rehearsal_exports SET record = $2 WHERE id = $1`, []byte(id), text)
		return err
	})
	if err != nil {
		return nil, err
	}
	return after, nil
}

// List implements [store.Store]. Of records that are inserted at the same time by
// several servers, either may be the last.
func (p *Store) List(ctx context.Context, options store.ListOptions) (page []*exports.Record, err error) {
	return page, p.read(ctx, func(ctx context.Context) error {
		before, err := p.position(ctx, options)
		if err != nil {
			return err
		}
		conditions, arguments := []string{"sequence < $1"}, []any{before, options.PageSize()}
		if options.Owner != "" {
			arguments = append(arguments, []byte(options.Owner))
			conditions = append(conditions, fmt.Sprintf("owner = $%d", len(arguments)))
		}
		if options.Interface != "" {
			arguments = append(arguments, options.Interface)
			conditions = append(conditions, fmt.Sprintf("interface = $%d", len(arguments)))
		}
		query := `SELECT record FROM rehearsal_exports WHERE ` + strings.Join(conditions, " AND ") + ` ORDER BY sequence DESC LIMIT $2`
		rows, err := p.pool.Query(ctx, query, arguments...)
		if err != nil {
			return err
		}
		page, err = pgx.CollectRows(rows, scanRecord)
		return err
	})
}

func scanRecord(row pgx.CollectableRow) (*exports.Record, error) {
	var encoded []byte
	if err := row.Scan(&encoded); err != nil {
		return nil, err
	}
	return store.DecodeRecord(encoded)
}

// position returns the sequence number before which a page lies.
func (p *Store) position(ctx context.Context, options store.ListOptions) (int64, error) {
	if options.After == "" {
		return 1<<63 - 1, nil
	}
	var sequence int64
	var owner []byte
	var last exports.Record
	row := p.pool.QueryRow(ctx, `SELECT sequence, owner, interface FROM rehearsal_exports WHERE id = $1`, []byte(options.After))
	if err := row.Scan(&sequence, &owner, &last.Interface); err != nil {
		return 0, missing(err, "record", options.After)
	}
	if last.Owner = string(owner); !options.Matches(&last) {
		return 0, store.NotFound("record", options.After)
	}
	return sequence, nil
}

// locked reads a value and locks its row, which is made when it is not there:
// a row that does not exist cannot be locked. The value is nil when it was made.
func locked(ctx context.Context, tx pgx.Tx, read, make string, key any) (value []byte, err error) {
	err = tx.QueryRow(ctx, read, key).Scan(&value)
	if !errors.Is(err, pgx.ErrNoRows) {
		return value, err
	}
	// Of two that make it, one waits here for the other.
	tag, err := tx.Exec(ctx, make, key)
	if err != nil || tag.RowsAffected() > 0 {
		return nil, err
	}
	err = tx.QueryRow(ctx, read, key).Scan(&value)
	return value, err
}
