package world

import (
	"cmp"
	"slices"
)

// In-app messages are shown while the app is used. A campaign has an audience of installations, and some sessions of those supply a
// message, and show it.
const (
	leastAudience, mostAudience = 20, 80 // in percent: the token chooses
	suppliedIn                  = 4      // one session in so many supplies it
	turnsBefore                 = 8      // so many times the app comes to the front before a message at most
)

func (v *View) inApp(p *Person, emit func(Row)) {
	audience := 0
	for i := range p.installations {
		share := leastAudience + below(v.target.key, mostAudience-leastAudience+1)
		if below(keyed(p.installations[i].key, v.target.key), 100) < share {
			audience |= 1 << i
		}
	}
	if audience == 0 {
		return
	}
	sessions := p.memory.sessions[:0]
	for n := weekOf(v.from - day); weekStart(n) < v.to+day; n++ {
		sessions = p.use(n, false, sessions)
	}
	slices.SortFunc(sessions, func(a, b session) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.key, b.key)) })
	p.memory.sessions = sessions
	for i := range sessions {
		s := &sessions[i]
		if s.installation < 0 || audience>>s.installation&1 == 0 || s.at >= v.to || keyed(s.key, v.target.key)%suppliedIn != 0 || p.continues(i) {
			continue
		}
		for _, root := range v.journey.roots {
			v.show(p, s, root, keyed(s.key, v.target.key), emit)
		}
	}
}

// continues reports whether a session begins while the app is used already. Then it supplies nothing: both messages might be shown at the
// same time.
func (p *Person) continues(nth int) bool {
	of := p.memory.sessions
	for i := nth - 1; i >= 0 && of[i].at >= of[nth].at-sessionLength; i-- {
		if of[i].installation == of[nth].installation {
			return true
		}
	}
	return false
}

// show follows a message that a session supplies.
func (v *View) show(p *Person, s *session, root int, message uint64, emit func(Row)) {
	j := v.journey
	at := append(p.memory.shown[:0], make([]int64, len(j.steps))...) // by step; 0: it was not taken
	p.memory.shown = at
	at[root] = s.at + int64(message>>8%turnsBefore)*sessionTurn
	happened := append(p.happenings[:0], happening{at: at[root], step: root})
	for _, i := range j.behind[root] {
		step := &j.steps[i]
		drawn := mix(message ^ step.salt)
		if at[step.parent] == 0 || slices.ContainsFunc(step.unless, func(other int) bool { return at[other] != 0 }) ||
			!step.bounds[0][p.who.level].holds(drawn) {
			continue
		}
		at[i] = min(at[step.parent]+sessionTurn*(1+min(step.delays.draw(mix(drawn), step.delay), minute)/sessionTurn), s.at+sessionLength)
		happened = append(happened, happening{at: at[i], step: i})
	}
	p.happenings = happened
	v.emit(p, &sending{campaign: &v.w.campaigns[0]}, message, int(s.installation), happened, channelPush, emit)
}
