package world

// reach says which members of a block can surely be reached by a channel all
// the time from one instant until another, and which others perhaps at times.
func (v *messages) reach(by channel, block, from, until int64, who uint64) (sure, maybe uint64) {
	made := weeklyReach{view: v, block: block, who: who}
	return made.between(by, from, until)
}

// weeklyReach tells of some members of a block who of them messages of a week
// may reach. It remembers what it found out.
type weeklyReach struct {
	view  *messages
	block int64
	who   uint64

	week        int64
	asked       [len(channelNeeds)]bool // of the week
	sure, maybe [len(channelNeeds)]uint64
	known       uint16 // one bit per changeKind
	usual       [changeKinds]uint64
}

// in is who of some members can surely be reached by a message of a week, all
// the time until its last step, and who perhaps.
func (r *weeklyReach) in(inWeek int64, by channel, who uint64) (sure, maybe uint64) {
	if r.week != inWeek {
		r.week, r.asked = inWeek, [len(channelNeeds)]bool{}
	}
	if !r.asked[by] {
		r.asked[by] = true
		r.sure[by], r.maybe[by] = r.between(by, inWeek*week, (inWeek+1)*week+r.view.stream.reach())
	}
	return r.sure[by] & who, r.maybe[by] & who
}

func (r *weeklyReach) between(by channel, from, until int64) (sure, maybe uint64) {
	if by != channelNone && by == channelPush != r.view.audience.installations {
		if by != channelPush {
			return 0, r.who // it goes to the owners
		}
		return 0, r.who &^ r.view.world.households.without(r.block, r.who) // it goes to one of their installations
	}
	sure, maybe = r.who, 0
	for _, kind := range channelNeeds[by] {
		line := r.view.world.timelines[kind]
		if r.known>>kind&1 == 0 {
			r.known |= 1 << kind
			r.usual[kind] = line.usual(r.block, r.who)
		}
		usual, picked := r.usual[kind], line.picked(r.block, from, until)
		maybe = (sure | maybe) & (usual | picked)
		sure &= usual &^ picked
		maybe &^= sure
	}
	return sure, maybe
}
