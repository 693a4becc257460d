package mockserver

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/api"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/clock"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// restoreClock continues the clock of the last run.
func restoreClock(ctx context.Context, base func() time.Time, state store.Store) (*clock.Clock, error) {
	var remembered clock.State
	data, err := state.Setting(ctx, api.ClockSetting)
	switch {
	case errors.Is(err, store.ErrNotFound):
	case err != nil:
		return nil, fmt.Errorf("state: reading the clock: %w", err)
	default:
		if remembered, err = clock.ParseState(data); err != nil {
			return nil, fmt.Errorf("state: %w", err)
		}
	}
	return clock.New(base, remembered), nil
}

// startClock sets the clock and remembers that, as if a client had set it.
func startClock(ctx context.Context, virtual *clock.Clock, instant time.Time, state store.Store) error {
	if err := virtual.Set(instant); err != nil {
		return fmt.Errorf("starting instant: %w", err)
	}
	data, err := json.Marshal(virtual.State())
	if err == nil {
		err = state.SetSetting(ctx, api.ClockSetting, data)
	}
	if err != nil {
		return fmt.Errorf("state: keeping the clock: %w", err)
	}
	return nil
}
