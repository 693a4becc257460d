package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// Prune implements [store.Store]. Servers that prune at once leave each other's
// records alone.
func (p *Store) Prune(ctx context.Context, old func(*exports.Record) bool) (deleted int, err error) {
	err = p.transaction(ctx, func(ctx context.Context, tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `SELECT record FROM rehearsal_exports ORDER BY sequence LIMIT $1 FOR UPDATE SKIP LOCKED`, store.PrunePage)
		if err != nil {
			return err
		}
		records, err := pgx.CollectRows(rows, scanRecord)
		if err != nil {
			return err
		}
		var found [][]byte
		for _, record := range records {
			if old(record) {
				found = append(found, []byte(record.ID))
			}
		}
		deleted = len(found)
		_, err = tx.Exec(ctx, `DELETE FROM rehearsal_exports WHERE id = ANY ($1)`, found)
		return err
	})
	if err != nil {
		return 0, err
	}
	return deleted, nil
}
