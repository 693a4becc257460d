package memory

import (
	"context"
	"slices"
)

// DeleteOwned implements [store.Store].
func (m *Store) DeleteOwned(ctx context.Context, owner string, buckets []string) (int, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if err := m.check(ctx); err != nil {
		return 0, err
	}
	for _, key := range buckets {
		delete(m.buckets, key)
	}
	owned := m.owned[owner]
	if len(owned) == 0 {
		return 0, nil
	}
	first := owned[0].inAll // the entries before it keep their places
	for _, entry := range owned {
		delete(m.entries, entry.inserted.ID)
	}
	delete(m.owned, owner)
	m.all = slices.DeleteFunc(m.all, func(e *entry) bool { return e.inserted.Owner == owner })
	for i, entry := range m.all[first:] {
		entry.inAll = first + i
	}
	return len(owned), nil
}
