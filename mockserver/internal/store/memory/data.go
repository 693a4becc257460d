package memory

import (
	"bytes"
	"context"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// AppendData implements [store.Store].
func (m *Store) AppendData(ctx context.Context, generation int64, batch []byte) error {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if err := m.check(ctx); err != nil {
		return err
	}
	if last := int64(len(m.data)); generation != last+1 {
		return store.NotNext(generation, last)
	}
	m.data = append(m.data, bytes.Clone(batch))
	return nil
}

// DataAfter implements [store.Store].
func (m *Store) DataAfter(ctx context.Context, generation int64) ([][]byte, error) {
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
