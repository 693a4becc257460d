package world

// look lists what the messages of a wave to some members say.
func (l *listing) look(wave int, members memberSet) {
	v, j, b := l.view, l.view.stream.journey, &l.at.batch
	root := b.plan.waves[wave].root
	l.visits = append(l.visits, listedVisit{b.plan, wave, b.first, b.xorMask})
	l.at.picked, l.at.picks = ^l.homes.several, placed{^l.homes.several}
	certain, possible := l.reach.of(j.steps[root].channel)
	members &= possible.any()
	for rest := v.wantedSteps & j.rooted[root]; rest != 0; {
		step := rest.pop()
		at := &l.events[j.steps[step].variant.event]
		happens := b.happening(step, at.wanted&members)
		if happens == 0 {
			continue
		}
		l.pick(wave, happens)
		source, inSpan := listedSource{int32(len(l.visits) - 1), int32(step)}, l.isInSpan(wave, step)
		for nth := range l.at.picks {
			listed := at.on[nth]
			if v.about.sessions && nth > 0 {
				listed &= l.presence.there[nth] | at.on[0] // before it is there, the first one is used
			}
			one := happens & l.at.picks[nth] & possible[nth] &^ (listed | l.presence.gone[nth] | l.links.changing)
			if inSpan && one != 0 {
				sure := l.isThere(nth, one&certain[nth])
				l.list(at, nth, sure, source)
				one &^= sure | l.presence.gone[nth]
			}
			for one != 0 {
				l.lookClosely(wave, one.pop(), nth, source)
			}
			for rest := happens & l.at.picks[nth] & l.links.changing & possible[nth] &^ l.presence.gone[nth]; rest != 0; {
				l.lookAtChanging(wave, rest.pop(), nth, inSpan, certain, source)
			}
		}
	}
}

// pick makes known to which of their installations the messages of the visit to some
// members go.
func (l *listing) pick(wave int, members memberSet) {
	v, b, m, picked := l.view, &l.at.batch, &l.at.message, placed{}
	members &^= l.at.picked
	for rest := members; rest != 0; {
		bit := rest.pop()
		of := l.waveTo(b.plan, wave, bit)
		b.message(m, of, bit)
		if v.stream.recipients.variant != nil {
			m.orchestration = of.senderOf(m.number)
			m.key = v.stream.recipients.variant(m)
		}
		picked[pickOf(m, int64(l.homes.owned[bit].count))%mostOwned].add(bit)
	}
	l.at.picked |= members
	for nth := mostOwned - 1; nth >= 0; nth-- {
		if v.about.sessions && nth > 0 && picked[nth] != 0 {
			l.isThere(nth, picked[nth])
			picked[0] |= picked[nth] & l.presence.gone[nth] // the first one is in place of one that is still to come
			picked[nth] &^= l.presence.gone[nth]
		}
		l.at.picks[nth] |= picked[nth]
	}
}

// lookAtChanging lists a step of the message to the nth installation of a member whose
// link changes.
func (l *listing) lookAtChanging(wave, bit, nth int, inSpan bool, certain *placed, source listedSource) {
	s, one := l.view.stream, memberSet(1)<<bit
	at := &l.events[s.journey.steps[source.step].variant.event]
	low, high := l.stepsBetween(wave, int(source.step))
	if place, same := l.links.between(bit, nth, low, high); same {
		sure := inSpan && certain[nth]&one != 0 && l.isThere(nth, one) != 0
		if on := at.on[place]&one != 0 && (nth == 0 || !l.view.about.sessions); on || sure {
			l.list(at, place, one&^at.on[place], source)
			return
		}
	}
	l.lookClosely(wave, bit, nth, source)
}

// waveTo is the wave of those that differ by the time zone which a member is in.
func (l *listing) waveTo(plan *weekPlan, wave, bit int) *sendWave {
	if of := &plan.waves[wave]; !of.zoned || l.zones[of.zone].has(bit) {
		return of
	}
	wave -= plan.waves[wave].zone
	for zone := range l.zones {
		if l.zones[zone].has(bit) {
			wave += zone
		}
	}
	return &plan.waves[wave]
}

// isThere are those of some members whose nth installation is there all through the span.
func (l *listing) isThere(nth int, members memberSet) memberSet {
	if rest := members &^ l.presence.known[nth]; rest != 0 {
		there, gone := l.view.world.presence(&l.homes, l.block, nth, rest, l.view.span)
		l.presence.known[nth] |= rest
		l.presence.there[nth] |= there
		if l.presence.gone[nth] |= gone; gone != 0 {
			for i := range l.events {
				l.settle(&l.events[i])
			}
		}
	}
	return members & l.presence.there[nth]
}

// isInSpan reports whether a step of the messages of a visit happens in the span, whenever
// it does.
func (l *listing) isInSpan(wave, step int) bool {
	s, b, of := l.view.stream, &l.at.batch, &l.view.span
	if l.at.sent.whole {
		return true
	}
	for {
		if floorDivide(l.at.sent.low, s.slot)*s.slot >= of.from && s.latestIn(b, step, l.at.sent.high) < of.to {
			return true
		}
		if l.at.sent.exact {
			return false
		}
		l.narrow(wave)
	}
}

// narrow makes known when the messages of the batch are sent.
func (l *listing) narrow(wave int) {
	s, b := l.view.stream, &l.at.batch
	of := &b.plan.waves[wave]
	begin := b.plan.week*week + of.start
	l.at.sent.low, l.at.sent.high = begin+of.intensity.secondOf(max(b.first-of.first, 0), of.count), s.lastSent(b, of)
	l.at.sent.exact = true
}

// stepsBetween is when a step of the messages of the visit happens, from the time that they are sent.
func (l *listing) stepsBetween(wave, step int) (low, high int64) {
	if !l.at.sent.exact && !(l.at.sent.whole && l.at.batch.plan.waves[wave].zoned) {
		l.narrow(wave)
	}
	slot := l.view.stream.slot
	return floorDivide(l.at.sent.low, slot) * slot, l.view.stream.latestIn(&l.at.batch, step, l.at.sent.high)
}

// lookClosely lists a step of the message to a member, given as a bit, on the nth of their
// installations, after all that depends on when it happens.
func (l *listing) lookClosely(wave, bit, nth int, source listedSource) {
	v, m, step := l.view, &l.at.message, int(source.step)
	if !l.at.batch.messageAt(m, l.waveTo(l.at.batch.plan, wave, bit), bit) {
		return
	}
	at, sent := v.stream.timeOf(m, step), m.slot*v.stream.slot+m.offset
	if !v.span.holds(at) {
		return
	}
	first, profile := l.homes.first+int64(l.homes.owned[bit].before), m.member
	switch is := v.world.isThereBy(first+int64(nth), profile, nth == 0, sent); {
	case v.about.sessions && nth > 0 && !is:
		if nth = 0; !v.world.isThereBy(first, profile, true, sent) {
			return
		}
	case !is:
		return
	}
	by := &v.stream.journey.steps[step]
	if l.reach.holds(v.world, by.channel, first+int64(nth), profile, nth, sent, at) {
		l.listOne(&l.events[by.variant.event], bit, l.links.at(bit, nth, at), source)
	}
}
