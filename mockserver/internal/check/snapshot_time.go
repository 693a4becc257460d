package check

import (
	"cmp"
	"math"
	"slices"
)

// snapshotTime says between which instants a snapshot was taken: it shows everything before from, and nothing at to or after.
// The two differ unless the moment was told.
type snapshotTime struct{ from, to moment }

// exact tells whether the moment is known.
func (t snapshotTime) exact() bool { return t.from == t.to }

// mostNewest is how many of the latest dates of a snapshot tell how often rows get a new one.
const maxLatestDates = 32

// delay is how many times the typical time between such dates may pass after the latest before a snapshot was surely taken.
const maxGapFactor = 20

// addLatestDate notes the latest date of one row of a snapshot. Rows of one date count once.
func (f *file) addLatestDate(date moment) {
	at, there := slices.BinarySearchFunc(f.latestDates, date, func(a, b moment) int { return cmp.Compare(b, a) })
	if there || at == maxLatestDates {
		return
	}
	if len(f.latestDates) == maxLatestDates {
		f.latestDates = f.latestDates[:maxLatestDates-1]
	}
	f.latestDates = slices.Insert(f.latestDates, at, date)
}

// snapshotTimeOf is when the snapshot of a file was taken: if that was not told, after its latest date, before the present, and
// before many more dates can be expected.
func (e *engine) snapshotTimeOf(f *file) snapshotTime {
	if !f.input.To.IsZero() {
		at := momentOf(f.input.To)
		return snapshotTime{at, at}
	}
	span := snapshotTime{0, math.MaxInt64}
	if len(f.latestDates) > 0 {
		span.from = f.latestDates[0] + 1
	}
	if more := moment(len(f.latestDates) - 1); more > 0 {
		span.to = span.from + maxGapFactor*(f.latestDates[0]-f.latestDates[more])/more
	}
	if e.now >= span.from {
		span.to = min(span.to, e.now)
	}
	if span.exact() {
		span.to++ // it is still a guess
	}
	return span
}
