package world

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
)

// Query chooses a view of the world and what of it is wanted.
type Query struct {
	View string
	// From and To bound the events: From is inside, To is not.
	From, To time.Time
	// Now is the moment a snapshot shows; no event at or after it is known.
	Now time.Time
	// Stream names what kind of campaign, and which one. Every name has an audience.
	Stream string
	// Segment keeps the people of a segment; empty: all. Views of installations know none.
	Segment string
	// Events are the wanted events, by the names of the journey, and Channels those of changes; nil: all.
	Events, Channels []string
	// Journey is the life of a message, for the views of messages and recipients, and Messages that of the messages to profiles,
	// whose latest opens and starts of the app snapshots show.
	Journey, Messages []Step
	// ShowsLinks says that the rows of recipients show whether an installation is linked to its profile.
	ShowsLinks bool
	// Arrived reports whether a row of a message is known already; nil: all are. A recipient has the first that is.
	Arrived func(row *Row) bool
}

// View is what a query chooses. It is safe for concurrent use once its facts were found, and then immutable.
type View struct {
	w        *World
	view     string
	from, to int64 // what is told of: from is inside, to is not
	events   []string
	wanted   []bool // by event
	channels [channels]bool
	segment  *segment
	target   target
	journey  *journey
	latest   latest
	links    bool
	arrived  func(row *Row) bool
	ordered  bool // rows are in order of time, and not of people
	visit    func(v *View, p *Person, emit func(Row))
	given    *givenPeople // nil: there are none
}

// latest is the life of the messages to profiles, of which the latest opens and clicks are remembered, and which dates rows show.
type latest struct {
	journey *journey
	wanted  bool // opens and clicks
	starts  bool // of apps
	visits  bool
}

// View opens a view. A query that makes no sense is an error.
func (w *World) View(q Query) (v *View, err error) {
	v = &View{w: w, view: q.View, segment: segmentOf(w.seed, q.Segment), links: q.ShowsLinks, arrived: q.Arrived, ordered: true}
	v.from, v.to = max(secondOf(q.From), begins), min(secondOf(q.To), secondOf(q.Now))
	if v.journey, err = w.newJourney(q.Journey); err != nil {
		return nil, err
	}
	if v.latest.journey, err = w.newJourney(q.Messages); err != nil {
		return nil, err
	}
	for of, name := range channelNames {
		v.channels[of] = q.Channels == nil || slices.Contains(q.Channels, name)
	}
	for _, s := range q.Journey {
		v.events, v.wanted = append(v.events, s.Event), append(v.wanted, q.Events == nil || slices.Contains(q.Events, s.Event))
	}
	if strings.HasPrefix(q.View, "installation") {
		v.segment = nil
	}
	switch q.View {
	case vocabulary.ViewInstallations:
		v.to, v.ordered, v.events, v.visit = secondOf(q.Now), false, nil, (*View).installations
	case vocabulary.ViewProfiles:
		v.to, v.ordered, v.events, v.visit = secondOf(q.Now), false, nil, (*View).profile
	case vocabulary.ViewInstallationChanges:
		v.events, v.visit = nil, (*View).installationChanges
	case vocabulary.ViewProfileChanges:
		v.events, v.visit = nil, (*View).profileChanges
	case vocabulary.ViewProfileMessages:
		v.visit = (*View).profileMessages
	case vocabulary.ViewInstallationMessages, vocabulary.ViewInstallationRecipients:
		if len(v.journey.roots) == 0 {
			return nil, fmt.Errorf("view %q needs a journey", q.View)
		}
		if v.visit = (*View).campaign; v.journey.steps[v.journey.roots[0]].is.inApp {
			v.visit = (*View).inApp
		}
		once := slices.ContainsFunc(q.Journey, func(s Step) bool { return s.Burst })
		v.target = targetOf(w.campaigns, mix(named(w.seed, q.Stream)), w.people, !once)
		if q.View == vocabulary.ViewInstallationRecipients {
			v.ordered, v.visit = false, recipients(v.visit)
		}
	default:
		return nil, fmt.Errorf("view %q is not known", q.View)
	}
	return v, nil
}

// Events are the names of the events that rows refer to; empty when rows are no events.
func (v *View) Events() []string { return v.events }

// secondOf is the first whole second at or after an instant.
func secondOf(at time.Time) int64 {
	second := at.Unix()
	if at.Nanosecond() > 0 {
		second++
	}
	return second
}

func (v *View) holds(at int64) bool { return at >= v.from && at < v.to }

// followed is told what became of a message to an address or a device.
type followed func(s *sending, key uint64, device int, list []happening)

// those are messages of a channel that are looked at: sent from an instant on, and before another.
type those struct {
	journey  *journey
	root     int
	channel  channel
	from, to int64
	skips    func(*campaign) bool // those of other campaigns; nil: none
	taking   int                  // a step that they take; 0: it does not matter
}

func (v *View) messagesOfWeek(p *Person, some *those, week int64, visit followed) {
	first, end := -1, 0 // there is one address, and there may be several installations
	if some.channel == channelPush {
		first, end = 0, len(p.installations)
	}
	taking := &some.journey.steps[some.taking]
	p.sendings = p.send(some.channel, week, p.sendings[:0])
	for i := range p.sendings {
		s := &p.sendings[i]
		if some.skips != nil && some.skips(s.campaign) {
			continue
		}
		for device := first; device < end; device++ {
			key := keyOf(s, device)
			if some.taking != 0 && !p.takes(taking, s, device, mix(key^taking.salt), new(happening)) {
				continue // most do not, and need no time
			}
			if s.at == 0 {
				s.at = p.sentAt(s)
			}
			if s.at < some.from || s.at >= some.to || s.at < p.created {
				break
			}
			if device >= 0 && p.installations[device].installed > s.at {
				continue
			}
			now, ended := p.standing(some.channel, device, s.at), (*change)(nil)
			if now.until != maxTime && p.changes[some.channel].list[now.ending].message == s.key {
				ended = &p.changes[some.channel].list[now.ending]
			}
			if now.allows() {
				visit(s, key, device, p.follow(some.journey, some.root, s, key, device, now.until, ended))
			}
		}
	}
}

func keyOf(s *sending, device int) uint64 {
	if device <= 0 {
		return s.key
	}
	return keyed(s.key, uint64(device))
}

func (v *View) profileMessages(p *Person, emit func(Row)) {
	for of := range channels {
		at := slices.IndexFunc(v.journey.roots, func(root int) bool { // further roots of a channel are other names for the same
			return v.journey.steps[root].channel == of && !v.journey.steps[root].is.inApp
		})
		if p.reachedBy(of) && at >= 0 && v.wants(of) {
			v.messages(p, v.journey.roots[at], nil, emit)
		}
	}
}

func (v *View) wants(of channel) bool {
	for i, wanted := range v.wanted {
		if wanted && v.journey.steps[i].channel == of {
			return true
		}
	}
	return false
}

// campaign are the push messages of a campaign or group, to installations.
func (v *View) campaign(p *Person, emit func(Row)) {
	if len(p.installations) > 0 && v.target.campaign != nil && v.target.holds(v.target.campaign, p.key) {
		v.messages(p, v.journey.roots[0], func(c *campaign) bool { return c != v.target.campaign }, emit)
	}
}

func (v *View) messages(p *Person, root int, skips func(*campaign) bool, emit func(Row)) {
	of := v.journey.steps[root].channel
	some := those{journey: v.journey, root: root, channel: of, from: max(v.from-lives[of], begins), to: v.to, skips: skips}
	for n := weekOf(some.from - overlap); n <= weekOf(some.to+day); n++ {
		v.messagesOfWeek(p, &some, n, func(s *sending, key uint64, device int, list []happening) {
			v.emit(p, s, key, device, list, of, emit)
		})
	}
}

func (p *Person) reachedBy(of channel) bool {
	switch of {
	case channelEmail:
		return p.who.hasEmail
	case channelSMS:
		return p.who.hasPhone
	}
	return len(p.installations) > 0
}

func (v *View) emit(p *Person, s *sending, key uint64, device int, list []happening, of channel, emit func(Row)) {
	for _, event := range list {
		number := event.step
		if !v.holds(event.at) || !v.wanted[number] {
			continue
		}
		emit(Row{
			Person: p, Installation: device, Time: event.at, Event: number, Message: key, Campaign: s.campaign, channel: of, event: event,
			linked: v.view != vocabulary.ViewProfileMessages,
		})
	}
}

// recipients keeps the first row of each installation with each event that has arrived, or else the first, and of each state of its link if
// that shows.
func recipients(of func(v *View, p *Person, emit func(Row))) func(v *View, p *Person, emit func(Row)) {
	return func(v *View, p *Person, emit func(Row)) {
		type recipient struct {
			installation, event int
			linked              bool
		}
		var seen []recipient
		var rows []Row
		of(v, p, func(row Row) {
			one := recipient{row.Installation, row.Event, v.links && row.device().linked}
			if at := slices.Index(seen, one); at < 0 {
				seen, rows = append(seen, one), append(rows, row)
			} else if v.arrived != nil && !v.arrived(&rows[at]) && v.arrived(&row) {
				rows[at] = row
			}
		})
		for _, row := range rows {
			emit(row)
		}
	}
}

func (v *View) installationChanges(p *Person, emit func(Row)) {
	if len(p.installations) > 0 {
		p.settle(channelPush, v.from, v.to)
		v.changes(p, channelPush, func(*change) (int, bool) { return 0, true }, emit)
	}
}

func (v *View) profileChanges(p *Person, emit func(Row)) {
	for of := range channels {
		if v.channels[of] && p.reachedBy(of) {
			p.settle(of, v.from, v.to)
			v.changes(p, of, func(c *change) (int, bool) {
				reason := reasonOf(of, c)
				return reason, reason > 0
			}, emit)
		}
	}
}

func (v *View) changes(p *Person, of channel, told func(*change) (reason int, is bool), emit func(Row)) {
	for i := range p.changes[of].list {
		c := &p.changes[of].list[i]
		if !v.holds(c.at) {
			continue
		}
		if reason, is := told(c); is {
			emit(Row{Person: p, Installation: int(c.installation), Time: c.at, Event: -1, Reason: reason,
				Message: keyed(p.key, uint64(c.kind)<<8|uint64(c.installation+1)), channel: of, linked: v.view == vocabulary.ViewInstallationChanges})
		}
	}
}
