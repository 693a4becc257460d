// Package memory keeps the state of a server in memory: it ends with the process.
package memory

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// Store is the [store.Store] that ends with the process.
type Store struct {
	mutex    sync.RWMutex // guards the maps and slices, not the records
	closed   bool
	entries  map[string]*entry
	all      []*entry            // in order of insertion
	owned    map[string][]*entry // the same by owner
	buckets  map[string]exports.Bucket
	settings map[string][]byte
	batches

	commons commons
	last    int64 // the sequence given last
	room    room
}

// room is what the records take, in bytes.
type room struct {
	held   atomic.Int64
	budget *budget.Budget // nil: there is no limit
}

// admit refuses what does not fit beside what is there.
func (r *room) admit(bytes int64) error {
	if r.budget == nil {
		return nil
	}
	return r.budget.Admit(bytes)
}

// batches are those of the dataset.
type batches struct {
	data   []int64 // their blocks, the first of generation 1
	blocks blocks.Store
}

// entry is one record and its place in the order of insertion. What current
// points to is never changed: an update replaces it. That keeps changes, which
// are foreign code, outside the lock.
type entry struct {
	current  atomic.Pointer[version]
	inserted version // the first one; here it saves an allocation
	sequence int64
}

var _ store.Store = (*Store)(nil)

// New returns an empty store.
func New() *Store { return NewWith(blocks.Memory()) }

// NewWith returns an empty store that keeps the batches of the dataset in blocks,
// which may be on a disk. They are closed by the caller, after the store.
func NewWith(blocks blocks.Store) *Store {
	return &Store{
		batches:  batches{blocks: blocks},
		entries:  make(map[string]*entry),
		owned:    make(map[string][]*entry),
		buckets:  make(map[string]exports.Bucket),
		settings: make(map[string][]byte),
	}
}

// Limit bounds what the records may take. It is called before the first one.
func (m *Store) Limit(limit *budget.Budget) {
	m.room.budget = limit
	limit.Measure(m.room.held.Load)
}

// placeOf is where an entry is in a list in order of insertion.
func placeOf(list []*entry, e *entry) int {
	place, _ := slices.BinarySearchFunc(list, e.sequence, func(other *entry, sequence int64) int { return cmp.Compare(other.sequence, sequence) })
	return place
}

// check says whether an operation may begin.
func (m *Store) check(ctx context.Context) error {
	if m.closed {
		return store.ErrClosed
	}
	return ctx.Err()
}

// Insert implements [store.Store].
func (m *Store) Insert(ctx context.Context, record *exports.Record, token *store.Token) error {
	added := &entry{inserted: m.commons.take(record)}
	added.current.Store(&added.inserted)
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if err := m.check(ctx); err != nil {
		return err
	}
	if err := m.room.admit(added.inserted.bytes()); err != nil {
		return err
	}
	var bucket exports.Bucket // as it is afterwards
	if token != nil {
		var err error
		if bucket, err = token.TakeFrom(m.buckets[token.Bucket]); err != nil {
			return err
		}
	}
	before := len(m.entries)
	m.entries[record.ID] = added // to look first would be as much work again
	if len(m.entries) == before {
		there := slices.IndexFunc(m.all, func(e *entry) bool { return e.inserted.id == record.ID })
		m.entries[record.ID] = m.all[there]
		return fmt.Errorf("record %.80q: %w", record.ID, store.ErrExists)
	}
	if token != nil {
		m.buckets[token.Bucket] = bucket
	}
	m.last++
	added.sequence = m.last
	m.all = append(m.all, added)
	m.owned[record.Owner] = append(m.owned[record.Owner], added)
	m.room.held.Add(added.inserted.bytes())
	return nil
}

// Check implements [store.Store].
func (m *Store) Check(ctx context.Context) error {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	return m.check(ctx)
}

func (m *Store) entry(ctx context.Context, id string) (*entry, error) {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	if err := m.check(ctx); err != nil {
		return nil, err
	}
	found, ok := m.entries[id]
	if !ok {
		return nil, store.NotFound("record", id)
	}
	return found, nil
}

// Get implements [store.Store].
func (m *Store) Get(ctx context.Context, id string) (*exports.Record, error) {
	found, err := m.entry(ctx, id)
	if err != nil {
		return nil, err
	}
	return found.current.Load().record(), nil
}

// Update implements [store.Store]. The change runs again when another one came
// first.
func (m *Store) Update(ctx context.Context, id string, change func(*exports.Record) error) (*exports.Record, error) {
	found, err := m.entry(ctx, id)
	if err != nil {
		return nil, err
	}
	for {
		before := found.current.Load()
		after, err := store.Apply(before.record(), change)
		if err != nil {
			return nil, err
		}
		next := m.commons.take(after)
		if found.current.CompareAndSwap(before, &next) {
			return next.record(), nil
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
	}
}

// List implements [store.Store].
func (m *Store) List(ctx context.Context, options store.ListOptions) ([]*exports.Record, error) {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	if err := m.check(ctx); err != nil {
		return nil, err
	}
	from := m.all
	if options.Owner != "" {
		from = m.owned[options.Owner]
	}
	next := len(from) - 1
	if options.After != "" {
		last, ok := m.entries[options.After]
		if !ok || !options.Matches(last.current.Load().common) {
			return nil, store.NotFound("record", options.After)
		}
		next = placeOf(from, last) - 1
	}
	var page []*exports.Record
	for ; next >= 0 && len(page) < options.PageSize(); next-- {
		if found := from[next].current.Load(); options.Matches(found.common) {
			page = append(page, found.record())
		}
	}
	return page, nil
}

// Setting implements [store.Store].
func (m *Store) Setting(ctx context.Context, name string) ([]byte, error) {
	m.mutex.RLock()
	defer m.mutex.RUnlock()
	if err := m.check(ctx); err != nil {
		return nil, err
	}
	value, ok := m.settings[name]
	if !ok {
		return nil, store.NotFound("setting", name)
	}
	return bytes.Clone(value), nil
}

// SetSetting implements [store.Store].
func (m *Store) SetSetting(ctx context.Context, name string, value []byte) error {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if err := m.check(ctx); err != nil {
		return err
	}
	m.settings[name] = append([]byte{}, value...)
	return nil
}

// UpdateSetting implements [store.Store]. The change runs again when another one came
// first.
func (m *Store) UpdateSetting(ctx context.Context, name string, change func([]byte) ([]byte, error)) error {
	for {
		before, err := m.Setting(ctx, name)
		if err != nil && !errors.Is(err, store.ErrNotFound) {
			return err
		}
		after, err := change(bytes.Clone(before))
		if err != nil {
			return err
		}
		if swapped, err := m.swapSetting(ctx, name, before, after); swapped || err != nil {
			return err
		}
	}
}

func (m *Store) swapSetting(ctx context.Context, name string, before, after []byte) (bool, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if err := m.check(ctx); err != nil || !bytes.Equal(m.settings[name], before) {
		return false, err
	}
	m.settings[name] = append([]byte{}, after...)
	return true, nil
}

// Revision implements [store.Store]: nobody else has the memory.
func (m *Store) Revision(context.Context) (store.Revision, error) { return store.Revision{}, nil }

// InitSetting implements [store.Store].
func (m *Store) InitSetting(ctx context.Context, name string, value []byte) ([]byte, error) {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	if err := m.check(ctx); err != nil {
		return nil, err
	}
	if _, ok := m.settings[name]; !ok {
		m.settings[name] = append([]byte{}, value...)
	}
	return bytes.Clone(m.settings[name]), nil
}

// Close implements [store.Store].
func (m *Store) Close() error {
	m.mutex.Lock()
	defer m.mutex.Unlock()
	m.closed = true
	m.entries, m.all, m.owned, m.buckets, m.settings, m.data = nil, nil, nil, nil, nil, nil
	return nil
}
