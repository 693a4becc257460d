package check

import (
	"cmp"
	"maps"
	"slices"
)

// installationSweep looks at one installation after another.
type installationSweep struct {
	*engine
	identified bool // the key is an installation identifier
	snapshots  []*snapshot
	waiting    []*snapshot // those whose moment was not reached yet
	custom     fixed
	unlinked   bool // by the row before: whoever comes next may be somebody else
	handed     bool // it was unlinked once: rows of an unknown time may show somebody else
	doubtful   bool // it was unlinked, nobody knows when
	constants  [len(constants)]fixed
	flags      flags        // of reachability.events
	push       channelState // of profiles.reachability
	messages   map[string]*legacyMessages
	settled    bool
	recipients recipients
}

// snapshot is what a file shows of one thing at its moment.
type snapshot struct {
	row
	taken taken
	// expected are the values that the events before tell, by source, and later those that may have come since.
	expected map[source]expectation
}

type expectation struct {
	value string
	at    place
	time  moment
	later []string
	from  string // the stream that tells it, and the kind of its rows
	kind  string
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
	s.snapshots, s.waiting, s.settled = s.snapshots[:0], s.waiting[:0], false
	s.custom, s.flags, s.push = fixed{}, flags{}, channelState{}
	s.unlinked, s.handed, s.doubtful = false, false, false
	s.constants = [len(constants)]fixed{}
	if s.messages == nil {
		s.messages = map[string]*legacyMessages{}
	}
	clear(s.messages)
	s.recipients.begin(s.engine)
}

const mostSnapshots = 256

func (s *installationSweep) row(r *row, repeat bool) {
	if r.class == snapshotRow {
		if len(s.snapshots) < mostSnapshots {
			s.snapshots = append(s.snapshots, &snapshot{row: *r, taken: s.taken(s.files[r.file])})
		}
		return
	}
	if !s.settled {
		s.settled = true
		s.waiting = append(s.waiting[:0], s.snapshots...)
		slices.SortStableFunc(s.waiting, func(a, b *snapshot) int { return cmp.Compare(a.taken.from, b.taken.from) })
	}
	if r.class == eventRow {
		s.reach(r.time)
	}
	if !s.identified {
		return
	}
	s.recipients.add(r)
	if repeat {
		return
	}
	if r.class == eventRow {
		s.born(r)
	}
	s.identify(r)
	s.linked(r, r.class == eventRow)
	if r.class == eventRow {
		switch s.files[r.file].export.View {
		case viewInstallationChanges:
			s.change(r)
		case viewProfileChanges:
			s.pushChange(r)
		case viewInstallationMessages:
			s.message(r)
		}
	}
}

// reach lets the snapshots whose moment lies, or may lie, at or before a time see what was known until then.
func (s *installationSweep) reach(time moment) {
	for len(s.waiting) > 0 && s.waiting[0].taken.from <= time {
		s.look(s.waiting[0])
		s.waiting = s.waiting[1:]
	}
}

// look compares a snapshot with what happened before its moment.
func (s *installationSweep) look(shown *snapshot) {
	s.identify(&shown.row)
	if s.identified && shown.taken.exact() {
		s.linked(&shown.row, true)
	} else if shown.knows(customID) && shown.value(customID) == "" {
		s.doubtful = true
	}
	shown.expected = map[source]expectation{}
	if s.flags.known {
		for from, value := range map[source]string{isOptIn: s.flags.optIn, hasCustomID: s.flags.linked} {
			shown.expected[from] = expectation{value: value, at: s.flags.at, time: s.flags.time, from: s.flags.stream, kind: changeOfFlags}
		}
	}
	if value, there := s.push.values[isOptIn]; there {
		if _, told := shown.expected[isOptIn]; !told {
			shown.expected[isOptIn] = expectation{value: value.text, at: value.at, time: value.time, from: s.files[value.at.file].own(), kind: "push"}
		}
	}
}

// born checks that nothing happens to an installation before it was installed.
func (s *installationSweep) born(r *row) {
	for _, shown := range s.snapshots {
		if installed, ok := shown.date(installDate); ok {
			s.held(ruleCreation, r.time >= installed, r.place, &shown.place, "%s lies before the installation on %s", r.time, installed)
		}
	}
}

// change checks a row of reachability.events: one of its flags changed.
func (s *installationSweep) change(r *row) {
	now := flags{true, r.value(isReachable), r.value(isOptIn), r.value(hasCustomID), r.time, r.place, s.files[r.file].own()}
	if before := s.flags; before.known && s.coverage.covers(now.stream, changeOfFlags, before.time, r.time) {
		changed := now.reachable != before.reachable || now.optIn != before.optIn || now.linked != before.linked
		s.held(ruleChange, changed, r.place, &before.at, "no flag differs from the row before of the same installation, at %s", before.time)
	} else {
		s.held(ruleChange, true, r.place, nil, "")
	}
	if r.knows(customID) && r.knows(hasCustomID) {
		s.held(ruleLink, (r.value(customID) != "") == r.isTrue(hasCustomID), r.place, nil, "custom_id is %q while has_custom_id is %s", r.value(customID), r.value(hasCustomID))
	}
	s.flags = now
	s.later(isOptIn, now.optIn)
	s.later(hasCustomID, now.linked)
}

// later notes a value that snapshots may show if they were taken later than their dates tell.
func (s *installationSweep) later(of source, value string) {
	for _, shown := range s.snapshots {
		if expected, there := shown.expected[of]; there {
			expected.later = append(expected.later, value)
			shown.expected[of] = expected
		} else if shown.expected != nil {
			shown.expected[of] = expectation{later: []string{value}}
		}
	}
}

// pushChange checks a row of profiles.reachability about an installation.
func (s *installationSweep) pushChange(r *row) {
	s.changes(&s.push, r)
	if value, there := s.push.values[isOptIn]; there {
		s.later(isOptIn, value.text)
	}
}

// message checks an event of a message to an installation.
func (s *installationSweep) message(r *row) {
	f := s.files[r.file]
	plan := s.journeys[f.export.Kind]
	step := plan.step(r.value(eventType))
	if before := s.flags; before.known && before.time < r.time && s.coverage.covers(before.stream, changeOfFlags, before.time, r.time) {
		if r.knows(customID) {
			s.held(ruleLink, (r.value(customID) != "") == (before.linked == "true"), r.place, &before.at,
				"custom_id is %q, while has_custom_id is %s since %s", r.value(customID), before.linked, before.time)
		}
		if step >= 0 && plan.channel[step] == "push" {
			s.held(ruleUnsubscribed, before.optIn == "true" && before.reachable == "true", r.place, &before.at,
				"%s at %s, while the installation is not opted in or has no token since %s", r.value(eventType), r.time, before.time)
		}
	} else if step >= 0 && plan.channel[step] == "push" {
		s.pushAllowed(r)
	}
	if step < 0 {
		return
	}
	key := f.own() + "\x00" + r.value(eventToken)
	if s.messages[key] == nil {
		if len(s.messages) >= mostMessages {
			clear(s.messages)
		}
		s.messages[key] = &legacyMessages{}
	}
	s.messages[key].add(s.engine, plan, step, r)
}

// pushAllowed checks a push message against what profiles.reachability says.
func (s *installationSweep) pushAllowed(r *row) {
	value, there := s.push.values[isOptIn]
	if there && value.time < r.time && s.coverage.covers(s.files[value.at.file].own(), "push", value.time, r.time) {
		s.held(ruleUnsubscribed, value.text == "true", r.place, &value.at, "%s at %s, while the installation is not opted in since %s",
			r.value(eventType), r.time, value.time)
	}
}

func (s *installationSweep) end() {
	if !s.settled {
		s.waiting = append(s.waiting[:0], s.snapshots...)
	}
	for _, shown := range s.waiting {
		s.look(shown)
	}
	for _, shown := range s.snapshots {
		if s.identified && !shown.taken.exact() {
			s.linked(&shown.row, false)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(s.messages)) {
		s.messages[key].settle(s.engine)
	}
	s.recipients.end()
	for i, shown := range s.snapshots {
		for _, other := range s.snapshots[:i] {
			if other.file == shown.file && other.knows(profileID) && shown.knows(profileID) {
				s.held(ruleInstallation, other.value(profileID) == shown.value(profileID), shown.place, &other.place,
					"the installation belongs to %q, and to %q in the same file", shown.value(profileID), other.value(profileID))
			}
		}
		s.compare(shown, isOptIn, shown.knows(isOptIn), shown.value(isOptIn), ruleConsent, "the opt-in")
		if s.files[shown.file].export.View == viewInstallations && shown.knows(customID) {
			linked := "false"
			if shown.value(customID) != "" {
				linked = "true"
			}
			s.compare(shown, hasCustomID, true, linked, ruleLink, "a custom identifier")
		}
	}
}

// compare checks a value of a snapshot against the events before its moment, if the files hold all of them.
func (e *engine) compare(shown *snapshot, of source, known bool, value, rule, what string) {
	expected, there := shown.expected[of]
	if !known || !there || expected.from == "" {
		return
	}
	if !e.coverage.covers(expected.from, expected.kind, expected.time, shown.taken.to-1) {
		name := e.files[shown.file].input.Name
		if e.coverage.covers(expected.from, expected.kind, expected.time, shown.taken.from-1) {
			e.note(rule, "%s may show a later moment than the events in the files reach to, for some of its rows; --window FILE=DATE says which", name)
		} else {
			e.note(rule, "%s shows a later moment than the events in the files reach to, for some of its rows", name)
		}
		return
	}
	holds := value == expected.value || !shown.taken.exact() && slices.Contains(expected.later, value)
	e.held(rule, holds, shown.place, &expected.at, "%s is %q, since %s it is %q", what, value, expected.time, expected.value)
}
