package world

import "sync/atomic"

// lookback is how far back a profile's latest opens and clicks are searched:
// as far as an events export can tell of them (export API section 1).
const lookback = 90 * day

// The events of which profiles tell when they last happened.
const (
	latestEmailOpen = iota
	latestEmailClick
	latestPushOpen
	latestEvents // how many there are
)

var latestNames = [latestEvents]string{"email_open", "email_click", "push_open"}

// latest finds when events last happened to a person.
type latest struct {
	view   *messages
	steps  [latestEvents]int // -1: the journey has no such event
	wanted uint64
	kept   [16]atomic.Pointer[blockLatest]
}

// latestIn makes the finder for a scope; nil when it has no messages.
func (w *World) latestIn(scope Scope) *latest {
	view := messagesIn(scope.Messages)
	if view == nil {
		return nil
	}
	l := &latest{view: view, steps: [latestEvents]int{-1, -1, -1}}
	for i, name := range view.names {
		for event, known := range latestNames {
			if name == known {
				l.steps[event] = i
				l.wanted |= 1 << i
			}
		}
	}
	return l
}

// of is when an event last happened to the profile of a row, up to and at its
// time; 0: not within the lookback. The row remembers the answer.
func (l *latest) of(r *Row, event int) int64 {
	if l == nil {
		return 0
	}
	if !r.memo.hasLatest {
		r.memo.hasLatest = true
		for i, at := range l.find(r.Profile, r.Time) {
			r.memo.latest[i] = 0
			if at > 0 {
				r.memo.latest[i] = uint32(r.Time-at) + 1
			}
		}
	}
	if r.memo.latest[event] == 0 {
		return 0
	}
	return r.Time + 1 - int64(r.memo.latest[event])
}

// blockLatest is when events last happened to the profiles of a block.
type blockLatest struct {
	block, now int64
	last       [blockSize][latestEvents]int64
}

// find asks for the whole block when its first profile is asked for: the rows
// of a file about everybody follow one another.
func (l *latest) find(profile, now int64) [latestEvents]int64 {
	block, bit := profile>>blockBits, uint(profile)%blockSize
	place := &l.kept[uint64(block)%uint64(len(l.kept))]
	if kept := place.Load(); kept != nil && kept.block == block && kept.now == now {
		return kept.last[bit]
	}
	made := &blockLatest{block: block, now: now}
	if bit > 0 {
		l.findIn(made, 1<<bit)
		return made.last[bit]
	}
	l.findIn(made, ^uint64(0))
	place.Store(made)
	return made.last[bit]
}

// findIn finds the events of some profiles of a block.
func (l *latest) findIn(found *blockLatest, who uint64) {
	now := found.now
	stream, earliest := l.view.stream, max(now-lookback, birth)
	var (
		m        message
		open     [latestEvents]uint64 // for whom a message of the week may tell of a later one
		inWeek   = int64(1) << 62
		everOpen uint64
		reached  = weeklyReach{view: l.view, block: found.block, who: who}
	)
	stream.visitBlock(found.block, earliest, now+1, who, func(b *batch, lane *lane, part uint64) uint64 {
		if b.in.week != inWeek {
			inWeek, everOpen = b.in.week, 0
			for event, step := range l.steps {
				if open[event] = 0; step < 0 {
					continue
				}
				for rest := who; rest != 0; {
					bit := next(&rest)
					if found.last[bit][event] < (inWeek+1)*week+stream.reach() {
						open[event] |= 1 << bit
					}
				}
				everOpen |= open[event]
			}
		}
		sure, maybe := reached.in(b.in.week, stream.journey.steps[lane.root].channel, part)
		for event, step := range l.steps {
			if step < 0 || stream.journey.steps[step].root != lane.root {
				continue
			}
			for happens := b.happening(step, (sure|maybe)&open[event]); happens != 0; {
				bit := next(&happens)
				m.sure = sure>>bit&1 == 1
				last := &found.last[bit][event]
				if !b.messageAt(&m, lane, bit) {
					continue
				}
				if at := stream.timeOf(&m, step); at > *last && at <= now && at >= earliest {
					if _, reached := l.view.reached(&m, step, at); reached {
						*last = at
					}
				}
			}
		}
		return part & everOpen
	})
	for i := range l.view.farewells {
		farewell := &l.view.farewells[i]
		if l.wanted&farewell.steps() == 0 {
			continue
		}
		for rest := who; rest != 0; {
			bit := next(&rest)
			profile := found.block<<blockBits + int64(bit)
			farewell.visitOf(l.view, profile, earliest, now+1, func(row Row) {
				for event, step := range l.steps {
					if int(row.Event) == step {
						found.last[bit][event] = max(found.last[bit][event], row.Time)
					}
				}
			})
		}
	}
}
