package world

import "slices"

// farewell is the last message before a withdrawal of consent: the withdrawal
// is a change of the consent timeline, and most of them are the final step of
// a message whose earlier steps are placed before it. So what the events
// export and the reachability export tell is one thing.
type farewell struct {
	line  changeKind
	chain []int // the steps, from the first to the withdrawal
}

// viaMessage is the share of withdrawals that come from a message; the others
// are made in the account settings.
var viaMessage = chanceOf(0.7)

func (w *World) farewellsOf(j *journey) []farewell {
	var found []farewell
	for i, s := range j.steps {
		if !s.consent {
			continue
		}
		made := farewell{line: changeEmailConsent}
		if s.channel == channelSMS {
			made.line = changeSMSConsent
		}
		for at := i; at >= 0; at = j.steps[at].parent {
			made.chain = append(made.chain, at)
		}
		slices.Reverse(made.chain)
		found = append(found, made)
	}
	return found
}

// steps are those of its chain.
func (f *farewell) steps() (steps uint64) {
	for _, step := range f.chain {
		steps |= 1 << step
	}
	return steps
}

// tempo is how fast or slow the farewell before a change goes.
func (f *farewell) tempo(c change) int { return int(mix(f.keyOf(c)+2) % tempos) }

func (f *farewell) keyOf(c change) uint64 {
	return draw(farewellKey(f.line), uint64(c.thing)) ^ uint64(c.at)
}

// withdrawalSlot is the slot of the withdrawals that follow when the step at a
// place of the chain happens in a slot.
func (f *farewell) withdrawalSlot(s *stream, place, tempo int, slot int64) int64 {
	for _, step := range f.chain[place+1:] {
		lag := &s.when.lags[step][tempo]
		slot = lag.moved(slot, lagKey(step, tempo)) + lag.slots
	}
	return slot
}

// timeOf is when the step at a place of the chain happens before a withdrawal:
// the schedule of all messages, backwards.
func (f *farewell) timeOf(s *stream, place int, c change) int64 {
	tempo, key := f.tempo(c), f.keyOf(c)
	slot := floorDivide(c.at, s.slot)
	offset := c.at - slot*s.slot
	for at := len(f.chain) - 1; at > place; at-- {
		step := f.chain[at]
		lag := &s.when.lags[step][tempo]
		slot = lag.moved(slot-lag.slots, lagKey(step, tempo))
		switch random := draw(key, uint64(step)+maxSteps); {
		case lag.slots > 0:
			offset = below(random, s.slot)
		case offset > 0:
			offset -= 1 + below(random, min(2*lag.seconds, offset))
		}
	}
	return slot*s.slot + offset
}

// append adds the steps in [from, to), which lies within a slot. Each of the
// slots in which their withdrawals can be is looked at once.
func (f *farewell) append(rows []Row, v *messages, from, to int64) []Row {
	s, looked := v.stream, make([]int64, 0, 2*tempos)
	for place := range f.chain {
		if v.wanted>>f.chain[place]&1 == 0 {
			continue
		}
		for t := range tempos {
			if slot := f.withdrawalSlot(s, place, t, floorDivide(from, s.slot)); !slices.Contains(looked, slot) {
				looked = append(looked, slot)
			}
		}
	}
	for _, slot := range looked {
		v.world.timelineOf(f.line).changes(slot*s.slot, (slot+1)*s.slot, func(c change) {
			for place, step := range f.chain {
				if v.wanted>>step&1 == 0 {
					continue
				}
				if at := f.timeOf(s, place, c); at >= from && at < to {
					if row, happened := f.rowOf(v, c); happened {
						row.Time, row.Event = at, int32(step)
						rows = append(rows, row)
					}
				}
			}
		})
	}
	return rows
}

// visitOf calls visit for every step of the farewell messages to one profile
// that happens in [from, to).
func (f *farewell) visitOf(v *messages, profile, from, to int64, visit func(Row)) {
	line, limit := v.world.timelineOf(f.line), to+v.stream.reach()
	for at := line.nextChange(profile, from-1, limit); at < limit; at = line.nextChange(profile, at, limit) {
		withdrawal := change{thing: profile, at: at, state: line.at(profile, at)}
		row, happened := f.rowOf(v, withdrawal)
		if !happened {
			continue
		}
		for place, step := range f.chain {
			if row.Time = f.timeOf(v.stream, place, withdrawal); row.Time >= from && row.Time < to {
				row.Event = int32(step)
				visit(row)
			}
		}
	}
}

// rowOf is the farewell message of a withdrawal, when there is one. In the
// second of the withdrawal nothing else happens to it.
func (f *farewell) rowOf(v *messages, c change) (Row, bool) {
	key := f.keyOf(c)
	if c.state || !viaMessage.holds(mix(key)) {
		return Row{}, false
	}
	w, sent := v.world, f.timeOf(v.stream, 0, c)
	if sent < birth || !w.createdBefore(c.thing, sent) || f.timeOf(v.stream, max(len(f.chain)-2, 0), c) >= c.at {
		return Row{}, false
	}
	present := changeEmailPresent
	if f.line == changeSMSConsent {
		present = changePhonePresent
	}
	if !w.timelineOf(f.line).at(c.thing, sent) || !w.timelineOf(present).at(c.thing, sent) ||
		w.timelineOf(f.line).nextChange(c.thing, sent, c.at) < c.at || w.timelineOf(present).nextChange(c.thing, sent, c.at+1) <= c.at {
		return Row{}, false
	}
	root := v.stream.journey.steps[f.chain[0]].root
	orchestration := below(mix(key+1), int64(len(v.stream.orchestrations)))
	for tries := len(v.stream.orchestrations); v.stream.orchestrations[orchestration].root != root; tries-- {
		if tries == 0 {
			return Row{}, false // nobody sends such messages
		}
		orchestration = (orchestration + 1) % int64(len(v.stream.orchestrations))
	}
	return Row{Profile: c.thing, Installation: -1, Message: key, Orchestration: int32(orchestration), after: changeKinds}, true
}

func farewellKey(kind changeKind) uint64 { return mix(uint64(kind) + 101) }
