package sqlite

import (
	"context"
	"database/sql"
	"embed"
	"fmt"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

//go:embed migrations/*.sql
var scripts embed.FS

// migration changes the schema of a file, or what is stored, inside a
// transaction.
type migration func(ctx context.Context, conn *sql.Conn) error

// migrations are applied in this order, each once. The schema version of a file,
// its user_version, is the number of migrations it has seen. A migration that was
// released is never changed.
func migrations() []migration {
	return []migration{script("0001_first.sql"), script("0002_own_data.sql"), renameMembers, dataOfKeys, script("0005_layouts.sql")}
}

// script is a migration in SQL.
func script(name string) migration {
	return func(ctx context.Context, conn *sql.Conn) error {
		text, err := scripts.ReadFile("migrations/" + name)
		if err == nil {
			_, err = conn.ExecContext(ctx, string(text))
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	}
}

// dataOfKeys changes nothing that is stored. Batches of a dataset may name a key
// from here on, which older programs would show to all: these stay out.
func dataOfKeys(context.Context, *sql.Conn) error { return nil }

// renameMembers rewrites records and buckets with names in snake case. It is not
// written in SQL because the functions of PostgreSQL for JSON refuse texts that
// a record may hold, and both have to do the same.
func renameMembers(ctx context.Context, conn *sql.Conn) error {
	const page = 1000
	for _, table := range []struct {
		before       any // all keys
		list, update string
	}{
		{int64(0), `SELECT sequence, record FROM exports WHERE sequence > ?1 ORDER BY sequence LIMIT ?2`, `UPDATE exports SET record = ?2 WHERE sequence = ?1`},
		{"", `SELECT key, bucket FROM buckets WHERE key > ?1 ORDER BY key LIMIT ?2`, `UPDATE buckets SET bucket = ?2 WHERE key = ?1`},
	} {
		last := table.before
		for {
			keys, texts, err := readPage(ctx, conn, table.list, last, page)
			if err != nil {
				return err
			}
			for i, text := range texts {
				renamed, err := store.SnakeCase(text)
				if err != nil {
					continue // the reader of the record is told that it is damaged
				}
				if _, err := conn.ExecContext(ctx, table.update, keys[i], string(renamed)); err != nil {
					return err
				}
			}
			if len(keys) < page {
				break
			}
			last = keys[len(keys)-1]
		}
	}
	return nil
}

// readPage returns the rows behind a key, with their keys.
func readPage(ctx context.Context, conn *sql.Conn, query string, last any, limit int) (keys []any, texts [][]byte, err error) {
	rows, err := conn.QueryContext(ctx, query, last, limit)
	if err != nil {
		return nil, nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var key any
		var text []byte
		if err := rows.Scan(&key, &text); err != nil {
			return nil, nil, err
		}
		keys, texts = append(keys, key), append(texts, text)
	}
	return keys, texts, rows.Err()
}

// migrate applies what the file has not seen, all or nothing.
func migrate(ctx context.Context, conn *sql.Conn) (err error) {
	if _, err := conn.ExecContext(ctx, "BEGIN IMMEDIATE"); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			_, _ = conn.ExecContext(context.WithoutCancel(ctx), "ROLLBACK")
		}
	}()
	version, err := schemaVersion(ctx, conn)
	if err != nil {
		return err
	}
	all := migrations()
	for _, apply := range all[version:] {
		if err := apply(ctx, conn); err != nil {
			return err
		}
	}
	if version < len(all) {
		// A pragma takes no parameters.
		marks := fmt.Sprintf("PRAGMA application_id = %d; PRAGMA user_version = %d", applicationID, len(all))
		if _, err := conn.ExecContext(ctx, marks); err != nil {
			return err
		}
	}
	_, err = conn.ExecContext(ctx, "COMMIT")
	return err
}
