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
func (v *View) inApp(p *Person, emit func(*Row)) {
	key, inAudience := v.target.key, false
	for i := range p.installations {
		inAudience = inAudience || v.inAudience(&p.installations[i])
	}
	if !inAudience {
		return
	}
	list := p.memory.sessions[:0]
	for n := weekOf(v.from - waits - day); n <= weekOf(v.to+waits+day); n++ {
		list = p.use(n, false, list)
	}
	p.memory.sessions = list
	slices.SortFunc(list, func(a, b session) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.key, b.key)) })
	row := Row{Person: p}
	for i := range list {
		s := &list[i]
		if s.installation < 0 || !v.inAudience(&p.installations[s.installation]) || s.at >= v.to {
			continue
		}
		message := keyed(s.key, key)
		if !v.supplies(s) {
			continue
		}
		for _, root := range v.journey.roots {
			v.show(&row, list[i:], root, message, emit)
		}
	}
}

// supplies reports whether a session supplies a message.
func (v *View) supplies(s *session) bool { return keyed(s.key, v.target.key)%suppliedIn == 0 }

func (v *View) inAudience(of *installation) bool {
	share := leastAudience + below(v.target.key, mostAudience-leastAudience+1)
	return below(keyed(of.key, v.target.key), 100) < share
}

// show follows a message that the first of some sessions supplies.
func (v *View) show(row *Row, list []session, root int, message uint64, emit func(*Row)) {
	j, first := v.journey, &list[0]
	var reached, inside [64]int64
	reached[root] = first.at + int64(message>>8%turnsBefore)*sessionTurn
	inside[root] = first.at
	s := sending{at: first.at, campaign: &v.w.mail.campaigns[0]}
	happened := []happening{{at: reached[root], step: root}}
steps:
	for _, i := range j.behind[root] {
		step := &j.steps[i]
		if i >= len(reached) || reached[step.parent] == 0 {
			continue
		}
		for _, other := range step.unless {
			if reached[other] != 0 {
				continue steps
			}
		}
		drawn := mix(message ^ step.salt)
		if !step.bounds[0][row.Person.who.level].holds(drawn) {
			continue
		}
		within, at := inside[step.parent], reached[step.parent]
		next := -1
		if step.is.person && step.delay > sessionLength && mix(drawn)&1 == 0 {
			next = slices.IndexFunc(list, func(other session) bool { return other.installation == first.installation && other.at > at })
		}
		// It does not wait for a session that supplies one of its own, which might be shown at the same time.
		if next >= 0 && list[next].at <= at+waits && !v.supplies(&list[next]) {
			within = list[next].at
			at = within + int64(mix(drawn)>>8%turnsBefore)*sessionTurn
		} else {
			at = min(at+sessionTurn*(1+min(step.delays.draw(mix(drawn), step.delay), minute)/sessionTurn), within+sessionLength)
		}
		reached[i], inside[i] = at, within
		happened = append(happened, happening{at: at, step: i})
	}
	v.emit(row, &s, message, int(first.installation), happened, channelPush, emit)
}
