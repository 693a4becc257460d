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
	var (
		m      message
		wanted [maxSteps]memberSet // by step: the members for whom it is still looked for
		many   memberSet           // who may be listed more than once
		begin  = len(rows)
	)
	if v.stream.recipients.audience != nil {
		members &= v.stream.recipients.audience(block)
	}
	steps := v.stream.journey.steps
	for rest := v.wantedSteps; rest != 0; {
		step := rest.pop()
		certain, possible := v.reach(steps[step].channel, block, v.span.from-v.stream.reachOf(1<<step), v.span.to-1, members)
		wanted[step] = certain | possible
	}
	for rest := members; rest != 0; {
		if bit := rest.pop(); v.mayRepeat(block<<blockBits + int64(bit)) {
			many.add(bit)
		}
	}
	reached := weeklyReach{view: v.messages, block: block, members: members}
	v.stream.visitBlock(block, v.wantedSteps, v.span.from, v.span.to, members, func(b *batch, wave *sendWave, members memberSet) memberSet {
		left := many & members
		certain, possible := reached.in(b.plan.week, steps[wave.root].channel, members)
		for step := range steps {
			if steps[step].root != wave.root {
				left |= wanted[step] & members
				continue
			}
			for happens := b.happening(step, wanted[step]&(certain|possible)); happens != 0; {
				bit := happens.pop()
				if m.reachable = certain.has(bit); !b.messageAt(&m, wave, bit) {
					continue
				}
				at := v.stream.timeOf(&m, step)
				if !v.span.holds(at) {
					continue
				}
				row, reached := v.reached(&m, step, at)
				if !reached {
					continue
				}
				row.Message, row.rank = 0, int32(bit) // the row is about the recipient
				if !many.has(bit) {
					wanted[step].remove(bit)
				} else if v.isListed(rows[begin:], &row) {
					continue
				}
				rows = append(rows, row)
			}
			left |= wanted[step] & members
		}
		return left
	})
	for i := range v.endings {
		v.endings[i].list(v, block, members, func(row Row) {
			row.Message = 0
			if !v.isListed(rows[begin:], &row) {
				rows = append(rows, row)
			}
		})
	}
	v.sortRows(rows[begin:])
	return rows
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
	var buffer [4 * blockSize]uint64
	keys := buffer[:0]
	for i := range rows {
		keys = append(keys, uint64(rows[i].rank)<<(64-blockBits)|uint64(rows[i].Event)<<(64-2*blockBits)|
			uint64(rows[i].Time-v.span.from)&(1<<40-1)<<12|uint64(i))
	}
	slices.Sort(keys)
	for i := range keys {
		keys[i] &= 1<<12 - 1
	}
	permuteRows(rows, keys)
}

func (v *recipients) sameRecipient(a, b *Row) bool {
	return a.Event == b.Event && a.Installation == b.Installation && (!v.showsLinks || v.world.isLinked(a) == v.world.isLinked(b))
}

// mayRepeat reports whether an event may be listed twice of a member: of several
// installations, or of one whose link to its profile changes in the span.
func (v *recipients) mayRepeat(member int64) bool {
	first, count := v.world.installationsOf(member)
	if count > 1 || !v.showsLinks || count == 0 {
		return count > 1
	}
	line := v.world.timelineOf(changeLinked)
	return line.mayChange(first>>blockBits, v.span.from, v.span.to-1)&setOf(first) != 0 && line.nextChange(first, v.span.from-1, v.span.to) < v.span.to
}

// Unwrap is the view of the messages themselves.
func (v *recipients) Unwrap() View { return v.messages }
