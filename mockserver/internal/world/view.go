package world

import (
	"fmt"
	"slices"
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

// latest is the life of the messages to profiles, of which the latest opens and clicks are remembered.
type latest struct {
	journey       *journey
	roots         [channels]int // -1: none
	opened        [channels]int // the first step that a person takes; 0: none
	opens, clicks int           // the events; -1: none
	wanted        bool          // a row shows them
	starts        bool          // a row shows when an app was started
	visits        bool          // a row shows when the person was there
}

// View opens a view. A query that makes no sense is an error.
func (w *World) View(q Query) (*View, error) {
	v := &View{w: w, view: q.View, segment: segmentOf(w.seed, q.Segment), links: q.ShowsLinks, arrived: q.Arrived}
	v.from, v.to = max(secondOf(q.From), begins), min(secondOf(q.To), secondOf(q.Now))
	var err error
	if v.journey, err = w.newJourney(q.Journey); err != nil {
		return nil, err
	}
	if v.latest.journey, err = w.newJourney(q.Messages); err != nil {
		return nil, err
	}
	for of := range channels {
		v.channels[of] = q.Channels == nil || slices.Contains(q.Channels, channelNames[of])
		v.latest.roots[of] = v.latest.journey.rootOf(of)
		v.latest.opened[of] = v.latest.journey.personal(of)
	}
	for _, name := range q.Channels {
		if !slices.Contains(channelNames[:], name) {
			return nil, fmt.Errorf("channel %q is not known; email, sms and push are", name)
		}
	}
	event := func(name string) int {
		return slices.IndexFunc(q.Messages, func(s Step) bool { return s.Event == name })
	}
	v.latest.opens, v.latest.clicks = event("email_open"), event("email_click")
	for _, s := range q.Journey {
		v.events = append(v.events, s.Event)
		v.wanted = append(v.wanted, q.Events == nil || slices.Contains(q.Events, s.Event))
	}
	v.ordered = true
	switch q.View {
	case vocabulary.ViewInstallations, vocabulary.ViewProfiles:
		v.to, v.ordered = secondOf(q.Now), false
		v.events = nil
		v.visit = (*View).installations
		if q.View == vocabulary.ViewProfiles {
			v.visit = (*View).profile
		} else {
			v.segment = nil
		}
	case vocabulary.ViewInstallationChanges:
		v.events, v.segment, v.visit = nil, nil, (*View).installationChanges
	case vocabulary.ViewProfileChanges:
		v.events, v.visit = nil, (*View).profileChanges
	case vocabulary.ViewProfileMessages:
		v.visit = (*View).profileMessages
	case vocabulary.ViewInstallationMessages, vocabulary.ViewInstallationRecipients:
		v.segment, v.visit = nil, (*View).inApp
		if len(v.journey.roots) == 0 {
			return nil, fmt.Errorf("view %q needs a journey", q.View)
		}
		if root := v.journey.roots[0]; !v.journey.steps[root].is.inApp {
			v.visit = (*View).campaign
		}
		once := slices.ContainsFunc(q.Journey, func(s Step) bool { return s.Burst })
		v.target = targetOf(w.mail.campaigns, mix(named(w.seed, q.Stream)), w.people, !once)
		if q.View == vocabulary.ViewInstallationRecipients {
			v.ordered, v.visit = false, recipients(v.visit)
		}
	default:
		return nil, fmt.Errorf("view %q is not known; the views are %q, %q, %q, %q, %q, %q and %q", q.View,
			vocabulary.ViewInstallations, vocabulary.ViewInstallationChanges, vocabulary.ViewInstallationMessages,
			vocabulary.ViewInstallationRecipients,
			vocabulary.ViewProfiles, vocabulary.ViewProfileChanges, vocabulary.ViewProfileMessages)
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

// rootOf is the first step of the messages of a channel; -1: there is none.
func (j *journey) rootOf(of channel) int {
	for _, root := range j.roots {
		if !j.steps[root].is.inApp && j.steps[root].channel == of {
			return root
		}
	}
	return -1
}

// personal is the first step of the messages of a channel that a person takes; 0: there is none.
func (j *journey) personal(of channel) int {
	return max(slices.IndexFunc(j.steps, func(s step) bool { return s.channel == of && s.is.person && !s.is.inApp }), 0)
}

// holds reports whether an event of the view happened in its window.
func (v *View) holds(at int64) bool { return at >= v.from && at < v.to }

// prepare draws the changes of a channel, as they come to be with the messages between two instants.
func (p *Person) prepare(of channel, from, to int64) {
	p.draw(of)
	p.settle(of, from, to)
}

// followed is told what became of a message to an address or a device.
type followed func(s *sending, key uint64, device int, list []happening)

// those are messages of a channel that are looked at: sent from an instant on, and before another.
type those struct {
	journey  *journey
	root     int
	channel  channel
	from, to int64
	campaign *campaign // that sent them; nil: any
	// without are those of marketing campaigns, and of transactional ones.
	without [2]bool
	// taking is a step that they take; 0: it does not matter.
	taking int
}

// messagesOf follows messages.
func (v *View) messagesOf(p *Person, some *those, visit followed) {
	for n := weekOf(some.from - overlap); n <= weekOf(some.to+day); n++ {
		v.messagesOfWeek(p, some, n, visit)
	}
}

// messagesOfWeek follows those that a week plans.
func (v *View) messagesOfWeek(p *Person, some *those, week int64, visit followed) {
	of := some.channel
	if some.taking != 0 && !p.mightTake(some, week) {
		return
	}
	p.sendings = p.send(of, week, p.sendings[:0])
	for i := range p.sendings {
		s := &p.sendings[i]
		if some.campaign != nil && s.campaign != some.campaign || some.without[s.campaign.kind()] {
			continue
		}
		if !p.someTake(some, s) {
			continue
		}
		if s.at = p.sentAt(s); s.at < some.from || s.at >= some.to || s.at < p.created {
			continue
		}
		if of != channelPush {
			v.deliver(p, some, s, s.key, -1, visit)
			continue
		}
		for device := range p.installations {
			if key := keyOf(s, device); p.goesTo(s, device) && p.mayTake(some, s, key, device) {
				v.deliver(p, some, s, key, device, visit)
			}
		}
	}
}

// keyOf is that of a push message to an installation.
func keyOf(s *sending, device int) uint64 {
	if device == 0 {
		return s.key
	}
	return keyed(s.key, uint64(device))
}

// mightTake reports whether any message of a week takes the step that matters, if the campaign that is opened most often sends it.
func (p *Person) mightTake(some *those, week int64) bool {
	for at := some.taking; at > 0; at = some.journey.steps[at].parent {
		if step := &some.journey.steps[at]; step.is.person && !step.machine.has.holds(p.who.machine) && !p.attends(step, week) {
			return false
		}
	}
	count, r := p.planned(some.channel, week)
	for range count {
		if p.someTake(some, &sending{key: r.next(), week: week}) {
			return true
		}
	}
	return false
}

// someTake reports whether a message takes the step that matters, if it comes to it: most do not, and need no time.
func (p *Person) someTake(some *those, s *sending) bool {
	if some.channel != channelPush {
		return p.mayTake(some, s, s.key, -1)
	}
	for device := range p.installations {
		if p.mayTake(some, s, keyOf(s, device), device) {
			return true
		}
	}
	return false
}

// mayTake reports whether a message takes the step that matters, if it comes to it, and what a person does before.
func (p *Person) mayTake(some *those, s *sending, key uint64, device int) bool {
	for at := some.taking; at > 0; at = some.journey.steps[at].parent {
		step, made := &some.journey.steps[at], happening{}
		if (step.is.person || step.is.follows) && !p.takes(step, s, device, mix(key^step.salt), &made) || made.machine && at != some.taking {
			return false
		}
	}
	return true
}

// deliver follows a message to one address or installation, if it may go there.
func (v *View) deliver(p *Person, some *those, s *sending, key uint64, device int, visit followed) {
	of := some.channel
	now := p.standing(of, device, s.at)
	if !now.allows() {
		return
	}
	var ended *change
	if now.until != maxTime && p.changes[of].list[now.ending].message == s.key {
		ended = &p.changes[of].list[now.ending]
	}
	visit(s, key, device, p.follow(some.journey, some.root, s, key, device, now.until, ended))
}

// profileMessages are the messages to profiles.
func (v *View) profileMessages(p *Person, emit func(Row)) {
	for of := range channels {
		if !p.reachedBy(of) {
			continue
		}
		for _, root := range v.journey.roots {
			if v.journey.steps[root].channel != of || v.journey.steps[root].is.inApp || !v.wants(root) {
				continue
			}
			some := those{journey: v.journey, root: root, channel: of, from: max(v.from-lifeOf(of), begins), to: v.to}
			v.messagesOf(p, &some, func(s *sending, key uint64, device int, list []happening) {
				v.emit(p, s, key, device, list, of, emit)
			})
			break // further roots of a channel are other names for the same
		}
	}
}

// wants reports whether any event of the messages of a root is wanted.
func (v *View) wants(root int) bool {
	for i := range v.journey.steps {
		if v.wanted[i] && v.journey.steps[i].channel == v.journey.steps[root].channel {
			return true
		}
	}
	return false
}

// reachedBy reports whether messages of a channel ever reach the person.
func (p *Person) reachedBy(of channel) bool {
	switch of {
	case channelEmail:
		return p.who.hasEmail
	case channelSMS:
		return p.who.hasPhone
	}
	return len(p.installations) > 0
}

// emit emits what happened of a message in the window.
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

// campaign are the push messages of a campaign or group, to installations.
func (v *View) campaign(p *Person, emit func(Row)) {
	if len(p.installations) == 0 || v.target.campaign == nil || !v.target.holds(v.target.campaign, p.key) {
		return
	}
	some := those{
		journey: v.journey, root: v.journey.roots[0], channel: channelPush, from: max(v.from-pushLife, begins), to: v.to,
		campaign: v.target.campaign,
	}
	v.messagesOf(p, &some, func(s *sending, key uint64, device int, list []happening) {
		v.emit(p, s, key, device, list, channelPush, emit)
	})
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

// installationChanges are the changes of installations.
func (v *View) installationChanges(p *Person, emit func(Row)) {
	if len(p.installations) > 0 {
		p.prepare(channelPush, v.from, v.to)
		v.changes(p, channelPush, func(*change) (int, bool) { return 0, true }, emit)
	}
}

// profileChanges are the changes of the reachability of profiles.
func (v *View) profileChanges(p *Person, emit func(Row)) {
	for of := range channels {
		if v.channels[of] && p.reachedBy(of) {
			p.prepare(of, v.from, v.to)
			v.changes(p, of, func(c *change) (int, bool) {
				reason := reasonOf(of, c)
				return reason, reason > 0
			}, emit)
		}
	}
}

// changes emits those of a channel in the window.
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
