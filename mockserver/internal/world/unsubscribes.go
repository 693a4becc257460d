package world

import "slices"

// unsubscribeMessage is the last message before a withdrawal of consent. The
// withdrawal is a change of the consent timeline, and most withdrawals are the
// final step of a message whose earlier steps are placed before it. So the
// events export and the reachability export agree.
type unsubscribeMessage struct {
	consent changeKind
	chain   []int // the steps, from the first to the withdrawal
}

// unsubscribesByMessage is the share of withdrawals that come from a message;
// the others are made in the account settings.
var unsubscribesByMessage = chanceOf(0.7)

func (w *World) unsubscribeMessagesOf(j *journey) []unsubscribeMessage {
	var found []unsubscribeMessage
	for i, s := range j.steps {
		if !s.consent {
			continue
		}
		made := unsubscribeMessage{consent: changeEmailConsent}
		if s.channel == channelSMS {
			made.consent = changeSMSConsent
		}
		for at := i; at >= 0; at = j.steps[at].parent {
			made.chain = append(made.chain, at)
		}
		slices.Reverse(made.chain)
		found = append(found, made)
	}
	return found
}

// steps is the set of the steps of its chain.
func (f *unsubscribeMessage) steps() (steps stepSet) {
	for _, step := range f.chain {
		steps.add(step)
	}
	return steps
}

// delayClass is the delay class of the message before a change.
func (f *unsubscribeMessage) delayClass(c change) int { return int(mix(f.keyOf(c)+2) % delayClasses) }

func (f *unsubscribeMessage) keyOf(c change) uint64 {
	return draw(unsubscribeKey(f.consent), uint64(c.entity)) ^ uint64(c.at)
}

// withdrawalSlot is the slot of the withdrawals that follow when the step at a
// place of the chain happens in a slot.
func (f *unsubscribeMessage) withdrawalSlot(s *stream, place, tempo int, slot int64) int64 {
	for _, step := range f.chain[place+1:] {
		lag := &s.schedule.lags[step][tempo]
		slot = lag.shuffled(slot, lagKey(step, tempo)) + lag.slots
	}
	return slot
}

// timeOf is when the step at a place of the chain happens before a withdrawal:
// the schedule of all messages, backwards.
func (f *unsubscribeMessage) timeOf(s *stream, place int, c change) int64 {
	tempo, key := f.delayClass(c), f.keyOf(c)
	slot := floorDivide(c.at, s.slot)
	offset := c.at - slot*s.slot
	for at := len(f.chain) - 1; at > place; at-- {
		step := f.chain[at]
		lag := &s.schedule.lags[step][tempo]
		slot = lag.shuffled(slot-lag.slots, lagKey(step, tempo))
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
func (f *unsubscribeMessage) append(rows []Row, v *messages, from, to int64) []Row {
	s, looked := v.stream, make([]int64, 0, 2*delayClasses)
	for place := range f.chain {
		if !v.wantedSteps.has(f.chain[place]) {
			continue
		}
		for t := range delayClasses {
			if slot := f.withdrawalSlot(s, place, t, floorDivide(from, s.slot)); !slices.Contains(looked, slot) {
				looked = append(looked, slot)
			}
		}
	}
	for _, slot := range looked {
		v.world.timelineOf(f.consent).changes(slot*s.slot, (slot+1)*s.slot, func(c change) {
			for place, step := range f.chain {
				if !v.wantedSteps.has(step) {
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

// visitOf calls visit for every step, in [from, to), of such messages to one
// profile.
func (f *unsubscribeMessage) visitOf(v *messages, profile, from, to int64, visit func(Row)) {
	line, limit := v.world.timelineOf(f.consent), to+v.stream.reach()
	for at := line.nextChange(profile, from-1, limit); at < limit; at = line.nextChange(profile, at, limit) {
		withdrawal := change{entity: profile, at: at, state: line.at(profile, at)}
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

// rowOf is the message of a withdrawal, when there is one. In the second of
// the withdrawal no other step happens.
func (f *unsubscribeMessage) rowOf(v *messages, c change) (Row, bool) {
	key := f.keyOf(c)
	if c.state || !unsubscribesByMessage.holds(mix(key)) {
		return Row{}, false
	}
	w, sent := v.world, f.timeOf(v.stream, 0, c)
	if sent < worldStart || !w.createdBefore(c.entity, sent) || f.timeOf(v.stream, max(len(f.chain)-2, 0), c) >= c.at {
		return Row{}, false
	}
	present := changeEmailPresent
	if f.consent == changeSMSConsent {
		present = changePhonePresent
	}
	if !w.timelineOf(f.consent).at(c.entity, sent) || !w.timelineOf(present).at(c.entity, sent) ||
		w.timelineOf(f.consent).nextChange(c.entity, sent, c.at) < c.at || w.timelineOf(present).nextChange(c.entity, sent, c.at+1) <= c.at {
		return Row{}, false
	}
	root := v.stream.journey.steps[f.chain[0]].root
	orchestration := below(mix(key+1), int64(len(v.stream.orchestrations)))
	for tries := len(v.stream.orchestrations); v.stream.orchestrations[orchestration].root != root; tries-- {
		if tries == 0 {
			return Row{}, false // no orchestration sends such messages
		}
		orchestration = (orchestration + 1) % int64(len(v.stream.orchestrations))
	}
	return Row{Profile: c.entity, Installation: -1, Message: key, Orchestration: int32(orchestration), after: changeKinds}, true
}

func unsubscribeKey(kind changeKind) uint64 { return mix(uint64(kind) + 101) }
