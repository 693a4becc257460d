// Package clock is the virtual clock of the mock export server. It shows real time until a test moves it: set, advanced, frozen or made
// to run faster. Everything that depends on time (progress, lookback, links, the life of a file) reads this clock, so months pass in a
// test without waiting.
package clock

import (
	"errors"
	"fmt"
	"math"
	"sync"
	"sync/atomic"
	"time"
)

// The instants a clock may show and the rates it may run at. The end leaves room for a year of progress and a month of life of a file
// before the year 10000, which RFC 3339 cannot write.
var (
	Earliest = time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)
	Latest   = time.Date(9990, time.January, 1, 0, 0, 0, 0, time.UTC)
)

// The rates a clock may run at.
const (
	SlowestRate = 0.001
	FastestRate = 1_000_000
)

// ErrOutOfRange is the error of an instant or a rate outside of the allowed range. The clock did not change.
var ErrOutOfRange = errors.New("out of range")

// Clock is a virtual clock, safe for concurrent use. [Clock.Now] never waits.
type Clock struct {
	base   func() time.Time
	change sync.Mutex // one change at a time
	state  atomic.Pointer[State]
}

// Status is what a clock shows, in the form in which it is reported.
type Status struct {
	Now    time.Time `json:"now"`
	Frozen bool      `json:"frozen"`
	Rate   float64   `json:"rate"`
}

// New returns a clock over the base clock, usually time.Now, in the given state. The zero State shows the base clock as it is. A state
// that [State.Check] refuses counts as zero.
func New(base func() time.Time, state State) *Clock {
	clock := &Clock{base: base}
	if state.Check() != nil {
		state = State{}
	}
	clock.restore(state)
	return clock
}

// restore takes a state over that was checked.
func (c *Clock) restore(state State) {
	if !state.Shown.IsZero() {
		state.Shown, state.Base = wall(state.Shown), wall(state.Base)
	}
	c.change.Lock()
	defer c.change.Unlock()
	c.state.Store(&state)
}

// Now returns the instant the clock shows, in UTC and without a monotonic reading. A clock that runs beyond [Latest] stays there.
func (c *Clock) Now() time.Time { return c.state.Load().at(c.base()) }

// Status returns what the clock shows.
func (c *Clock) Status() Status {
	state := c.state.Load()
	return Status{Now: state.at(c.base()), Frozen: state.Frozen, Rate: state.rate()}
}

// State returns the state to restore the clock from. A caller that stores it
// after every change must not let two changes overtake each other.
func (c *Clock) State() State { return *c.state.Load() }

// Set makes the clock show an instant between [Earliest] and [Latest]. A frozen clock stays frozen, a running one runs on from there.
// Another instant is ErrOutOfRange.
func (c *Clock) Set(instant time.Time) error {
	return c.update(func(now time.Time, next *State) error {
		return next.show(instant, "set the clock to")
	})
}

// Advance moves the clock, also a frozen one, forward by a duration, or back
// by a negative one. A target outside [Earliest] to [Latest] is ErrOutOfRange.
func (c *Clock) Advance(by time.Duration) error {
	return c.update(func(now time.Time, next *State) error {
		return next.show(now.Add(by), fmt.Sprintf("advance the clock by %s to", by))
	})
}

// Freeze stops the clock at the instant it shows, or lets it run on from there at its rate.
func (c *Clock) Freeze(frozen bool) {
	// It cannot fail: the clock goes on showing what it shows.
	_ = c.update(func(now time.Time, next *State) error {
		next.Frozen = frozen
		return nil
	})
}

// Rate makes the clock run at a multiple of the speed of the base clock, between [SlowestRate] and [FastestRate], from the instant it
// shows. A frozen clock stays frozen and takes the rate on when it runs again. Another rate, NaN included, is ErrOutOfRange.
func (c *Clock) Rate(rate float64) error {
	if !rateAllowed(rate) {
		return fmt.Errorf("cannot run the clock at rate %v: %w: a rate is between %v and %v; freeze the clock to stop it", rate, ErrOutOfRange,
			SlowestRate, FastestRate)
	}
	return c.update(func(now time.Time, next *State) error {
		next.RateSet = rate
		return nil
	})
}

// update changes the clock from the instant it shows now. An error of the change leaves the clock alone.
func (c *Clock) update(change func(now time.Time, next *State) error) error {
	c.change.Lock()
	defer c.change.Unlock()
	current := c.state.Load()
	base := c.base()
	now := current.at(base)
	next := State{Frozen: current.Frozen, RateSet: current.RateSet, Shown: now, Base: wall(base)}
	if err := change(now, &next); err != nil {
		return err
	}
	c.state.Store(&next)
	return nil
}

func rateAllowed(rate float64) bool {
	return rate >= SlowestRate && rate <= FastestRate && !math.IsNaN(rate)
}

// wall drops the monotonic reading: a state that was stored and restored has none, and both must show the same.
func wall(instant time.Time) time.Time { return instant.UTC().Round(0) }
