package live

import (
	"context"
	"errors"
	"fmt"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// Refresh brings up to date what is kept in memory. What another server has changed before this request was sent is in force for it. It
// costs one small question to a store that is shared, and nothing with any other. See
// docs/decisions/server.md#how-does-a-server-learn-what-another-one-has-changed
func (s *State) Refresh(ctx context.Context) error {
	now, err := s.store.Revision(ctx)
	if err != nil {
		return fmt.Errorf("asking for changes of other servers: %w", err)
	}
	s.refreshLock.RLock()
	known := s.lastRevision
	s.refreshLock.RUnlock()
	if now.Changes <= known.Changes {
		return nil
	}
	s.refreshLock.Lock()
	defer s.refreshLock.Unlock()
	if known = s.lastRevision; now.Changes <= known.Changes {
		return nil // another request has been faster
	}
	// Half of it must not be left undone for others by a client that goes away.
	ctx = context.WithoutCancel(ctx)
	s.clockLock.Lock()
	defer s.clockLock.Unlock()
	if err := s.reload(ctx, now.Epoch != known.Epoch); err != nil {
		return err
	}
	s.lastRevision = now
	return nil
}

// reload reads what is kept in memory from the store again; all of it when the store was replaced, and otherwise what is kept as
// settings. The lock of the clocks is held.
func (s *State) reload(ctx context.Context, replaced bool) error {
	states, err := clockStates(ctx, s.store)
	if err != nil {
		return err
	}
	if err := s.clocks.Restore(states); err != nil {
		return fmt.Errorf("restoring the clocks: %w", err)
	}
	s.keptClocks = nil // these may be others
	if err := s.scenarios.load(ctx); err != nil {
		return err
	}
	if err := s.emptied.load(ctx, s.store); err != nil {
		return err
	}
	secret, err := s.store.Setting(ctx, LinkSecretSetting)
	if err == nil {
		s.links.Use(secret)
	} else if !errors.Is(err, store.ErrNotFound) {
		return fmt.Errorf("reading the key for links: %w", err)
	}
	if !replaced {
		return nil
	}
	s.damage.Clear() // it was of the state that is gone
	if err := s.data.Reopen(ctx, s.Now()); err != nil {
		return fmt.Errorf("restoring the dataset: %w", err)
	}
	s.epoch.Store(s.data.Epoch())
	s.replaced()
	return nil
}
