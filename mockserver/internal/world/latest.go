package world

import (
	"math"
	"sync"
	"sync/atomic"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/places"
)

// lookback is how far back a profile's latest opens and clicks are searched:
// as far as an events export reaches (export API section 1).
const lookback = 90 * day

// The events whose latest occurrence is an attribute of profiles.
const (
	latestEmailOpen = iota
	latestEmailClick
	latestEvents // how many there are
)

var latestNames = [latestEvents]string{"email_open", "email_click"}

// latest finds when events last happened to a profile.
type latest struct {
	view        *messages
	steps       [latestEvents]stepSet
	wantedSteps stepSet
	reach       int64     // of them
	searches    sync.Pool // of *latestSearch
	blocks      [16]atomic.Pointer[latestOfBlock]
}

// latestIn makes the finder for a scope; nil when it has no messages.
func (w *World) latestIn(scope Scope) *latest {
	view := messagesIn(scope.Messages)
	if view == nil {
		return nil
	}
	l := &latest{view: view}
	for i, step := range view.stream.journey.steps {
		for event, known := range latestNames {
			if step.name == known {
				l.steps[event].add(i)
				l.wantedSteps.add(i)
			}
		}
	}
	l.reach = view.stream.reachOf(l.wantedSteps)
	return l
}

// of returns when an event last happened to the profile of a row, up to and at
// its time; 0: not within the lookback. The row caches the result.
func (l *latest) of(r *Row, event int) int64 {
	if l == nil {
		return 0
	}
	if !r.cache.hasLatest {
		r.cache.hasLatest = true
		r.cache.latest = l.find(r.Profile, r.Time)
	}
	if r.cache.latest[event] == 0 {
		return 0
	}
	return r.Time + 1 - int64(r.cache.latest[event])
}

// soon is how many seconds after a message most of its steps have happened: only
// messages of few delay classes have any later.
const soon = 3 * day

// latestOfBlock is when events last happened to the profiles of a block.
type latestOfBlock struct {
	block, now int64
	last       [blockSize][latestEvents]uint32 // seconds before now, plus one; 0: never
}

// find computes and caches the whole block when its first profile is asked for:
// the rows of a file about all profiles follow one another.
func (l *latest) find(profile, now int64) [latestEvents]uint32 {
	block, bit := profile>>blockBits, uint(profile)%blockSize
	place := &l.blocks[uint64(block)%uint64(len(l.blocks))]
	if kept := place.Load(); kept != nil && kept.block == block && kept.now == now {
		return kept.last[bit]
	}
	made := &latestOfBlock{block: block, now: now}
	if bit > 0 {
		l.findIn(made, setOf(profile))
		return made.last[bit]
	}
	l.findIn(made, wholeBlock)
	place.Store(made)
	return made.last[bit]
}

// latestSearch is the search for the latest events of a block. What its visits take by
// pointer is in it, so that it is allocated once for all blocks.
type latestSearch struct {
	of       *latest
	found    *latestOfBlock
	last     [blockSize][latestEvents]int64 // 0: never
	earliest int64
	homes    households
	reached  weeklyReach
	message  message
	week     int64 // of the messages that are looked at
	open     [latestEvents]openMembers
	any      memberSet               // of whom some event is open
	known    [latestEvents]memberSet // of whom one was found
}

// openMembers are those who may have a later event than the one that is known, by a message
// of a week: soon after it, and ever.
type openMembers struct{ soon, ever memberSet }

// findIn fills in the latest events of some profiles of a block.
func (l *latest) findIn(found *latestOfBlock, members memberSet) {
	search, _ := l.searches.Get().(*latestSearch)
	if search == nil {
		search = &latestSearch{}
	}
	defer l.searches.Put(search)
	*search = latestSearch{of: l, found: found, earliest: max(found.now-lookback, worldStart), homes: l.view.world.ownership.householdsOf(found.block), week: math.MaxInt64}
	search.reached = weeklyReach{view: l.view, block: found.block, members: members}
	search.message.homes = &search.homes
	for event, steps := range l.steps {
		if steps != 0 {
			search.open[event], search.any = openMembers{members, members}, members
		}
	}
	l.view.stream.visitBlock(found.block, l.wantedSteps, search.earliest, found.now+1, members, search.visit)
	search.addEndings(members)
	for bit := range search.last {
		for event, at := range search.last[bit] {
			if at > 0 {
				found.last[bit][event] = uint32(found.now-at) + 1
			}
		}
	}
}

// beginWeek finds out who has events that no message of a week, or of one before it, can be
// behind of.
func (s *latestSearch) beginWeek(inWeek int64) {
	s.week, s.any = inWeek, 0
	end := (inWeek + 1) * week
	for event := range s.open {
		open := &s.open[event]
		for rest := open.ever & s.known[event]; rest != 0; {
			bit := rest.pop()
			last := s.last[bit][event]
			if last >= end+soon {
				open.soon.remove(bit)
			}
			if last >= end+s.of.reach {
				open.ever.remove(bit)
			}
		}
		s.any |= open.ever
	}
}

// visit looks at some messages, and returns the members of whom it wants to see more.
func (s *latestSearch) visit(b *batch, sent *sending) memberSet {
	if b.plan.week != s.week {
		s.beginWeek(b.plan.week)
	}
	stream, root := s.of.view.stream, sent.waves[0].root
	certain, possible := s.reached.in(b.plan.week, stream.journey.steps[root].channel, sent.members)
	asked, last := (certain|possible)&s.any, [places.Zones]int64{} // when the last message of each wave goes out
	for event, steps := range s.of.steps {
		// What comes again comes later: of whom that is found, nothing else of the message is needed.
		found := memberSet(0)
		for steps &= stream.journey.rooted[root]; steps != 0; {
			step, candidates := steps.popLast(), s.open[event].ever
			if stream.delayClassBits == blockBits && stream.schedule.reaches[step][stream.delayClassOf(b.first)]*stream.slot < soon {
				candidates = s.open[event].soon // all its messages are of one class
			}
			if candidates &= asked &^ found; candidates == 0 {
				continue
			}
			happens := b.happening(step, asked) & candidates
			for i := range sent.waves {
				wave := &sent.waves[i]
				here := sent.to(wave, happens)
				if here == 0 {
					continue
				}
				if last[i] == 0 {
					last[i] = stream.lastSent(b, wave)
				}
				found |= s.look(b, wave, here, certain, step, event, stream.latestIn(b, step, last[i]))
			}
		}
		s.known[event] |= found
	}
	return sent.members & s.any
}

// look looks at a step of the messages of a wave to some members, certain ones of which are reached in any case, and
// returns of whom it is the latest event. It does not happen after an instant.
func (s *latestSearch) look(b *batch, wave *sendWave, members, certain memberSet, step, event int, until int64) (found memberSet) {
	view := s.of.view
	for members != 0 {
		bit := members.pop()
		s.message.reachable = certain.has(bit)
		last := &s.last[bit][event]
		if until <= *last || !b.messageAt(&s.message, wave, bit) {
			continue
		}
		if at := view.stream.timeOf(&s.message, step); at > *last && at <= s.found.now && at >= s.earliest {
			if row := (Row{}); view.reached(&row, &s.message, step, at) {
				*last = at
				found.add(bit)
			}
		}
	}
	return found
}

// addEndings adds the events of messages that end something.
func (s *latestSearch) addEndings(members memberSet) {
	view, found := s.of.view, s.found
	for i := range view.endings {
		end := &view.endings[i]
		if s.of.wantedSteps&end.steps() == 0 {
			continue
		}
		for rest := end.mayEnd(view, &s.homes, found.block, members, s.earliest, found.now+1); rest != 0; {
			bit := rest.pop()
			profile := found.block<<blockBits + int64(bit)
			end.visitOf(view, profile, s.earliest, found.now+1, func(row Row) {
				for event, steps := range s.of.steps {
					if steps.has(int(row.Event)) {
						s.last[bit][event] = max(s.last[bit][event], row.Time)
					}
				}
			})
		}
	}
}
