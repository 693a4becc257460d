package api

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// seen is what this server knows of a store that others change as well.
type seen struct {
	lock     sync.RWMutex
	revision store.Revision
}

// freshen brings up to date what is kept in memory: the clocks, the scenarios,
// own data, the key for links. What another server has changed before this
// request was sent is in force for it. It costs one small question to a store
// that is shared, and nothing with any other.
func (s *Service) freshen(ctx context.Context) error {
	now, err := s.store.Revision(ctx)
	if err != nil {
		return fmt.Errorf("asking for changes of other servers: %w", err)
	}
	s.seen.lock.RLock()
	known := s.seen.revision
	s.seen.lock.RUnlock()
	if now.Changes <= known.Changes {
		return nil
	}
	s.seen.lock.Lock()
	defer s.seen.lock.Unlock()
	if known = s.seen.revision; now.Changes <= known.Changes {
		return nil // another request has been faster
	}
	// Half of it must not be left undone for others by a client that goes away.
	ctx = context.WithoutCancel(ctx)
	s.clockLock.Lock()
	defer s.clockLock.Unlock()
	if err := s.reload(ctx, now.Restores > known.Restores); err != nil {
		return err
	}
	s.seen.revision = now
	return nil
}

// reload reads what is kept in memory from the store again; all of it when the
// store was replaced, and otherwise what is kept as settings. The lock of the
// clocks is held.
func (s *Service) reload(ctx context.Context, replaced bool) error {
	states, err := ClockStates(ctx, s.store)
	if err != nil {
		return err
	}
	if err := s.clocks.Restore(states); err != nil {
		return fmt.Errorf("restoring the clocks: %w", err)
	}
	if err := s.rules.load(ctx); err != nil {
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
	if err := s.data.Reopen(ctx, s.Now()); err != nil {
		return fmt.Errorf("restoring own data: %w", err)
	}
	s.files.forgetAll()
	return nil
}
