package world

import (
	"cmp"
	"slices"
)

// recipients lists each pair of a member of the audience and an event that
// happened to them in the span, once: the distinct projection of messages.
type recipients struct {
	*messages
	links bool
}

func (v *recipients) Units() int64 {
	if v.span.to <= v.span.from {
		return 0
	}
	return (v.stream.perWeek + unitRows - 1) / unitRows
}

func (v *recipients) Append(rows []Row, unit int64) []Row {
	for rank := unit * unitRows; rank < min((unit+1)*unitRows, v.stream.perWeek); rank++ {
		rows = v.appendRecipient(rows, rank)
	}
	return rows
}

// appendRecipient adds a row per event that happened to one member of the
// audience, and per state of its link if rows show that.
func (v *recipients) appendRecipient(rows []Row, rank int64) []Row {
	begin := len(rows)
	v.stream.visitRecipient(rank, v.span.from, v.span.to, v.wanted, func(m *message) bool {
		for step := range v.names {
			if v.wanted>>step&1 == 0 {
				continue
			}
			row, happened := v.rowOf(m, step)
			if !happened || !v.span.holds(row.Time) {
				continue
			}
			row.Message = 0 // the row is about the recipient
			if !slices.ContainsFunc(rows[begin:], func(listed Row) bool { return v.equal(&row, &listed) }) {
				rows = append(rows, row)
			}
		}
		return true
	})
	slices.SortFunc(rows[begin:], func(a, b Row) int { return cmp.Or(int(a.Event-b.Event), cmp.Compare(a.Time, b.Time)) })
	return rows
}

func (v *recipients) equal(a, b *Row) bool {
	return a.Event == b.Event && (!v.links || v.world.isLinked(a) == v.world.isLinked(b))
}
