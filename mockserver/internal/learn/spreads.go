package learn

import (
	"math"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/learn/report"
)

// How far delays are from their median is told by how far apart their quarters are: by how many times the delay that three quarters
// do not pass is as long as that which one quarter does not.

// Bounds of a spread, as the schema files have them.
const leastSpread, mostSpread = 0.1, 3

// manyQuarters is how many times as many people quarters are of at least: twice as many as a median.
const manyQuarters = 2 * manyDurations

// chanceOfQuarters is by how much the logarithm of how far quarters are apart differs by chance between two samples, of as many
// people each, times the root of that number: of a normal distribution.
const chanceOfQuarters = 1.65

// apart is the logarithm of how far the quarters of durations are apart.
func (c *cells) apart() float64 {
	first, third := c.quantile(0.25), c.quantile(0.75)
	if first <= 0 || third <= first {
		return 0
	}
	return math.Log(third / first)
}

// beginSpread begins with the usual spread of durations, if enough people show it.
func (l *Learned) beginSpread(d *draft, name string, c *cells) {
	switch {
	case c.contributing < manyQuarters*l.Least:
		l.leave("spread of "+name, "fewer than %d people did it", manyQuarters*l.Least)
	case c.apart() == 0:
		l.leave("spread of "+name, "nearly all are alike")
	default:
		d.timing.spreads[name] = 1
	}
}

// correctSpread moves a spread by the difference between the base and what the world of the draft showed. One that differs from the
// usual one by what chance may make stays that.
func (d *draft) correctSpread(name string, wanted, shown *cells) {
	value, learned := d.timing.spreads[name]
	aim, got := wanted.apart(), shown.apart()
	if !learned || got == 0 {
		return
	}
	moved := min(max(value*aim/got, leastSpread), mostSpread)
	people := 2 / (1/float64(wanted.contributing) + 1/float64(max(shown.contributing, 1)))
	if math.Abs(math.Log(moved)) < 3*chanceOfQuarters/math.Sqrt(people) {
		moved = 1
	}
	d.timing.spreads[name] = moved
}

// roundSpreads leaves two digits, and nothing of those that are usual.
func (d *draft) roundSpreads() {
	for name, value := range d.timing.spreads {
		if d.timing.spreads[name] = report.Significant(value, 2); d.timing.spreads[name] == 1 {
			delete(d.timing.spreads, name)
		}
	}
}
