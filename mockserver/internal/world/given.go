package world

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
)

// flagged is what each flag is among the changes of a person.
var flagged = [...]struct {
	of   channel
	kind changeKind
}{
	{channelPush, changeToken}, {channelPush, changeOptIn}, {channelPush, changeLinked},
	{channelEmail, changePresent}, {channelEmail, changeConsent}, {channelSMS, changePresent}, {channelSMS, changeConsent},
}

func (f GivenFlag) ofDevice() bool { return f <= FlagLinked }

// ReasonFlag is the state that a reason changes, and what it becomes.
func ReasonFlag(name string) (flag GivenFlag, becomes, known bool) {
	for _, r := range reasons[1:] {
		for flag, of := range flagged {
			if r.name == name && r.channel == of.of && (r.kind == of.kind || r.kind == changeUpdated && of.kind == changePresent) {
				return GivenFlag(flag), r.became, true
			}
		}
	}
	return 0, false, false
}

// Give lets the view show given people. It comes before all facts are found.
func (v *View) Give(own Own) (err error) {
	if own.People == nil || own.People.People() == 0 && !own.Only {
		return nil
	}
	made := &givenPeople{Own: own, from: secondOf(own.From)}
	defer func() {
		if cause := recover(); cause != nil {
			err = fmt.Errorf("the given people cannot be read: %v", cause)
		}
	}()
	made.standIns = own.People.Derived(v.w.Fingerprint(), func() any { return v.w.standIns(own.People) }).(*standIns)
	v.given = made
	return nil
}

func (w *World) standIns(given Given) *standIns {
	s := &standIns{people: map[int64][]int64{}, lost: map[int64]uint8{}}
	loaded := map[int64]bool{}
	given.Visit(0, given.People(), false, func(g *GivenPerson) {
		for i := range g.Installations {
			if in := &g.Installations[i]; in.Loaded {
				if n, device, is := w.InstallationByID(in.ID); is {
					s.lost[n] |= 1 << device
				}
			}
		}
		n := w.personOf(g)
		switch {
		case n < 0:
		case g.Loaded && !loaded[n]: // the one with a row comes first
			s.people[n], loaded[n] = slices.Insert(s.people[n], 0, g.Number), true
		default:
			s.people[n] = append(s.people[n], g.Number)
		}
	})
	return s
}

// personOf is the person of the world that a given one is; -1: none.
func (w *World) personOf(g *GivenPerson) int64 {
	if n, is := w.ProfileByID(g.ID); is {
		return n
	}
	if n, is := w.ProfileByCustomID(g.CustomID); is && g.CustomID != "" {
		return n
	}
	if g.InstallationID != "" && !g.Loaded {
		for i := range g.Installations {
			if in := &g.Installations[i]; in.ID == g.InstallationID && !in.Loaded {
				if n, _, is := w.InstallationByID(in.ID); is {
					return n
				}
			}
		}
	}
	return -1
}

func (g *givenPeople) skips(n int64) bool {
	if g == nil {
		return false
	}
	_, is := g.people[n]
	return is
}

// lose takes the installations from a person that given ones take the place of: they are never there.
func (g *givenPeople) lose(p *Person) {
	if g == nil {
		return
	}
	if lost := g.lost[p.number]; lost != 0 {
		for i := range p.installations {
			if lost>>i&1 != 0 {
				p.installations[i].installed = maxTime
			}
		}
	}
}

// simulateGiven lets given people live: those with numbers from one on, and before another.
func (v *View) simulateGiven(p *Person, from, to int64, number *int64, emit func(Row)) {
	all := v.given.People
	all.Visit(from, min(to, all.People()), true, func(g *GivenPerson) {
		n := v.w.personOf(g)
		if same := v.given.people[n]; same != nil {
			if same[0] != g.Number {
				return
			}
			for _, other := range same[1:] {
				all.Visit(other, other+1, true, g.join)
			}
		}
		p.take(v, g, n)
		*number = p.number
		if p.isOwn && g.inSegment(v) || !p.isOwn && v.segment.holds(p.key) {
			v.visitGiven(p, number, emit)
		}
	})
}

func (g *GivenPerson) join(other *GivenPerson) {
	first := len(g.Installations)
	g.Installations = append(g.Installations, other.Installations...)
	for _, e := range other.Events {
		if e.Device >= 0 {
			e.Device += first
		}
		g.Events = append(g.Events, e)
	}
	slices.SortStableFunc(g.Events, func(a, b GivenEvent) int { return cmp.Or(cmp.Compare(a.At, b.At), cmp.Compare(a.Nth, b.Nth)) })
}

func (g *GivenPerson) inSegment(v *View) bool {
	return v.segment == nil || g.Loaded && slices.Contains(g.Segments, v.segment.code)
}

// shows reports whether a given installation is shown where installations are listed.
func (v *View) shows(g *GivenInstallation) bool {
	if _, at, is := g.Values.Given(vocabulary.InstallDate); is && at >= v.to || g.Elsewhere {
		return false
	}
	if g.Loaded || v.given.Only {
		return true
	}
	_, _, drawn := v.w.InstallationByID(g.ID)
	return !drawn // else that of the world is there
}

// hides reports whether nobody knows the person: another one has the installation for which it was there, or it is yet to be created.
func (g *GivenPerson) hides(v *View) bool {
	if _, at, is := g.Values.Given(vocabulary.CreationDate); is && at >= v.to {
		return true
	}
	return g.Unnamed && !g.Loaded && g.InstallationID == ""
}

// isNobody reports whether a person is there for an installation that belongs to no profile at an instant.
func (p *Person) isNobody(at int64) bool {
	if !p.given.Unnamed || p.given.Loaded {
		return false
	}
	for i := range p.installations {
		if p.installations[i].stated && !p.standing(channelPush, i, at).linked {
			return true
		}
	}
	return false
}

func (v *View) visitGiven(p *Person, number *int64, emit func(Row)) {
	g, drawn, settled := p.given, !p.isOwn, false
	settle := func() {
		if !settled {
			v.settleGiven(p)
		}
		settled = true
	}
	settleAndEmit := func(r Row) {
		settle()
		emit(r)
	}
	switch v.view {
	case vocabulary.ViewProfiles:
		if drawn {
			v.visit(v, p, settleAndEmit)
		} else if settle(); !p.hidden && !g.hides(v) && !p.isNobody(v.to-1) {
			emit(Row{Person: p, Installation: -1, Time: v.to - 1, Event: -1})
		}
	case vocabulary.ViewInstallations:
		first := 0
		if drawn {
			first = len(p.installations)
			v.visit(v, p, settleAndEmit)
		}
		settle()
		for i := first; i < len(p.installations); i++ {
			if v.shows(p.installations[i].given) {
				emit(Row{Person: p, Installation: i, Time: v.to - 1, Event: -1, linked: true})
			}
		}
	default:
		visit := func(v *View, p *Person, emit func(Row)) {
			if drawn && !v.given.Only {
				v.visit(v, p, emit)
			}
			for of := range channels {
				p.settle(of, v.from, v.to)
			}
			settle()
			v.happen(p, number, emit)
		}
		if v.view == vocabulary.ViewInstallationRecipients {
			visit = recipients(visit)
		}
		visit(v, p, emit)
	}
}

func (v *View) happen(p *Person, number *int64, emit func(Row)) {
	for i := range p.given.Events {
		e := &p.given.Events[i]
		if e.At < v.given.from || e.At >= v.to {
			continue
		}
		p.upTo = e.Nth
		if (v.view == vocabulary.ViewProfileChanges || v.view == vocabulary.ViewProfileMessages) && p.isNobody(e.At) {
			continue
		}
		*number = v.w.people + int64(e.Nth)
		row := Row{Person: p, Installation: -1, Time: e.At, Event: -1, Message: e.Key, given: e, channel: channelPush}
		if e.Device >= 0 {
			row.Installation = p.places[e.Device]
		}
		switch v.view {
		case vocabulary.ViewInstallationChanges:
			if p.told[i].device {
				row.linked = true
				emit(row)
			}
		case vocabulary.ViewProfileChanges:
			v.tell(p, &p.told[i], row, emit)
		default:
			if v.concerns(e, &row) {
				row.linked = v.view != vocabulary.ViewProfileMessages
				emit(row)
			}
		}
	}
	p.upTo = math.MaxInt32
}

func (v *View) tell(p *Person, of *told, row Row, emit func(Row)) {
	installation := row.Installation
	for of, reason := range of.reasons {
		if reason == 0 || !v.channels[of] {
			continue
		}
		row.Reason, row.channel, row.Installation, row.Message = reason, channel(of), -1, keyed(row.given.Key, uint64(of))
		if row.channel == channelPush {
			row.Installation = installation
		}
		emit(row)
	}
}

// concerns reports whether a view of messages shows an event, and gives the row what the event is and by which channel it came.
func (v *View) concerns(e *GivenEvent, row *Row) (is bool) {
	if row.Event = slices.Index(v.events, v.given.Wire(e.Type)); row.Event < 0 || !v.wanted[row.Event] {
		return false
	}
	for of, name := range channelNames {
		if strings.HasPrefix(e.Type, name+"_") {
			row.channel = channel(of)
		}
	}
	row.Campaign = v.w.campaignOf(e, row.channel)
	if v.view == vocabulary.ViewProfileMessages {
		return e.OfPerson && (e.Campaign == "" && e.Group == "" || e.Orchestration != "")
	}
	return e.OfDevice && (v.given.Campaign != "" && e.Campaign == v.given.Campaign || v.given.Group != "" && e.Group == v.given.Group)
}

// campaignOf is the campaign that a given event has what it does not say of its own from.
func (w *World) campaignOf(e *GivenEvent, of channel) *campaign {
	name := e.Orchestration + e.Campaign + e.Group
	list := w.senders[of].list
	if len(list) == 0 {
		return &w.campaigns[0]
	}
	return list[below(named(w.seed, name), int64(len(list)))]
}
