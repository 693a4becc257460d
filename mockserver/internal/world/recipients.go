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

// members is how large the audience is.
func (v *recipients) members() int64 {
	members, _ := v.stream.size(0)
	return members
}

func (v *recipients) Units() int64 {
	if v.span.to <= v.span.from {
		return 0
	}
	return (v.members() + unitRows - 1) / unitRows
}

func (v *recipients) Append(rows []Row, unit int64) []Row {
	for rank := unit * unitRows; rank < min((unit+1)*unitRows, v.members()); rank++ {
		rows = v.appendRecipient(rows, rank)
	}
	return rows
}

// appendRecipient adds a row per event that happened to one member of the
// audience, and per state of its link if rows show that.
func (v *recipients) appendRecipient(rows []Row, rank int64) []Row {
	begin := len(rows)
	thing := rank
	if v.audience.installations {
		thing = v.audience.members.at(rank)
	}
	wanted := v.reachable(v.wanted, thing, v.span.from, v.span.to-1)
	oneLink := !v.links || !v.linkChanges(thing)
	v.stream.visitMember(rank, 0, v.span.from, v.span.to, wanted, func(m *message) uint64 {
		listed := uint64(0)
		if oneLink {
			for i := range rows[begin:] {
				listed |= 1 << rows[begin+i].Event
			}
		}
		for step := range v.names {
			if wanted&^listed>>step&1 == 0 {
				continue
			}
			row, happened := v.rowOf(m, step)
			if !happened || !v.span.holds(row.Time) {
				continue
			}
			row.Message = 0 // the row is about the recipient
			if !slices.ContainsFunc(rows[begin:], func(listed Row) bool { return v.equal(&row, &listed) }) {
				rows = append(rows, row)
				listed |= 1 << step
			}
		}
		if !oneLink {
			return wanted
		}
		return wanted &^ listed
	})
	slices.SortFunc(rows[begin:], func(a, b Row) int { return cmp.Or(int(a.Event-b.Event), cmp.Compare(a.Time, b.Time)) })
	return rows
}

func (v *recipients) equal(a, b *Row) bool {
	return a.Event == b.Event && (!v.links || v.world.isLinked(a) == v.world.isLinked(b))
}

// linkChanges says whether the link of a member of the audience to its profile
// changes in the span; an event is listed once when it does not.
func (v *recipients) linkChanges(thing int64) bool {
	if !v.audience.installations {
		return true
	}
	return v.world.timelineOf(changeLinked).nextChange(thing, v.span.from-1, v.span.to) < v.span.to
}

// Unwrap is the view of the messages themselves.
func (v *recipients) Unwrap() View { return v.messages }
