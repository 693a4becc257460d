package memory

import (
	"context"
	"slices"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
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
	m.remove(owned)
	return len(owned), nil
}

// Prune implements [store.Store].
func (m *Store) Prune(ctx context.Context, old func(*exports.Record) bool) (int, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if err := m.check(ctx); err != nil {
		return 0, err
	}
	var found []*entry
	for _, e := range m.all[:min(len(m.all), store.PrunePage)] {
		if old(e.current.Load().record()) {
			found = append(found, e)
		}
	}
	m.remove(found)
	return len(found), nil
}

// remove removes entries, which are in the order of their insertion. The lock is
// held.
func (m *Store) remove(entries []*entry) {
	gone := make(map[*entry]bool, len(entries))
	owners := map[string]bool{}
	for _, e := range entries {
		gone[e] = true
		owners[e.inserted.common.Owner] = true
		delete(m.entries, e.inserted.id)
		m.held.Add(-e.inserted.bytes())
	}
	is := func(e *entry) bool { return gone[e] }
	m.all = slices.DeleteFunc(m.all, is)
	for owner := range owners {
		if m.owned[owner] = slices.DeleteFunc(m.owned[owner], is); len(m.owned[owner]) == 0 {
			delete(m.owned, owner)
		}
	}
}
