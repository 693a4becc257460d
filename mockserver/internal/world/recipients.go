package world

import "slices"

// recipients lists each pair of a member of the audience and an event that
// happened to them in the span, once: the distinct projection of messages.
type recipients struct {
	*messages
	links bool
}

// members is how many installations there may be before the span ends.
func (v *recipients) members() int64 {
	return v.world.households.before(v.world.ProfilesAt(v.span.to))
}

func (v *recipients) Units() int64 {
	if v.span.to <= v.span.from {
		return 0
	}
	return blocksOf(v.members())
}

func (v *recipients) Append(rows []Row, unit int64) []Row {
	return v.appendBlock(rows, unit, v.audience.of(unit)&lowest(v.members()-unit*blockSize))
}

// appendBlock adds a row per event that happened to some members of a block of
// the audience, and per state of their link if rows show that.
func (v *recipients) appendBlock(rows []Row, block int64, who uint64) []Row {
	var (
		m      message
		wanted [maxSteps]uint64 // by step: those of the block for whom it is still looked for
		moving uint64           // whose link changes: they may be listed twice
		begin  = len(rows)
	)
	steps := v.stream.journey.steps
	for rest := v.wanted; rest != 0; {
		step := next(&rest)
		sure, maybe := v.reach(steps[step].channel, block, v.span.from-v.stream.reach(), v.span.to-1, who)
		wanted[step] = sure | maybe
	}
	if v.links {
		moving = who & v.world.timelines[changeLinked].picked(block, v.span.from, v.span.to-1)
	}
	for rest := moving; rest != 0; {
		if bit := next(&rest); !v.linkChanges(block<<blockBits + int64(bit)) {
			moving &^= 1 << bit
		}
	}
	reached := weeklyReach{view: v.messages, block: block, who: who}
	v.stream.visitBlock(block, v.span.from, v.span.to, who, func(b *batch, l *lane, who uint64) uint64 {
		left := moving & who
		sure, maybe := reached.in(b.in.week, steps[l.root].channel, who)
		for step := range v.names {
			if steps[step].root != l.root {
				left |= wanted[step] & who
				continue
			}
			for happens := b.happening(step, wanted[step]&(sure|maybe)); happens != 0; {
				bit := next(&happens)
				if m.sure = sure>>bit&1 == 1; !b.messageAt(&m, l, bit) {
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
				if moving>>bit&1 == 0 {
					wanted[step] &^= 1 << bit
				} else if v.isListed(rows[begin:], &row) {
					continue
				}
				rows = append(rows, row)
			}
			left |= wanted[step] & who
		}
		return left
	})
	v.arrange(rows[begin:])
	return rows
}

func (v *recipients) isListed(rows []Row, row *Row) bool {
	for i := range rows {
		if rows[i].rank == row.rank && v.equal(row, &rows[i]) {
			return true
		}
	}
	return false
}

// arrange puts the rows of a block in the order of members, events and time.
func (v *recipients) arrange(rows []Row) {
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
	arrange(rows, keys)
}

func (v *recipients) equal(a, b *Row) bool {
	return a.Event == b.Event && (!v.links || v.world.isLinked(a) == v.world.isLinked(b))
}

// linkChanges says whether the link of a member of the audience to its profile
// changes in the span; an event is listed once when it does not.
func (v *recipients) linkChanges(thing int64) bool {
	return v.world.timelineOf(changeLinked).nextChange(thing, v.span.from-1, v.span.to) < v.span.to
}

// Unwrap is the view of the messages themselves.
func (v *recipients) Unwrap() View { return v.messages }
