package world

import "slices"

// recipients is the view of the distinct pairs of a member of the audience and
// an event that happened to them in the span.
type recipients struct {
	*messages
	showsLinks bool
}

// members is an upper bound for the members of the stream that exist before the
// span ends.
func (v *recipients) members() int64 {
	return v.world.ProfilesAt(v.span.to)
}

func (v *recipients) Units() int64 {
	if v.span.to <= v.span.from {
		return 0
	}
	return blocksOf(v.members())
}

func (v *recipients) Append(rows []Row, unit int64) []Row {
	return v.appendBlock(rows, unit, firstMembers(v.members()-unit*blockSize))
}

// appendBlock adds a row per event that happened to some members of a block, on
// each of their installations, and per state of its link if rows show that.
func (v *recipients) appendBlock(rows []Row, block int64, members memberSet) []Row {
	if v.stream.recipients.audience != nil {
		members = v.stream.recipients.audience(block, members)
	}
	finder := v.finders.Get().(*eventFinder)
	defer v.finders.Put(finder)
	m, homes, reached := &finder.message, &finder.homes, &finder.reached
	*homes = v.world.ownership.householdsOf(block)
	*m = message{homes: homes, push: &reached.push}
	*reached = weeklyReach{view: v.messages, block: block, members: members, households: homes}
	var (
		steps  = v.stream.journey.steps
		wanted [maxSteps]memberSet // by step: the members for whom it is still looked for
		listed [maxSteps]listedOn  // by event
		begin  = len(rows)
	)
	for by := range channels {
		of := v.wantedSteps & v.stream.journey.stepsOf(by)
		if of == 0 {
			continue
		}
		certain, possible := reached.between(by, v.span.from-v.stream.reachOf(of), v.span.to-1)
		for of != 0 {
			wanted[of.pop()] = certain | possible
		}
	}
	several, changing := v.mayRepeat(homes, members)
	v.stream.visitBlock(block, v.wantedSteps, v.span.from, v.span.to, members, func(b *batch, wave *sendWave, members memberSet) memberSet {
		left := (several | changing) & members
		certain, possible := reached.in(b.plan.week, steps[wave.root].channel, members)
		for step := range steps {
			if steps[step].root != wave.root {
				left |= wanted[step] & members
				continue
			}
			on := &listed[steps[step].variant.event]
			for happens := b.happening(step, wanted[step]&(certain|possible)); happens != 0; {
				bit := happens.pop()
				if several.has(bit) && on[bit] != 0 && v.goesToListed(b, m, wave, bit, homes.owned[bit].count, on[bit]) {
					continue
				}
				if m.reachable = certain.has(bit); !b.messageAt(m, wave, bit) {
					continue
				}
				at := v.stream.timeOf(m, step)
				if !v.span.holds(at) {
					continue
				}
				rows = append(rows, Row{})
				last := len(rows) - 1
				row := &rows[last]
				if !v.reached(row, m, step, at) {
					rows = rows[:last]
					continue
				}
				row.Message, row.rank = 0, int32(bit) // the row is about the recipient
				switch {
				case changing.has(bit):
					if v.isListed(rows[begin:last], row) {
						rows = rows[:last]
						continue
					}
				case several.has(bit):
					place := row.Installation - homes.first - int64(homes.owned[bit].before)
					if on[bit]>>place&1 == 1 {
						rows = rows[:last]
						continue
					}
					if on[bit] |= 1 << place; on[bit] == 1<<homes.owned[bit].count-1 {
						wanted[step].remove(bit)
					}
				default:
					wanted[step].remove(bit)
				}
			}
			left |= wanted[step] & members
		}
		return left
	})
	for i := range v.endings {
		v.endings[i].list(v, homes, block, members, func(row Row) {
			row.Message = 0
			if !v.isListed(rows[begin:], &row) {
				rows = append(rows, row)
			}
		})
	}
	v.sortRows(rows[begin:])
	return rows
}

// listedOn are, by member, the installations that an event is listed of, each by a bit.
type listedOn [blockSize]uint8

// goesToListed reports whether a message to a member goes to an installation that its
// event is listed of, wherever that is known before the time of the message is.
func (v *recipients) goesToListed(b *batch, m *message, wave *sendWave, bit int, count uint8, listed uint8) bool {
	b.message(m, wave, bit)
	m.orchestration = wave.senderOf(m.number)
	if v.stream.recipients.variant != nil {
		m.key = v.stream.recipients.variant(m)
	}
	onto := uint8(1) << pickOf(m, int64(count))
	if v.about.sessions {
		onto |= 1 // the first one is in place of one that is still to come
	}
	return listed&onto == onto
}

func (v *recipients) isListed(rows []Row, row *Row) bool {
	for i := range rows {
		if rows[i].rank == row.rank && v.sameRecipient(row, &rows[i]) {
			return true
		}
	}
	return false
}

// sortRows puts the rows of a block in the order of members, events and time.
func (v *recipients) sortRows(rows []Row) {
	var buffer, spare [8 * blockSize]uint64
	keys := buffer[:0]
	for i := range rows {
		keys = append(keys, uint64(rows[i].rank)<<(64-blockBits)|uint64(rows[i].Event)<<(64-2*blockBits)|
			uint64(rows[i].Time-v.span.from)&(1<<40-1)<<12|uint64(i))
	}
	if len(keys) <= len(spare) {
		keys = sortKeys(keys, spare[:len(keys)])
	} else {
		slices.Sort(keys)
	}
	for i := range keys {
		keys[i] &= 1<<12 - 1
	}
	permuteRows(rows, keys)
}

func (v *recipients) sameRecipient(a, b *Row) bool {
	return a.Event == b.Event && a.Installation == b.Installation && (!v.showsLinks || v.world.isLinked(a) == v.world.isLinked(b))
}

// mayRepeat are those of some members of whom an event may be listed twice: of several
// installations, or of one whose link to its profile changes in the span.
func (v *recipients) mayRepeat(homes *households, members memberSet) (several, changing memberSet) {
	if v.showsLinks {
		line := v.world.timelineOf(changeLinked)
		picked := homes.words(func(block int64, _ memberSet) memberSet { return line.mayChange(block, v.span.from, v.span.to-1) })
		homes.each(&picked, func(installation int64, member int) {
			if members.has(member) && line.nextChange(installation, v.span.from-1, v.span.to) < v.span.to {
				changing.add(member)
			}
		})
	}
	return homes.several & members, changing
}

// Unwrap is the view of the messages themselves.
func (v *recipients) Unwrap() View { return v.messages }
