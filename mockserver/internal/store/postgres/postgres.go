// Package postgres keeps the state of one or several servers in a PostgreSQL database.
package postgres

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// engine is the [store.Engine] in a database, which several servers may use at once. It is as durable as the database is set up to be; an
// acknowledged change survives the end of this process in any case.
//
// A change is a transaction. It locks the rows of its keys until it ends. A row that is not there cannot be locked: of two that
// make it, the second runs again. Rows are locked, and made, in the order of their keys: no two wait for each other.
//
// A change whose connection breaks when it is committed is a [store.UnknownError]. Whatever else finds its connection broken,
// or one that can only be read, is tried again.
type engine struct {
	name string // of the database, for messages: without secrets
	pool *pgxpool.Pool

	// use is held for reading by every operation while it must not be cut off, and for writing to close.
	use       sync.RWMutex
	closed    bool
	closeOnce sync.Once
}

const (
	selectKeys  = `SELECT key, value FROM rehearsal_state WHERE key = ANY ($1)`
	lockKeys    = selectKeys + ` ORDER BY key FOR UPDATE`
	selectRange = `SELECT key, value FROM rehearsal_state WHERE key >= $1 AND key < $2 ORDER BY key LIMIT $3`
	selectBack  = `SELECT key, value FROM rehearsal_state WHERE key >= $1 AND key < $2 ORDER BY key DESC LIMIT $3`
	insertRows  = `INSERT INTO rehearsal_state (key, value) SELECT * FROM unnest($1::bytea[], $2::bytea[])`
	updateRows  = `UPDATE rehearsal_state SET value = new.value FROM unnest($1::bytea[], $2::bytea[]) AS new (key, value)
		WHERE rehearsal_state.key = new.key`
	deleteRows = `DELETE FROM rehearsal_state WHERE key = ANY ($1)`
	// lockTable keeps out those who lock rows as well.
	lockTable = `LOCK TABLE rehearsal_state IN EXCLUSIVE MODE`
)

// querier is the pool or a transaction.
type querier interface {
	Query(ctx context.Context, query string, arguments ...any) (pgx.Rows, error)
}

// reader reads rows.
type reader struct{ querier }

// entries asks one question, and waits for the answer no longer than patience: a request may go on without its client.
func (r reader) entries(ctx context.Context, query string, arguments ...any) ([]store.Entry, error) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	rows, err := r.Query(ctx, query, arguments...)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, scanEntry)
}

func scanEntry(row pgx.CollectableRow) (entry store.Entry, err error) {
	var key, value []byte
	err = row.Scan(&key, &value)
	return store.Entry{Key: string(key), Value: string(value)}, err
}

// Get implements [store.Reader].
func (r reader) Get(ctx context.Context, keys ...string) (map[string]string, error) {
	entries, err := r.entries(ctx, selectKeys, bytesOf(keys))
	return mapOf(entries), err
}

func mapOf(entries []store.Entry) map[string]string {
	found := make(map[string]string, len(entries))
	for _, entry := range entries {
		found[entry.Key] = entry.Value
	}
	return found
}

func bytesOf(texts []string) [][]byte {
	all := make([][]byte, len(texts))
	for i, text := range texts {
		all[i] = []byte(text)
	}
	return all
}

// Scan implements [store.Reader].
func (r reader) Scan(ctx context.Context, asked store.Range) ([]store.Entry, error) {
	query := selectRange
	if asked.Backwards {
		query = selectBack
	}
	return r.entries(ctx, query, []byte(asked.From), []byte(asked.To), asked.Limit)
}

// Get implements [store.Engine].
func (e *engine) Get(ctx context.Context, keys ...string) (found map[string]string, err error) {
	return found, e.read(ctx, func() error { found, err = reader{e.pool}.Get(ctx, keys...); return err })
}

// Scan implements [store.Engine].
func (e *engine) Scan(ctx context.Context, asked store.Range) (found []store.Entry, err error) {
	return found, e.read(ctx, func() error { found, err = reader{e.pool}.Scan(ctx, asked); return err })
}

// View implements [store.Engine].
func (e *engine) View(ctx context.Context, look func(store.Reader) error) error {
	instant := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	return e.read(ctx, func() error {
		limited, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		tx, err := e.pool.BeginTx(limited, instant)
		if err != nil {
			return err
		}
		defer func() {
			limited, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
			defer cancel()
			_ = tx.Rollback(limited) // nothing was written
		}()
		return look(reader{tx})
	})
}

// Change implements [store.Engine]. It takes two questions: what there is, with its rows locked; and what becomes of it.
func (e *engine) Change(ctx context.Context, keys []string, change store.Change) error {
	end, err := e.begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	var refused error
	err = e.explain(e.write(ctx, func(ctx context.Context, conn *pgxpool.Conn) error {
		defer rollback(ctx, conn)
		var number int64
		var entries []store.Entry
		take := func(rows pgx.Rows) error {
			some, err := pgx.CollectRows(rows, scanEntry)
			entries = append(entries, some...)
			return err
		}
		var locked, seen []string
		for _, key := range keys {
			if key == store.EpochKey || key == store.EmptiedKey { // else all would wait
				seen = append(seen, key)
			} else {
				locked = append(locked, key)
			}
		}
		begin := new(pgx.Batch)
		begin.Queue(`BEGIN ISOLATION LEVEL READ COMMITTED`)
		begin.Queue(`SELECT nextval('rehearsal_numbers')`).QueryRow(func(row pgx.Row) error { return row.Scan(&number) })
		begin.Queue(lockKeys, bytesOf(locked)).Query(take)
		if len(seen) > 0 {
			begin.Queue(selectKeys, bytesOf(seen)).Query(take) // behind the lock, which keeps Replace away
		}
		if err := conn.SendBatch(ctx, begin).Close(); err != nil {
			return err
		}
		found := mapOf(entries)
		var made []store.Entry
		if made, refused = change(maps.Clone(found), number); refused != nil || len(made) == 0 {
			return nil
		}
		return commit(ctx, conn, found, made)
	}))
	return cmp.Or(err, refused)
}

// commit writes what has changed and ends the transaction.
func commit(ctx context.Context, conn *pgxpool.Conn, before map[string]string, changed []store.Entry) error {
	var gone [][]byte
	var made, other [2][][]byte // keys and values
	slices.SortFunc(changed, func(a, b store.Entry) int { return strings.Compare(a.Key, b.Key) })
	for _, entry := range changed {
		rows := &made
		if _, is := before[entry.Key]; is {
			rows = &other
		}
		if entry.Gone {
			gone = append(gone, []byte(entry.Key))
			continue
		}
		rows[0], rows[1] = append(rows[0], []byte(entry.Key)), append(rows[1], []byte(entry.Value))
	}
	end := new(pgx.Batch)
	if len(gone) > 0 {
		end.Queue(deleteRows, gone)
	}
	if len(other[0]) > 0 {
		end.Queue(updateRows, other[0], other[1])
	}
	if len(made[0]) > 0 {
		end.Queue(insertRows, made[0], made[1])
	}
	end.Queue(`COMMIT`)
	results := conn.SendBatch(ctx, end)
	for left := end.Len(); left > 0; left-- {
		_, err := results.Exec()
		if err == nil {
			continue
		}
		_ = results.Close() // says the same
		if refusal := new(pgconn.PgError); !isStale(err) || pgconn.SafeToRetry(err) || left > 1 && errors.As(err, &refusal) {
			return err // it was not committed, or another connection would not help
		}
		return &store.UnknownError{Err: err}
	}
	return results.Close()
}

// rollback ends a transaction that was not committed.
func rollback(ctx context.Context, conn *pgxpool.Conn) {
	if conn.Conn().PgConn().TxStatus() != 'I' {
		_, _ = conn.Exec(ctx, `ROLLBACK`) // the pool drops a connection where that fails
	}
}

// Replace implements [store.Engine]. It waits for the changes under way, and further ones wait for it; readers see the old state
// until the new one is complete.
func (e *engine) Replace(ctx context.Context, key string, fill func(before string, put store.Put) error) error {
	end, err := e.begin(ctx)
	if err != nil {
		return err
	}
	defer end()
	return e.explain(e.write(ctx, func(ctx context.Context, conn *pgxpool.Conn) error {
		return pgx.BeginTxFunc(ctx, conn, pgx.TxOptions{IsoLevel: pgx.ReadCommitted}, func(tx pgx.Tx) error {
			if _, err := tx.Exec(ctx, lockTable); err != nil {
				return err
			}
			found, err := reader{tx}.Get(ctx, key)
			if err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, `DELETE FROM rehearsal_state WHERE key <> $1`, []byte(formatKey)); err != nil {
				return err
			}
			var keys, values [][]byte
			size := 0
			flush := func() error {
				_, err := tx.Exec(ctx, insertRows, keys, values)
				keys, values, size = keys[:0], values[:0], 0
				return err
			}
			const most = 4 << 20 // bytes in one statement
			err = fill(found[key], func(key, value string) error {
				keys, values = append(keys, []byte(key)), append(values, []byte(value))
				if size += len(key) + len(value); size < most {
					return nil
				}
				return flush()
			})
			if err != nil {
				return err
			}
			return flush()
		})
	}))
}

// Name implements [store.Engine].
func (e *engine) Name() string { return "state database " + e.name }

// Shared implements [store.Engine].
func (*engine) Shared() bool { return true }

// Check implements [store.Engine]: what the database acknowledges is there.
func (e *engine) Check(ctx context.Context) error { return e.read(ctx, func() error { return nil }) }
