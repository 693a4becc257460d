package api

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/clock"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// Settings of the store that keep the clocks over a restart: the global one,
// and those that single keys have of their own.
const (
	ClockSetting     = "clock"
	OwnClocksSetting = "clocks"
)

// ClockStates reads the clocks that a store keeps.
func ClockStates(ctx context.Context, kept store.Store) (states clock.States, err error) {
	data, err := kept.Setting(ctx, ClockSetting)
	if err == nil {
		states.Global, err = clock.ParseState(data)
	}
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return states, fmt.Errorf("reading the clock: %w", err)
	}
	data, err = kept.Setting(ctx, OwnClocksSetting)
	if err == nil {
		states.Own, err = clock.ParseOwn(data)
	}
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return states, fmt.Errorf("reading the clocks of keys: %w", err)
	}
	return states, nil
}

// clockView is what a clock shows, and for whom.
type clockView struct {
	clock.Status
	// Key is whose clock was asked for, and Own whether it is its own.
	Key string `json:"key,omitempty"`
	Own *bool  `json:"own,omitempty"`
	// Keys have clocks of their own; only with the global clock.
	Keys []string `json:"keys,omitempty"`
}

func (s *Service) clockView(key string) response {
	view := clockView{Status: s.clocks.Of(key).Status(), Key: key}
	if key == "" {
		view.Keys = s.clocks.Keys()
	} else {
		_, own := s.clocks.Own(key)
		view.Own = &own
	}
	return response{status: http.StatusOK, body: mustJSON(view)}
}

// clockKey is the key that the query names, or empty.
func (s *Service) clockKey(r *request) (string, error) {
	query, err := readQuery(r.URL.RawQuery, r.route.Query)
	if err != nil {
		return "", err
	}
	key, given := query["key"]
	if given && !s.keys.owns(key) {
		return "", refuse(MalformedParameter, "the query parameter key is %q, which is no application key and no project key of this server; leave it out for the clock of all keys", shortened(key))
	}
	return key, nil
}

func (s *Service) clockGet(r *request) (response, error) {
	key, err := s.clockKey(r)
	if err != nil {
		return response{}, err
	}
	return s.clockView(key), nil
}

// clockReturn gives a key back to the global clock. One that has no clock of
// its own stays with it.
func (s *Service) clockReturn(r *request) (response, error) {
	key, err := s.clockKey(r)
	if err != nil {
		return response{}, err
	}
	err = s.changeClocks(r.Context(), key, func(clocks *clock.Clocks) error {
		clocks.Return(key)
		return nil
	})
	if err != nil {
		return response{}, err
	}
	return s.clockView(key), nil
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
	key, err := s.clockKey(r)
	if err != nil {
		return response{}, err
	}
	members, err := s.readControl(r)
	if err != nil {
		return response{}, err
	}
	change, err := clockChangeOf(members)
	if err != nil {
		return response{}, err
	}
	err = s.changeClocks(r.Context(), key, func(clocks *clock.Clocks) error {
		err := clocks.Change(key, change.apply)
		if errors.Is(err, clock.ErrTooMany) {
			return refuse(Conflict, "%d keys have a clock of their own, which is the most; give some back with DELETE /_mock/clock?key=", clock.MostOwn)
		}
		if err != nil {
			return refuse(MalformedParameter, "%v", err)
		}
		return nil
	})
	if err != nil {
		return response{}, err
	}
	return s.clockView(key), nil
}

// changeClocks changes the global clock, or those of keys: first in the store,
// where another server may have changed them too, and then here. What cannot be
// stored does not happen; what can is stored also for a client that has gone
// away.
func (s *Service) changeClocks(ctx context.Context, key string, change func(*clock.Clocks) error) error {
	s.clockLock.Lock()
	defer s.clockLock.Unlock()
	name := ClockSetting
	if key != "" {
		name = OwnClocksSetting
	}
	var next clock.States
	err := s.store.UpdateSetting(context.WithoutCancel(ctx), name, func(kept []byte) (_ []byte, err error) {
		states := s.clocks.States()
		switch {
		case kept == nil: // never changed
		case key == "":
			states.Global, err = clock.ParseState(kept)
		default:
			states.Own, err = clock.ParseOwn(kept)
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
			return json.Marshal(next.Global)
		}
		return json.Marshal(next.Own)
	})
	if err != nil {
		return fmt.Errorf("keeping the clock: %w", err)
	}
	return s.clocks.Restore(next)
}

// apply makes a change that clockChangeOf found in order, as a whole or not at
// all: only advance can fail, when it leads beyond the last instant a clock
// shows, and nothing is changed before it. The clock is frozen before it is
// set, so that {"set": ..., "freeze": true} shows exactly that instant.
func (change clockChange) apply(virtual *clock.Clock) error {
	if change.freeze != nil && *change.freeze && change.advance == nil {
		virtual.Freeze(true)
	}
	if change.set != nil {
		if err := virtual.Set(*change.set); err != nil {
			return err
		}
	}
	if change.advance != nil {
		if err := virtual.Advance(*change.advance); err != nil {
			return err
		}
	}
	if change.freeze != nil {
		virtual.Freeze(*change.freeze)
	}
	if change.rate != nil {
		return virtual.Rate(*change.rate)
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
