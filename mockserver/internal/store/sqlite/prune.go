package sqlite

import (
	"context"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// Prune implements [store.Store].
func (s *Store) Prune(ctx context.Context, after int64, old func(*exports.Record) bool) (deleted int, next int64, err error) {
	err = s.write(ctx, func(w *writer) error {
		ctx, found := context.WithoutCancel(ctx), []any(nil) // it has begun
		sequences, texts, err := readPage(ctx, w.conn, `SELECT sequence, record FROM exports WHERE sequence > ?1 ORDER BY sequence LIMIT ?2`, after, store.PrunePage)
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
		w.changes.all = w.changes.all || len(found) > 0
		for _, sequence := range found {
			if _, err := w.conn.ExecContext(ctx, `DELETE FROM exports WHERE sequence = ?`, sequence); err != nil {
				return halfway{err}
			}
		}
		deleted, next = len(found), 0
		if len(sequences) == store.PrunePage {
			next, _ = sequences[len(sequences)-1].(int64)
		}
		return nil
	})
	if err != nil {
		return 0, 0, err
	}
	return deleted, next, nil
}
