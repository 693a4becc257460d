package world

// weeklyReach answers, for some members of a block, which of them the messages of
// a week may reach. It caches what it found out.
type weeklyReach struct {
	view       *messages
	block      int64
	members    memberSet
	households *households // of the block, if the installations are to be looked at

	week              int64
	computed          [len(channelNeeds)]bool // of the week
	certain, possible [len(channelNeeds)]memberSet
	known             uint16 // one bit per changeKind
	usual             [changeKinds]memberSet
	onUsual           [2]installationWords // of push messages, on the installations
	push              installationReach    // what was found out last
}

// installationReach are the installations that push messages certainly and possibly
// reach in a span of time.
type installationReach struct{ certain, possible installationWords }

// in returns which of some members a message of a week certainly reaches, all the
// time until its last step, and which it possibly reaches.
func (r *weeklyReach) in(inWeek int64, by channel, members memberSet) (certain, possible memberSet) {
	if r.week != inWeek {
		r.week, r.computed = inWeek, [len(channelNeeds)]bool{}
	}
	if !r.computed[by] {
		r.computed[by] = true
		r.certain[by], r.possible[by] = r.between(by, inWeek*week, (inWeek+1)*week+r.view.stream.reachOf(r.view.stream.journey.stepsOf(by)))
	}
	return r.certain[by] & members, r.possible[by] & members
}

// between returns the members of a block that a channel certainly reaches all the
// time from one instant until another, and those that it possibly reaches: for
// these, every message is looked at.
func (r *weeklyReach) between(by channel, from, until int64) (certain, possible memberSet) {
	if by == channelPush {
		if r.households != nil {
			return r.onInstallations(from, until)
		}
		return 0, r.members &^ r.view.world.ownership.withoutInstallation(r.block, r.members) // it goes to one of their installations
	}
	certain, possible = r.members, 0
	for _, kind := range channelNeeds[by] {
		line := r.view.world.timelines[kind]
		if r.known>>kind&1 == 0 {
			r.known |= 1 << kind
			r.usual[kind] = line.usual(r.block, r.members)
		}
		usual, picked := r.usual[kind], line.mayChange(r.block, from, until)
		possible = (certain | possible) & (usual | picked)
		certain &= usual &^ picked
		possible &^= certain
	}
	return certain, possible
}

// onInstallations is between of push messages, which go to one of the installations of a
// member: it certainly reaches a member whom it reaches on each of them.
func (r *weeklyReach) onInstallations(from, until int64) (certain, possible memberSet) {
	found := &r.push
	for nth, kind := range channelNeeds[channelPush] {
		line := r.view.world.timelines[kind]
		if r.known>>kind&1 == 0 {
			r.known |= 1 << kind
			r.onUsual[nth] = r.households.words(line.usual)
		}
		picked := r.households.words(func(block int64, _ memberSet) memberSet { return line.mayChange(block, from, until) })
		for i, usual := range r.onUsual[nth] {
			if steady, usable := usual&^picked[i], usual|picked[i]; nth == 0 {
				found.certain[i], found.possible[i] = steady, usable
			} else {
				found.certain[i], found.possible[i] = found.certain[i]&steady, found.possible[i]&usable
			}
		}
	}
	for rest := r.members; rest != 0; {
		bit := rest.pop()
		switch all := memberSet(1)<<r.households.owned[bit].count - 1; {
		case r.households.in(&found.possible, bit) == 0:
		case r.households.in(&found.certain, bit) == all:
			certain.add(bit)
		default:
			possible.add(bit)
		}
	}
	return certain, possible
}
