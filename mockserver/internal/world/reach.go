package world

// reach returns the members of a block that a channel certainly reaches all the
// time from one instant until another, and those that it possibly reaches: for
// these, every message is looked at.
func (v *messages) reach(by channel, block, from, until int64, members memberSet) (certain, possible memberSet) {
	made := weeklyReach{view: v, block: block, members: members}
	return made.between(by, from, until)
}

// weeklyReach answers, for some members of a block, which of them the messages of
// a week may reach. It caches what it found out.
type weeklyReach struct {
	view    *messages
	block   int64
	members memberSet

	week              int64
	computed          [len(channelNeeds)]bool // of the week
	certain, possible [len(channelNeeds)]memberSet
	known             uint16 // one bit per changeKind
	usual             [changeKinds]memberSet
}

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

func (r *weeklyReach) between(by channel, from, until int64) (certain, possible memberSet) {
	if by == channelPush {
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
