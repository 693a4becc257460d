package world

// begin notes what is known of some members without a search: when their installations were
// made, and when people started the app on them without being asked to.
func (s *startSearch) begin(members memberSet, of *seasons) {
	for rest := members & of.always; rest != 0; {
		s.beginWith(rest.pop(), unasked{steady: true})
	}
	inWeek := floorDivide(s.found.now, week)
	turn, since := of.turnIn(inWeek)
	for back := range int64(seasonTurns) {
		gone := of.in(turn-1-back) & members &^ of.always
		left := s.of.leavingIn(inWeek - since - back*seasonWeeks)
		for left.zone = range s.zones {
			for rest := gone & s.zones[left.zone]; rest != 0; {
				s.beginWith(rest.pop(), left)
			}
		}
	}
}

// beginWith does so for one of them.
func (s *startSearch) beginWith(bit int, by unasked) {
	found := s.found
	owned, earliest := &found.home.owned[bit], uint32(stillToCome)
	for nth := int64(owned.before); nth < int64(owned.before+owned.count); nth++ {
		at, last := found.home.at(nth), &found.last[nth]
		if at > found.now {
			*last = stillToCome
			continue
		}
		installed, installation := at, found.home.first+nth
		if !by.steady {
			left := s.of.leftAt(&by, installation)
			if left > found.now { // later in this week
				before := s.of.leavingIn(by.week - seasonTurns*seasonWeeks)
				before.zone = by.zone
				left = s.of.leftAt(&before, installation)
			}
			at = max(at, left)
		}
		if by.steady || at-installed < firstStarts {
			at = max(at, s.of.world.ownStart(installation, levelIn(&found.words, int64(bit)), installed, found.now))
		}
		*last = uint32(max(at-found.never, 0))
		earliest = min(earliest, *last)
	}
	s.earliest[bit] = earliest
}

// unasked is how somebody starts the app of their own accord, beside [World.ownStart]: who is
// not steady does so once on each installation, in the week after their season.
type unasked struct {
	steady bool
	week   int64 // after the season
	key    uint64
	zone   int
}

// leavesAfter is how long after their season people start it at the earliest: what they were sent
// in it is opened by then, as a rule.
const leavesAfter = 2 * day

// leavingIn is that of those whose season ended before a week.
func (s *starts) leavingIn(inWeek int64) unasked {
	return unasked{week: inWeek, key: draw(s.world.keys.start, uint64(inWeek))}
}

// leftAt is when they do so on an installation.
func (s *starts) leftAt(by *unasked, installation int64) int64 {
	left := &s.leaving[by.zone]
	return by.week*week + left.app.secondAt(left.from+below(draw(by.key, uint64(installation)), left.app.total.by-left.from))
}

// leaving is when people of a time zone leave an app, by the weight of the week.
type leaving struct {
	app  *intensity
	from int64
}

func leavingBy(app *intensity) leaving {
	made := leaving{app, app.weightBefore(leavesAfter)}
	if made.from == app.total.by { // nobody uses the app that late in a week
		made.from = 0
	}
	return made
}
