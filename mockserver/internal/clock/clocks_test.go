package clock_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/clock"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// atDawn is a base clock that stands still.
func atDawn() time.Time { return time.Date(2026, 3, 15, 6, 0, 0, 0, time.UTC) }

func advance(by time.Duration) func(*clock.Clock) error {
	return func(c *clock.Clock) error { return c.Advance(by) }
}

func TestClocksOfKeys(t *testing.T) {
	clocks := clock.NewClocks(atDawn, clock.States{})
	shows := func(key string, after time.Duration) {
		t.Helper()
		if now := clocks.Of(key).Now(); !now.Equal(atDawn().Add(after)) {
			t.Errorf("the clock of %q shows %v, want %v later than %v", key, now, after, atDawn())
		}
	}
	must.Do(t, clocks.Change("", advance(time.Hour)))
	shows("", time.Hour)
	shows("a", time.Hour)
	must.Do(t, clocks.Change("a", advance(time.Minute)))
	must.Do(t, clocks.Change("", advance(time.Hour)))
	shows("a", time.Hour+time.Minute)
	shows("b", 2*time.Hour)
	if keys := clocks.Keys(); !reflect.DeepEqual(keys, []string{"a"}) {
		t.Errorf("keys with clocks of their own: %q", keys)
	}
	if err := clocks.Change("b", advance(-100*366*24*time.Hour)); !errors.Is(err, clock.ErrOutOfRange) {
		t.Errorf("a change beyond all clocks: %v", err)
	}
	if _, own := clocks.OfKey("b"); own {
		t.Error("a change that failed left a clock behind")
	}
	must.Hold(t, clocks.Return("a") && !clocks.Return("a") && !clocks.Return(""), "Return does not say whether there was a clock")
	shows("a", 2*time.Hour)
}

// TestClocksOutliveARestart: states written as JSON and read again show the same, into new clocks as into those that went on without them.
func TestClocksOutliveARestart(t *testing.T) {
	clocks := clock.NewClocks(atDawn, clock.States{})
	for key, by := range map[string]time.Duration{"": time.Hour, "a": time.Minute, "b": 2 * time.Minute} {
		must.Do(t, clocks.Change(key, advance(by)))
	}
	states := clocks.States()
	data := must.Get(json.Marshal(states.PerKey))(t)
	own := must.Get(clock.ParsePerKey(data))(t)
	other := clock.NewClocks(atDawn, clock.States{})
	for _, key := range []string{"", "b", "c"} {
		must.Do(t, other.Change(key, advance(5*time.Hour)))
	}
	held := other.Of("b")
	must.Do(t, other.Restore(clock.States{Common: states.Common, PerKey: own}))
	for _, restored := range []*clock.Clocks{other, clock.NewClocks(atDawn, clock.States{Common: states.Common, PerKey: own})} {
		for _, key := range []string{"", "a", "b", "c"} {
			if got, want := restored.Of(key).Now(), clocks.Of(key).Now(); !got.Equal(want) {
				t.Errorf("restored, the clock of %q shows %v, want %v", key, got, want)
			}
		}
	}
	must.Hold(t, held.Now().Equal(clocks.Of("b").Now()), "a clock that somebody holds was not brought up to date")
	for _, bad := range []string{`[]`, `{"a":5}`, `{"a":{"rate":-1}}`, `{"a":{"frozen":true}}`, `{`} {
		if _, err := clock.ParsePerKey([]byte(bad)); err == nil {
			t.Errorf("%s is accepted", bad)
		}
	}
	before := other.States()
	if err := other.Restore(clock.States{PerKey: map[string]clock.State{"z": {RateSet: -1}}}); err == nil {
		t.Error("a state that no clock can have is accepted")
	}
	must.Hold(t, reflect.DeepEqual(other.States(), before), "a state that was refused changed the clocks")
}

func TestClocksAreBounded(t *testing.T) {
	clocks := clock.NewClocks(atDawn, clock.States{})
	for i := range clock.MostKeys {
		must.Do(t, clocks.Change(fmt.Sprint("key ", i), advance(0)))
	}
	if err := clocks.Change("one more", advance(0)); !errors.Is(err, clock.ErrTooMany) {
		t.Errorf("one more: %v", err)
	}
	if err := clocks.Change("key 5", advance(time.Hour)); err != nil {
		t.Errorf("one of them: %v", err)
	}
}
