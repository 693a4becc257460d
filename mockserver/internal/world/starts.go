package world

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/places"
)

// starts is when the app was last started on an installation. Three things start
// it: its user, the one time in a week at which in-app messages are shown, by
// whichever campaign, and the opening of a push message. So nothing happens in the
// app after its last start.
type starts struct {
	world    *World
	sessions *stream
	shown    []int     // the last steps of an in-app message
	messages *messages // nil: the push messages are not known
	opens    stepSet   // those of push messages that happen in the app
	leaving  [places.Zones]leaving
	blocks   [16]startCache
	searches sync.Pool // of *startSearch
}

// startCache caches a block, since rows of a file follow one another. Of a block that
// was not asked for before, nor the one before it as a whole, only the one member is looked
// at: those of a segment come in any order.
type startCache struct {
	asked atomic.Int64 // the block
	kept  atomic.Pointer[startBlock]
}

// startBlock is when the app was last started, up to now, on the installations of
// some profiles of a block.
type startBlock struct {
	now     int64
	never   int64 // before all starts
	members memberSet
	words   [4]uint64 // the levels of activity of its profiles
	home    *installTimes
	last    [blockInstallations]uint32 // seconds since never; 0: of no member; or stillToCome
}

// stillToCome stands for the last start of an installation that is made later than now.
const stillToCome = math.MaxUint32

// neverBy is an instant so long before another one that the seconds between them just fit:
// 136 years.
func neverBy(now int64) int64 { return now - stillToCome + 1 }

// startsIn makes the finder for a scope.
func (w *World) startsIn(scope Scope) *starts {
	made := &starts{world: w}
	if found := messagesIn(scope.Messages); found != nil {
		made.messages = &messages{world: w, stream: w.campaigns(found.stream.journey, w.pushSenders(found.stream.journey))}
	}
	if found := messagesIn(scope.InApp); found != nil && found.about.sessions {
		made.sessions = w.sessions(found.stream.journey) // of all campaigns
	} else {
		made.sessions = w.sessions(&journey{steps: []step{{name: "start", parent: -1}}, roots: []int{0}})
		made.shown = []int{0}
	}
	for zone, app := range made.sessions.rhythm.app {
		made.leaving[zone] = leavingBy(app)
	}
	for i, s := range made.sessions.journey.steps {
		leads := slices.ContainsFunc(made.sessions.journey.steps, func(next step) bool { return next.parent == i })
		if s.parent >= 0 && !leads {
			made.shown = append(made.shown, i)
		}
	}
	if made.messages != nil {
		for i, s := range made.messages.stream.journey.steps {
			if s.nature.inApp && s.channel == channelPush {
				made.opens.add(i)
			}
		}
	}
	return made
}

// ofRow is the latest start of the app on the installation of a row, up to its
// time. The row caches it.
func (s *starts) ofRow(r *Row) int64 {
	if r.cache.started == 0 {
		r.cache.started = s.ofRowNow(r)
	}
	return r.cache.started
}

// ofRowNow is ofRow, found anew.
func (s *starts) ofRowNow(r *Row) int64 {
	profile := s.world.ownerIn(r)
	found := s.around(profile, r.Time)
	return s.ofIn(found, r.Installation, s.world.installation(r))
}

// ofIn is the latest start of the app on an installation of a profile of the block.
func (s *starts) ofIn(found *startBlock, installation, installed int64) int64 {
	nth := installation - found.home.first
	if nth < 0 || nth >= found.home.count || found.last[nth] == stillToCome { // the row made it up
		return installed
	}
	return max(installed, found.never+int64(found.last[nth]))
}

// around is the block of a profile, in which that profile is known.
func (s *starts) around(profile, now int64) *startBlock {
	block := profile >> blockBits
	cache := &s.blocks[uint64(block)%uint64(len(s.blocks))]
	if kept := cache.kept.Load(); kept != nil && kept.home.block == block && kept.now == now {
		return kept
	}
	made := &startBlock{now: now, never: neverBy(now), members: setOf(profile), words: s.world.activityWords(block)}
	before := &s.blocks[uint64(block-1)%uint64(len(s.blocks))]
	whole := cache.asked.Swap(block) == block || before.asked.Load() == block-1 && before.kept.Load() != nil
	if whole {
		made.members = wholeBlock
	}
	made.home = s.world.installTimesOf(block, made.members)
	s.find(made)
	if whole {
		cache.kept.Store(made)
	}
	return made
}

// startSearch is the search for the starts of a block. What its visits take by pointer is
// in it, so that it is allocated once for all weeks.
type startSearch struct {
	of      *starts
	found   *startBlock
	batch   batch
	message message
	reached weeklyReach // by push messages
	zones   [places.Zones]memberSet
	// earliest is, of each profile, the least of the last starts of its installations, as of found.
	earliest [blockSize]uint32
}

// find finds the latest starts up to now, week by week from the latest on: whoever starts
// the app in a week has a session in it, and opens no message of another one.
func (s *starts) find(found *startBlock) {
	search, _ := s.searches.Get().(*startSearch)
	if search == nil {
		search = &startSearch{of: s, batch: batch{outcomes: &outcomes{}}}
	}
	defer s.searches.Put(search)
	search.found, search.message.homes = found, &found.home.households
	search.zones = s.world.zonesOf(found.home.block, 0)
	sessions := found.members & found.home.some & firstMembers(s.world.profiles-found.home.block<<blockBits)
	seasons := s.world.seasonsOf(found.home.block, &found.words)
	search.begin(sessions, &seasons)
	opens, reach, reachOfOpens := sessions, s.sessions.reach(), int64(0)
	if s.opens == 0 {
		opens = 0
	} else {
		reachOfOpens = s.messages.stream.reachOf(s.opens)
		search.reached = weeklyReach{view: s.messages, block: found.home.block, members: opens, households: &found.home.households}
		search.message.push = &search.reached.push
	}
	for inWeek := floorDivide(found.now, week); sessions|opens != 0 && (inWeek+1)*week+max(reach, reachOfOpens) > worldStart; inWeek-- {
		awake, since := s.world.awakeIn(&seasons, inWeek, sessions|opens)
		if awake == 0 {
			if s.world.isSettled(found.home.block, inWeek-since) {
				inWeek -= since // the first week of the season
			}
			continue
		}
		end := (inWeek + 1) * week
		done := awake & sessions &^ search.startedBefore(end+reach, awake&sessions)
		if sessions &^= done; awake&sessions != 0 {
			if shown := awake & sessions & s.world.withSessions(&seasons, inWeek); shown != 0 {
				search.findSessions(s.sessions.planOf(inWeek), shown)
			}
		}
		done = awake & opens &^ search.startedBefore(end+reachOfOpens, awake&opens)
		if opens &^= done; awake&opens != 0 {
			search.findOpens(inWeek, awake&opens)
		}
	}
}

// startedBefore are those of some members with an installation on which the app is not known
// to be started at an instant or later.
func (s *startSearch) startedBefore(at int64, members memberSet) memberSet {
	since, before := at-s.found.never, memberSet(0)
	for rest := members; rest != 0; {
		if bit := rest.pop(); int64(s.earliest[bit]) < since {
			before.add(bit)
		}
	}
	return before
}

// findSessions finds the latest times, up to now, at which in-app messages could be shown
// to some members of a block in a week, who start the app in it. It looks at them in the
// order of their messages: neighbours are mostly sent in one slot, and their steps happen in one.
func (s *startSearch) findSessions(plan *weekPlan, members memberSet) {
	b := &s.batch
	if s.found.home.block >= plan.blocks {
		return
	}
	for nth := range s.of.sessions.messagesPerMember {
		waves := s.of.sessions.beginFor(b, plan, s.found.home.block, nth)
		for i := range waves {
			wave := &waves[i]
			if wave.first >= b.first+blockSize {
				break
			}
			if here := members & s.zones[wave.zone]; here != 0 {
				s.findSessionsOf(wave, b.sentTo(wave.first, wave.first+wave.count, wave.of(b.first), here))
			}
		}
	}
}

// findSessionsOf does so for the messages of one wave.
func (s *startSearch) findSessionsOf(wave *sendWave, members memberSet) {
	var (
		b, m        = &s.batch, &s.message
		first, last int64           // the messages in the slot of m
		slots       [maxSteps]int64 // of the steps, when m has that class
		class       int
		stream      = s.of.sessions
	)
	for rest := members.permuted(b.xorMask); rest != 0; {
		bit := int(uint64(rest.pop()) ^ b.xorMask)
		if m.wave, m.number = wave, b.numberOf(bit); m.number < first || m.number >= last {
			if first, last = b.findSlot(m); m.number < first || m.number >= last {
				continue
			}
			class = -1
		}
		if m.slot*stream.slot > s.found.now {
			continue
		}
		if is := stream.delayClassOf(m.number); is != class {
			class = is
			for i, step := range s.of.shown {
				slots[i] = stream.schedule.slotOf(step, class, m.slot)
			}
		}
		b.message(m, wave, bit)
		stream.place(m, first, last)
		installation, _ := s.of.world.usedBy(m, m.slot*stream.slot+m.offset)
		at := s.found.never + int64(s.found.last[installation-s.found.home.first])
		for i, step := range s.of.shown {
			if (slots[i]+1)*stream.slot > at {
				at = max(at, s.of.until(m, step, slots[i], s.found.now))
			}
		}
		s.started(bit, installation, at)
	}
}

// until is when the latest step on the way to one, which happens in a slot, does so
// up to now; 0: none does.
func (s *starts) until(m *message, step int, slot, now int64) int64 {
	steps, class := s.sessions.journey.steps, s.sessions.delayClassOf(m.number)
	for first := steps[step].root; step != first || len(steps) == 1; step = steps[step].parent {
		if step < 0 {
			break
		}
		if at := slot*s.sessions.slot + s.sessions.offsetOf(m, step, class); at <= now {
			return at
		}
		if steps[step].parent >= 0 {
			slot = s.sessions.schedule.slotOf(steps[step].parent, class, m.slot)
		}
	}
	return 0
}

// findOpens finds the latest opens, up to now, of messages of a week, by members with an
// installation.
func (s *startSearch) findOpens(inWeek int64, members memberSet) {
	var (
		stream   = s.of.messages.stream
		plan     = stream.planOf(inWeek)
		lastSlot = (floorDivide(s.found.now, stream.slot)+1)*stream.slot - inWeek*week
	)
	if s.found.home.block >= plan.blocks {
		return
	}
	certain, possible := s.reached.in(inWeek, channelPush, members)
	members &= certain | possible
	stream.visitWeek(&s.batch, plan, s.found.home.block, s.of.opens, 0, lastSlot, members, &s.zones, func(b *batch, sent *sending) memberSet {
		var (
			wanted = s.of.opens & stream.journey.rooted[sent.waves[0].root]
			open   memberSet
			at     [places.Zones]int64 // when the last message of each wave goes out
		)
		b.asleep = sleepers{^members, true} // of the others nothing is asked
		for i := range sent.waves {
			wave := &sent.waves[i]
			if here := sent.to(wave, sent.members); here != 0 {
				at[i] = stream.lastSent(b, wave)
				open |= s.startedBefore(stream.latestOfSteps(b, wanted, at[i]), here)
			}
		}
		for wanted != 0 && open != 0 {
			step := wanted.pop()
			happens := b.happening(step, open)
			for i := range sent.waves {
				until := stream.latestIn(b, step, at[i])
				for here := sent.to(&sent.waves[i], happens); here != 0; {
					s.findOpen(b, &sent.waves[i], here.pop(), step, until)
				}
			}
		}
		return sent.members
	})
}

// findOpen finds out whether a step of the message to a member, given as a bit, is the latest start.
// It does not happen after an instant.
func (s *startSearch) findOpen(b *batch, wave *sendWave, bit, step int, until int64) {
	m, earliest := &s.message, s.found.never+int64(s.earliest[bit])
	if earliest >= until || !b.messageAt(m, wave, bit) {
		return
	}
	at := s.of.messages.stream.timeOf(m, step)
	if at > s.found.now || at <= earliest {
		return
	}
	if row := (Row{}); s.of.messages.reached(&row, m, step, at) {
		s.started(bit, row.Installation, at)
	}
}

// started notes that the app was started at an instant on an installation of a member.
func (s *startSearch) started(bit int, installation, at int64) {
	found := s.found
	last := &found.last[installation-found.home.first]
	if since := uint32(at - found.never); since > *last {
		*last = since
		owned, earliest := &found.home.owned[bit%blockSize], uint32(math.MaxUint32)
		for _, at := range found.last[owned.before : owned.before+owned.count] {
			earliest = min(earliest, at)
		}
		s.earliest[bit%blockSize] = earliest
	}
}
