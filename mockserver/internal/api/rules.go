package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/scenarios"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// ScenariosSetting is the setting of the store that keeps the scenarios of
// /_mock/scenarios over a restart.
const ScenariosSetting = "scenarios"

// rules are the scenarios of /_mock/scenarios. current and change are the only
// places that read and change them.
type rules struct {
	store store.Store
	set   atomic.Pointer[scenarios.Set]
	lock  sync.Mutex // keeps a change and its record in the store together
}

// load reads what the store keeps.
func (b *rules) load(ctx context.Context) error {
	return b.replace(ctx, func() error { return nil })
}

// replace reads what the store keeps after it was replaced. No change of a
// request under way comes between.
func (b *rules) replace(ctx context.Context, replaced func() error) error {
	b.lock.Lock()
	defer b.lock.Unlock()
	if err := replaced(); err != nil {
		return err
	}
	var set scenarios.Set
	data, err := b.store.Setting(ctx, ScenariosSetting)
	if err == nil {
		set, err = scenarios.Parse(data)
	}
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return fmt.Errorf("reading the scenarios: %w", err)
	}
	b.set.Store(&set)
	return nil
}

// current is the set that is in force.
func (b *rules) current() scenarios.Set { return *b.set.Load() }

// change makes another set the one in force, first in the store, where another
// server may have changed it too. The change may be made more than once.
func (b *rules) change(ctx context.Context, change func(scenarios.Set) (scenarios.Set, error)) error {
	b.lock.Lock()
	defer b.lock.Unlock()
	var next scenarios.Set
	// A client that has gone away must not keep a change from being remembered.
	err := b.store.UpdateSetting(context.WithoutCancel(ctx), ScenariosSetting, func(kept []byte) ([]byte, error) {
		var set scenarios.Set
		var err error
		if kept != nil {
			set, err = scenarios.Parse(kept)
		}
		if err == nil {
			next, err = change(set)
		}
		if err != nil {
			return nil, err
		}
		return json.Marshal(next)
	})
	if err != nil {
		return fmt.Errorf("keeping the scenarios: %w", err)
	}
	b.set.Store(&next)
	return nil
}

// take finds the rules that have a part in a request, the strongest first, and
// counts it for the one that is for the next few.
func (b *rules) take(ctx context.Context, request scenarios.Request) (found []scenarios.Rule, err error) {
	found = b.current().Find(request)
	if len(found) == 0 || found[0].Times == 0 {
		return found, nil
	}
	err = b.change(ctx, func(set scenarios.Set) (scenarios.Set, error) {
		// Another request may have come first.
		if found = set.Find(request); len(found) > 0 && found[0].Times > 0 {
			set = set.Use(found[0].ID)
		}
		return set, nil
	})
	return found, err
}
