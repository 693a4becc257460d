package postgres

import (
	"context"
	"embed"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

//go:embed migrations/*.sql
var scripts embed.FS

// migrationLock is the advisory lock of the server that applies migrations ("Rhrs" in
// ASCII).
const migrationLock = int64(0x52687273)

// migration changes the schema of a database, or what is stored, inside a
// transaction.
type migration func(ctx context.Context, tx pgx.Tx) error

// migrations are applied in this order, each once. The table
// rehearsal_migrations says how many a database has seen. A migration that was
// released is never changed.
func migrations() []migration {
	return []migration{script("0001_first.sql"), renameMembers, dataOfKeys}
}

// script is a migration in SQL.
func script(name string) migration {
	return func(ctx context.Context, tx pgx.Tx) error {
		text, err := scripts.ReadFile("migrations/" + name)
		if err == nil {
			_, err = tx.Exec(ctx, string(text))
		}
		if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	}
}

// dataOfKeys changes nothing that is stored. Batches of a dataset may name a key
// from here on, which older programs would show to all: these stay out.
func dataOfKeys(context.Context, pgx.Tx) error { return nil }

// renameMembers rewrites records and buckets with names in snake case. It is not
// written in SQL because the functions for JSON refuse texts that a record may
// hold, such as \u0000.
func renameMembers(ctx context.Context, tx pgx.Tx) error {
	if _, err := tx.Exec(ctx, `LOCK TABLE rehearsal_buckets, rehearsal_exports IN EXCLUSIVE MODE`); err != nil {
		return err
	}
	for _, table := range []struct{ read, update string }{
		{`SELECT id, record FROM rehearsal_exports`,
			`UPDATE rehearsal_exports SET record = new.text FROM unnest($1::bytea[], $2::text[]) AS new (key, text) WHERE id = new.key`},
		{`SELECT key, bucket FROM rehearsal_buckets`,
			`UPDATE rehearsal_buckets SET bucket = new.text FROM unnest($1::bytea[], $2::text[]) AS new (key, text) WHERE rehearsal_buckets.key = new.key`},
	} {
		if _, err := tx.Exec(ctx, `DECLARE old NO SCROLL CURSOR FOR `+table.read); err != nil {
			return err
		}
		for {
			keys, texts, err := nextPage(ctx, tx)
			if err != nil {
				return err
			}
			if len(keys) == 0 {
				break
			}
			if _, err := tx.Exec(ctx, table.update, keys, texts); err != nil {
				return err
			}
		}
		if _, err := tx.Exec(ctx, `CLOSE old`); err != nil {
			return err
		}
	}
	return nil
}

// nextPage returns the next rows of the cursor old, with members renamed. One
// that is damaged stays as it is: its reader is told.
func nextPage(ctx context.Context, tx pgx.Tx) (keys [][]byte, texts []string, err error) {
	rows, err := tx.Query(ctx, `FETCH 1000 FROM old`)
	if err != nil {
		return nil, nil, err
	}
	var key, text []byte
	_, err = pgx.ForEachRow(rows, []any{&key, &text}, func() error {
		if renamed, err := store.SnakeCase(text); err == nil {
			text = renamed
		}
		keys, texts = append(keys, append([]byte{}, key...)), append(texts, string(text))
		return nil
	})
	return keys, texts, err
}

// migrate applies what the database has not seen, all or nothing. Servers that
// start at once take turns.
// See docs/decisions/server.md#which-postgresql-driver-and-why-no-library-for-migrations
func (p *Store) migrate(ctx context.Context) error {
	all := migrations()
	return pgx.BeginTxFunc(ctx, p.pool, pgx.TxOptions{IsoLevel: pgx.ReadCommitted}, func(tx pgx.Tx) error {
		var encoding string
		if err := tx.QueryRow(ctx, `SHOW server_encoding`).Scan(&encoding); err != nil {
			return err
		}
		if encoding != "UTF8" && encoding != "SQL_ASCII" {
			return fmt.Errorf("its encoding is %s, in which records cannot be written: create a database with the encoding UTF8", encoding)
		}
		if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock($1)`, migrationLock); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, `CREATE TABLE IF NOT EXISTS rehearsal_migrations (version int PRIMARY KEY, applied_at timestamptz NOT NULL DEFAULT now())`); err != nil {
			return err
		}
		var version int
		if err := tx.QueryRow(ctx, `SELECT coalesce(max(version), 0) FROM rehearsal_migrations`).Scan(&version); err != nil {
			return err
		}
		if version > len(all) {
			return fmt.Errorf("it has schema version %d, but this program knows versions up to %d: use the newer program that made it, or another database or search_path", version, len(all))
		}
		for i, apply := range all[version:] {
			if err := apply(ctx, tx); err != nil {
				return err
			}
			if _, err := tx.Exec(ctx, `INSERT INTO rehearsal_migrations (version) VALUES ($1)`, version+i+1); err != nil {
				return err
			}
		}
		return nil
	})
}
