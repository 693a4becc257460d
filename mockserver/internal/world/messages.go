package world

import "slices"

// messages lists what happened to messages, in order of time.
type messages struct {
	world     *World
	span      span
	stream    *stream
	names     []string
	wanted    uint64
	units     slotList
	audience  audience
	farewells []farewell
}

// audience says who the members of a stream are: all profiles, or the
// installations that the stream's name chooses.
type audience struct {
	installations bool
	key           uint64
	share         chance
}

// of are the members among the installations of a block.
func (a *audience) of(block int64) uint64 {
	return a.share.among(draw(a.key, uint64(block)), ^uint64(0))
}

func (w *World) messagesView(q Query, s span) (View, error) {
	made, err := newJourney(q.Journey, w.settings.Rates)
	if err != nil {
		return nil, err
	}
	view := &messages{world: w, span: s}
	for i, step := range made.steps {
		view.names = append(view.names, step.name)
		if q.Events == nil || slices.Contains(q.Events, step.name) {
			view.wanted |= 1 << i
		}
	}
	key := keyOf(w.seed, "stream "+q.Stream)
	if q.View == ViewProfileMessages {
		view.ofProfiles(key, made)
	} else {
		view.ofInstallations(key, made)
	}
	if q.View == ViewInstallationRecipients {
		return &recipients{messages: view, links: q.Links}, nil
	}
	view.units = view.stream.units(s, len(view.farewells) > 0)
	if q.View == ViewProfileMessages {
		return w.inSegment(view, q.Segment, s, 2*float64(view.stream.rounds), view.appendOf), nil
	}
	return view, nil
}

// ofProfiles makes the stream of messages to all profiles. In a week those are
// written to who were there when it began.
func (v *messages) ofProfiles(key uint64, j *journey) {
	w := v.world
	rounds := int64(orDefault(w.settings.WeeklyMessages, defaultWeeklyMessages))
	campaigns := orDefault(w.settings.Campaigns, defaultCampaigns)
	v.stream = newStream(key, rounds, rounds*w.profiles, j, orchestrationsOf(j, campaigns))
	v.stream.size = func(inWeek int64) (members, quarters int64) { return w.ProfilesAt(inWeek * week), 4 }
	v.stream.levels = func(b *batch, _ uint64) uint64 {
		b.masks = levelMasks(w.activityWords(b.member >> blockBits))
		return ^uint64(0)
	}
	if rounds > 0 {
		v.farewells = w.farewellsOf(j)
	}
}

// ofInstallations makes the stream of messages of a campaign or group to its
// audience. A campaign that is sent in bursts reaches all of its audience every
// few weeks, and a part of it in the others.
func (v *messages) ofInstallations(key uint64, j *journey) {
	w := v.world
	installations := w.Installations()
	share := float64(20+below(draw(key, 0), 61)) / 100
	if w.settings.AudienceShare != nil {
		share = *w.settings.AudienceShare
	}
	v.audience = audience{installations: true, key: draw(key, 1), share: chanceOf(share)}
	v.stream = newStream(key, 1, int64(share*float64(installations)), j, orchestrationsOf(j, len(j.roots)))
	v.stream.size = func(inWeek int64) (members, quarters int64) {
		members = w.households.before(w.ProfilesAt(inWeek * week))
		if v.stream.bursts == 0 || v.stream.bursts < len(v.stream.orchestrations) {
			return members, 4
		}
		return members, [4]int64{4, 1, 2, 1}[uint64(inWeek)%4^draw(key, 2)%4]
	}
	v.stream.chosen = v.audience.of
	v.stream.levels = func(b *batch, who uint64) uint64 {
		if b.masked == 0 {
			b.masks = [levels]uint64{}
		}
		for rest := who; rest != 0; {
			bit := next(&rest)
			b.masks[w.activityOf(w.ownerOf(b.member+int64(bit)))] |= 1 << bit
		}
		return who
	}
}

func (v *messages) Events() []string { return v.names }
func (v *messages) Units() int64     { return v.units.count }

func (v *messages) Append(rows []Row, unit int64) []Row {
	slot := v.units.slotOf(unit)
	from, to := max(slot*v.stream.slot, v.span.from), min((slot+1)*v.stream.slot, v.span.to)
	if from >= to {
		return rows
	}
	begin := len(rows)
	for i := range v.names {
		if v.wanted>>i&1 == 0 || v.stream.journey.steps[i].consent {
			continue
		}
		v.stream.visitSlot(i, slot, func(part slotPart) {
			rows = v.appendPart(rows, &part, i, slot)
		})
	}
	for i := range v.farewells {
		rows = v.farewells[i].append(rows, v, from, to)
	}
	sortRows(rows[begin:])
	return rows
}

// appendPart adds what a step of some messages of a slot looks like, where it
// happens in a slot.
func (v *messages) appendPart(rows []Row, part *slotPart, i int, slot int64) []Row {
	var m message
	sent, until := part.slot*v.stream.slot, (slot+1)*v.stream.slot-1
	sure, maybe := v.reach(v.stream.journey.steps[i].channel, part.batch.member>>blockBits, sent, until, part.who)
	for who := part.batch.happening(i, sure|maybe); who != 0; {
		bit := next(&who)
		part.batch.message(&m, part.lane, bit)
		m.slot, m.sure = part.slot, sure>>bit&1 == 1
		v.stream.place(&m, part.first, part.last)
		at := slot*v.stream.slot + v.stream.offsetOf(&m, i, part.tempo)
		if !v.span.holds(at) {
			continue
		}
		if row, reached := v.reached(&m, i, at); reached {
			rows = append(rows, row)
		}
	}
	return rows
}

// reached is the row of a step that happens to a message at a time, if the
// message can reach anyone.
func (v *messages) reached(m *message, step int, at int64) (Row, bool) {
	row := Row{
		Installation: -1, Time: at, Message: m.key, Event: int32(step),
		Orchestration: m.orchestration, after: changeKinds,
	}
	sent := m.slot*v.stream.slot + m.offset
	reached := v.address(&row, m, v.stream.journey.steps[step].channel, sent)
	return row, reached
}

// address finds who a message goes to, and says whether it can reach them: a
// message needs an address and consent when it is sent, and nothing happens to
// it any more once one of them is gone.
func (v *messages) address(row *Row, m *message, by channel, sent int64) bool {
	w := v.world
	if v.audience.installations {
		row.Installation = m.member
		row.Profile, row.linkedID = w.ownerOf(row.Installation), true
	} else {
		row.Profile = m.member
		if by == channelPush {
			first, count := w.installationsOf(row.Profile)
			if count == 0 {
				return false
			}
			row.Installation = first + below(draw(m.key, 3*maxSteps), count)
		}
	}
	if row.Installation >= 0 && !w.isInstalledBy(row.Installation, row.Profile, sent) {
		return false
	}
	if m.sure {
		return true
	}
	thing := row.Profile
	if by == channelPush {
		thing = row.Installation
	}
	needs := channelNeeds[by]
	for _, kind := range needs {
		if !w.timelineOf(kind).holds(true, thing, sent, row.Time) {
			return false
		}
	}
	return true
}

var channelNeeds = [...][]changeKind{
	channelEmail: {changeEmailPresent, changeEmailConsent},
	channelSMS:   {changePhonePresent, changeSMSConsent},
	channelPush:  {changeReachable, changeOptIn},
}
