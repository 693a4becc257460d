package api

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"sort"
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
	value, err := readValue(r.Request)
	if err != nil {
		return response{}, err
	}
	change, refusal := parseClockChange(value)
	if refusal != nil {
		return response{}, refusal
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

// moveClock makes a change that parseClockChange found in order, as a whole or
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

// parseClockChange reads {"advance": "21m"}, {"set": "2026-01-02T03:04:05Z"},
// {"freeze": true}, {"rate": 60} and what can be combined of them.
func parseClockChange(value any) (clockChange, *Error) {
	const allowed = `advance ("21m"), set ("2026-01-02T03:04:05Z"), freeze (true or false), rate (60)`
	members, ok := value.(map[string]any)
	if !ok || len(members) == 0 {
		return clockChange{}, refuse(MalformedParameter, "the body must be an object with at least one of %s", allowed)
	}
	names := make([]string, 0, len(members))
	for name := range members {
		names = append(names, name)
	}
	sort.Strings(names)
	var change clockChange
	for _, name := range names {
		fault := "is not known"
		switch name {
		case "advance":
			fault = change.readAdvance(members[name])
		case "set":
			fault = change.readSet(members[name])
		case "freeze":
			fault = change.readFreeze(members[name])
		case "rate":
			fault = change.readRate(members[name])
		}
		if fault != "" {
			return clockChange{}, refuseMember("/"+escapePointer(name), "clock", "%s %s; allowed: %s", shortened(name), fault, allowed)
		}
	}
	switch {
	case change.advance != nil && change.set != nil:
		return clockChange{}, refuse(MalformedParameter, "advance and set contradict each other; send one of them")
	case change.rate != nil && change.freeze != nil && *change.freeze:
		return clockChange{}, refuse(MalformedParameter, "rate and freeze contradict each other: a frozen clock has no rate; send one of them")
	}
	return change, nil
}

func (c *clockChange) readAdvance(value any) (fault string) {
	text, _ := value.(string)
	duration, err := time.ParseDuration(text)
	if err != nil || duration < 0 {
		return "must be a duration of hours, minutes and seconds, not below zero (set can go back)"
	}
	c.advance = &duration
	return ""
}

func (c *clockChange) readSet(value any) (fault string) {
	text, _ := value.(string)
	instant, err := time.Parse(time.RFC3339Nano, text)
	if err != nil || instant.Before(clock.Earliest) || instant.After(clock.Latest) {
		return fmt.Sprintf("must be an RFC 3339 date-time from %s to %s", utcDateTime(clock.Earliest), utcDateTime(clock.Latest))
	}
	instant = instant.UTC()
	c.set = &instant
	return ""
}

func (c *clockChange) readFreeze(value any) (fault string) {
	freeze, ok := value.(bool)
	if !ok {
		return "must be true or false"
	}
	c.freeze = &freeze
	return ""
}

func (c *clockChange) readRate(value any) (fault string) {
	number, ok := value.(json.Number)
	rate, err := number.Float64()
	if !ok || err != nil || rate < clock.SlowestRate || rate > clock.FastestRate {
		return fmt.Sprintf("must be a number from %v to %v: virtual seconds in a second", clock.SlowestRate, clock.FastestRate)
	}
	c.rate = &rate
	return ""
}

// escapePointer writes a member name as a segment of a JSON Pointer.
func escapePointer(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
}
