package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// Prune implements [store.Store]. Servers that prune at once leave each other's
// records alone.
func (p *Store) Prune(ctx context.Context, after int64, old func(*exports.Record) bool) (deleted int, next int64, err error) {
	err = p.transaction(ctx, func(ctx context.Context, tx pgx.Tx) error {
		rows, err := tx.Query(ctx, `SELECT sequence, record FROM rehearsal_exports WHERE sequence > $1 ORDER BY sequence LIMIT $2 FOR UPDATE SKIP LOCKED`, after, store.PrunePage)
		if err != nil {
			return err
		}
		last := int64(0)
		records, err := pgx.CollectRows(rows, func(row pgx.CollectableRow) (*exports.Record, error) {
			var encoded []byte
			if err := row.Scan(&last, &encoded); err != nil {
				return nil, err
			}
			return store.DecodeRecord(encoded)
		})
		if err != nil {
			return err
		}
		var found [][]byte
		for _, record := range records {
			if old(record) {
				found = append(found, []byte(record.ID))
			}
		}
		deleted, next = len(found), 0
		if len(records) == store.PrunePage {
			next = last
		}
		_, err = tx.Exec(ctx, `DELETE FROM rehearsal_exports WHERE id = ANY ($1)`, found)
		return err
	})
	if err != nil {
		return 0, 0, err
	}
	return deleted, next, nil
}
