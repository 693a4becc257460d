package clock_test

import (
	"encoding/json"
	"errors"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/clock"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

var noon = time.Date(2025, 11, 20, 12, 0, 0, 0, time.UTC)

// base is a base clock that a test moves.
type base struct{ now time.Time }

func (b *base) read() time.Time { return b.now }

// restart stores the state of a clock and returns a new one from it.
func restart(t *testing.T, c *clock.Clock, b *base) *clock.Clock {
	t.Helper()
	data := must.Get(json.Marshal(c.State()))(t)
	state, err := clock.ParseState(data)
	if err != nil {
		t.Fatalf("%s: %v", data, err)
	}
	return clock.New(b.read, state)
}

func TestClock(t *testing.T) {
	const s, h = time.Second, time.Hour
	// A step does one thing and says what the clock shows then, after noon.
	type step struct {
		wait    time.Duration // of the base clock
		set     time.Duration // after noon, when do is "set"
		do      string
		advance time.Duration
		rate    float64
		want    time.Duration
	}
	cases := []struct {
		name  string
		steps []step
	}{
		{"untouched it is the base clock", []step{{want: 0}, {wait: s, want: s}, {wait: -3 * s, want: -2 * s}}},
		{"set, running on", []step{{do: "set", set: 100 * h, want: 100 * h}, {wait: s, want: 100*h + s}, {do: "set", set: -h, want: -h},
			{wait: s, want: -h + s}}},
		{"advance, running on", []step{{do: "advance", advance: 21 * time.Minute, want: 21 * time.Minute}, {wait: s, want: 21*time.Minute + s},
			{do: "advance", advance: 744 * h, want: 744*h + 21*time.Minute + s}}},
		{"advance backwards", []step{{do: "advance", advance: -h, want: -h}, {wait: s, want: -h + s}}},
		{"freeze and run on from there", []step{{wait: s, do: "freeze", want: s}, {wait: h, want: s}, {do: "run", want: s},
			{wait: s, want: 2 * s}}},
		{"freezing twice, running twice", []step{{do: "freeze"}, {wait: h, do: "freeze", want: 0}, {do: "run", want: 0},
			{wait: s, do: "run", want: s}, {wait: s, want: 2 * s}}},
		{"set keeps a clock frozen", []step{{do: "freeze"}, {do: "set", set: h, want: h}, {wait: s, want: h}}},
		{"advance moves a frozen clock", []step{{do: "freeze"}, {do: "advance", advance: h, want: h}, {wait: s, want: h},
			{do: "advance", advance: h, want: 2 * h}}},
		{"rate", []step{{do: "rate", rate: 60, want: 0}, {wait: s, want: 60 * s}, {wait: s, want: 120 * s}, {do: "rate", rate: 1, want: 120 * s},
			{wait: s, want: 121 * s}}},
		{"a slow rate", []step{{do: "rate", rate: 0.5}, {wait: 4 * s, want: 2 * s}, {wait: 1, want: 2 * s}, {wait: 1, want: 2*s + 1}}},
		{"a rate set while frozen waits", []step{{do: "freeze"}, {do: "rate", rate: 60, want: 0}, {wait: s, want: 0}, {do: "run", want: 0},
			{wait: s, want: 60 * s}}},
		{"set and advance keep the rate", []step{{do: "rate", rate: 60}, {do: "set", set: h, want: h}, {wait: s, want: h + 60*s},
			{do: "advance", advance: h, want: 2*h + 60*s}, {wait: s, want: 2*h + 120*s}}},
		{"the base clock goes back under a rate", []step{{do: "rate", rate: 60}, {wait: -s, want: -60 * s}}},
	}
	for _, c := range cases {
		for _, restarts := range []bool{false, true} {
			t.Run(c.name, func(t *testing.T) {
				b := &base{now: noon.In(time.FixedZone("elsewhere", 3600))}
				clk := clock.New(b.read, clock.State{})
				for i, step := range c.steps {
					b.now = b.now.Add(step.wait)
					var err error
					switch step.do {
					case "set":
						err = clk.Set(noon.Add(step.set).In(time.FixedZone("far", -7200)))
					case "advance":
						err = clk.Advance(step.advance)
					case "freeze":
						clk.Freeze(true)
					case "run":
						clk.Freeze(false)
					case "rate":
						err = clk.Rate(step.rate)
					}
					if err != nil {
						t.Fatalf("step %d: %v", i, err)
					}
					if restarts {
						clk = restart(t, clk, b)
					}
					got := clk.Now()
					if !got.Equal(noon.Add(step.want)) || got.Location() != time.UTC {
						t.Fatalf("step %d: the clock shows %v, want noon and %v", i, got, step.want)
					}
					if status := clk.Status(); status.Now != got {
						t.Errorf("step %d: the status shows %v", i, status.Now)
					}
				}
			})
		}
	}
}

func TestRealTime(t *testing.T) {
	clk := clock.New(time.Now, clock.State{})
	before := time.Now().Round(0)
	now := clk.Now()
	after := time.Now().Round(0)
	must.Hold(t, !now.Before(before) && !now.After(after), "an untouched clock shows %v, real time is %v to %v", now, before, after)
	must.Hold(t, !strings.Contains(now.String(), "m="), "%v carries a monotonic reading", now)
}

func TestRefused(t *testing.T) {
	b := &base{now: noon}
	cases := []struct {
		name     string
		act      func(c *clock.Clock) error
		mentions string
	}{
		{"set too early", func(c *clock.Clock) error { return c.Set(clock.Earliest.Add(-1)) },
			"from 2000-01-01T00:00:00Z to 9990-01-01T00:00:00Z"},
		{"set too late", func(c *clock.Clock) error { return c.Set(clock.Latest.Add(1)) }, "set the clock to 9990-01-01T00:00:00Z"},
		{"set to nothing", func(c *clock.Clock) error { return c.Set(time.Time{}) }, "0001-01-01"},
		{"a huge step back", func(c *clock.Clock) error { return c.Advance(math.MinInt64) }, "from 2000-01-01"},
		{"one step too many", func(c *clock.Clock) error {
			if err := c.Set(clock.Latest.Add(-time.Second)); err != nil {
				return nil
			}
			return c.Advance(2 * time.Second)
		}, "advance the clock by 2s to 9990-01-01T00:00:01Z"},
		{"rate 0", func(c *clock.Clock) error { return c.Rate(0) }, "freeze the clock to stop it"},
		{"a negative rate", func(c *clock.Clock) error { return c.Rate(-1) }, "between 0.001 and 1000000"},
		{"a tiny rate", func(c *clock.Clock) error { return c.Rate(0.0009) }, "between"},
		{"a huge rate", func(c *clock.Clock) error { return c.Rate(1_000_001) }, "between"},
		{"an endless rate", func(c *clock.Clock) error { return c.Rate(math.Inf(1)) }, "between"},
		{"no number", func(c *clock.Clock) error { return c.Rate(math.NaN()) }, "between"},
	}
	for _, c := range cases {
		clk := clock.New(b.read, clock.State{})
		err := c.act(clk)
		if !errors.Is(err, clock.ErrOutOfRange) || !strings.Contains(err.Error(), c.mentions) {
			t.Errorf("%s: error %v, want out of range with %q", c.name, err, c.mentions)
		}
		if status := clk.Status(); status.Frozen || status.Rate != 1 {
			t.Errorf("%s: the clock changed to %+v", c.name, status)
		}
	}
	// A century at a time: the last step that fits is taken, the next is not.
	clk := clock.New(b.read, clock.State{})
	var err error
	for steps := 0; err == nil && steps < 1000; steps++ {
		err = clk.Advance(100 * 365 * 24 * time.Hour)
	}
	if !errors.Is(err, clock.ErrOutOfRange) || clk.Now().After(clock.Latest) || clk.Now().Year() < 9800 {
		t.Errorf("advancing for ever ends at %v with %v", clk.Now(), err)
	}
}

func TestStaysInRange(t *testing.T) {
	for _, rate := range []float64{1, clock.SlowestRate, 59.9, clock.FastestRate} {
		b := &base{now: noon}
		clk := clock.New(b.read, clock.State{})
		must.Do(t, clk.Rate(rate))
		last := clk.Now()
		for range 60 {
			b.now = b.now.Add(min(b.now.Sub(noon), 100*365*24*time.Hour) + time.Millisecond)
			now := clk.Now()
			if now.Before(last) || now.After(clock.Latest) {
				t.Fatalf("at rate %v the clock went from %v to %v", rate, last, now)
			}
			last = now
		}
		must.Hold(t, rate != clock.FastestRate || last.Equal(clock.Latest), "at the fastest rate the clock ends at %v", last)
		b.now = time.Date(-200, 1, 1, 0, 0, 0, 0, time.UTC)
		if now := clk.Now(); now.Before(clock.Earliest) {
			t.Errorf("with a base clock of long ago the clock shows %v", now)
		}
	}
}

func TestParseState(t *testing.T) {
	for _, text := range []string{``, `x`, `{"rate":-1}`, `{"rate":2}`, `{"frozen":true}`,
		`{"shown":"1999-01-01T00:00:00Z"}`, `{"shown":"2025-01-01T00:00:00Z","rate":1e9}`} {
		if state, err := clock.ParseState([]byte(text)); err == nil || !strings.Contains(err.Error(), "the stored") {
			t.Errorf("ParseState(%q) = %+v, %v", text, state, err)
		}
	}
	b := &base{now: noon}
	if got := clock.New(b.read, clock.State{RateSet: math.NaN(), Shown: noon}).Status(); got.Rate != 1 || got.Now != noon {
		t.Errorf("a state that no clock can have gives %+v", got)
	}
}

func FuzzParseState(f *testing.F) {
	f.Add([]byte(`{}`), int64(1))
	f.Add([]byte(`{"rate":60,"shown":"2025-01-01T00:00:00Z","base":"2025-01-01T00:00:00Z"}`), int64(math.MaxInt64))
	f.Add([]byte(`{"frozen":true,"shown":"2025-01-01T00:00:00.5+01:00"}`), int64(math.MinInt64))
	f.Fuzz(func(t *testing.T, data []byte, wait int64) {
		state, err := clock.ParseState(data)
		if err != nil {
			return
		}
		b := &base{now: noon.Add(time.Duration(wait))}
		clk := clock.New(b.read, state)
		now := clk.Now()
		if now.Before(clock.Earliest) || now.After(clock.Latest) || now.Location() != time.UTC {
			t.Fatalf("%s shows %v", data, now)
		}
		if again := restart(t, clk, b).Now(); !again.Equal(now) {
			t.Fatalf("%s shows %v, and %v when restored", data, now, again)
		}
	})
}
