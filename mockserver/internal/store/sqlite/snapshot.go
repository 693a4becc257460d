package sqlite

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// Snapshot implements [store.Store]. All tables are read in one transaction.
func (s *Store) Snapshot(ctx context.Context, data *dataset.Batches) (*store.Snapshot, error) {
	if err := data.Clear(); err != nil {
		return nil, err
	}
	end, err := s.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	transaction, err := s.reads.BeginTx(ctx, nil)
	if err != nil {
		return nil, explain(s.path, err)
	}
	defer transaction.Rollback() // nothing was written
	snapshot := &store.Snapshot{Data: data, Buckets: map[string]exports.Bucket{}, Settings: map[string][]byte{}}
	for _, table := range []struct {
		query string
		take  func(name string, value []byte) error
	}{
		{`SELECT id, record FROM exports ORDER BY sequence`, func(_ string, value []byte) error {
			record, err := s.decode(value)
			snapshot.Records = append(snapshot.Records, record)
			return err
		}},
		{`SELECT key, bucket FROM buckets`, func(key string, value []byte) error {
			var bucket exports.Bucket
			if err := json.Unmarshal(value, &bucket); err != nil {
				return fmt.Errorf("a stored bucket is not readable: %w", err)
			}
			snapshot.Buckets[key] = bucket
			return nil
		}},
		{`SELECT name, value FROM settings`, func(name string, value []byte) error {
			snapshot.Settings[name] = append([]byte{}, value...)
			return nil
		}},
		{`SELECT generation, batch FROM data ORDER BY generation`, func(_ string, value []byte) error { return data.Add(value) }},
	} {
		if err := eachRow(ctx, transaction, table.query, table.take); err != nil {
			return nil, explain(s.path, err)
		}
	}
	return snapshot, nil
}

// eachRow calls take with every row of a query of two columns. The value is
// good only until take returns.
func eachRow(ctx context.Context, transaction *sql.Tx, query string, take func(name string, value []byte) error) error {
	rows, err := transaction.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	var name string
	var value sql.RawBytes
	for rows.Next() {
		if err := rows.Scan(&name, &value); err != nil {
			return err
		}
		if err := take(name, value); err != nil {
			return err
		}
	}
	return rows.Err()
}

// Restore implements [store.Store]. Everything is encoded before the writer has its
// turn, and written under a savepoint: a failure leaves nothing behind.
func (s *Store) Restore(ctx context.Context, snapshot *store.Snapshot) error {
	records := make([]string, len(snapshot.Records))
	for i, record := range snapshot.Records {
		encoded, err := store.EncodeRecord(record)
		if err != nil {
			return err
		}
		records[i] = encoded
	}
	s.knowData(int64(snapshot.Data.Len()))
	return s.write(ctx, func(w *writer) (err error) {
		ctx := context.WithoutCancel(ctx) // it has begun
		w.changes.all = true
		if _, err := w.conn.ExecContext(ctx, `SAVEPOINT restoring`); err != nil {
			return err
		}
		defer func() {
			if err != nil {
				_, undone := w.conn.ExecContext(ctx, `ROLLBACK TO restoring; RELEASE restoring`)
				err = errors.Join(err, undone)
			}
		}()
		if _, err := w.conn.ExecContext(ctx, `DELETE FROM exports; DELETE FROM buckets; DELETE FROM settings; DELETE FROM data`); err != nil {
			return err
		}
		for i, record := range snapshot.Records {
			result, err := w.insert.Exec(record.ID, record.Owner, record.Interface, records[i])
			if err != nil {
				return err
			}
			if inserted, err := result.RowsAffected(); err != nil || inserted == 0 {
				return errors.Join(fmt.Errorf("record %.80q: %w", record.ID, store.ErrExists), err)
			}
		}
		for key, bucket := range snapshot.Buckets {
			encoded, err := json.Marshal(bucket)
			if err == nil {
				_, err = w.setBucket.Exec(key, string(encoded))
			}
			if err != nil {
				return err
			}
		}
		for name, value := range snapshot.Settings {
			if _, err := w.setSetting.Exec(name, append([]byte{}, value...)); err != nil {
				return err
			}
		}
		err = snapshot.Data.Each(func(generation int64, batch []byte) error {
			_, err := w.appendData.Exec(generation, append([]byte{}, batch...))
			return err
		})
		if err != nil {
			return err
		}
		_, err = w.conn.ExecContext(ctx, `RELEASE restoring`)
		return err
	})
}
