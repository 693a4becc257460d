package check

import (
	"cmp"
	"maps"
	"slices"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check/rules"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
)

// profileSweep looks at one profile after another.
type profileSweep struct {
	*engine
	id        string
	snapshots snapshots
	custom    immutableField           // the custom identifier
	passed    map[string]bool          // custom identifiers, on to the sweep over customers
	channels  map[string]*channelState // email and sms
	withdrawn map[string]occurrence    // the latest withdrawal, by channel, that no consent followed
	addresses map[source]*addressState
	gone      map[string]occurrence // addresses from which mail bounced for good
	latest    map[source]occurrence // opens and clicks
	sends     map[string]*send
}

// addressState is the address that rows show.
type addressState struct {
	value string
	occurrence
}

// writtenTo are the channels of profiles.
var profileChannels = [...]string{"email", "sms"}

// Per channel: the consent, the flag and the address of its messages.
var channelSources = map[string]struct{ consent, flag, address source }{
	"email": {emailMarketing, hasEmailAddress, emailAddress},
	"sms":   {smsMarketing, hasPhoneNumber, phoneNumber},
}

// latestOf says which events a date of a profile is the latest of, and the date of transactional messages that may
// stand in for it: events do not say which kind of message they are of.
var latestOf = []struct {
	of      source
	event   string
	instead source
}{
	{lastMarketingOpen, "email_open", lastTransactionalOpen},
	{lastMarketingClick, "email_click", lastTransactionalClick},
}

func (s *profileSweep) begin(key string) {
	s.id = key
	s.snapshots.reset()
	s.custom, s.passed = immutableField{}, map[string]bool{}
	s.channels, s.withdrawn = map[string]*channelState{}, map[string]occurrence{}
	s.addresses, s.gone = map[source]*addressState{}, map[string]occurrence{}
	s.latest, s.sends = map[source]occurrence{}, map[string]*send{}
}

func (s *profileSweep) row(r *row, repeat bool) {
	if r.class == snapshotRow {
		s.snapshots.add(s.engine, r)
		return
	}
	s.snapshots.until(r.time, s.expect)
	if repeat {
		return
	}
	s.checkIdentifiers(r)
	for _, shown := range s.snapshots.all {
		if created, ok := shown.date(creationDate); ok {
			s.assert(rules.Creation, r.time >= created, r.place, &shown.place, "%s lies before the creation of the profile on %s", r.time, created)
		}
	}
	switch s.files[r.file].export.View {
	case vocabulary.ViewProfileChanges:
		s.checkChannelChange(r)
	case vocabulary.ViewProfileMessages:
		s.checkMessage(r)
	}
}

// checkIdentifiers compares custom identifiers, and passes each on to the sweep over customers.
func (s *profileSweep) checkIdentifiers(r *row) {
	custom := r.value(customID)
	if custom == "" {
		return
	}
	s.assertSame(rules.Profile, &s.custom, "the custom identifier of the profile", custom, r.place)
	if !s.passed[custom] && len(s.passed) < 16 {
		s.passed[custom] = true
		about := row{place: r.place, class: untimedRow}
		about.set(profileID, s.id)
		if err := s.collect(s.engine.customers, custom, &about, customerValues); err != nil {
			s.stopped = err
		}
	}
}

func (s *profileSweep) checkChannelChange(r *row) {
	channel := r.value(eventChannel)
	about, known := channelSources[channel]
	if !known {
		return // changes of push belong to an installation
	}
	state := s.channels[channel]
	if state == nil {
		state = &channelState{}
		s.channels[channel] = state
	}
	s.checkChange(state, r)
	if consent, found := state.values[about.consent]; found && consent.time == r.time {
		if consent.text == unsubscribed {
			s.withdrawn[channel] = occurrence{r.time, r.place}
		} else {
			delete(s.withdrawn, channel)
		}
	}
	if present, found := state.values[about.flag]; found && present.text == "true" && present.time == r.time {
		if consent, found := state.values[about.consent]; !found || consent.text != unsubscribed {
			delete(s.withdrawn, channel)
		}
	}
	for _, of := range []source{about.consent, about.flag} {
		for _, shown := range s.snapshots.all {
			if expected, found := shown.expected[of]; found {
				expected.possible = append(expected.possible, state.values[of].text)
				shown.expected[of] = expected
			}
		}
	}
}

// checkMessage checks an event of a message to a profile.
func (s *profileSweep) checkMessage(r *row) {
	f := s.files[r.file]
	plan := s.journeys[f.export.Kind]
	name := r.value(eventType)
	step := plan.step(name)
	channel := ""
	if step >= 0 {
		channel = plan.channel[step]
	}
	s.checkAddress(r, channel)
	s.checkConsent(r, plan, step, channel)
	s.checkEnded(r, step >= 0 && plan.parent[step] < 0)
	for _, shown := range s.snapshots.all {
		s.checkStarts(r, shown, lastVisitDate)
	}
	for _, about := range latestOf {
		if name == about.event {
			s.latest[about.of] = occurrence{r.time, r.place}
			for _, shown := range s.snapshots.all {
				if date, ok := shown.date(about.of); ok && date == r.time {
					shown.matched[about.of] = true
				}
			}
		}
	}
	if active(name) {
		s.latest[lastActivity] = occurrence{r.time, r.place}
	}
	if country := r.value(phoneCountry); country != "" {
		for _, shown := range s.snapshots.all {
			if home := shown.value(region); home != "" {
				s.assert(rules.Places, home == country, r.place, &shown.place, "phone_country is %q, $region is %q", country, home)
			}
		}
	}
	id := r.value(sentID)
	if step < 0 || id == "" {
		return
	}
	if s.sends[id] == nil {
		s.evictSends()
		s.sends[id] = &send{plan: plan, file: f}
	}
	s.sends[id].add(s.engine, step, r)
}

// active reports whether an event is something that the person did.
func active(name string) bool {
	return name == "email_open" || name == "email_click" || name == "push_open"
}

// evictSends ends the messages with the oldest last event when there are too many.
func (s *profileSweep) evictSends() {
	if len(s.sends) < maxMessages {
		return
	}
	ids := slices.SortedFunc(maps.Keys(s.sends), func(a, b string) int { return cmp.Compare(s.sends[a].last, s.sends[b].last) })
	for _, id := range ids[:len(ids)/2] {
		s.sends[id].end(s.engine)
		delete(s.sends, id)
	}
}

// checkConsent checks that a message comes while the profile can be written to.
func (s *profileSweep) checkConsent(r *row, plan *journey, step int, channel string) {
	about, known := channelSources[channel]
	if !known {
		return
	}
	if state := s.channels[channel]; state != nil {
		for _, of := range []source{about.consent, about.flag} {
			value, found := state.values[of]
			if !found || value.time >= r.time || !s.coverage.covers(s.files[value.at.file].streamName(), channel, value.time, r.time) {
				continue
			}
			allowed := value.text != unsubscribed && value.text != "false"
			s.assert(rules.Unsubscribed, allowed, r.place, &value.at, "%s at %s, while %s is %q since %s",
				r.value(eventType), r.time, s.nameOf(s.files[value.at.file], of), value.text, value.time)
			if !allowed {
				return
			}
		}
	}
	if gone, found := s.withdrawn[channel]; found && gone.time < r.time &&
		s.files[gone.at.file].export.View == vocabulary.ViewProfileMessages {
		if s.reachabilityCovers(channel, gone.time, r.time) {
			s.assert(rules.Unsubscribed, false, r.place, &gone.at, "%s at %s, after the profile unsubscribed at %s and did not subscribe again",
				r.value(eventType), r.time, gone.time)
		} else {
			s.note(rules.Unsubscribed,
				"no profiles.reachability file covers some of the time after a withdrawal: the profile may have subscribed again")
		}
	}
	if step >= 0 && plan.consent[step] != "" {
		s.withdrawn[plan.consent[step]] = occurrence{r.time, r.place}
	}
}

// reachabilityCovers reports whether the files hold all changes of a channel in a time.
func (e *engine) reachabilityCovers(channel string, from, to moment) bool {
	for _, f := range e.files {
		if f.export.View == vocabulary.ViewProfileChanges && e.coverage.covers(f.streamName(), channel, from, to) {
			return true
		}
	}
	return false
}

// checkAddress checks that the address of a message is the one that was seen before, unless it changed.
func (s *profileSweep) checkAddress(r *row, channel string) {
	about, known := channelSources[channel]
	if !known || r.value(about.address) == "" {
		return
	}
	now := &addressState{r.value(about.address), occurrence{r.time, r.place}}
	if before := s.addresses[about.address]; before != nil {
		s.compareAddresses(before, now, channel, r.time)
	}
	s.addresses[about.address] = now
}

// compareAddresses compares two addresses between which no row shows a change.
func (s *profileSweep) compareAddresses(before, now *addressState, channel string, until moment) {
	if state := s.channels[channel]; state != nil && state.changed >= before.time {
		return
	}
	switch {
	case s.reachabilityCovers(channel, before.time, until) || before.time == now.time:
		s.assert(rules.Contact, before.value == now.value, now.at, &before.at,
			"the address is %q, at %s it was %q, and nothing says that it changed",
			now.value, before.time, before.value)
	case before.value != now.value:
		s.note(rules.Contact, "no profiles.reachability file covers the time between some rows with different addresses")
	}
}
