package check

import (
	"maps"
	"slices"
	"strconv"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check/rules"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
)

// expect notes, for the snapshot of a profile, what the events before its time let expect.
func (s *profileSweep) expect(shown *snapshot) {
	s.checkIdentifiers(&shown.row)
	shown.expected = map[source]expectation{}
	for _, channel := range profileChannels {
		about := channelSources[channel]
		state := s.channels[channel]
		if state == nil {
			continue
		}
		stream := s.files[state.at.file].streamName()
		for _, of := range []source{about.consent, about.flag} {
			if value, found := state.values[of]; found {
				shown.expected[of] = expectation{value: value.text, at: value.at, time: value.time, from: stream, kind: channel}
			}
		}
	}
	shown.latest = map[source]occurrence{}
	for of, at := range s.latest {
		shown.latest[of] = at
	}
	shown.addresses = map[string]*addressState{}
	for _, channel := range profileChannels {
		about := channelSources[channel]
		before := s.addresses[about.address]
		if before == nil || shown.value(about.address) == "" {
			continue
		}
		if shown.shownAt.exact() {
			s.compareShownAddress(shown, before, channel)
		} else {
			shown.addresses[channel] = before // what changes later may show in it, too
		}
	}
}

// compareShownAddress compares the address of a snapshot with that of the latest message before.
func (s *profileSweep) compareShownAddress(shown *snapshot, before *addressState, channel string) {
	now := &addressState{shown.value(channelSources[channel].address), occurrence{shown.shownAt.from, shown.place}}
	s.compareAddresses(before, now, channel, shown.shownAt.to-1)
}

func (s *profileSweep) end() {
	s.snapshots.until(endOfTime, s.expect)
	for _, id := range slices.Sorted(maps.Keys(s.sends)) {
		s.sends[id].end(s.engine)
	}
	for _, shown := range s.snapshots.all {
		for _, channel := range profileChannels {
			if before := shown.addresses[channel]; before != nil {
				s.compareShownAddress(shown, before, channel)
			}
		}
		s.compareConsents(shown)
		s.compareDates(shown)
	}
}

// compareConsents compares consents and addresses with the latest changes.
func (s *profileSweep) compareConsents(shown *snapshot) {
	for _, channel := range profileChannels {
		about := channelSources[channel]
		if shown.knows(about.address) {
			found := "false"
			if shown.value(about.address) != "" {
				found = "true"
			}
			s.compareSnapshot(shown, about.flag, true, found, rules.Consent, "whether there is an address")
		}
		if shown.value(about.consent) != "" {
			s.compareSnapshot(shown, about.consent, true, shown.value(about.consent), rules.Consent,
				s.nameOf(s.files[shown.file], about.consent))
		}
	}
}

// compareDates compares the dates of the latest opens and clicks with the events.
func (s *profileSweep) compareDates(shown *snapshot) {
	f := s.files[shown.file]
	if activity, ok := shown.date(lastActivity); ok {
		if at, found := shown.latest[lastActivity]; found {
			s.assert(rules.Latest, activity >= at.time, shown.place, &at.at, "%s is %s, and the profile was active at %s", s.nameOf(f, lastActivity),
				activity, at.time)
		}
	}
	for _, about := range latestOf {
		of := about.of
		if !shown.knows(of) {
			continue
		}
		date, found := shown.date(of)
		if at, happened := shown.latest[of]; happened && (!found || date < at.time) {
			if !shown.knows(about.instead) {
				continue // the mail may have been transactional, and its date is not shown
			}
			instead, transactional := shown.date(about.instead)
			// A later transactional one may be outside of the files.
			transactional = transactional && (instead == at.time || instead > at.time && !s.eventsCover(about.event, instead))
			s.assert(rules.Latest, transactional, shown.place, &at.at, "%s is %q, and there is %s at %s",
				s.nameOf(f, of), shown.value(of), about.event, at.time)
			continue
		} else if happened {
			s.assert(rules.Latest, true, shown.place, nil, "")
		}
		if found && !shown.matched[of] && s.eventsCover(about.event, date) {
			s.assert(rules.Latest, false, shown.place, nil, "%s is %s, and the files cover that time and have no %s then", s.nameOf(f, of), date,
				about.event)
		}
	}
}

// eventsCover reports whether the files hold all events of a type at a moment.
func (e *engine) eventsCover(kind string, at moment) bool {
	for _, f := range e.files {
		if f.export.View == vocabulary.ViewProfileMessages && e.coverage.covers(f.streamName(), kind, at, at) {
			return true
		}
	}
	return false
}

// customerSweep looks at one custom identifier after another: it belongs to one profile.
type customerSweep struct {
	*engine
	custom   string
	profile  immutableField
	sendings sendings
}

func (s *customerSweep) begin(key string) { s.custom, s.profile = key, immutableField{} }

func (s *customerSweep) row(r *row, _ bool) {
	if r.knows(eventType) {
		s.sendings.add(s.engine, r)
		return
	}
	s.assertSame(rules.Profile, &s.profile, "the profile of the custom identifier "+strconv.Quote(s.custom), r.value(profileID), r.place)
}

func (s *customerSweep) end() { s.sendings.flush(s.engine) }
