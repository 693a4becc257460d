package memory

import (
	"context"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// Shared implements [store.Store].
func (*Store) Shared() bool { return false }

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
	number, err := m.blocks.Add(batch)
	if err != nil {
		return err
	}
	m.data = append(m.data, number)
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
	var found [][]byte
	for size, rest := 0, m.data[generation:]; len(rest) > 0 && size < store.DataPage; rest = rest[1:] {
		batch, err := m.blocks.Get(rest[0], nil)
		if err != nil {
			return nil, err
		}
		found = append(found, batch)
		size += len(batch)
	}
	return found, nil
}

// ReplaceData implements [store.Store].
func (m *Store) ReplaceData(ctx context.Context, generations []int64, batch []byte) error {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if err := m.check(ctx); err != nil {
		return err
	}
	var gone []int64
	for _, generation := range generations {
		if generation < 1 || generation > int64(len(m.data)) {
			continue
		}
		number, err := m.blocks.Add(batch)
		if err != nil {
			return err
		}
		gone = append(gone, m.data[generation-1])
		m.data[generation-1] = number
	}
	return m.blocks.Drop(gone)
}
