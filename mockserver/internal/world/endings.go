package world

import "slices"

// ending is the last message before something ends: consent, an address, a token.
// The end is a change of a timeline, and most ends are the final step of a message
// whose earlier steps are placed before it. So the events export and the
// reachability export agree, and nothing comes after: an unsubscription and a
// complaint end the consent, a hard bounce the address or the token.
type ending struct {
	kind  changeKind // what becomes false
	key   uint64
	chain []int // the steps, from the first to the end
	// from and to bound the random numbers of the changes that have such a message.
	from, to uint64
	// unheard reports whether nobody hears of it, so that it has no message; nil: somebody does.
	unheard func(profile, at int64) bool
}

// endingsOf are the ends that the messages of a stream may come to: the steps that
// are a withdrawal of consent, which share the changes by their rates, and the
// failures of e-mails and push messages.
func (w *World) endingsOf(s *stream) (found []ending) {
	if s.weekly == 0 {
		return nil
	}
	const byMessage = endsByMessage
	add := func(kind changeKind, steps []int) {
		sum, passed := 0.0, 0.0
		for _, i := range steps {
			sum += w.shareOfEnds(&s.journey.steps[i])
		}
		for _, i := range steps {
			made := ending{kind: kind, key: mix(uint64(kind) + 101), from: uint64(endOf(passed, sum, byMessage))}
			if s.journey.steps[i].name == complaint {
				made.unheard = w.hearsNothing
			}
			passed += w.shareOfEnds(&s.journey.steps[i])
			made.to = uint64(endOf(passed, sum, byMessage))
			for at := i; at >= 0; at = s.journey.steps[at].parent {
				made.chain = append(made.chain, at)
			}
			slices.Reverse(made.chain)
			found = append(found, made)
		}
	}
	ends := map[changeKind][]int{}
	for i := range s.journey.steps {
		if kind, is := s.journey.endOf(i); is && (kind != changeReachable || slices.ContainsFunc(s.senders, s.sendsAlways)) {
			ends[kind] = append(ends[kind], i)
		}
	}
	for kind := range changeKinds {
		add(kind, ends[kind])
	}
	return found
}

// complaint is the end of which some providers of mailboxes tell no sender.
const complaint = "email_spam_complaint"

// shareOfEnds is that of the ends of a step, against others, so that as many are heard of as its rate says.
func (w *World) shareOfEnds(s *step) float64 {
	if s.name == complaint {
		return s.share / max(1-w.silentShare(), 0.05)
	}
	return s.share
}

// sendsAlways reports whether a sender sends push messages all the time.
func (s *stream) sendsAlways(from sender) bool {
	return !from.burst && s.journey.steps[from.root].channel == channelPush
}

// endOf is the random number below which a part of the ends that come from a
// message lie.
func endOf(part, of, byMessage float64) chance {
	if !(of > 0) {
		return 0
	}
	return chanceOf(part / of * byMessage)
}

// endOf is what a step ends, if anything.
func (j *journey) endOf(i int) (changeKind, bool) {
	s := &j.steps[i]
	switch {
	case s.nature.consent && s.channel == channelEmail:
		return changeEmailConsent, true
	case s.nature.consent && s.channel == channelSMS:
		return changeSMSConsent, true
	case s.nature.fails && s.channel == channelEmail:
		return changeEmailPresent, true
	case s.nature.fails && s.channel == channelPush:
		return changeReachable, true
	}
	return 0, false
}

// steps is the set of the steps of its chain.
func (f *ending) steps() (steps stepSet) {
	for _, step := range f.chain {
		steps.add(step)
	}
	return steps
}

// delayClass is the delay class of the message before a change.
func (f *ending) delayClass(c change) int { return delayClassBy(f.keyOf(c)) }

func delayClassBy(key uint64) int { return int(mix(key+2) % delayClasses) }

func (f *ending) keyOf(c change) uint64 {
	return draw(f.key, uint64(c.entity)) ^ uint64(c.at)
}

// timeOf is when the step at a place of the chain happens before a withdrawal:
// the schedule of all messages, backwards.
func (f *ending) timeOf(s *stream, place int, c change) int64 {
	delayClass, key := f.delayClass(c), f.keyOf(c)
	slot := floorDivide(c.at, s.slot)
	offset := c.at - slot*s.slot
	for at := len(f.chain) - 1; at > place; at-- {
		step := f.chain[at]
		lag := &s.schedule.lags[step][delayClass]
		slot = lag.shuffled(slot-lag.slots, s.schedule.lagKey(step, delayClass))
		switch random := draw(key, uint64(s.journey.steps[step].place)+maxSteps); {
		case lag.slots > 0:
			offset = below(random, s.slot)
		case offset > 0:
			offset -= 1 + below(random, min(2*lag.seconds, offset))
		}
	}
	return slot*s.slot + offset
}

// visitOf calls visit for every step, in [from, to), of such messages to one
// profile, in the order of its entities.
func (f *ending) visitOf(v *messages, profile, from, to int64, visit func(Row)) {
	line, limit := v.world.timelineOf(f.kind), to+v.stream.reach()
	entity, count := profile, int64(1)
	if changeTypes[f.kind].installation {
		entity, count = v.world.installationsOf(profile)
	}
	for last := entity + count; entity < last; entity++ {
		for at := line.nextChange(entity, from-1, limit); at < limit; at = line.nextChange(entity, at, limit) {
			end := change{entity: entity, at: at, state: line.at(entity, at)}
			var row Row
			if !f.rowOf(v, end, &row) {
				continue
			}
			for place, step := range f.chain {
				if row.Time = f.timeOf(v.stream, place, end); row.Time >= from && row.Time < to {
					row.Event = int32(step)
					visit(row)
				}
			}
		}
	}
}

// mayEnd are those of some members of a block for whom visitOf may find a message.
func (f *ending) mayEnd(v *messages, homes *households, block int64, members memberSet, from, to int64) (may memberSet) {
	line, limit := v.world.timelineOf(f.kind), to+v.stream.reach()
	if !changeTypes[f.kind].installation {
		return members & line.mayChange(block, from, limit)
	}
	picked := homes.words(func(block int64, _ memberSet) memberSet { return line.mayChange(block, from, limit) })
	return members & homes.ownersOf(&picked)
}

// list calls visit for the wanted steps of such messages to the installations of some
// members of a block of recipients, by place, in the order of each.
func (f *ending) list(v *recipients, homes *households, members *placed, visit func(bit, nth int, row *Row)) {
	if v.wantedSteps&f.steps() == 0 || !changeTypes[f.kind].installation {
		return // none is about an installation
	}
	var row Row
	line, limit := v.world.timelineOf(f.kind), v.span.to+v.stream.reach()
	for pass := line.passOf(v.span.from); line.passStart(pass) < limit; pass++ {
		picked := homes.words(func(block int64, _ memberSet) memberSet { return line.picked(pass, block) })
		homes.each(&picked, func(installation int64, member int) {
			nth := int(installation-homes.first) - int(homes.owned[member].before)
			if !members[nth].has(member) {
				return
			}
			at, ends := line.endIn(pass, installation)
			if !ends || at < v.span.from || at >= limit {
				return
			}
			end := change{entity: installation, at: at}
			if !f.rowOf(v.messages, end, &row) {
				return
			}
			for place, step := range f.chain {
				if row.Time = f.timeOf(v.stream, place, end); v.span.holds(row.Time) && v.wantedSteps.has(step) {
					row.Event = int32(step)
					visit(member, nth, &row)
				}
			}
		})
	}
}

// ends reports whether a change, if it is an end, comes from such a message.
func (f *ending) ends(c change) bool {
	return f.endsBy(f.keyOf(c)) && (f.unheard == nil || !f.unheard(c.entity, c.at))
}

func (f *ending) endsBy(key uint64) bool {
	random := mix(key)
	return random >= f.from && random < f.to
}

// rowOf makes a row that of the message of an end, when there is one. In the second of the end no
// other step happens.
func (f *ending) rowOf(v *messages, c change, row *Row) bool {
	if c.state || !f.ends(c) {
		return false
	}
	key, by := f.keyOf(c), v.stream.journey.steps[f.chain[0]].channel
	number, sends := v.world.enderOf(mix(key+1), by)
	if !sends || !slices.ContainsFunc(v.stream.senders, func(s sender) bool { return s.number == number }) {
		return false
	}
	w, sent := v.world, f.timeOf(v.stream, 0, c)
	if sent < worldStart || f.timeOf(v.stream, max(len(f.chain)-2, 0), c) >= c.at {
		return false
	}
	*row = Row{Profile: c.entity, Installation: -1, Message: key, changed: allChanged, traits: traits{ties: ties{linkedID: v.about.linked}, how: manner{final: true}}}
	s := &v.stream.journey.steps[f.chain[0]]
	if changeTypes[f.kind].installation {
		row.Profile, row.Installation = w.ownerOf(c.entity), c.entity
	} else if v.about.linked {
		return false
	}
	if !w.createdBefore(row.Profile, sent) || row.Installation >= 0 && !w.isInstalledBy(row.Installation, row.Profile, sent) {
		return false
	}
	for _, needed := range channelNeeds[s.channel] {
		until := c.at
		if needed == f.kind {
			until-- // it becomes false then
			row.changed = min(row.changed, needed)
		}
		if !w.timelineOf(needed).holdsThroughout(true, c.entity, sent, until) {
			return false
		}
	}
	if s.channel != channelPush && f.final(v.stream.journey).nature.consent {
		row.changed = allChanged // the row tells of the withdrawal
	}
	row.Orchestration = number
	row.Message = w.variantOf(key, number, floorDivide(sent, week), row.Profile)
	return true
}

// final is the step that ends it.
func (f *ending) final(j *journey) *step { return &j.steps[f.chain[len(f.chain)-1]] }

// enderOf is the orchestration of the last message of a channel, as a random
// number chooses.
func (w *World) enderOf(random uint64, by channel) (number int32, sends bool) {
	at := below(random, int64(len(w.orchestrations.all)))
	for range w.orchestrations.all {
		// A dead token is not found out in a burst: there is one a week, and a token
		// may end at any time.
		if o := w.orchestrations.all[at]; o.shown && o.channel == by && !(o.burst && by == channelPush) {
			return int32(at), true
		}
		at = (at + 1) % int64(len(w.orchestrations.all))
	}
	return 0, false // no orchestration sends such messages
}
