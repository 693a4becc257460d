package world

import (
	"cmp"
	"math/bits"
	"slices"
)

// found is a row of a window before it is given: what is not the same for all rows of a view.
// Rows are large, so these are put in order, and a row is made where it stays.
type found struct {
	at, profile, installation int64
	message                   uint64
	event, orchestration      int32
	how                       manner
	changed                   changeKind
	states                    uint16 // of which it is known that they hold
}

// become makes it that of a step of a message that goes to an address, at a time.
func (f *found) become(v *messages, to *address, m *message, s *step, at int64) {
	f.at, f.profile, f.installation = at, to.profile, to.installation
	f.message, f.orchestration, f.event = m.key^v.stream.recipients.outcome, m.orchestration, int32(s.variant.event)
	f.how, f.changed, f.states = manner{machine: s.variant.machine, repeat: s.variant.repeat}, allChanged, stateBits[s.channel]
}

// fill makes an empty row of it.
func (f *found) fill(row *Row, v *messages) {
	row.Profile, row.Installation, row.Time, row.Message = f.profile, f.installation, f.at, f.message
	row.Event, row.Orchestration, row.changed, row.how = f.event, f.orchestration, f.changed, f.how
	row.ties.linkedID = v.about.linked
	row.cache.knownStates, row.cache.states = f.states, f.states
}

// foundIn is what fill makes the row of.
func foundIn(row *Row) found {
	return found{
		at: row.Time, profile: row.Profile, installation: row.Installation, message: row.Message, event: row.Event, orchestration: row.Orchestration,
		how: row.how, changed: row.changed, states: row.cache.states,
	}
}

// foundRows are rows of a window, in any order, and their places in the order that [sortRows]
// gives them.
type foundRows struct {
	list         []found
	order, spare []uint64
	next         int // the first one that was not given yet
}

// add adds a row, which may be any.
func (r *foundRows) add() *found {
	last := len(r.list)
	if last == cap(r.list) {
		r.list = slices.Grow(r.list, max(last, windowRows/4))
	}
	r.list = r.list[:last+1]
	return &r.list[last]
}

// sort finds the order.
func (r *foundRows) sort() {
	count := len(r.list)
	r.order, r.spare = slices.Grow(r.order[:0], count)[:count], slices.Grow(r.spare[:0], count)[:count]
	if count == 0 {
		return
	}
	first, last := r.list[0].at, r.list[0].at
	for i := range r.list {
		first, last = min(first, r.list[i].at), max(last, r.list[i].at)
	}
	room := bits.Len64(uint64(last - first))
	if count >= 1<<indexBits || room > 64-indexBits {
		for i := range r.order {
			r.order[i] = uint64(i)
		}
		r.sortTies(r.order)
		return
	}
	for i := range r.list {
		key := uint64(r.list[i].at-first)<<(64-room) | r.list[i].message>>room
		r.order[i] = key&^(1<<indexBits-1) | uint64(i)
	}
	if sorted := sortKeys(r.order, r.spare); &sorted[0] != &r.order[0] {
		r.order, r.spare = r.spare, r.order
	}
	tied, before := 0, r.order[0]>>indexBits // where those begin that the keys do not tell apart
	for i, key := range r.order {
		r.order[i] = key & (1<<indexBits - 1)
		if key>>indexBits == before {
			continue
		}
		if before = key >> indexBits; i > tied+1 {
			r.sortTies(r.order[tied:i])
		}
		tied = i
	}
	if count > tied+1 {
		r.sortTies(r.order[tied:])
	}
}

// sortTies sorts places by all of their rows.
func (r *foundRows) sortTies(order []uint64) {
	slices.SortFunc(order, func(i, j uint64) int {
		a, b := &r.list[i], &r.list[j]
		return cmp.Or(
			cmp.Compare(a.at, b.at), cmp.Compare(a.message, b.message), cmp.Compare(a.event, b.event), cmp.Compare(a.changed, b.changed),
			cmp.Compare(a.profile, b.profile), cmp.Compare(a.installation, b.installation),
		)
	})
}

// leaveDistinct leaves the rows that tell something new, of rows in order: a row without a
// message cannot tell apart what two messages do on one installation in one second.
func (r *foundRows) leaveDistinct() {
	var (
		met          [metMarks]int32 // the last row so far, plus one, that has a mark
		first, count int             // of the rows of a second, among those that stay
	)
	for _, place := range r.order {
		row := &r.list[place]
		if first == count || r.list[r.order[first]].at != row.at {
			first = count
		}
		mark := &met[mix(uint64(row.installation)<<8^uint64(row.event))%metMarks]
		if *mark > int32(first) && slices.ContainsFunc(r.order[first:count], func(other uint64) bool {
			return r.list[other].installation == row.installation && r.list[other].event == row.event
		}) {
			continue
		}
		r.order[count] = place
		count++
		*mark = int32(count)
	}
	r.order = r.order[:count]
}

// metMarks are so many that the rows of a busy second rarely share one.
const metMarks = 1 << 11

// seek is the first row at or after an instant.
func (r *foundRows) seek(at int64) int {
	next, _ := slices.BinarySearchFunc(r.order, at, func(place uint64, at int64) int { return cmp.Compare(r.list[place].at, at) })
	return next
}

// timeOf is the time of a row by its place in the order.
func (r *foundRows) timeOf(nth int) int64 { return r.list[r.order[nth]].at }
