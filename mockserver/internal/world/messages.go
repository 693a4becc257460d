package world

import (
	"slices"
)

// messages lists what happened to messages, in order of time.
type messages struct {
	world     *World
	span      span
	stream    *stream
	names     []string
	wanted    uint64
	first     int64
	count     int64
	audience  audience
	farewells []farewell
}

// audience says who the recipients of a stream are: profiles, or the
// installations of an audience that the stream's name chooses.
type audience struct {
	profiles      int64       // recipients modulo this are profiles
	members       permutation // rank to installation
	installations bool
}

// messagesPerProfile is how many times a week a profile is thought of; address
// and consent decide whether anything is sent.
const messagesPerProfile = 3

func (w *World) messagesView(q Query, s span) (View, error) {
	made, err := newJourney(q.Journey)
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
		view.audience = audience{profiles: w.profiles}
		view.stream = newStream(key, w.profiles*messagesPerProfile, made)
		view.farewells = w.farewellsOf(made)
	} else {
		installations := w.Installations()
		size := shareOf(key, installations, 20, 80)
		view.audience = audience{installations: true, members: newPermutation(draw(key, 1), installations)}
		view.stream = newStream(key, size, made)
	}
	if q.View == ViewInstallationRecipients {
		return &recipients{messages: view, links: q.Links}, nil
	}
	view.first, view.count = s.slots(view.stream.slot)
	return view, nil
}

func (v *messages) Events() []string { return v.names }
func (v *messages) Units() int64     { return v.count }

func (v *messages) Append(rows []Row, unit int64) []Row {
	slot := v.first + unit
	begin := len(rows)
	v.stream.visitSlot(slot, v.wanted, func(m *message, step int) {
		if row, happened := v.reached(m, step); happened && v.span.holds(row.Time) {
			rows = append(rows, row)
		}
	})
	from, to := max(slot*v.stream.slot, v.span.from), min((slot+1)*v.stream.slot, v.span.to)
	for i := range v.farewells {
		rows = v.farewells[i].append(rows, v, from, to)
	}
	sortRows(rows[begin:])
	return rows
}

// rowOf is what a step of a message looks like, and whether it happens.
func (v *messages) rowOf(m *message, step int) (Row, bool) {
	root := v.stream.campaigns[m.campaign]
	if v.stream.journey.steps[step].root != root || !v.stream.journey.happens(m.key, root, step) {
		return Row{}, false
	}
	return v.reached(m, step)
}

// reached is rowOf for a step that happens, if the message can reach anyone.
func (v *messages) reached(m *message, step int) (Row, bool) {
	root := v.stream.campaigns[m.campaign]
	row := Row{
		Installation: -1, Time: v.stream.timeOf(m, step), Message: m.key, Event: int32(step),
		Orchestration: m.campaign, after: changeKinds,
	}
	sent := m.slot*v.stream.slot + m.offset
	reached := v.address(&row, m, v.stream.journey.steps[root].channel, sent)
	return row, reached
}

// address finds who a message goes to, and says whether it can reach them: a
// message needs an address and consent when it is sent, and nothing happens to
// it any more once one of them is gone.
func (v *messages) address(row *Row, m *message, by channel, sent int64) bool {
	w := v.world
	if v.audience.installations {
		row.Installation = v.audience.members.at(m.recipient())
		row.Profile, row.linkedID = w.ownerOf(row.Installation), true
	} else {
		row.Profile = m.recipient() % v.audience.profiles
		if by == channelPush {
			first, count := w.installationsOf(row.Profile)
			if count == 0 {
				return false
			}
			row.Installation = first + below(draw(m.key, 3*maxSteps), count)
		}
	}
	if row.Installation >= 0 && !w.isInstalled(row.Installation, sent) {
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
