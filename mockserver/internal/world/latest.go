package world

import "sync/atomic"

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
		for i, at := range l.find(r.Profile, r.Time) {
			r.cache.latest[i] = 0
			if at > 0 {
				r.cache.latest[i] = uint32(r.Time-at) + 1
			}
		}
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
	last       [blockSize][latestEvents]int64
}

// find computes and caches the whole block when its first profile is asked for:
// the rows of a file about all profiles follow one another.
func (l *latest) find(profile, now int64) [latestEvents]int64 {
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

// findIn fills in the latest events of some profiles of a block.
func (l *latest) findIn(found *latestOfBlock, members memberSet) {
	now := found.now
	stream, earliest := l.view.stream, max(now-lookback, worldStart)
	var (
		m       message
		open    [latestEvents]struct{ soon, ever memberSet } // who may have a later one by a message of the week
		inWeek  = int64(1) << 62
		anyOpen memberSet
		reached = weeklyReach{view: l.view, block: found.block, members: members}
		reach   = stream.reachOf(l.wantedSteps)
	)
	homes := l.view.world.ownership.householdsOf(found.block)
	m.homes = &homes
	stream.visitBlock(found.block, l.wantedSteps, earliest, now+1, members, func(b *batch, wave *sendWave, part memberSet) memberSet {
		if b.plan.week != inWeek {
			inWeek, anyOpen = b.plan.week, 0
			for event, steps := range l.steps {
				open[event].soon, open[event].ever = 0, 0
				if steps == 0 {
					continue
				}
				for rest := members; rest != 0; {
					bit := rest.pop()
					switch last := found.last[bit][event]; {
					case last < (inWeek+1)*week+soon:
						open[event].soon.add(bit)
						fallthrough
					case last < (inWeek+1)*week+reach:
						open[event].ever.add(bit)
					}
				}
				anyOpen |= open[event].ever
			}
		}
		certain, possible := reached.in(b.plan.week, stream.journey.steps[wave.root].channel, part)
		for event, steps := range l.steps {
			for steps &= stream.journey.rooted[wave.root]; steps != 0; {
				step, candidates := steps.pop(), open[event].ever
				if stream.delayClassBits == blockBits && stream.schedule.reaches[step][stream.delayClassOf(b.first)]*stream.slot < soon {
					candidates = open[event].soon // all its messages are of one class
				}
				if candidates &= certain | possible; candidates == 0 {
					continue
				}
				for happens := b.happening(step, (certain|possible)&anyOpen) & candidates; happens != 0; {
					bit := happens.pop()
					m.reachable = certain.has(bit)
					last := &found.last[bit][event]
					if stream.latestOf(b.plan, b.numberOf(bit), step) <= *last || !b.messageAt(&m, wave, bit) {
						continue
					}
					if at := stream.timeOf(&m, step); at > *last && at <= now && at >= earliest {
						if row := (Row{}); l.view.reached(&row, &m, step, at) {
							*last = at
						}
					}
				}
			}
		}
		return part & anyOpen
	})
	for i := range l.view.endings {
		end := &l.view.endings[i]
		if l.wantedSteps&end.steps() == 0 {
			continue
		}
		for rest := end.mayEnd(l.view, &homes, found.block, members, earliest, now+1); rest != 0; {
			bit := rest.pop()
			profile := found.block<<blockBits + int64(bit)
			end.visitOf(l.view, profile, earliest, now+1, func(row Row) {
				for event, steps := range l.steps {
					if steps.has(int(row.Event)) {
						found.last[bit][event] = max(found.last[bit][event], row.Time)
					}
				}
			})
		}
	}
}
