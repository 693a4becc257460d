package mockserver

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/api"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/clock"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// restoreClocks continues the clocks of the last run.
func restoreClocks(ctx context.Context, base func() time.Time, state store.Store) (*clock.Clocks, error) {
	states, err := api.ClockStates(ctx, state)
	if err != nil {
		return nil, fmt.Errorf("state: %w", err)
	}
	return clock.NewClocks(base, states), nil
}

// startClock sets the global clock and remembers that, as if a client had set
// it.
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
