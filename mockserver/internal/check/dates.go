package check

import (
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check/rules"
)

// checkDates checks the dates of one row: order, window, floor, and that nothing is later than the present.
func (e *engine) checkDates(f *file, r *row) {
	if e.now != 0 {
		for _, s := range allDates {
			if date, ok := r.date(s); ok {
				e.assert(rules.Future, date <= e.now, r.place, nil, "%s lies after the present, %s (--now sets another)", date, e.now)
			}
		}
	}
	if !r.hasTime {
		return
	}
	here := extreme{r.time, r.place}
	if f.dated {
		e.assert(rules.TimeOrder, r.time >= f.before.time, r.place, &f.before.place, "%s comes after %s in the file", r.time, f.before.time)
	}
	f.before = here
	if !f.dated || r.time < f.first.time {
		f.first = here
	}
	if !f.dated || r.time > f.last.time {
		f.last = here
	}
	f.dated = true
	if floor := f.export.NotBefore; !floor.IsZero() {
		e.assert(rules.Floor, r.time >= momentOf(floor), r.place, nil, "%s lies before the first event there can be, %s", r.time, momentOf(floor))
	}
	if !f.input.From.IsZero() {
		e.assert(rules.Window, r.time >= momentOf(f.input.From), r.place, nil, "%s lies before the window, which begins at %s", r.time,
			momentOf(f.input.From))
	}
	if !f.input.To.IsZero() {
		e.assert(rules.Window, r.time < momentOf(f.input.To), r.place, nil, "%s lies after the window, which ends before %s", r.time,
			momentOf(f.input.To))
	}
}

// allDates are the sources that hold a date.
var allDates = []source{eventDate, installDate, lastStartDate, creationDate, lastActivity, lastVisitDate,
	lastMarketingClick, lastMarketingOpen, lastTransactionalClick, lastTransactionalOpen}

// checkLookback checks the time between the first and the last event of a file.
func (e *engine) checkLookback(f *file) {
	if f.dated && f.export.Lookback > 0 {
		lookback := moment(f.export.Lookback.Microseconds())
		e.assert(rules.Lookback, f.last.time-f.first.time <= lookback, f.first.place, &f.last.place,
			"%s is more than %d days before %s in the same file", f.first.time, int64(lookback/day), f.last.time)
	}
}

// creationDates are the sources with the date of creation of an entity, each with those of dates that cannot be earlier.
var creationDates = []struct {
	born  source
	later []source
}{
	{installDate, []source{lastStartDate}},
	{creationDate, []source{lastActivity, lastVisitDate, lastMarketingClick, lastMarketingOpen, lastTransactionalClick,
		lastTransactionalOpen}},
}

// checkSnapshotDates notes the dates of a row of a snapshot and compares them with each other.
func (e *engine) checkSnapshotDates(r *row) {
	f := e.files[r.file]
	var latest moment
	for _, s := range allDates {
		if date, ok := r.date(s); ok {
			latest = max(latest, date)
			if !f.input.To.IsZero() {
				at := momentOf(f.input.To)
				e.assert(rules.Window, date < at, r.place, nil, "%s is %s, which lies after the moment that the file shows, %s", e.nameOf(f, s), date,
					at)
			}
		}
	}
	if latest > 0 {
		f.addLatestDate(latest)
	}
	for _, birth := range creationDates {
		born, ok := r.date(birth.born)
		if !ok {
			continue
		}
		for _, s := range birth.later {
			if date, ok := r.date(s); ok {
				e.assert(rules.Creation, date >= born, r.place, nil, "%s is %s, before %s, %s", e.nameOf(f, s), date, e.nameOf(f, birth.born), born)
			}
		}
	}
	if activity, ok := r.date(lastActivity); ok {
		if visit, ok := r.date(lastVisitDate); ok {
			e.assert(rules.Latest, activity >= visit, r.place, nil, "%s is %s, before %s, %s", e.nameOf(f, lastActivity), activity,
				e.nameOf(f, lastVisitDate), visit)
		}
	}
}

// nameOf is what the rows of a file call a source.
func (e *engine) nameOf(f *file, s source) string {
	if name := e.layouts[f.export.Kind].nameOf(s); name != "" {
		return name
	}
	return "a value"
}
