package postgres

import (
	"bytes"
	"context"
	"errors"

	"github.com/jackc/pgx/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// bump counts a change of the settings, in the transaction that makes it.
const bump = `UPDATE rehearsal_revision SET changes = changes + 1`

const putSetting = `INSERT INTO rehearsal_settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value`

// Setting implements [store.Store].
func (p *Store) Setting(ctx context.Context, name string) (value []byte, err error) {
	return value, p.read(ctx, func(ctx context.Context) error {
		return missing(p.pool.QueryRow(ctx, `SELECT value FROM rehearsal_settings WHERE name = $1`, name).Scan(&value), "setting", name)
	})
}

// SetSetting implements [store.Store].
func (p *Store) SetSetting(ctx context.Context, name string, value []byte) error {
	return p.transaction(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, putSetting, name, append([]byte{}, value...)); err != nil {
			return err
		}
		_, err := tx.Exec(ctx, bump)
		return err
	})
}

// InitSetting implements [store.Store].
func (p *Store) InitSetting(ctx context.Context, name string, value []byte) (kept []byte, err error) {
	return kept, p.transaction(ctx, func(ctx context.Context, tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO rehearsal_settings (name, value) VALUES ($1, $2) ON CONFLICT DO NOTHING`, name, append([]byte{}, value...))
		if err == nil && tag.RowsAffected() > 0 {
			_, err = tx.Exec(ctx, bump)
		}
		if err != nil {
			return err
		}
		return tx.QueryRow(ctx, `SELECT value FROM rehearsal_settings WHERE name = $1`, name).Scan(&kept)
	})
}

// UpdateSetting implements [store.Store]. The row is locked while the change runs.
func (p *Store) UpdateSetting(ctx context.Context, name string, change func([]byte) ([]byte, error)) error {
	return p.transaction(ctx, func(ctx context.Context, tx pgx.Tx) error {
		before, err := locked(ctx, tx, `SELECT value FROM rehearsal_settings WHERE name = $1 FOR UPDATE`,
			`INSERT INTO rehearsal_settings (name, value) VALUES ($1, '') ON CONFLICT DO NOTHING`, name)
		if err != nil {
			return err
		}
		after, err := change(before)
		if err != nil {
			return refused{err}
		}
		if before != nil && bytes.Equal(before, after) {
			return nil
		}
		if _, err := tx.Exec(ctx, putSetting, name, append([]byte{}, after...)); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, bump)
		return err
	})
}

// Revision implements [store.Store]. Callers that ask while a question is on its way
// share the next one: a question answers only those who asked before it was put.
func (p *Store) Revision(ctx context.Context) (store.Revision, error) {
	if err := ctx.Err(); err != nil {
		return store.Revision{}, err
	}
	return p.revision.do(ctx, func() (revision store.Revision, err error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), patience)
		defer cancel()
		return revision, p.read(ctx, func(ctx context.Context) error {
			var generation int64
			err := p.pool.QueryRow(ctx, `SELECT changes, restores, generation FROM rehearsal_revision`).
				Scan(&revision.Changes, &revision.Restores, &generation)
			if err == nil {
				p.lastData.Store(generation)
			}
			return err
		})
	})
}

// Shared implements [store.Store].
func (*Store) Shared() bool { return true }

// AppendData implements [store.Store].
func (p *Store) AppendData(ctx context.Context, generation int64, batch []byte) error {
	batch = append([]byte{}, batch...)
	err := p.appendData(ctx, generation, batch)
	if errors.As(err, new(unknown)) && isStale(err) {
		// What is stored under its number tells whether it has happened: the rows
		// of a batch that is stored twice would count twice.
		err = p.appendData(ctx, generation, batch)
		if errors.Is(err, dataset.ErrBehind) && p.isData(ctx, generation, batch) {
			return nil
		}
	}
	return err
}

// isData tells whether a batch is stored as that of a generation.
func (p *Store) isData(ctx context.Context, generation int64, batch []byte) (same bool) {
	err := p.read(ctx, func(ctx context.Context) error {
		return p.pool.QueryRow(ctx, `SELECT batch = $2 FROM rehearsal_data WHERE generation = $1`, generation, batch).Scan(&same)
	})
	return err == nil && same
}

func (p *Store) appendData(ctx context.Context, generation int64, batch []byte) error {
	last := generation
	err := p.transaction(ctx, func(ctx context.Context, tx pgx.Tx) error {
		tag, err := tx.Exec(ctx, `INSERT INTO rehearsal_data (generation, batch)
			SELECT $1::bigint, $2 WHERE $1 = 1 + (SELECT coalesce(max(generation), 0) FROM rehearsal_data) ON CONFLICT DO NOTHING`, generation, batch)
		if err != nil {
			return err
		}
		if tag.RowsAffected() > 0 {
			_, err = tx.Exec(ctx, `UPDATE rehearsal_revision SET generation = $1`, generation)
			return err
		}
		if err := tx.QueryRow(ctx, `SELECT coalesce(max(generation), 0) FROM rehearsal_data`).Scan(&last); err != nil {
			return err
		}
		return store.NotNext(generation, last)
	})
	if err == nil || errors.Is(err, dataset.ErrBehind) {
		for known := p.lastData.Load(); known < last && !p.lastData.CompareAndSwap(known, last); known = p.lastData.Load() {
		}
	}
	return err
}

// DataAfter implements [store.Store]. Every export that is created asks, so what the
// last [Store.Revision] told has to do: what other servers add after it is
// found after the next one.
func (p *Store) DataAfter(ctx context.Context, generation int64) (batches [][]byte, err error) {
	return batches, p.read(ctx, func(ctx context.Context) error {
		if generation >= p.lastData.Load() {
			return nil
		}
		rows, err := p.pool.Query(ctx, `SELECT generation, batch FROM (
				SELECT generation, batch, sum(length(batch)) OVER (ORDER BY generation) - length(batch) AS earlier
				FROM rehearsal_data WHERE generation > $1
			) AS page WHERE earlier < $2 ORDER BY generation`, generation, store.DataPage)
		if err != nil {
			return err
		}
		batches = nil // of an attempt before
		var found int64
		var batch []byte
		_, err = pgx.ForEachRow(rows, []any{&found, &batch}, func() error {
			if want := generation + int64(len(batches)) + 1; found != want {
				return store.MissingData(want)
			}
			batches = append(batches, bytes.Clone(batch))
			return nil
		})
		return err
	})
}

// ReplaceData implements [store.Store].
func (p *Store) ReplaceData(ctx context.Context, generations []int64, batch []byte) error {
	return p.transaction(ctx, func(ctx context.Context, tx pgx.Tx) error {
		_, err := tx.Exec(ctx, `UPDATE rehearsal_data SET batch = $1 WHERE generation = ANY ($2)`, append([]byte{}, batch...), generations)
		return err
	})
}

var _ dataset.Store = (*Store)(nil)

// Check implements [store.Store]: what the database acknowledges is there.
func (p *Store) Check(ctx context.Context) error {
	return p.read(ctx, func(context.Context) error { return nil })
}
