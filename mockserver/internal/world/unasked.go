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
		left := unasked{week: inWeek - since - back*seasonWeeks}
		left.key = draw(s.of.world.keys.start, uint64(left.week))
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
		at, last := found.home.at[nth], &found.last[nth]
		if at > found.now {
			*last = stillToCome
			continue
		}
		if started := s.of.startOf(&by, found.home.first+nth, found.now); started <= found.now {
			at = max(at, started)
		}
		*last = uint32(max(at-found.never, 0))
		earliest = min(earliest, *last)
	}
	s.earliest[bit] = earliest
}

// unasked is how somebody starts the app of their own accord: steady people do so every
// few days, the others once on each installation, in the week after their season.
type unasked struct {
	steady bool
	week   int64 // after the season
	key    uint64
	zone   int
}

// startsEvery is how often steady people start an app of their own accord, and leavesAfter
// how long after their season the others do so at the earliest: what they were sent in it is
// opened by then, as a rule.
const (
	startsEvery = 4 * day
	leavesAfter = 2 * day
)

// startOf is the last such start of an installation; of a steady person, up to now.
func (s *starts) startOf(by *unasked, installation, now int64) int64 {
	if by.steady {
		return lastOccurrence(draw(s.world.keys.start, uint64(installation)), startsEvery, now)
	}
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
