package memory

import (
	"bytes"
	"context"
	"maps"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// Snapshot implements [store.Store].
func (m *Store) Snapshot(ctx context.Context, data *dataset.Batches) (*store.Snapshot, error) {
	if err := data.Clear(); err != nil {
		return nil, err
	}
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	if err := m.check(ctx); err != nil {
		return nil, err
	}
	snapshot := &store.Snapshot{Data: data, Buckets: maps.Clone(m.buckets), Settings: map[string][]byte{}}
	for _, kept := range m.all {
		snapshot.Records = append(snapshot.Records, kept.current.Load().record())
	}
	for name, value := range m.settings {
		snapshot.Settings[name] = bytes.Clone(value)
	}
	var batch []byte
	for _, number := range m.data {
		err := ctx.Err()
		if err == nil {
			batch, err = m.blocks.Get(number, batch[:0])
		}
		if err == nil {
			err = data.Add(batch)
		}
		if err != nil {
			return nil, err
		}
	}
	return snapshot, nil
}

// Restore implements [store.Store].
func (m *Store) Restore(ctx context.Context, snapshot *store.Snapshot) error {
	next := NewWith(m.blocks)
	for _, record := range snapshot.Records {
		if err := next.Insert(ctx, record, nil); err != nil {
			return err
		}
	}
	for key, bucket := range snapshot.Buckets {
		next.buckets[key] = bucket
	}
	for name, value := range snapshot.Settings {
		next.settings[name] = append([]byte{}, value...)
	}
	err := snapshot.Data.Each(func(_ int64, batch []byte) error {
		number, err := m.blocks.Add(batch)
		next.data = append(next.data, number)
		return err
	})
	if err != nil {
		return err
	}
	if m.room.budget != nil {
		if err := m.room.budget.Fits(next.room.held.Load()); err != nil {
			return err
		}
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if err := m.check(ctx); err != nil {
		return err
	}
	m.last = next.last
	m.room.held.Store(next.room.held.Load())
	m.entries, m.all, m.owned, m.buckets, m.settings = next.entries, next.all, next.owned, next.buckets, next.settings
	gone := m.data
	m.data = next.data
	return m.blocks.Drop(gone)
}
