package world

// listedReach is whom of a block messages reach, by place of the installation in their home.
type listedReach struct {
	owners placed // who has one there
	none   placed // nobody

	// Of push messages: by fact that they need, who usually is in the state, and who may
	// change in a pass, from the first that matters on.
	usual             [2]placed
	picked            [2][]placed
	first             [2]int64
	steady            [2]placed // who is in the state all through the time that is looked at
	certain, possible placed    // of that time
	may               placed    // whom they possibly reach in the span
}

// begin makes it that of some members of a block, who have installations.
func (r *listedReach) begin(v *recipients, homes *households, members memberSet) {
	r.owners = placed{members, homes.several & members}
	for rest := r.owners[1]; rest != 0; {
		if bit := rest.pop(); homes.owned[bit].count == mostOwned {
			r.owners[2].add(bit)
		}
	}
	if v.about.sessions {
		return
	}
	for i, kind := range channelNeeds[channelPush] {
		line := v.world.timelineOf(kind)
		words := homes.words(line.usual.kept)
		r.usual[i], r.picked[i], r.first[i] = homes.placed(&words), r.picked[i][:0], line.passOf(v.span.from-v.listed.furthest)
		for pass := r.first[i]; line.passStart(pass) < v.span.to; pass++ {
			words := homes.words(func(block int64, _ memberSet) memberSet { return line.picked(pass, block) })
			r.picked[i] = append(r.picked[i], homes.placed(&words))
		}
	}
	r.between(v.world, v.span.from-v.listed.furthest, v.span.to-1)
	r.may = r.possible
}

// between makes known whom push messages reach from one instant until another.
func (r *listedReach) between(w *World, from, until int64) {
	var moving [2]placed
	for i, kind := range channelNeeds[channelPush] {
		line := w.timelineOf(kind)
		for pass := line.passOf(from); line.passStart(pass) <= until; pass++ {
			for nth, members := range r.picked[i][pass-r.first[i]] {
				moving[i][nth] |= members
			}
		}
	}
	for nth, owners := range r.owners {
		hasToken, optedIn, tokens, choices := r.usual[0][nth], r.usual[1][nth], moving[0][nth], moving[1][nth]
		r.steady[0][nth], r.steady[1][nth] = hasToken&^tokens, optedIn&^choices
		r.certain[nth] = owners & r.steady[0][nth] & r.steady[1][nth]
		r.possible[nth] = owners & (hasToken | tokens) & (optedIn | choices)
	}
}

// optedIn are those who may take push messages at some time in the span.
func (r *listedReach) optedIn() *placed {
	var made placed
	for nth, owners := range r.owners {
		made[nth] = r.usual[1][nth]
		for _, picked := range r.picked[1] {
			made[nth] |= picked[nth]
		}
		made[nth] &= owners
	}
	return &made
}

// of are the members whom messages of a channel certainly and possibly reach in the time
// that is looked at. Those of addresses are asked for each message.
func (r *listedReach) of(by channel) (certain, possible *placed) {
	switch by {
	case channelPush:
		return &r.certain, &r.possible
	case channelNone:
		return &r.owners, &r.owners
	}
	return &r.none, &r.owners
}

// ever are those whom messages of a channel may reach in the span.
func (r *listedReach) ever(by channel) *placed {
	if by == channelPush {
		return &r.may
	}
	return &r.owners
}

// holds reports whether a message reaches a member, given as a bit, on the nth of their
// installations, from when it is sent until an instant.
func (r *listedReach) holds(w *World, by channel, installation, profile int64, nth int, sent, until int64) bool {
	bit := int(uint64(profile) % blockSize)
	for i, kind := range channelNeeds[by] {
		switch line := w.timelineOf(kind); {
		case by != channelPush:
			if !line.holdsThroughout(true, profile, sent, until) {
				return false
			}
		case !r.steady[i][nth].has(bit) && !line.holdsFrom(r.usual[i][nth].has(bit), true, installation, sent, until):
			return false
		}
	}
	return true
}

// placed are the members that have some of their installations in words, by their place.
func (h *households) placed(words *installationWords) (found placed) {
	h.each(words, func(installation int64, member int) {
		found[installation-h.first-int64(h.owned[member].before)].add(member)
	})
	return found
}

// listedLinks are the changes of the links between the members of a block and their
// installations in the span, if rows show them.
type listedLinks struct {
	moving   memberSet    // who may have one
	changing memberSet    // who has
	changes  []linkChange // up to the end of the span, of each link in order
}

// linkChange is the change of the link to the nth installation of a member.
type linkChange struct {
	member uint8
	nth    uint8
	linked bool
	at     int64
}

// begin makes it that of some members.
func (c *listedLinks) begin(v *recipients, homes *households, members memberSet) {
	c.moving, c.changing, c.changes = 0, 0, c.changes[:0]
	if !v.listed.links {
		return
	}
	line, from, to := v.world.timelineOf(changeLinked), v.span.from, v.span.to
	for pass := line.passOf(from); line.passStart(pass) < to; pass++ {
		picked := homes.words(func(block int64, _ memberSet) memberSet { return line.picked(pass, block) })
		homes.each(&picked, func(installation int64, member int) {
			if !members.has(member) {
				return
			}
			c.moving.add(member)
			rank, moves := line.rankOf(pass, installation)
			if !moves {
				return
			}
			leaves, returns := line.leaves(pass, rank), line.returns(pass, rank)
			for i, at := range [2]int64{leaves, returns} {
				if at >= from && at < to {
					c.changing.add(member)
				}
				if at < to {
					c.changes = append(c.changes, linkChange{uint8(member), uint8(installation - homes.first - int64(homes.owned[member].before)), i == 1, at})
				}
			}
		})
	}
}

// between is the place of the row of the nth installation of a member between two instants:
// as linked to the profile or behind the linked ones. It is the same all the time, or not.
func (c *listedLinks) between(bit, nth int, low, high int64) (place int, same bool) {
	if !c.changing.has(bit) {
		return nth, true
	}
	linked, known := true, false
	for i := range c.changes {
		switch of := &c.changes[i]; {
		case int(of.member) != bit || int(of.nth) != nth:
		case of.at <= low:
			linked, known = of.linked, true
		case of.at <= high:
			return 0, false
		case !known: // the first one tells what there was before
			linked, known = !of.linked, true
		}
	}
	if !linked {
		nth += mostOwned
	}
	return nth, true
}

// at is that place at an instant.
func (c *listedLinks) at(bit, nth int, instant int64) int {
	place, _ := c.between(bit, nth, instant, instant)
	return place
}
