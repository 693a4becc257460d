package check

import (
	"cmp"
	"math"
	"slices"
)

// snapshot is what a file shows of one thing at its moment.
type snapshot struct {
	row
	shownAt snapshotTime
	// expected are the values that follow from the events before, by source, with those that may have come since.
	expected map[source]expectation

	// Of a profile: latest are the dates that follow from the events before its time, matched those of its own that an event
	// has, and addresses are those of the latest messages before its moment, by channel.
	latest    map[source]occurrence
	matched   map[source]bool
	addresses map[string]*addressState
}

// snapshots are all that files show of one thing.
type snapshots struct {
	all, pending []*snapshot // pending: in order of time, those whose time was not reached
	sorted       bool
}

const (
	maxSnapshots = 256
	endOfTime    = moment(math.MaxInt64)
)

func (s *snapshots) reset() { s.all, s.pending, s.sorted = s.all[:0], s.pending[:0], false }

func (s *snapshots) add(e *engine, r *row) {
	if len(s.all) < maxSnapshots {
		s.all = append(s.all, &snapshot{row: *r, shownAt: e.snapshotTimeOf(e.files[r.file]), matched: map[source]bool{}})
	}
}

// until calls expect for the snapshots whose time is, or may be, at or before a moment. Once it is called, all are there.
func (s *snapshots) until(time moment, expect func(*snapshot)) {
	if !s.sorted {
		s.sorted, s.pending = true, append(s.pending, s.all...)
		slices.SortStableFunc(s.pending, func(a, b *snapshot) int { return cmp.Compare(a.shownAt.from, b.shownAt.from) })
	}
	for len(s.pending) > 0 && s.pending[0].shownAt.from <= time {
		expect(s.pending[0])
		s.pending = s.pending[1:]
	}
}

// snapshotTime is the range of time in which a snapshot was taken: it shows everything before from, and nothing at to or
// after. The two are equal when the time is known.
type snapshotTime struct{ from, to moment }

// exact reports whether the time is known.
func (t snapshotTime) exact() bool { return t.from == t.to }

// maxLatestDates is how many of the latest dates of a snapshot are used to estimate how often rows get a new one.
const maxLatestDates = 32

// maxGapFactor is how many times the typical time between such dates may pass after the latest one before a snapshot was certainly taken.
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
