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
	always            pushReach
	push              installationReach // what was found out last
}

// pickedInPass are the installations that may change in a pass.
type pickedInPass struct {
	pass  int64 // plus one
	words installationWords
}

// pushReach is what is known of push messages whatever the week: the members whom they usually reach on
// all of their installations, and on some, and who may change in the last passes that were looked at.
type pushReach struct {
	onAll, onSome memberSet
	picked        [2][2]pickedInPass
}

// installationReach are the installations that push messages certainly and possibly
// reach in a span of time, and the usual states of what they need.
type installationReach struct {
	homes             *pushHomes // nil: not known
	begin             int64      // the first installation of the first word
	certain, possible installationWords
	usual             [2]installationWords
	steady            [2]installationWords // whose usual state holds in all of the span
	there             installationWords    // which are known to be there
}

// look finds out what is known of an address, and reports whether it may be reached.
func (r *installationReach) look(to *address) (may bool) {
	word, at := uint64(to.installation-r.begin)/blockSize%uint64(len(r.certain)-1), setOf(to.installation)
	if r.possible[word]&at == 0 {
		return false
	}
	to.known, to.reachable = true, r.certain[word]&at != 0
	to.there = r.there[word]&at != 0
	to.usual = [2]bool{r.usual[0][word]&at != 0, r.usual[1][word]&at != 0}
	to.steady = [2]bool{r.steady[0][word]&at != 0, r.steady[1][word]&at != 0}
	return true
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
			r.usual[kind] = line.usual.kept(r.block, r.members)
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
	if r.known>>changeReachable&1 == 0 {
		r.known |= 1 << changeReachable
		found.begin = r.households.first &^ (blockSize - 1)
		var both installationWords
		for i, kind := range channelNeeds[channelPush] {
			found.usual[i] = r.households.words(r.view.world.timelines[kind].usual.kept)
		}
		for i := range both {
			both[i] = found.usual[0][i] & found.usual[1][i]
		}
		r.always.onAll, r.always.onSome = r.reachedOn(&both, &both, r.members)
	}
	tokens, choices := r.moving(0, from, until), r.moving(1, from, until)
	var picked installationWords
	for i := range picked {
		hasToken, optedIn := found.usual[0][i], found.usual[1][i]
		picked[i] = tokens[i] | choices[i]
		found.certain[i], found.possible[i] = hasToken&optedIn&^picked[i], (hasToken|tokens[i])&(optedIn|choices[i])
	}
	touched := r.households.ownersOf(&picked)
	certain, possible = r.reachedOn(&found.certain, &found.possible, touched&r.members)
	return certain | r.always.onAll&^touched, possible | r.always.onSome&^touched
}

// moving are the installations of which something that push messages need may change in a span of time.
func (r *weeklyReach) moving(nth int, from, until int64) (words installationWords) {
	line := r.view.world.timelines[channelNeeds[channelPush][nth]]
	for pass := line.passOf(from); line.passStart(pass) <= until; pass++ {
		kept := &r.always.picked[nth][uint64(pass)%uint64(len(r.always.picked[nth]))]
		if kept.pass != pass+1 {
			kept.pass = pass + 1
			kept.words = r.households.words(func(block int64, _ memberSet) memberSet { return line.picked(pass, block) })
		}
		for i, word := range kept.words {
			words[i] |= word
		}
	}
	return words
}

// reachedOn are those of some members who are reached on all of their installations if
// these are certain, and the others who are on some that are possible.
func (r *weeklyReach) reachedOn(certain, possible *installationWords, members memberSet) (onAll, onSome memberSet) {
	for rest := members; rest != 0; {
		bit := rest.pop()
		if r.households.in(possible, bit) == 0 {
			continue
		}
		if all := memberSet(1)<<r.households.owned[bit].count - 1; r.households.in(certain, bit) == all {
			onAll.add(bit)
		} else {
			onSome.add(bit)
		}
	}
	return onAll, onSome
}
