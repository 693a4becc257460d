package world

// appendRows adds the rows, in the order of members, events and time.
func (l *listing) appendRows(rows []Row) []Row {
	listed, several := memberSet(0), l.homes.several|l.links.changing
	for i := range l.events {
		listed |= l.events[i].listed
	}
	for listed != 0 {
		bit := listed.pop()
		for i := range l.events {
			switch at := &l.events[i]; {
			case !at.listed.has(bit):
			case several.has(bit):
				rows = l.appendSeveral(rows, i, bit)
			default:
				rows = l.appendRow(rows, i, bit, 0)
			}
		}
	}
	return rows
}

// appendSeveral adds the rows of an event of a member who may have more than one.
func (l *listing) appendSeveral(rows []Row, event, bit int) []Row {
	at := &l.events[event]
	on := memberSet(0)
	for place := range at.on {
		on |= at.on[place] >> bit & 1 << place
	}
	if on&(on-1) == 0 {
		return l.appendRow(rows, event, bit, on.pop())
	}
	var (
		order [2 * mostOwned]int
		count int
	)
	for ; on != 0; count++ {
		place, to := on.pop(), count
		for ; to > 0 && l.isBefore(bit, at.from[bit][place], at.from[bit][order[to-1]]); to-- {
			order[to] = order[to-1]
		}
		order[to] = place
	}
	for _, place := range order[:count] {
		rows = l.appendRow(rows, event, bit, place)
	}
	return rows
}

// isBefore reports whether a source of a member comes before another one: what happened earlier or,
// in the same second, was found earlier. Endings are found last.
func (l *listing) isBefore(bit int, a, b listedSource) bool {
	if a.visit >= 0 && b.visit >= 0 {
		// Messages of weeks so far apart need not be placed.
		apart, most := l.visits[a.visit].plan.week-l.visits[b.visit].plan.week, int64(1)
		if a.step != b.step || l.view.stream.journey.steps[a.step].parent >= 0 {
			most += 1 + l.view.listed.furthest/week
		}
		if apart >= most || apart <= -most {
			return apart < 0
		}
	}
	if x, y := l.timeOf(bit, a), l.timeOf(bit, b); x != y {
		return x < y
	}
	if (a.visit < 0) != (b.visit < 0) {
		return b.visit < 0
	}
	return max(a.visit, -a.visit) < max(b.visit, -b.visit)
}

// timeOf is when the step of a source happens to a member.
func (l *listing) timeOf(bit int, from listedSource) int64 {
	if from.visit < 0 {
		return l.ends[-1-from.visit].Time
	}
	return l.view.stream.timeOf(l.messageOf(bit, from), int(from.step))
}

// messageOf is the message of a source to a member, placed again.
func (l *listing) messageOf(bit int, from listedSource) *message {
	of, b := &l.visits[from.visit], &l.at.again
	b.stream, b.plan, b.first, b.member, b.xorMask = l.view.stream, of.plan, of.first, l.block<<blockBits, of.mask
	b.messageAt(&l.at.message, l.waveTo(of.plan, of.wave, bit), bit)
	return &l.at.message
}

// appendRow adds the row of an event that is listed of a member at a place.
func (l *listing) appendRow(rows []Row, event, bit, place int) []Row {
	v, from := l.view, l.events[event].from[bit][place]
	if !v.listed.plain && from.visit < 0 {
		return append(rows, l.ends[-1-from.visit])
	}
	rows = append(rows, Row{})
	row := &rows[len(rows)-1]
	l.fill(row, bit, place)
	row.Event = int32(event)
	if !v.listed.plain {
		by, m := &v.stream.journey.steps[from.step], l.messageOf(bit, from)
		row.Time, row.Orchestration = v.stream.timeOf(m, int(from.step)), m.orchestration
		row.how.machine, row.how.repeat = by.variant.machine, by.variant.repeat
		row.cache.knownStates |= stateBits[by.channel]
		row.cache.states |= stateBits[by.channel]
	}
	return rows
}

// fill makes a row, of which nothing is found out, one about an installation of a member at a place.
func (l *listing) fill(row *Row, bit, place int) {
	v := l.view
	row.Profile, row.Installation = l.block<<blockBits+int64(bit), l.homes.first+int64(l.homes.owned[bit].before)+int64(place%mostOwned)
	row.Time, row.changed = v.span.from, allChanged
	row.ties.linkedID = v.about.linked
	switch {
	case l.links.changing.has(bit):
		row.cache.know(changeLinked, place < mostOwned)
	case v.listed.links && !l.links.moving.has(bit):
		row.cache.know(changeLinked, true)
	}
}
