package live

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/clock"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// NewBatches are no batches so far, for those of a snapshot. The caller clears them at the end.
func (s *State) NewBatches() *dataset.Batches { return s.data.NewBatches() }

// Snapshot is everything that the store keeps. The batches of the dataset are put into data. See docs/how-to/state.md
func (s *State) Snapshot(ctx context.Context, data *dataset.Batches) (*store.Snapshot, error) {
	snapshot, err := s.store.Snapshot(ctx, data)
	if err != nil {
		return nil, fmt.Errorf("taking a snapshot: %w", err)
	}
	delete(snapshot.Settings, store.EmptiedSetting) // it is for servers that run
	return snapshot, nil
}

// Check refuses a snapshot whose clocks, scenarios or dataset could not be used.
func (s *State) Check(ctx context.Context, snapshot *store.Snapshot) error {
	kept := snapshotSettings(snapshot.Settings)
	if _, err := clockStates(ctx, kept); err != nil {
		return exports.RefuseMember("/settings/"+ClockSetting, "format", "the clocks of the snapshot are not usable: %v", err)
	}
	if _, err := readScenarios(ctx, kept); err != nil {
		return exports.RefuseMember("/settings/"+ScenariosSetting, "format", "the scenarios of the snapshot are not usable: %v", err)
	}
	switch err := snapshot.Data.Check(ctx); {
	case err != nil && ctx.Err() != nil:
		return context.Cause(ctx)
	case errors.As(err, new(*budget.ExceededError)):
		return err
	case err != nil:
		return exports.RefuseMember("/data", "format", "the dataset of the snapshot is not usable: %v", err)
	}
	return nil
}

// settings are where a setting is read: the store, or a snapshot of one.
type settings interface {
	// Setting returns a setting, or store.ErrNotFound.
	Setting(ctx context.Context, name string) ([]byte, error)
}

// snapshotSettings are the settings of a snapshot.
type snapshotSettings map[string][]byte

func (s snapshotSettings) Setting(_ context.Context, name string) ([]byte, error) {
	value, kept := s[name]
	if !kept {
		return nil, store.ErrNotFound
	}
	return value, nil
}

// Replace puts a snapshot in the place of the state, and brings everything up to date that is kept in memory. A snapshot without a secret
// for links leaves the present one. The change has begun: a client that has gone away does not stop it halfway.
func (s *State) Replace(ctx context.Context, snapshot *store.Snapshot) error {
	ctx = context.WithoutCancel(ctx)
	s.clockLock.Lock()
	defer s.clockLock.Unlock()
	settings := map[string][]byte{}
	maps.Copy(settings, snapshot.Settings)
	delete(settings, store.EmptiedSetting)
	for _, name := range []string{LinkSecretSetting, store.EmptiedSetting} {
		if len(settings[name]) > 0 {
			continue
		}
		kept, err := s.store.Setting(ctx, name)
		if err == nil {
			settings[name] = kept
		} else if !errors.Is(err, store.ErrNotFound) {
			return fmt.Errorf("reading what stays: %w", err)
		}
	}
	err := s.scenarios.replace(ctx, func() error {
		return s.store.Restore(ctx, &store.Snapshot{Records: snapshot.Records, Buckets: snapshot.Buckets, Settings: settings,
			Data: snapshot.Data})
	})
	if err != nil {
		return fmt.Errorf("replacing the state: %w", err)
	}
	return s.reload(ctx, true)
}

// Reset empties the state: it is that of a new server. Links that were given out stay genuine; their exports are gone.
func (s *State) Reset(ctx context.Context) error {
	empty := &store.Snapshot{Settings: map[string][]byte{}}
	if !s.startAt.IsZero() {
		first := clock.New(s.now, clock.State{})
		if err := first.Set(s.startAt); err != nil {
			return fmt.Errorf("setting the clock: %w", err)
		}
		state, err := json.Marshal(first.State())
		if err != nil {
			return fmt.Errorf("setting the clock: %w", err)
		}
		empty.Settings[ClockSetting] = state
	}
	return s.Replace(ctx, empty)
}
