package store

import (
	"bytes"
	"context"
	"maps"
)

// Snapshot implements [Store].
func (m *Memory) Snapshot(ctx context.Context) (*Snapshot, error) {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	if err := m.check(ctx); err != nil {
		return nil, err
	}
	snapshot := &Snapshot{Buckets: maps.Clone(m.buckets), Settings: map[string][]byte{}}
	for _, kept := range m.all {
		snapshot.Records = append(snapshot.Records, copyOf(kept.current.Load()))
	}
	for name, value := range m.settings {
		snapshot.Settings[name] = bytes.Clone(value)
	}
	snapshot.Data = append(snapshot.Data, m.data...) // batches are never changed
	return snapshot, nil
}

// Restore implements [Store].
func (m *Memory) Restore(ctx context.Context, snapshot *Snapshot) error {
	next := NewMemory()
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
	for _, batch := range snapshot.Data {
		next.data = append(next.data, bytes.Clone(batch))
	}
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if err := m.check(ctx); err != nil {
		return err
	}
	m.entries, m.all, m.owned, m.buckets, m.settings = next.entries, next.all, next.owned, next.buckets, next.settings
	m.data = next.data
	return nil
}
