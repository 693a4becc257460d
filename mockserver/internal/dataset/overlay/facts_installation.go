package overlay

import (
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/record"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// platformUnknown is the platform of an installation whose row names none, by its
// neutral name.
const platformUnknown = "android"

var noInstallation = record.Installation{Owner: -1}

func installationOf(r *world.Row) *record.Installation {
	if l := loadedOf(r); l.on != nil {
		return l.on
	}
	return &noInstallation
}

// installationFacts are those of loaded installations.
type installationFacts struct{ s *Overlay }

var _ world.InstallationFacts[loadedFact] = installationFacts{}

func (f installationFacts) row(r *world.Row) *input.Installation { return installationOf(r).Given() }

func (f installationFacts) InstallationID() loadedFact {
	return textFact(func(r *world.Row) string { return installationOf(r).ID }, nil)
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
		last := max(f.row(r).LastStartDate.UpTo(r.Time), latest(installationOf(r).Traces.All(), r, startsApp))
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
	return f.flag(input.FlagOptIn, func(row *input.Installation) *bool { return row.IsOptin })
}

func (f installationFacts) IsReachable() loadedFact {
	return f.flag(input.FlagReachable, func(row *input.Installation) *bool { return row.IsReachable })
}

// flag is what the latest event said, or else the loaded row, or else true.
func (f installationFacts) flag(of input.Flag, stated func(*input.Installation) *bool) loadedFact {
	return loadedFact{flag: func(r *world.Row) (bool, bool) {
		if r.Installation < 0 {
			return false, false
		}
		if state, known := installationOf(r).History.State(of, limitOf(r)); known {
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
	if state, known := in.History.State(input.FlagLinked, l.limit); known {
		return state
	}
	if stated := in.Given().HasCustomID; stated != nil {
		return *stated
	}
	if in.Owner != l.of.Number {
		return s.ProfileAt(in.Owner).CustomID != ""
	}
	return l.of.CustomID != ""
}

// installedAt is when an installation was made: what its row says, or else when it
// was loaded, but no later than its first event.
func installedAt(r *world.Row) int64 {
	in := installationOf(r)
	if date := in.Given().InstallDate; date.Given {
		return date.Second
	}
	at := in.At
	if traces := in.Traces.All(); len(traces) > 0 {
		at = min(at, traces[0].When.Second)
	}
	return min(at, r.Time)
}

// latest is the time of the last of some events that counts and that a row
// reflects; 0: none.
func latest(traces []record.Trace, r *world.Row, counts func(eventType string) bool) (last int64) {
	limit := limitOf(r)
	for i := range traces {
		if t := &traces[i]; !limit.Before(t.When) && counts(t.EventType) {
			last = max(last, t.When.Second)
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
