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
	vocabulary.LastEmailMarketingOpen, vocabulary.LastEmailMarketingClick, vocabulary.LastEmailTransactionalOpen, vocabulary.LastEmailTransactionalClick,
}

// recentWeeks is how far back a snapshot looks first.
const recentWeeks = 3

// remembered is how far back anything is remembered, beside when somebody stopped: dates before that are forgotten.
const remembered = 53 * week

// remember simulates as much of the past as tells what was latest before an instant: some weeks, and twice as many until it is found.
// Of the time since the person stopped, nothing but machines tells.
func (v *View) remember(p *Person, now int64, mail bool) {
	idle := p.idleSince(now - 1)
	floor := max(p.created, begins, idle-remembered)
	for length := int64(recentWeeks * week); ; length *= 2 {
		begin := weekStart(weekOf(max(idle-length, floor)))
		v.recall(p, begin, idle, now, mail)
		if begin <= floor || p.knows(begin, mail) {
			break
		}
	}
	p.memory.visited = max(p.memory.visited, p.created)
	for i := range p.installations {
		p.installations[i].started = max(p.installations[i].started, p.installations[i].installed)
	}
}

// knows reports whether nothing later than what was found can have been missed, since the simulation began at an instant.
func (p *Person) knows(begin int64, mail bool) bool {
	for i := range p.installations {
		if p.installations[i].started < begin+pushLife {
			return false
		}
	}
	if !mail {
		return true
	}
	if !p.who.hasEmail {
		return p.memory.visited >= begin+pushLife
	}
	for i, at := range p.memory.latest {
		if may := (p.who.clicks || i&1 == 0) && (p.who.buys || i < 2); may && at < begin+messageLife {
			return false
		}
	}
	return p.memory.visited >= begin+pushLife
}

// recall simulates sessions and messages from an instant on until the person stopped.
func (v *View) recall(p *Person, begin, idle, now int64, mail bool) {
	p.prepare(channelPush, begin, now)
	if mail {
		p.prepare(channelEmail, begin, now)
	}
	of := &p.memory
	of.visited, of.latest, of.sessions = 0, [4]int64{}, of.sessions[:0]
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
	if root := v.latest.roots[channelPush]; root >= 0 && len(p.installations) > 0 {
		v.messagesOf(p, v.latest.journey, root, channelPush, begin, min(idle, now), nil, func(_ *sending, _ uint64, device int, list []happening) {
			for _, event := range list {
				if v.latest.journey.steps[event.step].is.person && event.at < now {
					p.start(device, event.at)
				}
			}
		})
	}
	if root := v.latest.roots[channelEmail]; mail && root >= 0 && p.who.hasEmail {
		until := min(idle, now)
		if v.latest.opens >= 0 && v.latest.journey.machineOf(p) {
			until = now
		}
		v.messagesOf(p, v.latest.journey, root, channelEmail, begin, until, nil, func(s *sending, _ uint64, _ int, list []happening) {
			first := 0
			if s.campaign.transactional {
				first = 2
			}
			for _, event := range list {
				if event.at >= now {
					continue
				}
				switch v.latest.journey.steps[event.step].event {
				case v.latest.opens:
					of.latest[first] = max(of.latest[first], event.at)
				case v.latest.clicks:
					of.latest[first+1] = max(of.latest[first+1], event.at)
				}
			}
		})
	}
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
	v.remember(p, v.to, false)
	for i := range p.installations {
		if p.installations[i].installed < v.to {
			emit(&Row{Person: p, Installation: i, Time: v.to - 1, Event: -1, linked: true})
		}
	}
}

// profile is a person as they are before an instant.
func (v *View) profile(p *Person, emit func(*Row)) {
	p.prepare(channelSMS, v.to, v.to)
	v.remember(p, v.to, true)
	emit(&Row{Person: p, Installation: -1, Time: v.to - 1, Event: -1})
}
