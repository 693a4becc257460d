package postgres

import (
	"context"
	"errors"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// ClaimLayout implements [store.Layouts]. The clock of the database says when a claim
// ends.
func (p *Store) ClaimLayout(ctx context.Context, id, owner string, lease time.Duration) (layout []byte, claimed bool, err error) {
	err = p.read(ctx, func(ctx context.Context) error {
		return missing(p.pool.QueryRow(ctx, `SELECT layout FROM rehearsal_exports LEFT JOIN rehearsal_layouts USING (sequence) WHERE id = $1`, []byte(id)).Scan(&layout), "record", id)
	})
	if err != nil || layout != nil || lease <= 0 {
		return layout, false, err
	}
	err = p.write(ctx, func(ctx context.Context, conn *pgxpool.Conn) error {
		err := conn.QueryRow(ctx, `INSERT INTO rehearsal_layouts AS held (sequence, owner, until)
			SELECT sequence, $2::bytea, clock_timestamp() + make_interval(secs => $3) FROM rehearsal_exports WHERE id = $1
			ON CONFLICT (sequence) DO UPDATE SET owner = excluded.owner, until = excluded.until
			WHERE held.layout IS NULL AND (held.owner = excluded.owner OR held.until < clock_timestamp())
			RETURNING true`, []byte(id), []byte(owner), lease.Seconds()).Scan(&claimed)
		if errors.Is(err, pgx.ErrNoRows) { // another one has it, or has just kept it
			claimed, err = false, nil
		}
		return gone(err, id)
	})
	return nil, claimed, err
}

// KeepLayout implements [store.Layouts].
func (p *Store) KeepLayout(ctx context.Context, id, owner string, layout []byte) error {
	return p.write(ctx, func(ctx context.Context, conn *pgxpool.Conn) error {
		if layout == nil {
			_, err := conn.Exec(ctx, `DELETE FROM rehearsal_layouts USING rehearsal_exports
				WHERE rehearsal_layouts.sequence = rehearsal_exports.sequence AND id = $1 AND rehearsal_layouts.owner = $2 AND layout IS NULL`, []byte(id), []byte(owner))
			return err
		}
		tag, err := conn.Exec(ctx, `INSERT INTO rehearsal_layouts (sequence, owner, until, layout)
			SELECT sequence, $2::bytea, clock_timestamp(), $3::bytea FROM rehearsal_exports WHERE id = $1
			ON CONFLICT (sequence) DO UPDATE SET owner = excluded.owner, until = excluded.until, layout = excluded.layout`, []byte(id), []byte(owner), layout)
		if err == nil && tag.RowsAffected() == 0 {
			return refused{store.NotFound("record", id)}
		}
		return gone(err, id)
	})
}

// gone turns a layout of an export that was deleted meanwhile into store.ErrNotFound.
func gone(err error, id string) error {
	var fault *pgconn.PgError
	if errors.As(err, &fault) && fault.Code == "23503" { // foreign_key_violation
		return refused{store.NotFound("record", id)}
	}
	return err
}
