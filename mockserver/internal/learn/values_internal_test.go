package learn

import (
	"strconv"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// TestManyValues: what many share is no weight where far more have values of their own, also values beyond those that are looked at.
func TestManyValues(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		own     int
		learned bool
	}{{5_000, true}, {100_000, false}} {
		v := &values{places: map[string]int{}}
		person := int64(0)
		for range 95_000 {
			person++
			v.add("service.deeplink", person)
		}
		for i := range c.own {
			person++
			v.add("canary"+strconv.Itoa(i), person)
		}
		l := &Learned{Least: DefaultPeople, Left: map[string]string{}, base: &base{said: said{values: map[string]*values{world.WeightCTA: v}}, shares: map[string]*share{}}}
		d := &draft{values: map[string]map[string]int{}}
		l.beginValues(d)
		if got := d.values[world.WeightCTA]; (got != nil) != c.learned {
			t.Errorf("%d of their own: %v, %s", c.own, got, l.Left[world.WeightCTA])
		}
	}
}
