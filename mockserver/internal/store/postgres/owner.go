package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// DeleteOwned implements [store.Store]. Buckets come first, and in one
// order, as when a record is inserted: two transactions cannot deadlock.
func (p *Store) DeleteOwned(ctx context.Context, owner string, buckets []string) (deleted int, err error) {
	keys := make([][]byte, len(buckets))
	for i, key := range buckets {
		keys[i] = []byte(key)
	}
	err = p.transaction(ctx, func(ctx context.Context, tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `DELETE FROM rehearsal_buckets WHERE key IN (
			SELECT key FROM rehearsal_buckets WHERE key = ANY ($1) ORDER BY key FOR UPDATE)`, keys)
		if err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, `DELETE FROM rehearsal_exports WHERE owner = $1`, []byte(owner))
		deleted = int(tag.RowsAffected())
		return err
	})
	if err != nil {
		return 0, err
	}
	return deleted, nil
}
