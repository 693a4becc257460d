package world

import "fmt"

// changeKind is one of the facts that change over time. The order is that of
// changes in the same second.
type changeKind uint8

const (
	changeReachable changeKind = iota
	changeOptIn
	changeLinked
	changeEmailPresent
	changeEmailUpdated
	changeEmailConsent
	changePhonePresent
	changePhoneUpdated
	changeSMSConsent
	changeKinds // how many there are

	allChanged = changeKinds + 1
)

// Reason is why a profile's reachability changed (export API section 6).
type Reason uint8

// ReasonNames are the names of the reasons; the first is that of none.
var ReasonNames = []string{
	"",
	"PUSH_TOKEN_ADDED",
	"SUBSCRIBED_TO_PUSH", "UNSUBSCRIBED_FROM_PUSH",
	"EMAIL_ADDRESS_ADDED", "EMAIL_ADDRESS_REMOVED", "EMAIL_ADDRESS_UPDATED",
	"SUBSCRIBED_TO_EMAIL_MARKETING", "UNSUBSCRIBED_FROM_EMAIL_MARKETING",
	"PHONE_NUMBER_ADDED", "PHONE_NUMBER_REMOVED", "PHONE_NUMBER_UPDATED",
	"SUBSCRIBED_TO_SMS_MARKETING", "UNSUBSCRIBED_FROM_SMS_MARKETING",
}

// changeTypes are, by kind, whether it is a fact of installations, its
// channel, and the reasons of becoming true and false (0: not shown in a
// profile export).
var changeTypes = [changeKinds]struct {
	installation  bool
	channel       channel
	became, ended Reason
}{
	changeReachable:    {true, channelPush, 1, 0},
	changeOptIn:        {true, channelPush, 2, 3},
	changeLinked:       {true, channelNone, 0, 0},
	changeEmailPresent: {false, channelEmail, 4, 5},
	changeEmailUpdated: {false, channelEmail, 6, 6},
	changeEmailConsent: {false, channelEmail, 7, 8},
	changePhonePresent: {false, channelSMS, 9, 10},
	changePhoneUpdated: {false, channelSMS, 11, 11},
	changeSMSConsent:   {false, channelSMS, 12, 13},
}

// presences are, by channel, the facts that say whether there is an address.
var presences = [channels]changeKind{channelNone: changeKinds, channelEmail: changeEmailPresent, channelSMS: changePhonePresent, channelPush: changeKinds}

func (w *World) timelineOf(kind changeKind) *timeline { return w.timelines[kind] }

// installationChanges are those of the legacy reachability export (export API
// section 2.4).
var installationChanges = []changeKind{changeReachable, changeOptIn, changeLinked}

func changesOfChannels(names []string) ([]changeKind, error) {
	if names == nil {
		names = channelNames[1:]
	}
	wanted := map[channel]bool{}
	for _, name := range names {
		found, known := channelNamed(name)
		if !known || found == channelNone {
			return nil, fmt.Errorf("channel %q is not known; email, sms and push are", name)
		}
		wanted[found] = true
	}
	var kinds []changeKind
	for kind := range changeKinds {
		if wanted[changeTypes[kind].channel] {
			kinds = append(kinds, kind)
		}
	}
	return kinds, nil
}

// changes is the view of the changes of installations or profiles.
type changes struct {
	world  *World
	span   span
	kinds  []changeKind
	legacy bool
	slot   int64
	first  int64
	count  int64
}

// unitMovers is how many candidates for a change a unit looks at, about: those of each kind
// are so many that what is found out for all of them hardly counts. One to four in seven are reported.
const unitMovers = 256

func (w *World) changesView(s span, kinds []changeKind, legacy bool) *changes {
	view := &changes{world: w, span: s, kinds: kinds, legacy: legacy}
	perPass := int64(1)
	for _, kind := range kinds {
		perPass += 2 * w.timelineOf(kind).movers
	}
	view.slot = max(passLength*unitMovers/perPass, 1)
	view.first, view.count = s.slots(view.slot)
	return view
}

func (c *changes) Events() []string { return nil }
func (c *changes) Units() int64     { return c.count }

func (c *changes) Append(rows []Row, unit int64) []Row {
	from := max((c.first+unit)*c.slot, c.span.from)
	to := min((c.first+unit+1)*c.slot, c.span.to)
	begin := len(rows)
	for _, kind := range c.kinds {
		wanted := wantedChanges{below: c.world.existing(kind, to)}
		if changeTypes[kind].installation {
			wanted.mayCount = c.world.mayChange
		}
		c.world.timelineOf(kind).changes(wanted, from, to, func(found change) { rows = c.appendRow(rows, kind, found) })
	}
	sortRows(rows[begin:])
	return rows
}

// existing is above the number of every entity of a kind that exists before an instant.
func (w *World) existing(kind changeKind, instant int64) int64 {
	profiles := w.created.lowerBound(instant + week)
	if changeTypes[kind].installation {
		return w.ownership.before(profiles)
	}
	return profiles
}

// mayChange finds the profile of an installation, and reports whether the installation is
// there before an instant: what one begins with is no change. A push-only profile is
// created with its first one: who they are is asked last.
func (w *World) mayChange(installation, at int64) (profile int64, may bool) {
	profile = w.ownerOf(installation)
	first := isFirst(installation)
	if first && profile < w.fullyInstalled.lowerBound(at-1) || w.createdBefore(profile, at-w.installDelayOf(installation, first, false)) {
		return profile, true
	}
	return profile, first && w.createdBefore(profile, at) && w.isPushOnly(profile)
}

// appendRow adds the row of a change, unless it is not reported. The installation, if it is
// about one, is there.
func (c *changes) appendRow(rows []Row, kind changeKind, found change) []Row {
	about, reason := &changeTypes[kind], Reason(0)
	if !c.legacy {
		if reason = about.ended; found.state {
			reason = about.became
		}
		if reason == 0 {
			return rows
		}
	}
	installation := int64(-1)
	if about.installation {
		installation = found.entity
	} else if !c.world.createdBefore(found.person, found.at) {
		return rows
	}
	rows = append(rows, Row{})
	row := &rows[len(rows)-1]
	row.Profile, row.Installation, row.Time, row.Event, row.Reason = found.person, installation, found.at, -1, reason
	row.Message = draw(uint64(kind)+1, uint64(found.entity))
	row.changed, row.ties.linkedID = kind+1, c.legacy
	row.cache.know(kind, found.state) // what a fact becomes, it is at the time of its row
	if there := presences[about.channel]; there != changeKinds && there != kind {
		row.cache.know(there, true) // only what stays there changes
	}
	return rows
}

// state is a fact at the time of a row about its profile or installation,
// whichever the kind is about. The row caches it.
func (w *World) state(kind changeKind, entity int64, row *Row) bool {
	if row.cache.knownStates>>kind&1 == 0 {
		at := row.Time
		if kind >= row.changed {
			at--
		}
		line := w.timelineOf(kind)
		switch {
		case row.ties.snapshot:
			row.cache.know(kind, line.snapshotAt(entity, at))
		default: // those of one time are far apart
			row.cache.know(kind, line.drawnAt(entity, row.Profile, at))
		}
	}
	return row.cache.states>>kind&1 != 0
}

// Channel is the channel that a reason belongs to: email, sms or push.
func (r Reason) Channel() string {
	for _, about := range changeTypes {
		if r != 0 && (about.became == r || about.ended == r) {
			return channelNames[about.channel]
		}
	}
	return ""
}
