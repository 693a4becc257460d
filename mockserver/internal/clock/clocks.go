package clock

import (
	"errors"
	"maps"
	"slices"
	"sync"
	"time"
)

// MostKeys is how many keys may have a clock of their own at a time.
const MostKeys = 1000

// ErrTooMany is the error of a further clock beyond [MostKeys].
var ErrTooMany = errors.New("too many keys have a clock of their own")

// Clocks are the common clock and the clocks that single keys have of their own, so that tests which share a server do not disturb each
// other. It is safe for concurrent use; reading never waits.
//
// Of is the one place where a clock is read: a server that shares its clocks with others brings them up to date with [Clocks.Restore]
// before. See docs/how-to/move-the-clock.md#whose-clock-does-a-request-follow
type Clocks struct {
	base   func() time.Time
	common *Clock
	perKey sync.Map // of *Clock, by key
	change sync.Mutex
}

// States is everything that [Clocks] remember.
type States struct {
	Common State
	// PerKey has the clocks of single keys; nil is none.
	PerKey map[string]State
}

// NewClocks returns clocks over the base clock, usually time.Now. States that [State.Check] refuses count as zero.
func NewClocks(base func() time.Time, states States) *Clocks {
	clocks := &Clocks{base: base, common: New(base, states.Common)}
	for key, state := range states.PerKey {
		clocks.perKey.Store(key, New(base, state))
	}
	return clocks
}

// Of returns the clock of a key: its own one, or the common one when it has none, as for the empty key.
func (c *Clocks) Of(key string) *Clock {
	if own, has := c.OfKey(key); has {
		return own
	}
	return c.common
}

// Common returns the clock of all keys without one of their own. It is always the same.
func (c *Clocks) Common() *Clock { return c.common }

// OfKey returns the clock that a key has of its own, if it has one.
func (c *Clocks) OfKey(key string) (*Clock, bool) {
	if key == "" {
		return nil, false
	}
	if own, has := c.perKey.Load(key); has {
		return own.(*Clock), true
	}
	return nil, false
}

// Change changes the clock of a key, or the common one for the empty key. A key without a clock of its own gets one that goes on from
// what the common clock shows; when the change fails it gets none.
func (c *Clocks) Change(key string, change func(*Clock) error) error {
	c.change.Lock()
	defer c.change.Unlock()
	if key == "" {
		return change(c.common)
	}
	if own, has := c.OfKey(key); has {
		return change(own)
	}
	if len(c.Keys()) >= MostKeys {
		return ErrTooMany
	}
	own := New(c.base, c.common.State())
	if err := change(own); err != nil {
		return err
	}
	c.perKey.Store(key, own)
	return nil
}

// Return gives a key back to the common clock, and reports whether it had one of its own.
func (c *Clocks) Return(key string) bool {
	c.change.Lock()
	defer c.change.Unlock()
	_, had := c.perKey.LoadAndDelete(key)
	return had
}

// Reset lets the common clock show the base clock again.
func (c *Clocks) Reset() {
	c.change.Lock()
	defer c.change.Unlock()
	c.common.restore(State{})
}

// Keys lists the keys that have a clock of their own, sorted.
func (c *Clocks) Keys() []string {
	var keys []string
	c.perKey.Range(func(key, _ any) bool {
		keys = append(keys, key.(string))
		return true
	})
	slices.Sort(keys)
	return keys
}

// States returns what to restore the clocks from. A caller that stores it after
// every change must not let two changes overtake each other.
func (c *Clocks) States() States {
	states := States{Common: c.common.State(), PerKey: map[string]State{}}
	c.perKey.Range(func(key, own any) bool {
		states.PerKey[key.(string)] = own.(*Clock).State()
		return true
	})
	return states
}

// With returns other clocks over the same base clock, to try a change on.
func (c *Clocks) With(states States) *Clocks { return NewClocks(c.base, states) }

// Restore makes the clocks show what they showed when the states were taken.
// States that [State.Check] refuses are an error, and change nothing.
func (c *Clocks) Restore(states States) error {
	for _, state := range append(slices.Collect(maps.Values(states.PerKey)), states.Common) {
		if err := state.Check(); err != nil {
			return err
		}
	}
	c.change.Lock()
	defer c.change.Unlock()
	c.common.restore(states.Common)
	for _, key := range c.Keys() {
		if _, stays := states.PerKey[key]; !stays {
			c.perKey.Delete(key)
		}
	}
	for key, state := range states.PerKey {
		if own, has := c.OfKey(key); has {
			own.restore(state)
		} else {
			c.perKey.Store(key, New(c.base, state))
		}
	}
	return nil
}
