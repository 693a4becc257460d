package live

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

// ScenariosSetting is the setting of the store that keeps the scenarios of /_mock/scenarios over a restart.
const ScenariosSetting = "scenarios"

// scenarioSet are the scenarios of /_mock/scenarios. Scenarios and ChangeScenarios are the only places that read and change them.
type scenarioSet struct {
	store store.Store
	set   atomic.Pointer[scenarios.Set]
	lock  sync.Mutex // keeps a change and its record in the store together
}

// load reads what the store keeps.
func (b *scenarioSet) load(ctx context.Context) error {
	return b.replace(ctx, func() error { return nil })
}

// replace reads what the store keeps after it was replaced. No change of a request under way comes between.
func (b *scenarioSet) replace(ctx context.Context, replaced func() error) error {
	b.lock.Lock()
	defer b.lock.Unlock()
	if err := replaced(); err != nil {
		return err
	}
	set, err := readScenarios(ctx, b.store)
	if err != nil {
		return err
	}
	b.set.Store(&set)
	return nil
}

// readScenarios reads the scenarios that are kept.
func readScenarios(ctx context.Context, kept settings) (set scenarios.Set, err error) {
	data, err := kept.Setting(ctx, ScenariosSetting)
	if err == nil {
		set, err = scenarios.Parse(data)
	}
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return set, fmt.Errorf("reading the scenarios: %w", err)
	}
	return set, nil
}

// Scenarios is the set of scenarios that is in force.
func (s *State) Scenarios() scenarios.Set { return *s.scenarios.set.Load() }

// ChangeScenarios makes another set the one in force, first in the store, where
// another server may have changed it too. The change may be made more than once.
func (s *State) ChangeScenarios(ctx context.Context, change func(scenarios.Set) (scenarios.Set, error)) error {
	b := &s.scenarios
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

// TakeScenarios finds the rules that have a part in a request, the strongest first, and counts it for the one that is for the next few.
func (s *State) TakeScenarios(ctx context.Context, request scenarios.Request) (found []scenarios.Rule, err error) {
	found = s.Scenarios().Find(request)
	if len(found) == 0 || found[0].Times == 0 {
		return found, nil
	}
	err = s.ChangeScenarios(ctx, func(set scenarios.Set) (scenarios.Set, error) {
		// Another request may have come first.
		if found = set.Find(request); len(found) > 0 && found[0].Times > 0 {
			set = set.Use(found[0].ID)
		}
		return set, nil
	})
	return found, err
}
