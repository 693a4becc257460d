package postgres

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// Snapshot implements [store.Store]. All tables are read in one transaction.
func (p *Store) Snapshot(ctx context.Context, data *dataset.Batches) (*store.Snapshot, error) {
	var snapshot *store.Snapshot
	instant := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	err := p.read(ctx, func(ctx context.Context) error {
		if err := data.Clear(); err != nil { // of an attempt before
			return err
		}
		snapshot = &store.Snapshot{Data: data, Buckets: map[string]exports.Bucket{}, Settings: map[string][]byte{}}
		return pgx.BeginTxFunc(ctx, p.pool, instant, func(tx pgx.Tx) error { return readAll(ctx, tx, snapshot) })
	})
	if err != nil {
		return nil, err
	}
	return snapshot, nil
}

func readAll(ctx context.Context, tx pgx.Tx, snapshot *store.Snapshot) error {
	for _, table := range []struct {
		query string
		take  func(name, value []byte) error
	}{
		{`SELECT id, record FROM rehearsal_exports ORDER BY sequence`, func(_, value []byte) error {
			record, err := store.DecodeRecord(value)
			snapshot.Records = append(snapshot.Records, record)
			return err
		}},
		{`SELECT key, bucket FROM rehearsal_buckets`, func(key, value []byte) error {
			var bucket exports.Bucket
			if err := json.Unmarshal(value, &bucket); err != nil {
				return fmt.Errorf("a stored bucket is not readable: %w", err)
			}
			snapshot.Buckets[string(key)] = bucket
			return nil
		}},
		{`SELECT name, value FROM rehearsal_settings`, func(name, value []byte) error {
			snapshot.Settings[string(name)] = append([]byte{}, value...)
			return nil
		}},
		{`SELECT ''::text, batch FROM rehearsal_data ORDER BY generation`, func(_, value []byte) error { return snapshot.Data.Add(value) }},
	} {
		rows, err := tx.Query(ctx, table.query)
		if err != nil {
			return err
		}
		var name, value []byte
		if _, err := pgx.ForEachRow(rows, []any{&name, &value}, func() error { return table.take(name, value) }); err != nil {
			return err
		}
	}
	return nil
}

// Restore implements [store.Store]. It waits for the writes under way, and further
// ones wait for it; readers see the old state until the new one is complete.
func (p *Store) Restore(ctx context.Context, snapshot *store.Snapshot) error {
	tables, err := tablesOf(snapshot)
	if err != nil {
		return err
	}
	return p.transaction(ctx, func(ctx context.Context, tx pgx.Tx) error {
		// EXCLUSIVE keeps out those who lock rows as well; in any lesser mode one
		// of them and this one could wait for each other. The tables are locked in
		// the order in which an insert takes them, for the same reason.
		if _, err := tx.Exec(ctx, `LOCK TABLE rehearsal_buckets, rehearsal_exports, rehearsal_settings, rehearsal_data IN EXCLUSIVE MODE`); err != nil {
			return err
		}
		for _, table := range tables {
			name := pgx.Identifier{table.name}
			if _, err := tx.Exec(ctx, `DELETE FROM `+name.Sanitize()); err != nil {
				return err
			}
			if _, err := tx.CopyFrom(ctx, name, table.columns, table.source()); err != nil {
				return err
			}
		}
		_, err := tx.Exec(ctx, `UPDATE rehearsal_revision SET changes = changes + 1, restores = restores + 1, generation = $1`, snapshot.Data.Len())
		return err
	})
}

// table is what a table is filled with.
type table struct {
	name    string
	columns []string
	rows    [][]any
	batches *dataset.Batches // in the place of rows
}

// source reads the rows, from the first one again at each attempt.
func (t *table) source() pgx.CopyFromSource {
	if t.batches == nil {
		return pgx.CopyFromRows(t.rows)
	}
	return pgx.CopyFromSlice(t.batches.Len(), func(i int) ([]any, error) {
		batch, err := t.batches.Get(int64(i) + 1)
		return []any{int64(i) + 1, batch}, err
	})
}

// tablesOf encodes a snapshot, and refuses one with an id twice.
func tablesOf(snapshot *store.Snapshot) ([]table, error) {
	records := table{name: "rehearsal_exports", columns: []string{"id", "owner", "interface", "record"}}
	seen := map[string]bool{}
	for _, record := range snapshot.Records {
		if seen[record.ID] {
			return nil, fmt.Errorf("record %.80q: %w", record.ID, store.ErrExists)
		}
		seen[record.ID] = true
		encoded, err := store.EncodeRecord(record)
		if err != nil {
			return nil, err
		}
		records.rows = append(records.rows, []any{[]byte(record.ID), []byte(record.Owner), record.Interface, encoded})
	}
	buckets := table{name: "rehearsal_buckets", columns: []string{"key", "bucket"}}
	for key, bucket := range snapshot.Buckets {
		encoded, err := json.Marshal(bucket)
		if err != nil {
			return nil, fmt.Errorf("bucket %.80q cannot be stored: %w", key, err)
		}
		buckets.rows = append(buckets.rows, []any{[]byte(key), string(encoded)})
	}
	settings := table{name: "rehearsal_settings", columns: []string{"name", "value"}}
	for name, value := range snapshot.Settings {
		settings.rows = append(settings.rows, []any{name, append([]byte{}, value...)})
	}
	batches := table{name: "rehearsal_data", columns: []string{"generation", "batch"}, batches: snapshot.Data}
	return []table{records, buckets, settings, batches}, nil
}
