package world

import "github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"

var latestNames = [4]string{
	vocabulary.LastEmailMarketingOpen, vocabulary.LastEmailMarketingClick,
	vocabulary.LastEmailTransactionalOpen, vocabulary.LastEmailTransactionalClick,
}

// memory holds the latest dates of a person so far; 0: never.
type memory struct {
	visited  int64
	latest   [4]int64 // of latestNames
	sessions []session
	shown    []int64 // see View.show
}

// remembered is how far back the past is known before an instant, or before somebody stopped: older dates are forgotten.
const remembered = 26 * week

// remember steps back from an instant, or from when the person stopped, week by week until it is known when apps were used last.
func (v *View) remember(p *Person, now int64) {
	p.memory.visited = p.created
	for i := range p.installations {
		one := &p.installations[i]
		one.started, one.linked = one.installed, p.standing(channelPush, i, now-1).linked
		if one.leaves < now && p.isActive(one.leaves) {
			one.started = max(one.started, one.leaves)
		}
	}
	j := v.latest.journey
	idle, _ := p.idle(now - 1)
	since := max(p.created, begins, idle-remembered)
	pushes := those{journey: j, channel: channelPush, from: since, to: min(idle, now), taking: j.opens[channelPush]}
	for n := weekOf(idle + day); n >= weekOf(since-overlap) && !v.knowsUse(p, weekStart(n+1)+overlap+pushLife); n-- {
		p.memory.sessions = p.use(n, v.latest.visits, p.memory.sessions[:0])
		for i := range p.memory.sessions {
			if s := &p.memory.sessions[i]; s.at >= now {
				continue
			} else if s.installation < 0 {
				p.memory.visited = max(p.memory.visited, s.at)
			} else {
				p.start(int(s.installation), s.lastTurn(now-1))
			}
		}
		if len(p.installations) == 0 || pushes.taking == 0 || !p.attends(&j.steps[pushes.taking], n) {
			continue
		}
		pushes.root = j.steps[pushes.taking].root
		v.messagesOfWeek(p, &pushes, n, func(_ *sending, _ uint64, device int, list []happening) {
			for _, event := range list {
				if j.steps[event.step].is.person && event.at < now {
					p.start(device, event.at)
				}
			}
		})
	}
	for i := range p.installations {
		if one := &p.installations[i]; one.linked {
			p.memory.visited = max(p.memory.visited, one.started)
		} else { // some starts were before it left
			p.memory.visited = max(p.memory.visited, min(one.started, p.standing(channelPush, i, now-1).since))
		}
	}
}

func (p *Person) start(device int, at int64) {
	p.installations[device].started = max(p.installations[device].started, at)
}

// knowsUse reports whether nothing before an instant can be later than the dates that are known.
func (v *View) knowsUse(p *Person, at int64) bool {
	visited := !v.latest.visits || p.memory.visited >= at
	for i := range p.installations {
		one := &p.installations[i]
		if v.latest.starts && one.started < at {
			return false
		}
		visited = visited || one.linked && one.started >= at
	}
	return visited
}

// rememberMail is remember of what people opened and clicked.
func (v *View) rememberMail(p *Person, now int64) {
	p.memory.latest = [4]int64{}
	j := v.latest.journey
	opens, clicks := j.opens[channelEmail], j.clicks[channelEmail]
	if !p.who.hasEmail || opens == 0 {
		return
	}
	idle, _ := p.idle(now - 1)
	machine := j.steps[opens].machine.has.holds(p.who.machine)
	if machine {
		idle = now
	}
	since := max(p.created, begins, idle-remembered)
	mails := those{journey: j, root: j.steps[opens].root, channel: channelEmail, from: since, to: min(idle, now), taking: opens}
	var opened, clicked [2]bool // of marketing and transactional mail: the latest is known, or there is none
	mails.skips = func(c *campaign) bool { return opened[c.kind] && clicked[c.kind] }
	for n := weekOf(idle + day); n >= weekOf(since-overlap); n-- {
		before := weekStart(n+1) + overlap + messageLife
		for kind := range opened {
			never := kind == 1 && !p.who.buys
			opened[kind] = never || p.memory.latest[2*kind] >= before
			clicked[kind] = never || clicks == 0 || machine || !p.who.clicks || p.memory.latest[2*kind+1] >= before
		}
		if opened == [2]bool{true, true} {
			if mails.taking = clicks; clicked == opened {
				return
			}
		}
		if !machine && !p.attends(&j.steps[opens], n) {
			continue
		}
		v.messagesOfWeek(p, &mails, n, func(s *sending, _ uint64, _ int, list []happening) {
			of := p.memory.latest[2*s.campaign.kind:]
			for _, event := range list {
				if event.at >= now {
					continue
				}
				switch event.step {
				case opens:
					of[0] = max(of[0], event.at)
				case clicks:
					of[1] = max(of[1], event.at)
				}
			}
		})
	}
}

func (v *View) installations(p *Person, emit func(Row)) {
	if len(p.installations) == 0 {
		return
	}
	if v.latest.starts {
		v.remember(p, v.to)
	}
	for i := range p.installations {
		if p.installations[i].installed < v.to {
			emit(Row{Person: p, Installation: i, Time: v.to - 1, Event: -1, linked: true})
		}
	}
}

func (v *View) profile(p *Person, emit func(Row)) {
	if v.latest.visits {
		v.remember(p, v.to)
	}
	if v.latest.wanted {
		v.rememberMail(p, v.to)
	}
	emit(Row{Person: p, Installation: -1, Time: v.to - 1, Event: -1})
}
