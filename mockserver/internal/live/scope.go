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

// EmptiedSetting is the setting of the store that tells every server which keys
// were emptied: what a server keeps for itself, its journal, goes as well.
const EmptiedSetting = "emptied"

// mostEmptied is how many keys the setting names. A server that had no request
// while more were emptied keeps the journal entries of the oldest.
const mostEmptied = 256

// emptiedKeys is the setting.
type emptiedKeys struct {
	// Count is how many keys were ever emptied; Keys are the last of them.
	Count int64    `json:"count"`
	Keys  []string `json:"keys"`
}

// after lists the keys that were emptied since the count was another one.
func (e emptiedKeys) after(count int64) []string {
	return e.Keys[len(e.Keys)-int(min(max(e.Count-count, 0), int64(len(e.Keys)))):]
}

// emptiedSet is what this server knows of emptied keys.
type emptiedSet struct {
	lock   sync.Mutex
	count  int64
	forget func(key string)
}

// follow forgets what this server keeps of the keys that were emptied since
// the last time.
func (s *emptiedSet) follow(kept emptiedKeys) {
	for _, key := range kept.after(s.count) {
		s.forget(key)
	}
	s.count = kept.Count
}

// load reads which keys others have emptied.
func (s *emptiedSet) load(ctx context.Context, from store.Store) error {
	s.lock.Lock()
	defer s.lock.Unlock()
	var kept emptiedKeys
	data, err := from.Setting(ctx, EmptiedSetting)
	if err == nil {
		err = json.Unmarshal(data, &kept)
	}
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return fmt.Errorf("reading which keys were emptied: %w", err)
	}
	s.follow(kept)
	return nil
}

// OnEmptied sets what is called with every key that is emptied, here or by
// another server. It is for the time before the first request.
func (s *State) OnEmptied(call func(key string)) { s.emptied.forget = call }

// Empty deletes what belongs to a key: its exports and these buckets, its clock,
// its scenarios, its dataset, and what OnEmptied is told to forget. Each of them is deleted
// as a whole; an error in between leaves the rest, and to empty the key again
// deletes that too.
func (s *State) Empty(ctx context.Context, key string, buckets []string) error {
	// The change has begun: a client that goes away does not stop it halfway.
	ctx = context.WithoutCancel(ctx)
	if _, err := s.store.DeleteOwned(ctx, key, buckets); err != nil {
		return fmt.Errorf("deleting the exports of a key: %w", err)
	}
	s.Ended(listKind, nil) // the next list notes damage to exports of other keys again
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
	if err := s.data.Of(key).Empty(ctx); err != nil { // no export shows it any more
		return err
	}
	return s.tellEmptied(ctx, key)
}

// tellEmptied lets this server, and the others, forget what they keep of a key.
func (s *State) tellEmptied(ctx context.Context, key string) error {
	s.emptied.lock.Lock()
	defer s.emptied.lock.Unlock()
	var next emptiedKeys
	err := s.store.UpdateSetting(ctx, EmptiedSetting, func(kept []byte) ([]byte, error) {
		next = emptiedKeys{}
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
