package dataset

import "github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"

// Platforms are neutral names, as the schemas of own data have them.
const platformUnknown = "android"

var noInstallation = installation{owner: -1}

func (s *Overlay) installationOf(r *world.Row) *installation {
	if r.Installation < 0 {
		return &noInstallation
	}
	return &s.installations[r.Installation]
}

// rowOf is what was loaded of an installation; an empty row when nothing was.
func (in *installation) loaded() *installationRow {
	if in.row == nil {
		return &installationRow{}
	}
	return in.row
}

func (s *Overlay) installationFact(name string) (given, bool) {
	row := func(r *world.Row) *installationRow { return s.installationOf(r).loaded() }
	flag := func(of flag, stated func(*world.Row) *bool, otherwise func(*world.Row) bool) given {
		return given{flag: func(r *world.Row) (bool, bool) {
			if r.Installation < 0 {
				return false, false
			}
			if state, known := s.installationOf(r).history.state(of, s.limitOf(r)); known {
				return state, true
			}
			if value := stated(r); value != nil {
				return *value, true
			}
			return otherwise(r), true
		}}
	}
	yes := func(*world.Row) bool { return true }
	switch name {
	case "installation.id":
		return given{text: fixed(func(r *world.Row) string { return s.installationOf(r).id })}, true
	case "installation.advertising_id":
		return given{text: fixed(func(r *world.Row) string { return row(r).AdvertisingID }), instead: always("00000000-0000-0000-0000-000000000000")}, true
	case "installation.platform":
		return given{text: func(r *world.Row) (string, bool) {
			switch {
			case r.Installation < 0:
				return platformUnknown, false
			case row(r).Platform == "":
				return platformUnknown, true
			}
			return row(r).Platform, true
		}, instead: always(platformUnknown)}, true
	case "installation.install_date":
		return given{time: func(r *world.Row) (int64, bool) { return s.installedAt(r), r.Installation >= 0 }}, true
	case "installation.last_start_date":
		return given{time: func(r *world.Row) (int64, bool) {
			last := max(row(r).LastStartDate.upTo(r.Time), s.latest(s.installationOf(r).events, r, startsApp))
			if !s.inheritsInstallation(r) {
				last = max(last, s.installedAt(r))
			}
			return last, r.Installation >= 0
		}}, true
	case "installation.smart_segment":
		return given{text: fixed(func(r *world.Row) string { return row(r).SmartSegment }), instead: always("active")}, true
	case "installation.is_optin":
		return flag(flagOptIn, func(r *world.Row) *bool { return row(r).IsOptin }, yes), true
	case "installation.is_reachable":
		return flag(flagReachable, func(r *world.Row) *bool { return row(r).IsReachable }, yes), true
	case "installation.has_custom_id":
		return given{flag: func(r *world.Row) (bool, bool) {
			if r.Installation < 0 {
				return false, false
			}
			return s.isLinked(int32(r.Installation), s.limitOf(r)), true
		}}, true
	}
	return given{}, false
}

// isLinked says whether an installation is linked to a profile with a custom
// identifier: what somebody said of it, or else whether its profile has one.
func (s *Overlay) isLinked(installation, limit int32) bool {
	in := &s.installations[installation]
	if state, known := in.history.state(flagLinked, limit); known {
		return state
	}
	if stated := in.loaded().HasCustomID; stated != nil {
		return *stated
	}
	return s.profiles[in.owner].customID != ""
}

// installedAt is when an installation was made. Where nobody said, it was there
// when it was loaded, and before its first event.
func (s *Overlay) installedAt(r *world.Row) int64 {
	in := s.installationOf(r)
	if date := in.loaded().InstallDate; date.given {
		return date.second
	}
	at := in.at
	if len(in.events) > 0 {
		at = min(at, s.Snapshot.events[in.events[0]].time)
	}
	return min(at, r.Time)
}

// upTo is a date, or 0 when there is none or it lies after a moment.
func (m moment) upTo(now int64) int64 {
	if m.given && m.second <= now {
		return m.second
	}
	return 0
}

// latest is when one of some events happened last, up to a row; 0: never.
func (s *Overlay) latest(ranks []int32, r *world.Row, counts func(eventType string) bool) (last int64) {
	limit := s.limitOf(r)
	for _, rank := range ranks {
		if e := &s.Snapshot.events[rank]; rank < limit && counts(e.Type) {
			last = max(last, e.time)
		}
	}
	return last
}

// startsApp says whether the app runs when an event happens.
func startsApp(eventType string) bool {
	switch eventType {
	case "visit", "push_open", "inapp_shown", "inapp_clicked", "inapp_closed", "custom_event":
		return true
	}
	return false
}

// isActivity says whether an event is something that a person does.
func isActivity(eventType string) bool {
	switch eventType {
	case "email_open", "email_click", "tag_added", "tag_removed":
		return true
	}
	return startsApp(eventType)
}
