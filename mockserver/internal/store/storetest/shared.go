package storetest

import (
	"context"
	"sync"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/memory"
)

// Shared is a store in memory that several servers use, as they do a database:
// it counts what is changed, and can be away.
type Shared struct {
	*memory.Store

	lock     sync.Mutex
	revision store.Revision
	away     error
}

// NewShared is an empty store.
func NewShared() *Shared { return &Shared{Store: memory.New()} }

// Away lets questions about changes fail, or with nil no longer.
func (s *Shared) Away(err error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.away = err
}

func (s *Shared) changed(restores int64, err error) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.revision.Changes++
	s.revision.Restores += restores
	return err
}

// UpdateSetting implements [store.Store].
func (s *Shared) UpdateSetting(ctx context.Context, name string, change func([]byte) ([]byte, error)) error {
	return s.changed(0, s.Store.UpdateSetting(ctx, name, change))
}

// SetSetting implements [store.Store].
func (s *Shared) SetSetting(ctx context.Context, name string, value []byte) error {
	return s.changed(0, s.Store.SetSetting(ctx, name, value))
}

// Restore implements [store.Store].
func (s *Shared) Restore(ctx context.Context, snapshot *store.Snapshot) error {
	return s.changed(1, s.Store.Restore(ctx, snapshot))
}

// Revision implements [store.Store].
func (s *Shared) Revision(context.Context) (store.Revision, error) {
	s.lock.Lock()
	defer s.lock.Unlock()
	return s.revision, s.away
}
