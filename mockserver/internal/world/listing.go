package world

import "github.com/rehearsal-sdk/rehearsal/mockserver/internal/places"

// listing is what is found out about a block of recipients: by event, of whom it is listed,
// for 64 members at once as far as it does not matter when it happened to them.
type listing struct {
	view     *recipients
	block    int64
	homes    households
	zones    [places.Zones]memberSet // of the members, if the stream tells them apart
	seasons  seasons                 // of the members, if messages are shown to who uses the app
	reach    listedReach
	links    listedLinks
	presence listedPresence
	events   []listedEvent // by event
	visits   []listedVisit
	ends     []Row // of endings
	at       listedMessages
}

// listedPresence are, by place in their home, the installations that are there all through the
// span, those that are not there before it ends, and those of which that is known.
type listedPresence struct{ there, gone, known placed }

// listedMessages are those that are looked at.
type listedMessages struct {
	batch   batch
	sent    sentBetween
	picks   placed    // by place, the members to whose installations there the messages of a visit go,
	picked  memberSet // as far as they are known
	message message
	again   batch // of a message that is placed for its row
}

// placed are sets of members, by the place of an installation in their home.
type placed [mostOwned]memberSet

// mostOwned is how many installations a profile has at most.
const mostOwned = 3

// any are those who are in one of them.
func (p *placed) any() memberSet { return p[0] | p[1] | p[2] }

// listedEvent is of whom an event is listed.
type listedEvent struct {
	by     channel
	wanted memberSet // for whom it is still looked for
	listed memberSet // who has a row
	// on and from are, by place, of which installations and from what: those that are not linked to the
	// profile are behind the others.
	on   [2 * mostOwned]memberSet
	from [blockSize][2 * mostOwned]listedSource
}

// listedSource is what a row is about: the step of a message of a visit or, if that is
// below zero, an ending.
type listedSource struct{ visit, step int32 }

// listedVisit is the messages of a wave to the block, in one batch.
type listedVisit struct {
	plan  *weekPlan
	wave  int
	first int64
	mask  uint64
}

// sentBetween is when the messages of a visit are sent: not before low, and before high.
// They are those of a whole week, all of
// whose steps happen in the span, of the wave or, if they are exact, of the batch.
type sentBetween struct {
	low, high    int64
	whole, exact bool
}

// begin makes it one of nothing yet.
func (l *listing) begin(v *recipients, block int64, members memberSet) {
	s := v.stream
	l.view, l.block, l.homes = v, block, v.world.ownership.householdsOf(block)
	l.presence = listedPresence{}
	l.visits, l.ends = l.visits[:0], l.ends[:0]
	l.at.message = message{homes: &l.homes}
	if l.at.batch.outcomes == nil {
		l.at.batch.outcomes, l.events = &outcomes{}, make([]listedEvent, len(v.names))
	}
	if s.recipients.using != nil || s.rhythm.local[0] != nil {
		l.zones = s.recipients.zones(block, 0)
	}
	members &= l.homes.some
	l.reach.begin(v, &l.homes, members)
	wanted := memberSet(0)
	for i := range l.events {
		at := &l.events[i]
		at.wanted, at.listed, at.on = 0, 0, [2 * mostOwned]memberSet{}
	}
	if s.recipients.using != nil {
		words := v.world.activityWords(block)
		l.seasons = v.world.seasonsOf(block, &words)
	}
	for of := v.wantedSteps; of != 0; {
		step := &s.journey.steps[of.pop()]
		at, may := &l.events[step.variant.event], l.reach.ever(step.channel)
		at.by, at.wanted = step.channel, may.any()
		wanted |= at.wanted
	}
	l.links.begin(v, &l.homes, wanted)
}

// find looks at the messages to some members, the latest week first, and at the endings.
func (l *listing) find() {
	v, s := l.view, l.view.stream
	if len(s.senders) > 0 && s.weekly > 0 {
		sent := v.span.from - v.listed.furthest
		for inWeek := floorDivide(v.span.to-1, week); inWeek >= floorDivide(max(sent, worldStart), week); inWeek-- {
			plan := s.planOf(inWeek)
			if l.block >= plan.blocks || l.wanted() == 0 {
				break // none of them exists yet
			}
			l.lookIn(plan, floorDivide(sent, s.slot)*s.slot-inWeek*week, (floorDivide(v.span.to-1, s.slot)+1)*s.slot-inWeek*week)
		}
	}
	for i := range v.endings {
		v.endings[i].list(v, &l.homes, l.reach.optedIn(), func(bit, nth int, row *Row) {
			at := row.Time
			if changeLinked >= row.changed {
				at--
			}
			row.Message = 0 // the row is about the recipient
			l.ends = append(l.ends, *row)
			l.listOne(&l.events[row.Event], bit, l.links.at(bit, nth, at), listedSource{visit: -int32(len(l.ends))})
		})
	}
}

// wanted are the members of whom something is still looked for.
func (l *listing) wanted() (members memberSet) {
	for i := range l.events {
		members |= l.events[i].wanted
	}
	return members
}

// lookIn looks at the messages of a week that are sent between two offsets in it.
func (l *listing) lookIn(plan *weekPlan, begin, end int64) {
	v, s, b := l.view, l.view.stream, &l.at.batch
	first := plan.week * week
	whole := first >= v.span.from && first+week+v.listed.furthest+s.slot < v.span.to
	if !v.about.sessions {
		l.reach.between(v.world, max(first, v.span.from-v.listed.furthest), min(first+week+v.listed.furthest, v.span.to-1))
	}
	awake := wholeBlock
	if s.recipients.using != nil {
		awake = v.world.usingIn(&l.seasons, plan.week, l.homes.some)
	}
	for nth := range s.messagesPerMember {
		waves := s.beginFor(b, plan, l.block, nth)
		for i := range waves {
			wave, among := &waves[i], l.wanted()&awake
			if wave.first >= b.first+blockSize {
				break
			}
			if wave.zoned && whole { // it is all the same when
				if wave.zone > 0 {
					continue
				}
			} else if wave.zoned {
				among &= l.zones[wave.zone]
			}
			low, high := wave.first, wave.first+wave.count
			if begin > 0 || end < week {
				if among == 0 || wave.silent(begin, end) {
					continue
				}
				low, high = wave.first+wave.countUntil(begin), wave.first+wave.countUntil(end)
			}
			if part := b.sentTo(low, high, wave.of(b.first), among); part != 0 {
				l.at.sent = sentBetween{low: first + wave.start, high: first + wave.start + wave.length, whole: whole}
				if whole && wave.zoned {
					l.at.sent.low, l.at.sent.high = first, first+week
				}
				l.look(len(plan.waves)-len(waves)+i, part)
			}
		}
	}
}

// list lists an event at a place of some members, of whom it is not yet.
func (l *listing) list(at *listedEvent, place int, members memberSet, source listedSource) {
	if members == 0 {
		return
	}
	at.listed |= members
	at.on[place] |= members
	l.settle(at)
	if l.view.listed.plain {
		members &= l.homes.several | l.links.changing // of others, it does not matter
	}
	for members != 0 {
		at.from[members.pop()][place] = source
	}
}

// listOne is list of one member, given as a bit, unless it is listed.
func (l *listing) listOne(at *listedEvent, bit, place int, source listedSource) {
	l.list(at, place, 1<<bit&^at.on[place], source)
}

// settle leaves out for whom an event need not be looked for any more.
func (l *listing) settle(at *listedEvent) {
	missing := memberSet(0)
	for nth, may := range l.reach.ever(at.by) {
		missing |= may &^ l.presence.gone[nth] &^ (at.on[nth] & (at.on[mostOwned+nth] | ^l.links.changing))
	}
	at.wanted &= missing
}
