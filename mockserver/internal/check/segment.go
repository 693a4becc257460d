package check

import "github.com/rehearsal-sdk/rehearsal/mockserver/internal/check/rules"

// Until when an installation is new, and active or occasional after its last start.
const (
	newFor        = 14 * day
	activeFor     = 7 * day
	occasionalFor = 60 * day
)

// checkSegment checks that the label of an installation follows from its dates at some moment that its file may show.
func (e *engine) checkSegment(shown *snapshot) {
	installed, dated := shown.date(installDate)
	started, known := shown.date(lastStartDate)
	if !dated || !known {
		return
	}
	first := shown.shownAt.from
	if !shown.shownAt.exact() && e.now != 0 {
		first = min(first, e.now) // a date after the present says nothing of the moment
	}
	last := max(first, shown.shownAt.to-1)
	from, to := max(first, installed+newFor), last // when it may have such a label
	// The second in which a label changes may have either: a snapshot shows the time before the moment.
	switch shown.value(smartSegment) {
	case "new":
		from, to = first, min(last, installed+newFor)
	case "active":
		to = min(last, started+activeFor)
	case "occasional":
		from, to = max(from, started+activeFor), min(last, started+occasionalFor)
	case "inactive":
		from = max(from, started+occasionalFor)
	default:
		return
	}
	when := "at no moment that the file may show"
	if shown.shownAt.exact() {
		when = "not on " + last.String()
	}
	e.assert(rules.Segment, from <= to, shown.place, nil, "the segment is %q, %s of an installation of %s that was started last on %s",
		shown.value(smartSegment), when, installed, started)
}
