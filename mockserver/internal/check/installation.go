package check

import (
	"maps"
	"slices"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check/rules"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
)

// installationSweep looks at one installation after another. See docs/how-to/validate-real-files.md#may-an-installation-change-hands
type installationSweep struct {
	*engine
	identified bool // the key is an installation identifier
	snapshots  snapshots
	link       linkState
	constants  [len(constants)]immutableField
	flags      flags        // of reachability.events
	push       channelState // of profiles.reachability
	messages   map[string]*installationMessages
	recipients recipients
}

// linkState is what is known of the link of an installation to its profile.
type linkState struct {
	custom           immutableField
	unlinked         bool // by the row before: the next row may show another profile
	everUnlinked     bool // it was unlinked once: rows of an unknown time may show another profile
	unlinkedSometime bool // it was unlinked at an unknown time
}

type expectation struct {
	value    string
	at       place
	time     moment
	possible []string
	from     string // the stream with the row, and the kind of its rows
	kind     string
}

// flags are those of the latest reachability row.
type flags struct {
	known                    bool
	reachable, optIn, linked string
	time                     moment
	at                       place
	stream                   string
}

func (s *installationSweep) begin(key string) {
	s.identified = key[0] == 'i'
	s.snapshots.reset()
	s.link, s.flags, s.push = linkState{}, flags{}, channelState{}
	s.constants = [len(constants)]immutableField{}
	if s.messages == nil {
		s.messages = map[string]*installationMessages{}
	}
	clear(s.messages)
	s.recipients.begin(s.engine)
}

func (s *installationSweep) row(r *row, repeat bool) {
	if r.class == snapshotRow {
		s.snapshots.add(s.engine, r)
		return
	}
	if r.class == eventRow {
		s.snapshots.until(r.time, s.expect)
	}
	if !s.identified {
		return
	}
	s.recipients.add(r)
	if repeat {
		return
	}
	if r.class == eventRow {
		s.checkInstalled(r)
	}
	s.checkIdentifiers(r)
	s.checkLink(r, r.class == eventRow)
	if r.class == eventRow {
		switch s.files[r.file].export.View {
		case vocabulary.ViewInstallationChanges:
			s.checkFlags(r)
		case vocabulary.ViewProfileChanges:
			s.checkPushChange(r)
		case vocabulary.ViewInstallationMessages:
			s.checkMessage(r)
		}
	}
}

// expect notes, for a snapshot, what the events before its time let expect.
func (s *installationSweep) expect(shown *snapshot) {
	s.checkIdentifiers(&shown.row)
	if s.identified && shown.shownAt.exact() {
		s.checkLink(&shown.row, true)
	} else if shown.knows(customID) && shown.value(customID) == "" {
		s.link.unlinkedSometime = true
	}
	shown.expected = map[source]expectation{}
	if s.flags.known {
		for from, value := range map[source]string{isOptIn: s.flags.optIn, hasCustomID: s.flags.linked} {
			shown.expected[from] = expectation{value: value, at: s.flags.at, time: s.flags.time, from: s.flags.stream, kind: changeOfFlags}
		}
	}
	if value, found := s.push.values[isOptIn]; found {
		if _, known := shown.expected[isOptIn]; !known {
			shown.expected[isOptIn] = expectation{value: value.text, at: value.at, time: value.time, from: s.files[value.at.file].streamName(),
				kind: "push"}
		}
	}
}

// checkInstalled checks that no event of an installation comes before it was installed.
func (s *installationSweep) checkInstalled(r *row) {
	for _, shown := range s.snapshots.all {
		if installed, ok := shown.date(installDate); ok {
			s.assert(rules.Creation, r.time >= installed, r.place, &shown.place, "%s lies before the installation on %s", r.time, installed)
		}
	}
}

// checkFlags checks a row of reachability.events: one of its flags changed.
func (s *installationSweep) checkFlags(r *row) {
	now := flags{true, r.value(isReachable), r.value(isOptIn), r.value(hasCustomID), r.time, r.place, s.files[r.file].streamName()}
	if before := s.flags; before.known && s.coverage.covers(now.stream, changeOfFlags, before.time, r.time) {
		changed := now.reachable != before.reachable || now.optIn != before.optIn || now.linked != before.linked
		s.assert(rules.Change, changed, r.place, &before.at, "no flag differs from the row before of the same installation, at %s", before.time)
	} else {
		s.assert(rules.Change, true, r.place, nil, "")
	}
	if r.knows(customID) && r.knows(hasCustomID) {
		s.assert(rules.Link, (r.value(customID) != "") == r.isTrue(hasCustomID), r.place, nil, "custom_id is %q while has_custom_id is %s",
			r.value(customID), r.value(hasCustomID))
	}
	s.flags = now
	s.addPossible(isOptIn, now.optIn)
	s.addPossible(hasCustomID, now.linked)
}

// addPossible notes a value that a snapshot may show if it was taken later than its dates let expect.
func (s *installationSweep) addPossible(of source, value string) {
	for _, shown := range s.snapshots.all {
		if expected, found := shown.expected[of]; found {
			expected.possible = append(expected.possible, value)
			shown.expected[of] = expected
		} else if shown.expected != nil {
			shown.expected[of] = expectation{possible: []string{value}}
		}
	}
}

// checkPushChange checks a row of profiles.reachability about an installation.
func (s *installationSweep) checkPushChange(r *row) {
	s.checkChange(&s.push, r)
	if value, found := s.push.values[isOptIn]; found {
		s.addPossible(isOptIn, value.text)
	}
}

// checkMessage checks an event of a message to an installation.
func (s *installationSweep) checkMessage(r *row) {
	f := s.files[r.file]
	plan := s.journeys[f.export.Kind]
	step := plan.step(r.value(eventType))
	if before := s.flags; before.known && before.time < r.time && s.coverage.covers(before.stream, changeOfFlags, before.time, r.time) {
		if r.knows(customID) {
			s.assert(rules.Link, (r.value(customID) != "") == (before.linked == "true"), r.place, &before.at,
				"custom_id is %q, while has_custom_id is %s since %s", r.value(customID), before.linked, before.time)
		}
		if step >= 0 && plan.channel[step] == "push" {
			s.assert(rules.Unsubscribed, before.optIn == "true" && before.reachable == "true", r.place, &before.at,
				"%s at %s, while the installation is not opted in or has no token since %s", r.value(eventType), r.time, before.time)
		}
	} else if step >= 0 && plan.channel[step] == "push" {
		s.checkPushAllowed(r)
	}
	if s.identified {
		for _, shown := range s.snapshots.all {
			s.checkStarts(r, shown, lastStartDate)
		}
	}
	if step < 0 {
		return
	}
	key := f.streamName() + "\x00" + r.value(eventToken)
	if s.messages[key] == nil {
		if len(s.messages) >= maxMessages {
			clear(s.messages)
		}
		s.messages[key] = &installationMessages{}
	}
	s.messages[key].add(s.engine, plan, step, r)
}

// checkPushAllowed checks a push message against what profiles.reachability says.
func (s *installationSweep) checkPushAllowed(r *row) {
	value, found := s.push.values[isOptIn]
	if found && value.time < r.time && s.coverage.covers(s.files[value.at.file].streamName(), "push", value.time, r.time) {
		s.assert(rules.Unsubscribed, value.text == "true", r.place, &value.at, "%s at %s, while the installation is not opted in since %s",
			r.value(eventType), r.time, value.time)
	}
}

func (s *installationSweep) end() {
	s.snapshots.until(endOfTime, s.expect)
	for _, shown := range s.snapshots.all {
		if s.identified && !shown.shownAt.exact() {
			s.checkLink(&shown.row, false)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(s.messages)) {
		s.messages[key].flush(s.engine)
	}
	s.recipients.end()
	for i, shown := range s.snapshots.all {
		for _, other := range s.snapshots.all[:i] {
			if other.file == shown.file && other.knows(profileID) && shown.knows(profileID) {
				s.assert(rules.Installation, other.value(profileID) == shown.value(profileID), shown.place, &other.place,
					"the installation belongs to %q, and to %q in the same file", shown.value(profileID), other.value(profileID))
			}
		}
		s.compareSnapshot(shown, isOptIn, shown.knows(isOptIn), shown.value(isOptIn), rules.Consent, "the opt-in")
		if s.files[shown.file].export.View == vocabulary.ViewInstallations && shown.knows(customID) {
			linked := "false"
			if shown.value(customID) != "" {
				linked = "true"
			}
			s.compareSnapshot(shown, hasCustomID, true, linked, rules.Link, "a custom identifier")
		}
	}
}

// compareSnapshot checks a value of a snapshot against the events before its moment, if the files hold all of them.
func (e *engine) compareSnapshot(shown *snapshot, of source, known bool, value, rule, what string) {
	expected, found := shown.expected[of]
	if !known || !found || expected.from == "" {
		return
	}
	if !e.coverage.covers(expected.from, expected.kind, expected.time, shown.shownAt.to-1) {
		name := e.files[shown.file].input.Name
		if e.coverage.covers(expected.from, expected.kind, expected.time, shown.shownAt.from-1) {
			e.note(rule, "%s may show a later moment than the events in the files reach to, for some of its rows; --window FILE=DATE says which",
				name)
		} else {
			e.note(rule, "%s shows a later moment than the events in the files reach to, for some of its rows", name)
		}
		return
	}
	holds := value == expected.value || !shown.shownAt.exact() && slices.Contains(expected.possible, value)
	e.assert(rule, holds, shown.place, &expected.at, "%s is %q, since %s it is %q", what, value, expected.time, expected.value)
}
