package simulation

import (
	"cmp"
	"slices"
)

// In-app messages are shown while the app is used. A campaign has an audience of installations, and some sessions of those supply a
// message: it is shown in the same session or in the next one.
const (
	leastAudience, mostAudience = 20, 80 // in percent: the token chooses
	suppliedIn                  = 4      // one session in so many supplies it
	waits                       = 14 * day
	turnsBefore                 = 8 // so many times the app comes to the front before a message at most
)

// inApp are the in-app messages of a campaign.
func (v *View) inApp(p *Person, emit func(Row)) {
	audience := 0
	for i := range p.installations {
		if v.inAudience(&p.installations[i]) {
			audience |= 1 << i
		}
	}
	if audience == 0 {
		return
	}
	of := &p.memory
	of.sessions, of.next = of.sessions[:0], weekOf(v.from-waits-day)
	for weekStart(of.next) < v.to+day {
		p.useNext()
	}
	for i := 0; i < len(of.sessions); i++ {
		s := of.sessions[i]
		if s.installation < 0 || audience>>s.installation&1 == 0 || s.at >= v.to || !v.supplies(&s) || p.continues(i) {
			continue
		}
		for _, root := range v.journey.roots {
			v.show(p, i, root, keyed(s.key, v.target.key), emit)
		}
	}
}

// useNext adds the sessions of one more week, in order.
func (p *Person) useNext() {
	of := &p.memory
	before := len(of.sessions)
	of.sessions = p.use(of.next, false, of.sessions)
	slices.SortFunc(of.sessions[before:], func(a, b session) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.key, b.key)) })
	of.next++
}

// nextSession is the first session on the same installation as one, after an instant and not too long after it; nil: there is none.
func (p *Person) nextSession(than int, after int64) *session {
	of := &p.memory
	for i := than + 1; ; i++ {
		for i == len(of.sessions) && weekStart(of.next) <= after+waits+day {
			p.useNext()
		}
		if i == len(of.sessions) || of.sessions[i].at > after+waits {
			return nil
		}
		if s := &of.sessions[i]; s.installation == of.sessions[than].installation && s.at > after {
			return s
		}
	}
}

// continues reports whether a session begins while the app is used already. Then it supplies nothing: both messages might be shown at the
// same time of a later session.
func (p *Person) continues(nth int) bool {
	of := p.memory.sessions
	for i := nth - 1; i >= 0 && of[i].at >= of[nth].at-sessionLength; i-- {
		if of[i].installation == of[nth].installation {
			return true
		}
	}
	return false
}

// supplies reports whether a session supplies a message.
func (v *View) supplies(s *session) bool { return keyed(s.key, v.target.key)%suppliedIn == 0 }

func (v *View) inAudience(of *installation) bool {
	share := leastAudience + below(v.target.key, mostAudience-leastAudience+1)
	return below(keyed(of.key, v.target.key), 100) < share
}

// show follows a message that one of the sessions supplies.
func (v *View) show(p *Person, nth, root int, message uint64, emit func(Row)) {
	j, first := v.journey, p.memory.sessions[nth]
	of := append(p.memory.shown[:0], make([]shown, len(j.steps))...)
	p.memory.shown = of
	of[root] = shown{first.at + int64(message>>8%turnsBefore)*sessionTurn, first.at}
	s := sending{at: first.at, campaign: &v.w.mail.campaigns[0]}
	happened := append(p.happenings[:0], happening{at: of[root].at, step: root})
steps:
	for _, i := range j.behind[root] {
		step := &j.steps[i]
		if of[step.parent].at == 0 {
			continue
		}
		for _, other := range step.unless {
			if of[other].at != 0 {
				continue steps
			}
		}
		drawn := mix(message ^ step.salt)
		if !step.bounds[0][p.who.level].holds(drawn) {
			continue
		}
		within, at := of[step.parent].within, of[step.parent].at
		var next *session
		if step.is.person && step.delay > sessionLength && mix(drawn)&1 == 0 {
			if next = p.nextSession(nth, at); next == nil {
				continue // who does not come back does not see it
			}
		}
		// It does not wait for a session that supplies one of its own, which might be shown at the same time.
		if next != nil && !v.supplies(next) {
			within = next.at
			at = within + int64(mix(drawn)>>8%turnsBefore)*sessionTurn
		} else {
			at = min(at+sessionTurn*(1+min(step.delays.draw(mix(drawn), step.delay), minute)/sessionTurn), within+sessionLength)
		}
		of[i] = shown{at, within}
		happened = append(happened, happening{at: at, step: i})
	}
	p.happenings = happened
	v.emit(p, &s, message, int(first.installation), happened, channelPush, emit)
}
