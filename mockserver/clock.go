package mockserver

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
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

// tellSetBack tells whoever reads the log that the clock is behind the last
// exports: it was set back, that of the machine or the virtual one. Exports of
// the future are CREATED until it has caught up; nothing is wrong with them.
func tellSetBack(ctx context.Context, logger *slog.Logger, clocks *clock.Clocks, state store.Store) error {
	last, err := state.List(ctx, store.ListOptions{})
	if err != nil {
		return fmt.Errorf("state: %w", err)
	}
	for _, record := range last {
		if now := clocks.Of(record.Owner).Now(); record.CreatedAt.After(now) {
			logger.Warn("the clock was set back: exports that were requested later are CREATED until it has caught up, see POST /_mock/clock",
				"clock", now.Format(time.RFC3339), "export", record.ID, "requested", record.CreatedAt.Format(time.RFC3339))
			return nil
		}
	}
	return nil
}
