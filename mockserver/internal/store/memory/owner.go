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
func (m *Store) Prune(ctx context.Context, after int64, old func(*exports.Record) bool) (deleted int, next int64, err error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if err := m.check(ctx); err != nil {
		return 0, 0, err
	}
	begin := placeOf(m.all, &entry{sequence: after + 1})
	page := m.all[begin:min(len(m.all), begin+store.PrunePage)]
	if len(page) == store.PrunePage {
		next = page[len(page)-1].sequence
	}
	var found []*entry
	for _, e := range page {
		if old(e.current.Load().record()) {
			found = append(found, e)
		}
	}
	if len(found) > 0 {
		m.remove(found)
	}
	return len(found), next, nil
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
		m.room.held.Add(-e.inserted.bytes())
	}
	first, last := entries[0], entries[len(entries)-1]
	m.all = without(m.all, first, last, gone)
	for owner := range owners {
		if m.owned[owner] = without(m.owned[owner], first, last, gone); len(m.owned[owner]) == 0 {
			delete(m.owned, owner)
		}
	}
}

// without is a list, in order of insertion, without entries that are from first
// to last. What lies behind them only moves: the lists may be long, and the lock
// is held.
func without(list []*entry, first, last *entry, gone map[*entry]bool) []*entry {
	begin, end := placeOf(list, first), placeOf(list, &entry{sequence: last.sequence + 1})
	left := slices.DeleteFunc(list[begin:end], func(e *entry) bool { return gone[e] })
	return slices.Delete(list, begin+len(left), end)
}
