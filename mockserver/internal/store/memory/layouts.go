package memory

import (
	"context"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// ClaimLayout implements [store.Layouts].
func (m *Store) ClaimLayout(ctx context.Context, id, owner string, lease time.Duration) (layout []byte, claimed bool, err error) {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	if err := m.check(ctx); err != nil {
		return nil, false, err
	}
	found, ok := m.entries[id]
	if !ok {
		return nil, false, store.NotFound("record", id)
	}
	if found.layout != nil {
		return found.layout, false, nil
	}
	return nil, lease > 0 && m.claims.Take(id, owner, lease), nil
}

// KeepLayout implements [store.Layouts]. Layouts count as a part of their records.
func (m *Store) KeepLayout(ctx context.Context, id, owner string, layout []byte) error {
	m.claims.End(id, owner)
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if err := m.check(ctx); err != nil {
		return err
	}
	found, ok := m.entries[id]
	if !ok {
		return store.NotFound("record", id)
	}
	if layout == nil {
		return nil
	}
	more := int64(len(layout) - len(found.layout))
	if err := m.room.admit(more); err != nil {
		return err
	}
	found.layout = append([]byte{}, layout...)
	m.room.held.Add(more)
	return nil
}
