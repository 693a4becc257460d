package dataset

import "github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"

// platformUnknown is the platform of an installation whose row names none, by its
// neutral name.
const platformUnknown = "android"

var noInstallation = installation{owner: -1}

func installationOf(r *world.Row) *installation {
	if l := loadedOf(r); l.on != nil {
		return l.on
	}
	return &noInstallation
}

// installationFacts are those of loaded installations.
type installationFacts struct{ s *Overlay }

var _ world.InstallationFacts[loadedFact] = installationFacts{}

func (f installationFacts) row(r *world.Row) *installationRow { return installationOf(r).loaded() }

func (f installationFacts) InstallationID() loadedFact {
	return textFact(func(r *world.Row) string { return installationOf(r).id }, nil)
}

func (f installationFacts) AdvertisingID() loadedFact {
	return textFact(func(r *world.Row) string { return f.row(r).AdvertisingID }, constantText("00000000-0000-0000-0000-000000000000"))
}

func (f installationFacts) Platform() loadedFact {
	return loadedFact{text: func(r *world.Row) (string, bool) {
		switch {
		case r.Installation < 0:
			return platformUnknown, false
		case f.row(r).Platform == "":
			return platformUnknown, true
		}
		return f.row(r).Platform, true
	}, fallback: constantText(platformUnknown)}
}

func (f installationFacts) InstallDate() loadedFact {
	return loadedFact{time: func(r *world.Row) (int64, bool) { return installedAt(r), r.Installation >= 0 }}
}

func (f installationFacts) LastStartDate() loadedFact {
	return loadedFact{latest: true, time: func(r *world.Row) (int64, bool) {
		last := max(f.row(r).LastStartDate.upTo(r.Time), latest(installationOf(r).traces.all(), r, startsApp))
		if !f.s.inheritsInstallation(r) {
			last = max(last, installedAt(r))
		}
		return last, r.Installation >= 0
	}}
}

func (f installationFacts) SmartSegment() loadedFact {
	return textFact(func(r *world.Row) string { return f.row(r).SmartSegment }, constantText("active"))
}

func (f installationFacts) IsOptIn() loadedFact {
	return f.flag(flagOptIn, func(row *installationRow) *bool { return row.IsOptin })
}

func (f installationFacts) IsReachable() loadedFact {
	return f.flag(flagReachable, func(row *installationRow) *bool { return row.IsReachable })
}

// flag is what the latest event said, or else the loaded row, or else true.
func (f installationFacts) flag(of flag, stated func(*installationRow) *bool) loadedFact {
	return loadedFact{flag: func(r *world.Row) (bool, bool) {
		if r.Installation < 0 {
			return false, false
		}
		if state, known := installationOf(r).history.state(of, limitOf(r)); known {
			return state, true
		}
		value := stated(f.row(r))
		return value == nil || *value, true
	}}
}

func (f installationFacts) HasCustomID() loadedFact {
	return loadedFact{flag: func(r *world.Row) (bool, bool) {
		if r.Installation < 0 {
			return false, false
		}
		return f.s.isLinked(r), true
	}}
}

// isLinked reports whether an installation is linked to a profile with a custom
// identifier: what the latest event or its row says, or else whether its profile
// has one.
func (s *Overlay) isLinked(r *world.Row) bool {
	l := loadedOf(r)
	in := l.on
	if state, known := in.history.state(flagLinked, l.limit); known {
		return state
	}
	if stated := in.loaded().HasCustomID; stated != nil {
		return *stated
	}
	if in.owner != l.of.number {
		return s.profileAt(in.owner).customID != ""
	}
	return l.of.customID != ""
}

// installedAt is when an installation was made: what its row says, or else when it
// was loaded, but no later than its first event.
func installedAt(r *world.Row) int64 {
	in := installationOf(r)
	if date := in.loaded().InstallDate; date.given {
		return date.second
	}
	at := in.at
	if traces := in.traces.all(); len(traces) > 0 {
		at = min(at, traces[0].when.second)
	}
	return min(at, r.Time)
}

// latest is the time of the last of some events that counts and that a row
// reflects; 0: none.
func latest(traces []trace, r *world.Row, counts func(eventType string) bool) (last int64) {
	limit := limitOf(r)
	for i := range traces {
		if t := &traces[i]; !limit.before(t.when) && counts(t.eventType) {
			last = max(last, t.when.second)
		}
	}
	return last
}

// startsApp reports whether the app runs when an event happens.
func startsApp(eventType string) bool {
	switch eventType {
	case "visit", "push_open", "inapp_shown", "inapp_clicked", "inapp_closed", "custom_event":
		return true
	}
	return false
}

// isActivity reports whether an event is something that a person does.
func isActivity(eventType string) bool {
	switch eventType {
	case "email_open", "email_click", "tag_added", "tag_removed":
		return true
	}
	return startsApp(eventType)
}
