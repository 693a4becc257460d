package world

import (
	"slices"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
)

// take makes the person who was given, and who is the person n of the world; -1: is not.
func (p *Person) take(v *View, g *GivenPerson, n int64) {
	alive := n >= 0 && p.become(n, v.to)
	if alive && !g.Loaded {
		v.given.lose(p)
	} else {
		p.beginOwn(v, g)
	}
	p.given, p.hidden = g, n >= 0 && !g.Loaded && !alive
	p.places, p.told = p.places[:0], append(p.told[:0], make([]told, len(g.Events))...)
}

// beginOwn makes a person of whom nothing is drawn but what a row must have.
func (p *Person) beginOwn(v *View, g *GivenPerson) {
	w := v.w
	p.begin(w.people+g.Number, v.to, keyed(named(w.seed, g.ID), 0))
	r := random{p.key}
	first := r.next()
	p.who = traits{home: w.places[w.living.pick(first)], level: uint8(len(levels) / 2), hasCustom: g.CustomID != ""}
	if p.who.home.lines == 0 { // nobody there has a number, and a row may have to show one
		p.who.home = w.places[0]
	}
	p.call(first, r.next())
	p.isOwn, p.created = true, v.to-1
	p.installations, p.spells = p.installations[:0], p.spells[:0]
	p.memory = memory{sessions: p.memory.sessions}
	for of, address := range [channelPush]string{g.Email, g.Phone} {
		p.began[of].present, p.addresses[of] = address != "", append(p.addresses[of][:0], address)
	}
	for of, consent := range [channelPush]*bool{g.EmailConsent, g.SMSConsent} {
		p.began[of].known, p.began[of].consent = consent != nil, consent != nil && *consent
	}
	for of := range p.changes {
		p.changes[of].drawn = true
	}
}

// settleGiven adds the given installations, and what given events changed and left.
func (v *View) settleGiven(p *Person) {
	g := p.given
	for of := range channels { // before there are installations that were not drawn
		p.draw(of)
	}
	for i := range g.Installations {
		p.places = append(p.places, v.place(p, &g.Installations[i]))
	}
	for i := range g.Events {
		e := &g.Events[i]
		for k := range e.Changes {
			p.apply(e, &e.Changes[k], &p.told[i])
		}
		if e.Device >= 0 && e.OfDevice {
			one := &p.installations[p.places[e.Device]]
			if one.given != nil && !one.dated {
				one.installed = min(one.installed, e.At)
			}
		}
		if e.At < v.to {
			p.leave(e)
		}
	}
	for i := range p.installations {
		one := &p.installations[i]
		if one.given == nil {
			continue
		}
		if !one.dated {
			one.installed = min(one.installed, v.to-1)
		}
		if p.isOwn && p.belongs(i, v.to-1) { // events before the link as well
			p.memory.visited, p.active = max(p.memory.visited, one.started), max(p.active, one.started)
		}
		one.started = max(one.started, one.installed, upTo(one.given.Values, vocabulary.LastStartDate, v.to))
	}
	if p.isOwn {
		p.memory.visited = max(p.memory.visited, upTo(g.Values, vocabulary.LastVisitDate, v.to))
		p.active = max(p.active, p.memory.visited, upTo(g.Values, vocabulary.LastActivity, v.to))
		for i, name := range latestNames {
			p.memory.latest[i] = max(p.memory.latest[i], upTo(g.Values, name, v.to))
		}
	}
}

// upTo is a given time, if it is before another; else 0.
func upTo(of Values, name string, before int64) int64 {
	if _, at, is := of.Given(name); is && at < before {
		return at
	}
	return 0
}

// place is where a given installation is among those of a person, which gets it if it has none.
func (v *View) place(p *Person, g *GivenInstallation) int {
	if n, device, drawn := v.w.InstallationByID(g.ID); drawn && !g.Loaded && !p.isOwn && n == p.number && device < len(p.installations) {
		return device
	}
	made := installation{key: named(v.w.seed, g.ID), given: g, installed: g.Known, leaves: maxTime, token: true, optIn: true,
		unlinked: p.given.CustomID == ""}
	if !p.isOwn {
		made.unlinked = !p.who.hasCustom
	}
	made.platform = uint8(v.w.platforms.pick(mix(made.key)))
	if _, at, is := g.Values.Given(vocabulary.InstallDate); is {
		made.installed, made.dated = at, true
	}
	if g.Reachable != nil {
		made.token = *g.Reachable
	}
	if g.OptIn != nil {
		made.optIn = *g.OptIn
	}
	if g.Linked != nil {
		made.unlinked, made.stated = !*g.Linked, true
	}
	p.installations = append(p.installations, made)
	return len(p.installations) - 1
}

// apply applies a change that an event asks for, unless it is so already. Before its first change a state was the opposite of what it
// became.
func (p *Person) apply(e *GivenEvent, wanted *GivenChange, tells *told) {
	of, kind, device := flagged[wanted.Flag].of, flagged[wanted.Flag].kind, -1
	if wanted.Flag.ofDevice() {
		if e.Device < 0 || !e.OfDevice || p.installations[p.places[e.Device]].given == nil {
			return
		}
		device = p.places[e.Device]
	} else if !e.OfPerson || !p.isOwn {
		return
	}
	var before *change
	list := p.changes[of].list
	for i := len(list) - 1; i >= 0 && before == nil; i-- {
		if c := &list[i]; int(c.installation) == device && (c.kind == kind || kind == changePresent && c.kind == changeUpdated) {
			before = c
		}
	}
	made := change{at: e.At, nth: e.Nth, kind: kind, state: wanted.State, installation: int32(device)}
	stated := wanted.Reason != ""
	reason := slices.IndexFunc(reasons, func(r reason) bool { return stated && r.name == wanted.Reason })
	updated := kind == changePresent && wanted.State && p.hadAddress(of, before, wanted.Text)
	if stated {
		updated = reason > 0 && reasons[reason].kind == changeUpdated
	}
	if updated {
		made.kind = changeUpdated
	}
	updates := made.kind != kind
	if before != nil && before.state == wanted.State && (!updates || !stated && wanted.Text == p.addresses[of][len(p.addresses[of])-1]) {
		return
	}
	if before == nil {
		p.beganAs(of, kind, device, !wanted.State || updates)
	}
	if kind == changePresent && wanted.State {
		p.addresses[of] = append(p.addresses[of], wanted.Text)
	}
	p.changes[of].list = append(p.changes[of].list, made)
	if reason < 0 {
		reason = reasonOf(of, &made)
	}
	tells.device = tells.device || device >= 0
	tells.reasons[of] = withReason(tells.reasons[of], reason)
}

// hadAddress reports whether there was another address or number before a change.
func (p *Person) hadAddress(of channel, before *change, now string) bool {
	if before != nil {
		return before.state
	}
	row := p.addresses[of][0]
	return row != "" && row != now
}

// beganAs notes what a state was before its first change.
func (p *Person) beganAs(of channel, kind changeKind, device int, state bool) {
	switch kind {
	case changePresent:
		p.began[of].present = state
	case changeConsent:
		p.began[of].known, p.began[of].consent = true, state
	case changeToken:
		p.installations[device].token = state
	case changeOptIn:
		p.installations[device].optIn = state
	case changeLinked:
		p.installations[device].unlinked, p.installations[device].stated = !state, true
	}
}

func (p *Person) leave(e *GivenEvent) {
	starts, does := false, false
	switch e.Type {
	case "visit", "push_open", "inapp_shown", "inapp_clicked", "inapp_closed", "custom_event":
		starts, does = true, true
	case "email_open", "email_click", "tag_added", "tag_removed":
		does = true
	}
	if starts && e.OfDevice && e.Device >= 0 {
		one := &p.installations[p.places[e.Device]]
		one.started = max(one.started, e.At)
	}
	if !e.OfPerson || e.Device >= 0 && !p.belongs(p.places[e.Device], e.At) {
		return
	}
	if starts {
		p.memory.visited = max(p.memory.visited, e.At)
	}
	if does {
		p.active = max(p.active, e.At)
	}
	// An event does not say whether its message was transactional: up to the transactional date of its row, it may have been.
	switch {
	case e.Type == "email_open" && e.At > upTo(p.given.Values, vocabulary.LastEmailTransactionalOpen, maxTime):
		p.memory.latest[0] = max(p.memory.latest[0], e.At)
	case e.Type == "email_click" && e.At > upTo(p.given.Values, vocabulary.LastEmailTransactionalClick, maxTime):
		p.memory.latest[1] = max(p.memory.latest[1], e.At)
	}
}
