package live

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/clock"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// Settings of the store that keep the clocks over a restart: the common one, and those of single keys.
const (
	ClockSetting     = "clock"
	KeyClocksSetting = "clocks"
)

// clockStates reads the clocks that are kept.
func clockStates(ctx context.Context, kept settings) (states clock.States, err error) {
	data, err := kept.Setting(ctx, ClockSetting)
	if err == nil {
		states.Common, err = clock.ParseState(data)
	}
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return states, fmt.Errorf("reading the clock: %w", err)
	}
	data, err = kept.Setting(ctx, KeyClocksSetting)
	if err == nil {
		states.PerKey, err = clock.ParsePerKey(data)
	}
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return states, fmt.Errorf("reading the clocks of keys: %w", err)
	}
	return states, nil
}

// Clock is what the clock of a key shows, or the common one for no key.
func (s *State) Clock(key string) clock.Status { return s.clocks.Of(key).Status() }

// HasClock tells whether a key has a clock of its own.
func (s *State) HasClock(key string) bool {
	_, own := s.clocks.OfKey(key)
	return own
}

// KeysWithClocks are the keys that have clocks of their own, sorted.
func (s *State) KeysWithClocks() []string { return s.clocks.Keys() }

// ChangeClocks changes the common clock, or that of a key: first in the store, where another server may have changed it too, and then
// here. What cannot be stored does not happen; what can is stored also for a client that has gone away. The change may be made more than
// once, on copies.
func (s *State) ChangeClocks(ctx context.Context, key string, change func(*clock.Clocks) error) error {
	s.clockLock.Lock()
	defer s.clockLock.Unlock()
	name := ClockSetting
	if key != "" {
		name = KeyClocksSetting
	}
	var next clock.States
	var stored []byte
	err := s.store.UpdateSetting(context.WithoutCancel(ctx), name, func(kept []byte) (_ []byte, err error) {
		states := s.clocks.States()
		switch {
		case kept == nil, bytes.Equal(kept, s.keptClocks): // never changed, or last by this server
		case key == "":
			states.Common, err = clock.ParseState(kept)
		default:
			states.PerKey, err = clock.ParsePerKey(kept)
		}
		if err != nil {
			return nil, err
		}
		trial := s.clocks.With(states)
		if err := change(trial); err != nil {
			return nil, err
		}
		next = trial.States()
		if key == "" {
			return json.Marshal(next.Common)
		}
		stored, err = json.Marshal(next.PerKey)
		return stored, err
	})
	if err != nil {
		return fmt.Errorf("keeping the clock: %w", err)
	}
	if stored != nil {
		s.keptClocks = stored
	}
	return s.clocks.Restore(next)
}

// startClock sets the common clock as if a client had set it. See docs/how-to/move-the-clock.md#what-is-the-clock-at-the-start
func (s *State) startClock(ctx context.Context, instant time.Time) error {
	var wrong error
	err := s.ChangeClocks(ctx, "", func(clocks *clock.Clocks) error {
		wrong = clocks.Common().Set(instant)
		return wrong
	})
	switch {
	case wrong != nil:
		return fmt.Errorf("starting instant: %w", wrong)
	case err != nil:
		return fmt.Errorf("state: %w", err)
	}
	return nil
}

// warnSetBack logs that the clock is behind the last exports: it was set back, that of the machine or the virtual one. Exports of the
// future are CREATED until it has caught up; nothing is wrong with them.
func (s *State) warnSetBack(ctx context.Context, logger *slog.Logger) error {
	last, err := s.list(ctx, store.ListOptions{})
	if err != nil {
		return fmt.Errorf("state: %w", err)
	}
	for _, record := range last {
		if now := s.NowOf(record.Owner); record.CreatedAt.After(now) {
			logger.Warn("the clock was set back: exports that were requested later are CREATED until it has caught up, see POST /_mock/clock",
				"clock", now.Format(time.RFC3339), "export", record.ID, "requested", record.CreatedAt.Format(time.RFC3339))
			return nil
		}
	}
	return nil
}
