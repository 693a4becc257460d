package check

import (
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check/rules"
)

// maxMessages bounds how many messages of one profile or installation are tracked at a time.
const maxMessages = 20_000

// installationMessages tracks the messages of one campaign to one installation. Their rows do not say which message they
// are of, so a step only needs a cause of which it could be the consequence.
type installationMessages struct {
	seen    map[int]occurrence // the latest of each step
	roots   [2]occurrence      // the latest two messages
	count   int                // how many messages
	now     moment
	pending []pendingStep // steps of this very moment, which may stand before their cause in the file
}

type occurrence struct {
	time moment
	at   place
}

type pendingStep struct {
	plan *journey
	step int
	at   place
	file *file
}

func (m *installationMessages) add(e *engine, plan *journey, step int, r *row) {
	if r.time != m.now {
		m.flush(e)
		m.now = r.time
	}
	if m.seen == nil {
		m.seen = map[int]occurrence{}
	}
	here := occurrence{r.time, r.place}
	m.seen[step] = here
	if plan.parent[step] < 0 {
		m.roots[1], m.roots[0] = m.roots[0], here
		m.count++
	}
	m.pending = append(m.pending, pendingStep{plan, step, r.place, e.files[r.file]})
}

// flush checks the steps of a moment once all of them are known.
func (m *installationMessages) flush(e *engine) {
	for _, p := range m.pending {
		m.checkStep(e, p)
	}
	m.pending = m.pending[:0]
}

func (m *installationMessages) checkStep(e *engine, p pendingStep) {
	parent := p.plan.parent[p.step]
	if parent < 0 {
		return
	}
	stream, since := p.file.streamName(), m.now-e.reach
	cause, found := m.seen[parent]
	if found && cause.time >= since {
		e.assert(rules.Journey, true, p.at, nil, "")
	} else if e.coverage.covers(stream, p.plan.names[parent], since, m.now) {
		e.assert(rules.Journey, false, p.at, nil, "%s at %s without %s in the %d days before, which the files cover",
			p.plan.names[p.step], m.now, p.plan.names[parent], int64(e.reach/day))
	}
	// With one message in reach, and none from before the files begin, both outcomes are of that message.
	root := m.roots[0]
	if m.count == 0 || m.count > 1 && m.roots[1].time >= since || !e.coverage.covers(stream, p.plan.names[p.plan.root[p.step]], since, m.now) {
		return
	}
	for other, excluded := range p.plan.excludes[p.step] {
		if !excluded {
			continue
		}
		outcome, happened := m.seen[other]
		e.assert(rules.Exclusion, !happened || outcome.time < root.time, p.at, &outcome.at, "both %s and %s of the message of %s",
			p.plan.names[p.step], p.plan.names[other], root.time)
	}
}

// send is one message to a profile, by its sent_id.
type send struct {
	plan  *journey
	file  *file
	steps []messageStep
	last  moment
}

type messageStep struct {
	step int
	occurrence
}

func (s *send) first(step int) *messageStep {
	for i := range s.steps {
		if s.steps[i].step == step {
			return &s.steps[i]
		}
	}
	return nil
}

// add checks an event of the message against those before it.
func (s *send) add(e *engine, step int, r *row) {
	s.last = r.time
	for i := range s.steps {
		before := &s.steps[i]
		if s.plan.excludes[step][before.step] {
			e.assert(rules.Exclusion, false, r.place, &before.at, "both %s and %s of one message", s.plan.names[step], s.plan.names[before.step])
		} else {
			e.assert(rules.Exclusion, true, r.place, nil, "")
		}
		// Without its beginning, the message may have taken the step before the files begin: this is another time.
		if root := s.plan.root[step]; s.plan.parent[before.step] == step && s.first(step) == nil && (step == root || s.first(root) != nil) {
			e.assert(rules.Journey, before.time >= r.time, before.at, &r.place, "%s at %s comes before %s at %s",
				s.plan.names[before.step], before.time, s.plan.names[step], r.time)
		}
		if s.plan.consent[before.step] != "" {
			e.assert(rules.Unsubscribed, r.time <= before.time, r.place, &before.at,
				"%s at %s of the message from which the profile unsubscribed at %s",
				s.plan.names[step], r.time, before.time)
		}
	}
	if s.first(step) == nil {
		s.steps = append(s.steps, messageStep{step, occurrence{r.time, r.place}})
	}
}

// end checks that every event had its cause, as far as the files would hold it.
func (s *send) end(e *engine) {
	for _, happened := range s.steps {
		parent := s.plan.parent[happened.step]
		if parent < 0 {
			continue
		}
		if cause := s.first(parent); cause != nil {
			if cause.time <= happened.time {
				e.assert(rules.Journey, true, happened.at, nil, "")
			}
			continue
		}
		since, origin := happened.time-e.reach, (*place)(nil)
		for up := s.plan.parent[parent]; up >= 0; up = s.plan.parent[up] {
			if earlier := s.first(up); earlier != nil && earlier.time <= happened.time {
				since, origin = earlier.time, &earlier.at
				break
			}
		}
		if e.coverage.covers(s.file.streamName(), s.plan.names[parent], since, happened.time) {
			e.assert(rules.Journey, false, happened.at, origin, "%s at %s without %s, though the files cover the time since %s",
				s.plan.names[happened.step], happened.time, s.plan.names[parent], since)
		}
	}
}
