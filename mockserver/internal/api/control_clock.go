package api

import (
	"context"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/clock"
)

// ClockSetting is the setting of the store that keeps the clock over a restart.
const ClockSetting = "clock"

func (s *Service) clockGet(*request) (response, error) {
	return response{status: http.StatusOK, body: mustJSON(s.clock.Status())}, nil
}

// clockChange is what a request asks of the clock. Members that are nil were
// not given.
type clockChange struct {
	advance *time.Duration
	set     *time.Time
	freeze  *bool
	rate    *float64
}

// clockSet changes the clock and keeps the change.
func (s *Service) clockSet(r *request) (response, error) {
	members, err := s.readControl(r.Request, "mock/clock.request.json")
	if err != nil {
		return response{}, err
	}
	change, err := clockChangeOf(members)
	if err != nil {
		return response{}, err
	}
	s.clockLock.Lock()
	defer s.clockLock.Unlock()
	if err := s.moveClock(change); err != nil {
		return response{}, refuse(MalformedParameter, "%v", err)
	}
	state, err := json.Marshal(s.clock.State())
	if err != nil {
		return response{}, fmt.Errorf("encoding the clock: %w", err)
	}
	// The clock has moved: a client that has gone away must not keep that from
	// being remembered.
	if err := s.store.SetSetting(context.WithoutCancel(r.Context()), ClockSetting, state); err != nil {
		return response{}, fmt.Errorf("keeping the clock: %w", err)
	}
	return response{status: http.StatusOK, body: mustJSON(s.clock.Status())}, nil
}

// moveClock makes a change that clockChangeOf found in order, as a whole or
// not at all: only advance can fail, when it leads beyond the last instant the
// clock shows, and nothing is changed before it. The clock is frozen before it
// is set, so that {"set": ..., "freeze": true} shows exactly that instant.
func (s *Service) moveClock(change clockChange) error {
	if change.freeze != nil && *change.freeze && change.advance == nil {
		s.clock.Freeze(true)
	}
	if change.set != nil {
		if err := s.clock.Set(*change.set); err != nil {
			return err
		}
	}
	if change.advance != nil {
		if err := s.clock.Advance(*change.advance); err != nil {
			return err
		}
	}
	if change.freeze != nil {
		s.clock.Freeze(*change.freeze)
	}
	if change.rate != nil {
		return s.clock.Rate(*change.rate)
	}
	return nil
}

// clockChangeOf reads a payload that its schema accepts. What is left to
// refuse is what the clock cannot show.
func clockChangeOf(members Members) (change clockChange, err error) {
	if text, given := members.String("advance"); given {
		duration, err := time.ParseDuration(text)
		if err != nil {
			return change, refuseMember("/advance", "maximum", "advance is %q; a duration is at most %d hours", shortened(text), int(time.Duration(math.MaxInt64).Hours()))
		}
		change.advance = &duration
	}
	if text, given := members.String("set"); given {
		instant, err := time.Parse(time.RFC3339Nano, text)
		if err != nil || instant.Before(clock.Earliest) || instant.After(clock.Latest) {
			return change, refuseMember("/set", "format", "set is %q; it must be an RFC 3339 date-time from %s to %s", shortened(text), utcDateTime(clock.Earliest), utcDateTime(clock.Latest))
		}
		instant = instant.UTC()
		change.set = &instant
	}
	if freeze, given := members["freeze"].(bool); given {
		change.freeze = &freeze
	}
	if number, given := members["rate"].(json.Number); given {
		rate, err := number.Float64()
		if err != nil || rate < clock.SlowestRate || rate > clock.FastestRate {
			return change, refuseMember("/rate", "maximum", "rate is %s; it must be from %v to %v", number, clock.SlowestRate, clock.FastestRate)
		}
		change.rate = &rate
	}
	return change, nil
}

// escapePointer writes a member name as a segment of a JSON Pointer.
func escapePointer(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}
