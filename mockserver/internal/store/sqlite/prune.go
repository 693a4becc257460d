package sqlite

import (
	"context"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// Prune implements [store.Store].
func (s *Store) Prune(ctx context.Context, old func(*exports.Record) bool) (deleted int, err error) {
	err = s.write(ctx, func(w *writer) error {
		ctx, found := context.WithoutCancel(ctx), []any(nil) // it has begun
		sequences, texts, err := readPage(ctx, w.conn, `SELECT sequence, record FROM exports WHERE sequence > ?1 ORDER BY sequence LIMIT ?2`, int64(0), store.PrunePage)
		if err != nil {
			return err
		}
		for i, text := range texts {
			record, err := s.decode(text)
			if err != nil {
				return err
			}
			if old(record) {
				found = append(found, sequences[i])
			}
		}
		for _, sequence := range found {
			if _, err := w.conn.ExecContext(ctx, `DELETE FROM exports WHERE sequence = ?`, sequence); err != nil {
				return halfway{err}
			}
		}
		deleted = len(found)
		return nil
	})
	if err != nil {
		return 0, err
	}
	return deleted, nil
}
