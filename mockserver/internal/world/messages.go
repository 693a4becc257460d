package world

import "slices"

// messages is the view of the events of messages, in order of time.
type messages struct {
	world        *World
	span         span
	stream       *stream
	names        []string
	wantedSteps  stepSet
	units        slotList
	audience     audience
	unsubscribes []unsubscribeMessage
}

// audience is who the members of a stream are: all profiles, or a share of the
// installations, drawn by the name of the stream.
type audience struct {
	installations bool
	key           uint64
	share         chance
}

// of returns the members of the audience among the installations of a block.
func (a *audience) of(block int64) memberSet {
	return a.share.sample(draw(a.key, uint64(block)), wholeBlock)
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
			view.wantedSteps.add(i)
		}
	}
	key := keyOf(w.seed, "stream "+q.Stream)
	if q.View == ViewProfileMessages {
		view.ofProfiles(key, made)
	} else {
		view.ofInstallations(key, made)
	}
	if q.View == ViewInstallationRecipients {
		return &recipients{messages: view, showsLinks: q.ShowsLinks}, nil
	}
	view.units = view.stream.units(s, len(view.unsubscribes) > 0)
	if q.View == ViewProfileMessages {
		return w.inSegment(view, q.Segment, s, 2*float64(view.stream.messagesPerMember), view.appendOf), nil
	}
	return view, nil
}

// ofProfiles makes the stream of messages to all profiles. The messages of a week
// go to the profiles that existed when it began.
func (v *messages) ofProfiles(key uint64, j *journey) {
	w := v.world
	perMember := int64(orDefault(w.settings.WeeklyMessages, DefaultWeeklyMessages))
	campaigns := orDefault(w.settings.Campaigns, DefaultCampaigns)
	v.stream = newStream(key, perMember, perMember*w.profiles, j, orchestrationsOf(j, campaigns))
	v.stream.size = func(inWeek int64) (members, quarters int64) { return w.ProfilesAt(inWeek * week), 4 }
	v.stream.levels = func(b *batch, _ memberSet) memberSet {
		b.levelSets = levelSetsOf(w.activityWords(b.member >> blockBits))
		return wholeBlock
	}
	if perMember > 0 {
		v.unsubscribes = w.unsubscribeMessagesOf(j)
	}
}

// ofInstallations makes the stream of messages of a campaign or group to its
// audience. A campaign that is sent in bursts reaches all of its audience every
// few weeks, and a part of it in the others.
func (v *messages) ofInstallations(key uint64, j *journey) {
	w := v.world
	installations := w.Installations()
	share := float64(LeastAudience+below(draw(key, 0), MostAudience-LeastAudience+1)) / 100
	if w.settings.AudienceShare != nil {
		share = *w.settings.AudienceShare
	}
	v.audience = audience{installations: true, key: draw(key, 1), share: chanceOf(share)}
	v.stream = newStream(key, 1, int64(share*float64(installations)), j, orchestrationsOf(j, len(j.roots)))
	v.stream.size = func(inWeek int64) (members, quarters int64) {
		members = w.ownership.before(w.ProfilesAt(inWeek * week))
		if v.stream.bursts.count == 0 || v.stream.bursts.count < len(v.stream.orchestrations) {
			return members, 4
		}
		return members, [4]int64{4, 1, 2, 1}[uint64(inWeek)%4^draw(key, 2)%4]
	}
	v.stream.audience = v.audience.of
	v.stream.levels = func(b *batch, members memberSet) memberSet {
		if b.leveled == 0 {
			b.levelSets = [levels]memberSet{}
		}
		for rest := members; rest != 0; {
			bit := rest.pop()
			b.levelSets[w.activityOf(w.ownerOf(b.member+int64(bit)))].add(bit)
		}
		return members
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
		if !v.wantedSteps.has(i) || v.stream.journey.steps[i].consent {
			continue
		}
		v.stream.visitSlot(i, slot, func(part slotPart) {
			rows = v.appendPart(rows, &part, i, slot)
		})
	}
	for i := range v.unsubscribes {
		rows = v.unsubscribes[i].append(rows, v, from, to)
	}
	sortRows(rows[begin:])
	return rows
}

// appendPart adds the rows of a step that messages of a part reach in a slot.
func (v *messages) appendPart(rows []Row, part *slotPart, i int, slot int64) []Row {
	var m message
	sent, until := part.slot*v.stream.slot, (slot+1)*v.stream.slot-1
	certain, possible := v.reach(v.stream.journey.steps[i].channel, part.batch.member>>blockBits, sent, until, part.members)
	for members := part.batch.happening(i, certain|possible); members != 0; {
		bit := members.pop()
		part.batch.message(&m, part.wave, bit)
		m.slot, m.reachable = part.slot, certain.has(bit)
		v.stream.place(&m, part.first, part.last)
		at := slot*v.stream.slot + v.stream.offsetOf(&m, i, part.delayClass)
		if !v.span.holds(at) {
			continue
		}
		if row, reached := v.reached(&m, i, at); reached {
			rows = append(rows, row)
		}
	}
	return rows
}

// reached returns the row of a step that a message reaches at a time, if the
// message can reach its member.
func (v *messages) reached(m *message, step int, at int64) (Row, bool) {
	row := Row{
		Installation: -1, Time: at, Message: m.key, Event: int32(step),
		Orchestration: m.orchestration, after: changeKinds,
	}
	sent := m.slot*v.stream.slot + m.offset
	reached := v.address(&row, m, v.stream.journey.steps[step].channel, sent)
	return row, reached
}

// address fills in the profile and installation that a message goes to, and
// reports whether it can reach them: a message needs an address and consent
// from the time it is sent until the time of the row.
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
	if m.reachable {
		return true
	}
	entity := row.Profile
	if by == channelPush {
		entity = row.Installation
	}
	needs := channelNeeds[by]
	for _, kind := range needs {
		if !w.timelineOf(kind).holdsThroughout(true, entity, sent, row.Time) {
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
