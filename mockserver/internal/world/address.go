package world

// address is whom a message goes to, and what is known of the way there.
type address struct {
	profile, installation int64   // installation -1: the message goes to none
	reachable             bool    // the channel reaches it, whenever
	there                 bool    // the installation is known to be there
	known                 bool    // usual is
	usual                 [2]bool // the states of what the channel needs
	steady                [2]bool // they hold as long as the row needs
}

// manyReached is from how many messages on it takes less time to look at the installations
// of a whole block than at one for each message.
const manyReached = 12

// reached makes an empty row that of a step that a message reaches at a time, and reports
// whether the message can reach its member.
func (v *messages) reached(row *Row, m *message, step int, at int64) bool {
	by := &v.stream.journey.steps[step]
	var to address
	if !v.findAddress(&to, m, by.channel) || !v.reaches(&to, m, by.channel, at) {
		return false
	}
	var is found
	is.become(v, &to, m, by, at)
	is.fill(row, v)
	return true
}

// findAddress finds where a message goes; false: it goes nowhere.
func (v *messages) findAddress(to *address, m *message, by channel) bool {
	w, sent := v.world, v.sentAt(m)
	to.profile, to.installation, to.reachable = m.member, -1, m.reachable
	to.there, to.known, to.steady = false, false, [2]bool{}
	switch {
	case v.about.sessions:
		first := false
		to.installation, first = w.usedBy(m, sent)
		return !first || m.member < m.settled || w.isThereBy(to.installation, m.member, true, sent)
	case by == channelPush || v.about.linked:
		first, count := w.homeOf(m)
		if count == 0 {
			return false
		}
		nth := pickOf(m, count)
		to.installation = first + nth
		if by == channelPush && m.push != nil && !m.push.look(to) {
			return false
		}
		return (to.there || nth == 0 && m.member < m.settled || w.isThereBy(to.installation, m.member, nth == 0, sent))
	}
	return true
}

// sentAt is when a message is sent.
func (v *messages) sentAt(m *message) int64 { return m.slot*v.stream.slot + m.offset }

// reaches reports whether a message can reach its address: it needs one, and consent, from the
// time it is sent until the time of the row.
func (v *messages) reaches(to *address, m *message, by channel, at int64) bool {
	if to.reachable {
		return true
	}
	entity := to.profile
	if by == channelPush {
		entity = to.installation
	}
	for nth, kind := range channelNeeds[by] {
		if to.steady[nth] {
			continue
		}
		line := v.world.timelineOf(kind)
		state := to.usual[nth]
		if !to.known {
			state = line.usually(entity)
		}
		if !line.holdsFrom(state, true, entity, v.sentAt(m), at) {
			return false
		}
	}
	return true
}

// usedBy is the installation on which a member uses the app at an instant: any of those
// they have, the first one in place of one that is still to come. Another one than the
// first is there at that instant.
func (w *World) usedBy(m *message, at int64) (installation int64, isFirst bool) {
	first, count := w.homeOf(m)
	if nth := pickOf(m, count); nth > 0 && w.isThereBy(first+nth, m.member, false, at) {
		return first + nth, false
	}
	return first, true
}

// homeOf is the first installation of the recipient of a message, and how many there are.
func (w *World) homeOf(m *message) (first, count int64) {
	switch {
	case m.push != nil && m.push.homes != nil:
		return w.ownership.at(m.member ^ int64(m.push.homes.shuffles>>(uint64(m.member)%blockSize/8*3)&7))
	case m.homes == nil:
		return w.installationsOf(m.member)
	}
	owned := m.homes.owned[uint64(m.member)%blockSize]
	return m.homes.first + int64(owned.before), int64(owned.count)
}

// pickOf is which of so many installations of its member a message goes to.
func pickOf(m *message, count int64) int64 {
	if count == 1 {
		return 0
	}
	return below(drawSalted(m.key, pickSalt), count)
}

// stateBits are the states of which it is known that they hold when a message of a channel
// reaches somebody.
var stateBits = [channels]uint16{
	channelEmail: 1<<changeEmailPresent | 1<<changeEmailConsent,
	channelSMS:   1<<changePhonePresent | 1<<changeSMSConsent,
	channelPush:  1<<changeReachable | 1<<changeOptIn,
}

var channelNeeds = [...][]changeKind{
	channelEmail: {changeEmailPresent, changeEmailConsent},
	channelSMS:   {changePhonePresent, changeSMSConsent},
	channelPush:  {changeReachable, changeOptIn},
}
