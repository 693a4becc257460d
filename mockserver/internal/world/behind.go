package world

import "slices"

// Recipients is a view of distinct recipients: each row stands for all events of one kind that
// happened to an installation in the span.
type Recipients interface {
	View
	// Behind are the events that a row stands for, one of which it tells, in no order.
	Behind(row *Row) []Row
}

// Behind implements [Recipients].
func (v *recipients) Behind(row *Row) []Row {
	events := v.appendOf(nil, row.Profile, v.span.from, v.span.to)
	return slices.DeleteFunc(events, func(event Row) bool { return !v.sameRecipient(row, &event) })
}
