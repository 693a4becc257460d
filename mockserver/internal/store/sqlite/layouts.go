package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// ClaimLayout implements [store.Layouts]. Nobody else has the file, so claims are kept in
// memory.
func (s *Store) ClaimLayout(ctx context.Context, id, owner string, lease time.Duration) (layout []byte, claimed bool, err error) {
	end, err := s.begin(ctx)
	if err != nil {
		return nil, false, err
	}
	defer end()
	err = s.reads.QueryRowContext(ctx, `SELECT layout FROM exports LEFT JOIN layouts USING (sequence) WHERE id = ?`, id).Scan(&layout)
	if err != nil {
		return nil, false, s.readError(err, "record", id)
	}
	return layout, layout == nil && lease > 0 && s.known.claims.Take(id, owner, lease), nil
}

// KeepLayout implements [store.Layouts].
func (s *Store) KeepLayout(ctx context.Context, id, owner string, layout []byte) error {
	s.known.claims.End(id, owner)
	if layout == nil { // nothing is written
		_, _, err := s.ClaimLayout(ctx, id, owner, 0)
		return err
	}
	return s.write(ctx, func(w *writer) error {
		ctx := context.WithoutCancel(ctx) // it has begun
		var sequence int64
		if err := w.conn.QueryRowContext(ctx, `SELECT sequence FROM exports WHERE id = ?`, id).Scan(&sequence); err != nil {
			if errors.Is(err, sql.ErrNoRows) {
				return store.NotFound("record", id)
			}
			return err
		}
		_, err := w.conn.ExecContext(ctx, `INSERT INTO layouts (sequence, layout) VALUES (?, ?) ON CONFLICT DO UPDATE SET layout = excluded.layout`, sequence, layout)
		return err
	})
}
