package clock

import (
	"encoding/json"
	"fmt"
	"math"
	"time"
)

// State is everything a [Clock] remembers. Written as JSON and restored, a frozen clock shows the instant at which it was stopped, and a
// running one shows what it would show had it never been away: it keeps its offset to the base clock. The zero State shows the base
// clock.
type State struct {
	Frozen bool `json:"frozen,omitempty"`
	// RateSet is the rate; 0 means it was never set and is 1.
	RateSet float64 `json:"rate,omitempty"`
	// The clock showed Shown when the base clock showed Base. Both are zero until the clock is first changed.
	Shown time.Time `json:"shown,omitzero"`
	Base  time.Time `json:"base,omitzero"`
}

// ParseState reads the JSON form of a state. A state that [State.Check] refuses is an error.
func ParseState(data []byte) (State, error) {
	var state State
	if err := json.Unmarshal(data, &state); err != nil {
		return State{}, fmt.Errorf("the stored state of the clock is not readable: %w", err)
	}
	if err := state.Check(); err != nil {
		return State{}, err
	}
	return state, nil
}

// ParsePerKey reads the clocks that single keys have of their own: an object of
// states by key. A state that [State.Check] refuses is an error.
func ParsePerKey(data []byte) (map[string]State, error) {
	var own map[string]State
	if err := json.Unmarshal(data, &own); err != nil {
		return nil, fmt.Errorf("the stored clocks of keys are not readable: %w", err)
	}
	for key, state := range own {
		if err := state.Check(); err != nil {
			return nil, fmt.Errorf("the stored clock of the key %q: %w", key, err)
		}
	}
	return own, nil
}

// Check refuses a state that no [Clock] can have.
func (s State) Check() error {
	if s.RateSet != 0 && !rateAllowed(s.RateSet) {
		return fmt.Errorf("the stored rate %v of the clock is %w: a rate is between %v and %v", s.RateSet, ErrOutOfRange, SlowestRate,
			FastestRate)
	}
	if s.Shown.IsZero() {
		if s.Frozen || s.RateSet != 0 {
			return fmt.Errorf("the stored state of the clock has no instant to go on from")
		}
		return nil
	}
	return s.show(s.Shown, "the stored clock shows")
}

func (s *State) rate() float64 {
	if s.RateSet == 0 {
		return 1
	}
	return s.RateSet
}

// show sets the instant the state shows, or refuses it.
func (s *State) show(instant time.Time, attempt string) error {
	if instant.Before(Earliest) || instant.After(Latest) {
		return fmt.Errorf("%s %s: %w: the clock shows instants from %s to %s",
			attempt, instant.UTC().Format(time.RFC3339), ErrOutOfRange, Earliest.Format(time.RFC3339), Latest.Format(time.RFC3339))
	}
	s.Shown = wall(instant)
	return nil
}

// at returns what the clock shows when the base clock shows the given instant.
func (s *State) at(base time.Time) time.Time {
	base = wall(base)
	if s.Shown.IsZero() {
		return clamp(base)
	}
	if s.Frozen {
		return s.Shown
	}
	elapsed := base.Sub(s.Base)
	if s.rate() == 1 {
		return clamp(s.Shown.Add(elapsed))
	}
	// Seconds and nanoseconds apart: at a high rate their sum does not fit into
	// a time.Duration. The seconds always fit: 292 years a million times.
	nanoseconds := float64(elapsed) * s.rate()
	rest := math.Mod(nanoseconds, float64(time.Second))
	seconds := math.Round((nanoseconds - rest) / float64(time.Second))
	return clamp(time.Unix(s.Shown.Unix()+int64(seconds), int64(s.Shown.Nanosecond())+int64(rest)).UTC())
}

func clamp(instant time.Time) time.Time {
	if instant.Before(Earliest) {
		return Earliest
	}
	if instant.After(Latest) {
		return Latest
	}
	return instant
}
