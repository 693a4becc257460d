package world

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

func (l *latest) find(profile, now int64) (last [latestEvents]int64) {
	earliest := max(now-lookback, birth)
	stream, wanted := l.view.stream, l.view.reachable(l.wanted, profile, earliest, now)
	for round := range stream.rounds {
		stream.visitMember(profile, round, earliest, now+1, wanted, func(m *message) uint64 {
			open := uint64(0) // the steps of which a message that follows may tell later ones
			for event, step := range l.steps {
				if step < 0 || wanted>>step&1 == 0 || (m.in.week+1)*week+stream.reach() <= last[event] {
					continue
				}
				open |= 1 << step
				if at := stream.timeOf(m, step); at > last[event] && at <= now && at >= earliest {
					if row, happened := l.view.rowOf(m, step); happened {
						last[event] = max(last[event], row.Time)
					}
				}
			}
			return open
		})
	}
	for i := range l.view.farewells {
		l.view.farewells[i].visitOf(l.view, profile, earliest, now+1, func(row Row) {
			for event, step := range l.steps {
				if int(row.Event) == step {
					last[event] = max(last[event], row.Time)
				}
			}
		})
	}
	return last
}
