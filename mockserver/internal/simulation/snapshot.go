package simulation

import "github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"

// memory is what was latest, as far as it was simulated; 0: never.
type memory struct {
	visited  int64
	latest   [4]int64 // of latestNames
	sessions []session
}

// latestNames are the dates of opens and clicks.
var latestNames = [4]string{
	vocabulary.LastEmailMarketingOpen, vocabulary.LastEmailMarketingClick,
	vocabulary.LastEmailTransactionalOpen, vocabulary.LastEmailTransactionalClick,
}

// recentWeeks is how far back a snapshot looks first.
const recentWeeks = 3

// remembered is how far back anything is remembered, beside when somebody stopped: dates before that are forgotten.
const remembered = 53 * week

// remember simulates as much of the past as tells what was latest before an instant: some weeks, and twice as many until it is found.
// Of the time since the person stopped, nothing but machines tells.
func (v *View) remember(p *Person, now int64) {
	idle := p.idleSince(now - 1)
	floor := max(p.created, begins, idle-remembered)
	for weeks := int64(recentWeeks); ; weeks *= 2 {
		begin := weekStart(weekOf(max(idle-weeks*week, floor)))
		v.recallUse(p, begin, idle, now)
		if begin <= floor || v.knowsUse(p, begin) {
			break
		}
	}
	p.memory.visited = max(p.memory.visited, p.created)
	for i := range p.installations {
		p.installations[i].started = max(p.installations[i].started, p.installations[i].installed)
	}
}

// knowsUse reports whether no later use than was found can have been missed, since the simulation began at an instant.
func (v *View) knowsUse(p *Person, begin int64) bool {
	for i := range p.installations {
		if v.latest.starts && p.installations[i].started < begin+pushLife {
			return false
		}
	}
	return v.view != vocabulary.ViewProfiles || p.memory.visited >= begin+pushLife
}

// recallUse simulates sessions and push messages from an instant on until the person stopped.
func (v *View) recallUse(p *Person, begin, idle, now int64) {
	p.prepare(channelPush, begin, now)
	of := &p.memory
	of.visited, of.sessions = 0, of.sessions[:0]
	for i := range p.installations {
		p.installations[i].started = 0
	}
	for n := weekOf(begin); n <= weekOf(idle+day); n++ {
		of.sessions = p.use(n, of.sessions)
	}
	for i := range of.sessions {
		s := &of.sessions[i]
		if s.at >= now {
			continue
		}
		last := s.lastTurn(now - 1)
		if s.installation < 0 {
			of.visited = max(of.visited, last)
			continue
		}
		p.start(int(s.installation), last)
	}
	root := v.latest.roots[channelPush]
	if root < 0 || len(p.installations) == 0 {
		return
	}
	some := those{
		journey: v.latest.journey, root: root, channel: channelPush, from: begin, to: min(idle, now), taking: v.latest.opened[channelPush],
	}
	v.messagesOf(p, &some, func(_ *sending, _ uint64, device int, list []happening) {
		for _, event := range list {
			if v.latest.journey.steps[event.step].is.person && event.at < now {
				p.start(device, event.at)
			}
		}
	})
}

// rememberMail is remember of what people opened and clicked.
func (v *View) rememberMail(p *Person, now int64) {
	p.memory.latest = [4]int64{}
	root := v.latest.roots[channelEmail]
	if !p.who.hasEmail || root < 0 {
		return
	}
	idle := p.idleSince(now - 1)
	if v.latest.journey.machineOf(p) {
		idle = now
	}
	floor := max(p.created, begins, idle-remembered)
	for weeks := int64(2 * recentWeeks); ; weeks *= 2 {
		begin := weekStart(weekOf(max(idle-weeks*week, floor)))
		p.prepare(channelEmail, begin, now)
		some := those{
			journey: v.latest.journey, root: root, channel: channelEmail, from: begin, to: min(idle, now), taking: v.latest.opened[channelEmail],
		}
		v.messagesOf(p, &some, func(s *sending, _ uint64, _ int, list []happening) { v.notice(p, s, list, now) })
		if begin <= floor || p.knowsMail(begin) {
			return
		}
	}
}

// notice notes what was opened and clicked of a message before an instant.
func (v *View) notice(p *Person, s *sending, list []happening, now int64) {
	of := p.memory.latest[:2]
	if s.campaign.transactional {
		of = p.memory.latest[2:]
	}
	for _, event := range list {
		if event.at >= now {
			continue
		}
		switch v.latest.journey.steps[event.step].event {
		case v.latest.opens:
			of[0] = max(of[0], event.at)
		case v.latest.clicks:
			of[1] = max(of[1], event.at)
		}
	}
}

// knowsMail is knowsUse of what people opened and clicked, those who ever do.
func (p *Person) knowsMail(begin int64) bool {
	for i, at := range p.memory.latest {
		if may := (p.who.clicks || i&1 == 0) && (p.who.buys || i < 2); may && at < begin+messageLife {
			return false
		}
	}
	return true
}

// machineOf reports whether a machine opens the mail of a person.
func (j *journey) machineOf(p *Person) bool {
	for i := range j.steps {
		if j.steps[i].machine.has.holds(keyed(p.key, 400)) {
			return true
		}
	}
	return false
}

// start notes that the app was started.
func (p *Person) start(device int, at int64) {
	of := &p.installations[device]
	of.started = max(of.started, at)
	if p.standing(channelPush, device, at).linked {
		p.memory.visited = max(p.memory.visited, at)
	}
}

// installations are those of a person, as they are before an instant.
func (v *View) installations(p *Person, emit func(*Row)) {
	if len(p.installations) == 0 {
		return
	}
	v.remember(p, v.to)
	for i := range p.installations {
		if p.installations[i].installed < v.to {
			emit(&Row{Person: p, Installation: i, Time: v.to - 1, Event: -1, linked: true})
		}
	}
}

// profile is a person as they are before an instant.
func (v *View) profile(p *Person, emit func(*Row)) {
	for of := range channels {
		p.prepare(of, v.to, v.to)
	}
	v.remember(p, v.to)
	if v.latest.wanted {
		v.rememberMail(p, v.to)
	}
	emit(&Row{Person: p, Installation: -1, Time: v.to - 1, Event: -1})
}
