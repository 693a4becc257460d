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
	members       permutation // rank to installation
	installations bool
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
	v.stream.size = func(inWeek int64) (members, count int64) {
		members = w.ProfilesAt(inWeek * week)
		return members, rounds * members
	}
	v.stream.level = func(m *message) int { return w.activityOf(m.member()) }
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
	size := w.shareOf(w.settings.AudienceShare, key, installations, 20, 80)
	v.audience = audience{installations: true, members: newPermutation(draw(key, 1), installations)}
	v.stream = newStream(key, 1, size, j, orchestrationsOf(j, len(j.roots)))
	v.stream.size = func(inWeek int64) (members, count int64) {
		if v.stream.bursts == 0 || v.stream.bursts < len(v.stream.orchestrations) {
			return size, size
		}
		part := [4]int64{4, 1, 2, 1}[uint64(inWeek)%4^draw(key, 2)%4]
		return size, (size*part + 3) / 4
	}
	v.stream.level = func(m *message) int { return w.activityOf(w.ownerOf(v.audience.members.at(m.member()))) }
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
	v.stream.visitSlot(slot, v.wanted, func(m *message, step int) {
		if row, happened := v.reached(m, step); happened && v.span.holds(row.Time) {
			rows = append(rows, row)
		}
	})
	for i := range v.farewells {
		rows = v.farewells[i].append(rows, v, from, to)
	}
	sortRows(rows[begin:])
	return rows
}

// rowOf is what a step of a message looks like, and whether it happens.
func (v *messages) rowOf(m *message, step int) (Row, bool) {
	if !v.stream.happens(m, step) {
		return Row{}, false
	}
	return v.reached(m, step)
}

// reached is rowOf for a step that happens, if the message can reach anyone.
func (v *messages) reached(m *message, step int) (Row, bool) {
	row := Row{
		Installation: -1, Time: v.stream.timeOf(m, step), Message: m.key, Event: int32(step),
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
		row.Installation = v.audience.members.at(m.member())
		row.Profile, row.linkedID = w.ownerOf(row.Installation), true
	} else {
		row.Profile = m.member()
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

// reachable are those of the wanted steps that may happen in [from, until] to
// messages for a thing: an installation, where the audience is made of them, or
// a profile.
func (v *messages) reachable(wanted uint64, thing, from, until int64) uint64 {
	var asked, possible [len(channelNeeds)]bool
	for i := range v.stream.journey.steps {
		by := v.stream.journey.steps[i].channel
		if wanted>>i&1 == 0 {
			continue
		}
		if !asked[by] {
			asked[by], possible[by] = true, v.everReached(by, thing, from, until)
		}
		if !possible[by] {
			wanted &^= 1 << i
		}
	}
	return wanted
}

func (v *messages) everReached(by channel, thing, from, until int64) bool {
	if by == channelPush && !v.audience.installations {
		_, count := v.world.installationsOf(thing)
		return count > 0
	}
	if by != channelPush && v.audience.installations {
		thing = v.world.ownerOf(thing)
	}
	for _, kind := range channelNeeds[by] {
		if !v.world.timelineOf(kind).ever(thing, from, until) {
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
