package sqlite

import (
	"bytes"
	"context"
	"errors"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// Shared implements [store.Store]: the file is locked.
func (*Store) Shared() bool { return false }

// AppendData implements [store.Store].
func (s *Store) AppendData(ctx context.Context, generation int64, batch []byte) error {
	batch = bytes.Clone(batch)
	err := s.write(ctx, func(w *writer) error {
		result, err := w.appendData.Exec(generation, batch)
		if err != nil {
			return err
		}
		if added, err := result.RowsAffected(); err != nil || added > 0 {
			return err
		}
		var last int64
		if err := w.lastData.QueryRow().Scan(&last); err != nil {
			return err
		}
		return store.NotNext(generation, last)
	})
	if err == nil || errors.Is(err, dataset.ErrBehind) { // somebody was faster
		s.knowData(generation)
	}
	return err
}

// ReplaceData implements [store.Store].
func (s *Store) ReplaceData(ctx context.Context, generations []int64, batch []byte) error {
	batch = append([]byte{}, batch...)
	return s.write(ctx, func(w *writer) error {
		for i, generation := range generations {
			if _, err := w.replaceData.Exec(batch, generation); err != nil {
				if i > 0 {
					err = halfway{err}
				}
				return err
			}
		}
		return nil
	})
}

// knowData notes that batches up to a generation may be in the file.
func (s *Store) knowData(generation int64) {
	last := &s.known.lastData
	for known := last.Load(); known < generation && !last.CompareAndSwap(known, generation); known = last.Load() {
	}
}

// DataAfter implements [store.Store].
func (s *Store) DataAfter(ctx context.Context, generation int64) ([][]byte, error) {
	end, err := s.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	// Every export that is created asks, so the answer comes from memory.
	if generation >= s.known.lastData.Load() {
		return nil, nil
	}
	rows, err := s.dataAfter.QueryContext(ctx, generation)
	if err != nil {
		return nil, explain(s.path, err)
	}
	defer rows.Close()
	var batches [][]byte
	for size := 0; size < store.DataPage && rows.Next(); {
		var found int64
		var batch []byte
		if err := rows.Scan(&found, &batch); err != nil {
			return nil, explain(s.path, err)
		}
		if want := generation + int64(len(batches)) + 1; found != want {
			return nil, explain(s.path, store.MissingData(want))
		}
		batches = append(batches, batch)
		size += len(batch)
	}
	return batches, errors.Join(rows.Err())
}
