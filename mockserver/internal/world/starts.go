package world

import (
	"math"
	"slices"
	"sync/atomic"
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
	blocks   [16]startCache
}

// startCache caches a block, since rows of a file follow one another. Of a block that
// was not asked for before, only the one member is looked at: those of a segment
// come in any order.
type startCache struct {
	asked atomic.Int64 // the block
	kept  atomic.Pointer[startBlock]
}

// startBlock is when the app was last started, up to now, on the installations of
// some profiles of a block, by in-app and push messages.
type startBlock struct {
	block, now int64
	members    memberSet
	first      int64 // installation
	owned      [blockSize]struct{ before, count uint8 }
	last       [blockInstallations]uint32 // seconds since neverStarted
}

// blockInstallations is how many installations the profiles of a block have at most.
const blockInstallations = (blockSize/ownersPerCycle + 1) * installationsPerCycle

// neverStarted stands for no start: it is before all of them.
const neverStarted = worldStart - 1

// startsIn makes the finder for a scope.
func (w *World) startsIn(scope Scope) *starts {
	made := &starts{world: w}
	if found := messagesIn(scope.Messages); found != nil {
		made.messages = &messages{world: w, stream: w.campaigns(found.stream.journey, w.pushSenders(found.stream.journey))}
	}
	if found := messagesIn(scope.InApp); found != nil && found.about.installations {
		made.sessions = w.sessions(found.stream.journey) // of all campaigns
	} else {
		made.sessions = w.sessions(&journey{steps: []step{{name: "start", parent: -1}}, roots: []int{0}})
		made.shown = []int{0}
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
		r.cache.started = s.of(r.Installation, s.world.ownerOf(r.Installation), s.world.installation(r), r.Time)
	}
	return r.cache.started
}

// of is the latest start of the app on an installation of a profile, up to now.
func (s *starts) of(installation, profile, installed, now int64) int64 {
	level, at := s.world.activityOf(profile), installed
	if level >= oftenLevel {
		at = max(at, lastOccurrence(draw(s.world.keys.start, uint64(installation)), level, now))
	}
	found := s.around(profile, now)
	if last := found.last[installation-found.first]; last > 0 {
		at = max(at, neverStarted+int64(last))
	}
	return at
}

// From oftenLevel on, people start the app more than once a week.
const oftenLevel = levels / 2

// around is the block of a profile, in which that profile is known.
func (s *starts) around(profile, now int64) *startBlock {
	block := profile >> blockBits
	cache := &s.blocks[uint64(block)%uint64(len(s.blocks))]
	if kept := cache.kept.Load(); kept != nil && kept.block == block && kept.now == now {
		return kept
	}
	made := &startBlock{block: block, now: now, members: setOf(profile), first: s.world.ownership.firstIn(block)}
	whole := cache.asked.Swap(block) == block
	if whole {
		made.members = wholeBlock
	}
	for rest := made.members; rest != 0; {
		bit := rest.pop()
		first, count := s.world.installationsOf(block<<blockBits + int64(bit))
		made.owned[bit].before, made.owned[bit].count = uint8(first-made.first), uint8(count)
	}
	s.findSessions(made)
	if s.opens != 0 {
		s.findOpens(made)
	}
	if whole {
		cache.kept.Store(made)
	}
	return made
}

// findSessions finds the latest times, up to now, at which in-app messages could be
// shown.
func (s *starts) findSessions(found *startBlock) {
	for inWeek, rest := floorDivide(found.now, week), found.members; rest != 0 && (inWeek+1)*week+s.sessions.reach() > worldStart; inWeek-- {
		around := s.world.seasonsOf(found.block, inWeek)
		if rest&^around.asleep == 0 {
			inWeek -= around.since // the first week of the season
			continue
		}
		plan, block := s.sessions.planOf(inWeek), found.first>>blockBits
		var blocks [(blockInstallations+blockSize-2)/blockSize + 1]memberSet
		for awake := rest &^ around.asleep; awake != 0; {
			bit, wanted := awake.pop(), false
			owned := &found.owned[bit]
			for at := int64(owned.before); at < min(int64(owned.before+owned.count), plan.members-found.first); at++ {
				// A session may end in the week behind its own, after that one's.
				if last := found.last[at]; last == 0 || neverStarted+int64(last) < (inWeek+1)*week+s.sessions.reach() {
					wanted = true
					blocks[(found.first+at)>>blockBits-block].add(int((found.first + at) % blockSize))
				}
			}
			if !wanted {
				rest.remove(bit)
			}
		}
		for i, members := range blocks {
			s.findSessionsIn(found, plan, block+int64(i), members)
		}
	}
}

// findSessionsIn does so for the messages that some installations of a block get in
// a week. It looks at them in their own order: neighbours are mostly sent in one
// slot, and their steps happen in one.
func (s *starts) findSessionsIn(found *startBlock, plan *weekPlan, block int64, members memberSet) {
	var (
		b           batch
		m           message
		first, last int64           // the messages in the slot of m
		slots       [maxSteps]int64 // of the steps, when m has that class
		class       int
		stream      = s.sessions
	)
	if members == 0 {
		return
	}
	for nth := range stream.messagesPerMember {
		stream.beginFor(&b, plan, block, nth)
		wave := &plan.wavesFrom(b.first)[0]
		for rest := members.permuted(b.xorMask); rest != 0; {
			bit := int(uint64(rest.pop()) ^ b.xorMask)
			if m.wave, m.number = wave, b.numberOf(bit); m.number < first || m.number >= last {
				if first, last = b.findSlot(&m); m.number < first || m.number >= last {
					continue
				}
				class = -1
			}
			if m.slot*stream.slot > found.now {
				continue
			}
			if is := stream.delayClassOf(m.number); is != class {
				class = is
				for i, step := range s.shown {
					slots[i] = stream.schedule.slotOf(step, class, m.slot)
				}
			}
			b.message(&m, wave, bit)
			stream.place(&m, first, last)
			place := &found.last[m.member-found.first]
			at := neverStarted + int64(*place)
			for i, step := range s.shown {
				if (slots[i]+1)*stream.slot > at {
					at = max(at, s.until(&m, step, slots[i], found.now))
				}
			}
			*place = uint32(at - neverStarted)
		}
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

// findOpens looks for opens since the last session that each member of a block had at
// the latest: a member who starts the app in a season has a session in each week.
func (s *starts) findOpens(found *startBlock) {
	reach, now := s.messages.stream.reachOf(s.opens), found.now
	inWeek := floorDivide(now, week)
	around := s.world.seasonsOf(found.block, inWeek)
	began := (inWeek - around.since) * week
	// A session may end in the week behind its own: then the one before counts.
	before := week * ((s.sessions.reach() + week - 1) / week)
	s.findOpensIn(found, ^around.asleep, inWeek*week-before, now+1)
	s.findOpensIn(found, around.asleep, began-before, min(began+reach, now)+1)
	if inWeek*week-before < began {
		slept := began - seasonWeeks*week
		s.findOpensIn(found, around.woken, slept-before, slept+reach+1)
	}
}

// sinceOf is when the app was first started last, of some members; an instant if
// that is later.
func (found *startBlock) sinceOf(members memberSet, since int64) int64 {
	earliest := uint32(math.MaxUint32)
	for rest := members; rest != 0; {
		owned := &found.owned[rest.pop()]
		for _, at := range found.last[owned.before : owned.before+owned.count] {
			earliest = min(earliest, at)
		}
	}
	return max(since, neverStarted+int64(earliest))
}

// findOpensIn finds the opens of some members in [from, to).
func (s *starts) findOpensIn(found *startBlock, members memberSet, from, to int64) {
	members &= found.members
	from = found.sinceOf(members, from)
	var (
		m       message
		view    = s.messages
		reached = weeklyReach{view: view, block: found.block, members: members}
	)
	if from >= to {
		return
	}
	view.stream.visitBlock(found.block, s.opens, max(from, worldStart), to, members, func(b *batch, wave *sendWave, part memberSet) memberSet {
		for wanted := s.opens & view.stream.journey.rooted[wave.root]; wanted != 0; {
			step := wanted.pop()
			happens := b.happening(step, part)
			if happens == 0 {
				continue
			}
			certain, possible := reached.in(b.plan.week, channelPush, part)
			for happens &= certain | possible; happens != 0; {
				bit := happens.pop()
				if !b.messageAt(&m, wave, bit) {
					continue
				}
				m.reachable = certain.has(bit)
				at := view.stream.timeOf(&m, step)
				if at < from || at >= to {
					continue
				}
				if row, reached := view.reached(&m, step, at); reached {
					last := &found.last[row.Installation-found.first]
					*last = max(*last, uint32(at-neverStarted))
				}
			}
		}
		return part
	})
}
