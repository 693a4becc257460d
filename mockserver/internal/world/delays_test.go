package world_test

import (
	"math"
	"slices"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// TestSpread: the median of delays stays, and the quarters are as many times as far apart, in their logarithms, as the spread says.
// One of 1 is the usual one.
func TestSpread(t *testing.T) {
	w := world.New(3, 4_000)
	of := func(step world.Step) []world.Row {
		q := profileEvents(now, 90)
		step.Event, step.After, step.Rate = "email_open", "email_sent", 0.5
		q.Journey = []world.Step{{Event: "email_sent", Channel: "email"}, step}
		return rowsOf(open(t, w, q))
	}
	// delays are those between the first two times of a message from one on.
	delays := func(rows []world.Row, nth int) (median, apart float64) {
		times, list := map[uint64][]int64{}, []int64{}
		for _, row := range rows {
			times[row.Message] = append(times[row.Message], row.Time)
		}
		for _, at := range times {
			if len(at) > nth+1 {
				list = append(list, at[nth+1]-at[nth])
			}
		}
		slices.Sort(list)
		first, third := len(list)/4, len(list)*3/4
		for _, delay := range list[first:third] { // there are few delay classes, and the median is between two of them
			median += math.Log(float64(delay)) / float64(third-first)
		}
		return math.Exp(median), math.Log(float64(list[third]) / float64(list[first]))
	}
	for name, c := range map[string]struct {
		step func(spread float64) world.Step
		nth  int
	}{
		"people": {func(spread float64) world.Step {
			return world.Step{Delay: 3 * time.Hour, Spread: spread, Person: true}
		}, 0},
		"nobody": {func(spread float64) world.Step {
			return world.Step{Delay: 3 * time.Hour, Spread: spread}
		}, 0},
		"machines": {func(spread float64) world.Step {
			return world.Step{Delay: 3 * time.Hour, Machine: world.Machine{Share: 1, Delay: time.Hour, Spread: spread}}
		}, 0},
		"again": {func(spread float64) world.Step {
			return world.Step{Delay: 3 * time.Hour, Again: world.Again{Rate: 0.9, Delay: 20 * time.Hour, Spread: spread}}
		}, 1},
	} {
		usual := of(c.step(0))
		if !slices.Equal(usual, of(c.step(1))) {
			t.Errorf("%s: a spread of 1 is not the usual one", name)
		}
		median, apart := delays(usual, c.nth)
		for _, spread := range []float64{0.4, 1.3} {
			got, far := delays(of(c.step(spread)), c.nth)
			near(t, name+": the median against the usual one", got/median, 1, 0.25) // the longest are not seen in the window
			near(t, name+": how far the quarters are apart", far/apart, spread, 0.15*spread)
		}
	}
}
