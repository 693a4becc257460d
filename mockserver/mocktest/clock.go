package mocktest

import (
	"context"
	"strconv"
	"time"
)

// Clock moves a clock of the mock: the one that all keys share, or that of one key.
type Clock struct {
	mock *Mock
	key  string
}

// Clock is the common clock, of all keys that have none of their own.
func (m *Mock) Clock() Clock { return Clock{mock: m} }

// KeyClock is the clock of an application key or project key. Its first change makes it that key's own, so that tests which share a mock
// do not disturb each other.
func (m *Mock) KeyClock(key string) Clock { return Clock{mock: m, key: key} }

// Now is what the clock shows, in UTC.
func (c Clock) Now() time.Time {
	c.mock.t.Helper()
	var status struct{ Now time.Time }
	c.mock.control("GET", "/_mock/clock"+query("key", c.key), nil, &status)
	return status.Now
}

// Advance moves the clock forward, also one that stands still.
func (c Clock) Advance(by time.Duration) {
	c.mock.t.Helper()
	c.change(map[string]any{"advance": durationText(by)})
}

// Set makes the clock show an instant from 2000 to 9989. One that stands still goes on standing still.
func (c Clock) Set(instant time.Time) {
	c.mock.t.Helper()
	c.change(map[string]any{"set": instant})
}

// Freeze stops the clock.
func (c Clock) Freeze() {
	c.mock.t.Helper()
	c.change(map[string]any{"freeze": true})
}

// Run lets the clock go on, at the speed of real time times the rate.
func (c Clock) Run(rate float64) {
	c.mock.t.Helper()
	c.change(map[string]any{"freeze": false, "rate": rate})
}

// Sleep advances the clock and returns at once, unless the context has ended. Give it to a client in the place of a function that really
// sleeps: the client then waits as long as it would, by the clock of the mock, and the test does not.
func (c Clock) Sleep(ctx context.Context, duration time.Duration) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return c.mock.try("POST", "/_mock/clock"+query("key", c.key), map[string]any{"advance": durationText(max(duration, 0))}, nil)
}

// durationText writes a duration in letters that every shell can type.
func durationText(duration time.Duration) string {
	return strconv.FormatInt(duration.Nanoseconds(), 10) + "ns"
}

func (c Clock) change(change map[string]any) {
	c.mock.t.Helper()
	c.mock.control("POST", "/_mock/clock"+query("key", c.key), change, nil)
}
