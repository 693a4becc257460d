package sqlite

import "context"

// DeleteOwned implements [store.Store].
func (s *Store) DeleteOwned(ctx context.Context, owner string, buckets []string) (int, error) {
	var deleted int64
	err := s.write(ctx, func(w *writer) error {
		ctx := context.WithoutCancel(ctx) // it has begun
		w.changes.all = true
		result, err := w.conn.ExecContext(ctx, `DELETE FROM exports WHERE owner = ?`, owner)
		if err != nil {
			return err
		}
		if deleted, err = result.RowsAffected(); err != nil {
			return halfway{err}
		}
		for _, key := range buckets {
			if _, err := w.conn.ExecContext(ctx, `DELETE FROM buckets WHERE key = ?`, key); err != nil {
				return halfway{err}
			}
		}
		return nil
	})
	if err != nil {
		return 0, err
	}
	return int(deleted), nil
}
