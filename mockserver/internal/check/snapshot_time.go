package check

import (
	"cmp"
	"math"
	"slices"
)

// taken says between which instants a snapshot was taken: it shows everything before from, and nothing at to or after.
// The two differ unless the moment was told.
type taken struct{ from, to moment }

// exact tells whether the moment is known.
func (t taken) exact() bool { return t.from == t.to }

// mostNewest is how many of the latest dates of a snapshot tell how often rows get a new one.
const mostNewest = 32

// delay is how many times the typical time between such dates may pass after the latest before a snapshot was surely taken.
const delay = 20

// shows notes the latest date of one row of a snapshot. Rows of one date count once.
func (f *file) shows(date moment) {
	at, there := slices.BinarySearchFunc(f.newest, date, func(a, b moment) int { return cmp.Compare(b, a) })
	if there || at == mostNewest {
		return
	}
	if len(f.newest) == mostNewest {
		f.newest = f.newest[:mostNewest-1]
	}
	f.newest = slices.Insert(f.newest, at, date)
}

// taken is when the snapshot of a file was taken: if that was not told, after its latest date, before the present, and
// before many more dates can be expected.
func (e *engine) taken(f *file) taken {
	if !f.input.To.IsZero() {
		at := momentOf(f.input.To)
		return taken{at, at}
	}
	span := taken{0, math.MaxInt64}
	if len(f.newest) > 0 {
		span.from = f.newest[0] + 1
	}
	if more := moment(len(f.newest) - 1); more > 0 {
		span.to = span.from + delay*(f.newest[0]-f.newest[more])/more
	}
	if e.now >= span.from {
		span.to = min(span.to, e.now)
	}
	if span.exact() {
		span.to++ // it is still a guess
	}
	return span
}
