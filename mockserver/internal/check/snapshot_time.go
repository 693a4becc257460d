package check

import (
	"cmp"
	"math"
	"slices"
)

// snapshotTime is the range of time in which a snapshot was taken: it shows everything before from, and nothing at to or
// after. The two are equal when the time is known.
type snapshotTime struct{ from, to moment }

// exact reports whether the time is known.
func (t snapshotTime) exact() bool { return t.from == t.to }

// maxLatestDates is how many of the latest dates of a snapshot are used to estimate how often rows get a new one.
const maxLatestDates = 32

// maxGapFactor is how many times the typical time between such dates may pass after the latest one before a snapshot was
// certainly taken.
const maxGapFactor = 20

// addLatestDate notes the latest date of one row of a snapshot. Rows of one date count once.
func (f *file) addLatestDate(date moment) {
	at, found := slices.BinarySearchFunc(f.latestDates, date, func(a, b moment) int { return cmp.Compare(b, a) })
	if found || at == maxLatestDates {
		return
	}
	if len(f.latestDates) == maxLatestDates {
		f.latestDates = f.latestDates[:maxLatestDates-1]
	}
	f.latestDates = slices.Insert(f.latestDates, at, date)
}

// snapshotTimeOf is when the snapshot of a file was taken: unless the input says it, after its latest date, before the
// present, and before many more dates can be expected.
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
