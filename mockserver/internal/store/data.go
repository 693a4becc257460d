package store

import (
	"bytes"
	"context"
	"errors"
	"fmt"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
)

// pageOfData is how many bytes of batches DataAfter reads at once, beside the
// first batch.
const pageOfData = 16 << 20

// notNext is the error of a batch that does not follow the last one.
func notNext(generation, last int64) error {
	if generation > last+1 {
		return dataset.ErrReplaced
	}
	return dataset.ErrBehind
}

func errMissingData(generation int64) error {
	return fmt.Errorf("generation %d of own data is missing", generation)
}

// AppendData implements [Store].
func (m *Memory) AppendData(ctx context.Context, generation int64, batch []byte) error {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if err := m.check(ctx); err != nil {
		return err
	}
	if last := int64(len(m.data)); generation != last+1 {
		return notNext(generation, last)
	}
	m.data = append(m.data, bytes.Clone(batch))
	return nil
}

// DataAfter implements [Store].
func (m *Memory) DataAfter(ctx context.Context, generation int64) ([][]byte, error) {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	if err := m.check(ctx); err != nil {
		return nil, err
	}
	if generation < 0 || generation >= int64(len(m.data)) {
		return nil, nil
	}
	return m.data[generation:len(m.data):len(m.data)], nil
}

// AppendData implements [Store].
func (s *SQLite) AppendData(ctx context.Context, generation int64, batch []byte) error {
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
		return notNext(generation, last)
	})
	if err == nil || errors.Is(err, dataset.ErrBehind) { // somebody was faster
		s.knowData(generation)
	}
	return err
}

// knowData notes that batches up to a generation may be in the file.
func (s *SQLite) knowData(generation int64) {
	for known := s.lastData.Load(); known < generation && !s.lastData.CompareAndSwap(known, generation); known = s.lastData.Load() {
	}
}

// DataAfter implements [Store].
func (s *SQLite) DataAfter(ctx context.Context, generation int64) ([][]byte, error) {
	end, err := s.begin(ctx)
	if err != nil {
		return nil, err
	}
	defer end()
	// Every export that is created asks, so the answer comes from memory.
	if generation >= s.lastData.Load() {
		return nil, nil
	}
	rows, err := s.dataAfter.QueryContext(ctx, generation)
	if err != nil {
		return nil, explain(s.path, err)
	}
	defer rows.Close()
	var batches [][]byte
	for size := 0; size < pageOfData && rows.Next(); {
		var found int64
		var batch []byte
		if err := rows.Scan(&found, &batch); err != nil {
			return nil, explain(s.path, err)
		}
		if want := generation + int64(len(batches)) + 1; found != want {
			return nil, explain(s.path, errMissingData(want))
		}
		batches = append(batches, batch)
		size += len(batch)
	}
	return batches, errors.Join(rows.Err())
}
