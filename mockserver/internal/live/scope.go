package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/clock"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/scenarios"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// mostEmptied is how many keys the setting names. A server that had no request
// while more were emptied keeps the journal entries of the oldest.
const mostEmptied = 256

// emptiedSet is what this server knows of emptied keys: as its part of a state, its journal goes as well.
type emptiedSet struct {
	lock   sync.Mutex
	known  store.Emptied
	forget func(key string)
}

// follow forgets what this server keeps of the keys that were emptied since the last time.
func (s *emptiedSet) follow(kept store.Emptied) {
	for _, key := range kept.After(s.known.Count) {
		s.forget(key)
	}
	s.known = kept
}

// Emptied is how many keys were ever emptied, as far as this server knows.
func (s *State) Emptied() int64 {
	s.emptied.lock.Lock()
	defer s.emptied.lock.Unlock()
	return s.emptied.known.Count
}

// load reads which keys others have emptied.
func (s *emptiedSet) load(ctx context.Context, from store.Store) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	var kept store.Emptied
	data, err := from.Setting(ctx, store.EmptiedSetting)
	if err == nil {
		err = json.Unmarshal(data, &kept)
	}
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return fmt.Errorf("reading which keys were emptied: %w", err)
	}
	s.follow(kept)
	return nil
}

// OnEmptied sets what is called with every key that is emptied, here or by another server. It is for the time before the first request.
func (s *State) OnEmptied(call func(key string)) { s.emptied.forget = call }

// Empty deletes what belongs to a key: its exports and these buckets, its clock, its scenarios, its dataset, and what OnEmptied is told
// to forget. Each of them is deleted as a whole; an error in between leaves the rest, and to empty the key again deletes that too. An
// export that was made with the old clock or dataset is deleted, or refused by the store.
func (s *State) Empty(ctx context.Context, key string, buckets []string) error {
	// The change has begun: a client that goes away does not stop it halfway.
	ctx = context.WithoutCancel(ctx)
	err := s.ChangeScenarios(ctx, func(set scenarios.Set) (scenarios.Set, error) {
		set, _ = set.Without(func(rule scenarios.Rule) bool { return rule.Match.Key == key })
		return set, nil
	})
	if err != nil {
		return err
	}
	err = s.ChangeClocks(ctx, key, func(clocks *clock.Clocks) error {
		clocks.Return(key)
		return nil
	})
	if err != nil {
		return err
	}
	if err := s.data.Of(key).Empty(ctx); err != nil {
		return err
	}
	if err := s.tellEmptied(ctx, key); err != nil {
		return err
	}
	// What began before that shows what is gone: it is deleted here, or refused by the store.
	if _, err := s.store.DeleteOwned(ctx, key, buckets); err != nil {
		return fmt.Errorf("deleting the exports of a key: %w", err)
	}
	s.Ended(listKind, nil) // the next list notes damage to exports of other keys again
	s.emptied.lock.Lock()
	defer s.emptied.lock.Unlock()
	s.emptied.forget(key) // what was made of its exports until they were deleted
	return nil
}

// tellEmptied lets this server, and the others, forget what they keep of a key.
func (s *State) tellEmptied(ctx context.Context, key string) error {
	s.emptied.lock.Lock()
	defer s.emptied.lock.Unlock()
	var next store.Emptied
	err := s.store.UpdateSetting(ctx, store.EmptiedSetting, func(kept []byte) ([]byte, error) {
		next = store.Emptied{}
		if len(kept) > 0 {
			if err := json.Unmarshal(kept, &next); err != nil {
				return nil, err
			}
		}
		next.Count++
		next.Keys = append(next.Keys, key)
		next.Keys = next.Keys[max(len(next.Keys)-mostEmptied, 0):]
		return json.Marshal(next)
	})
	if err != nil {
		return fmt.Errorf("telling that a key was emptied: %w", err)
	}
	s.emptied.follow(next)
	return nil
}
