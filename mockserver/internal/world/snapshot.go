package world

import "github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"

// latestNames are the dates of opens and clicks.
var latestNames = [4]string{
	vocabulary.LastEmailMarketingOpen, vocabulary.LastEmailMarketingClick,
	vocabulary.LastEmailTransactionalOpen, vocabulary.LastEmailTransactionalClick,
}

// How far back uses and mail are remembered before an instant, or before somebody stopped: older dates are forgotten.
const (
	useRemembered  = 53 * week
	mailRemembered = 26 * week
)

// remember steps back from an instant, or from when the person stopped, week by week until it is known what was latest.
func (v *View) remember(p *Person, now int64) {
	p.memory.visited = p.created
	for i := range p.installations {
		p.installations[i].started = p.installations[i].installed
	}
	if !v.latest.starts && !v.latest.visits {
		return
	}
	for i := range p.installations {
		if at := p.installations[i].leaves; at < now && p.isActive(at) {
			v.start(p, i, at)
		}
	}
	idle := p.idleSince(now - 1)
	since := max(p.created, begins, idle-useRemembered)
	floor, last := weekOf(since-overlap), weekOf(idle+day)
	for n := last; n >= floor && !v.knowsUse(p, weekStart(n+1)+day); n-- {
		p.memory.sessions = p.use(n, v.latest.visits, p.memory.sessions[:0])
		for i := range p.memory.sessions {
			if s := &p.memory.sessions[i]; s.at >= now {
				continue
			} else if s.installation < 0 {
				p.memory.visited = max(p.memory.visited, s.at)
			} else {
				v.start(p, int(s.installation), s.lastTurn(now-1))
			}
		}
	}
	defer v.visitLinked(p, now)
	some := those{
		journey: v.latest.journey, root: v.latest.roots[channelPush], channel: channelPush, from: since, to: min(idle, now),
		taking: v.latest.opened[channelPush],
	}
	for n := last; n >= floor && some.root >= 0 && len(p.installations) > 0 && !v.knowsUse(p, weekStart(n+1)+overlap+pushLife); n-- {
		v.messagesOfWeek(p, &some, n, func(_ *sending, _ uint64, device int, list []happening) {
			for _, event := range list {
				if v.latest.journey.steps[event.step].is.person && event.at < now {
					v.start(p, device, event.at)
				}
			}
		})
	}
}

// visitLinked counts the starts of an installation as visits of the person to whom it is linked, also those before it was.
func (v *View) visitLinked(p *Person, now int64) {
	for i := range p.installations {
		if of := &p.installations[i]; v.latest.visits && of.started > p.memory.visited && of.started < now && p.standing(channelPush, i, now-1).linked {
			p.memory.visited = of.started
		}
	}
}

// knowsUse reports whether nothing before an instant can be later than what is known.
func (v *View) knowsUse(p *Person, at int64) bool {
	for i := range p.installations {
		if v.latest.starts && p.installations[i].started < at {
			return false
		}
	}
	return !v.latest.visits || p.memory.visited >= at
}

// start notes that the app was started.
func (v *View) start(p *Person, device int, at int64) {
	of := &p.installations[device]
	of.started = max(of.started, at)
	if v.latest.visits && at > p.memory.visited && p.standing(channelPush, device, at).linked {
		p.memory.visited = at
	}
}

// rememberMail is remember of what people opened and clicked.
func (v *View) rememberMail(p *Person, now int64) {
	p.memory.latest = [4]int64{}
	root := v.latest.roots[channelEmail]
	if !p.who.hasEmail || root < 0 {
		return
	}
	idle, machine := p.idleSince(now-1), v.latest.journey.machineOf(p)
	if machine {
		idle = now
	}
	since := max(p.created, begins, idle-mailRemembered)
	some := those{journey: v.latest.journey, root: root, channel: channelEmail, from: since, to: min(idle, now)}
	for n := weekOf(idle + day); n >= weekOf(since-overlap); n-- {
		opens, clicks := p.knowsMail(weekStart(n+1)+overlap+messageLife, !machine && p.who.clicks)
		some.without = [2]bool{opens[0] && clicks[0], opens[1] && clicks[1]}
		if some.without[0] && some.without[1] {
			break
		}
		if some.taking = v.latest.opened[channelEmail]; opens[0] && opens[1] {
			some.taking = max(v.latest.clicks, 0)
		}
		v.messagesOfWeek(p, &some, n, func(s *sending, _ uint64, _ int, list []happening) { v.notice(p, s, list, now) })
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
		switch event.step {
		case v.latest.opens:
			of[0] = max(of[0], event.at)
		case v.latest.clicks:
			of[1] = max(of[1], event.at)
		}
	}
}

// knowsMail reports of marketing and of transactional mail whether nothing before an instant was opened or clicked later than what is
// known, or ever.
func (p *Person) knowsMail(at int64, clicks bool) (opened, clicked [2]bool) {
	for kind := range opened {
		none := kind == 1 && !p.who.buys
		opened[kind] = none || p.memory.latest[2*kind] >= at
		clicked[kind] = none || !clicks || p.memory.latest[2*kind+1] >= at
	}
	return opened, clicked
}

// machineOf reports whether a machine opens the mail of a person.
func (j *journey) machineOf(p *Person) bool {
	for i := range j.steps {
		if j.steps[i].machine.has.holds(p.who.machine) {
			return true
		}
	}
	return false
}

// installations are those of a person, as they are before an instant.
func (v *View) installations(p *Person, emit func(Row)) {
	if len(p.installations) == 0 {
		return
	}
	v.remember(p, v.to)
	for i := range p.installations {
		if p.installations[i].installed < v.to {
			emit(Row{Person: p, Installation: i, Time: v.to - 1, Event: -1, linked: true})
		}
	}
}

// profile is a person as they are before an instant.
func (v *View) profile(p *Person, emit func(Row)) {
	v.remember(p, v.to)
	if v.latest.wanted {
		v.rememberMail(p, v.to)
	}
	emit(Row{Person: p, Installation: -1, Time: v.to - 1, Event: -1})
}
