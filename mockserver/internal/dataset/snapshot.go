package dataset

import (
	"sort"
	"strings"
)

// Snapshot is the dataset as it was in one generation, with everything that
// follows from it. It is immutable and safe for concurrent use.
type Snapshot struct {
	generation    int64
	since         int64 // the generation of the reset before
	profiles      []profile
	installations []installation
	events        []event // in order of time; the place of one is its rank
	reasonSets    []reasonSet
}

// profile is a profile that was loaded, or that another row refers to.
type profile struct {
	id, customID  string
	anonymous     int32       // 1 + the installation it is there for; 0: it has a name
	row           *profileRow // nil: not loaded
	at            int64       // when it was first loaded or named
	installations []int32
	history       history
	events        []int32 // ranks
}

// installation is an installation that was loaded, or that an event refers to.
type installation struct {
	id      string
	owner   int32
	row     *installationRow // nil: not loaded
	at      int64
	history history
	events  []int32 // ranks
}

// event is one event, with what it changed.
type event struct {
	*eventRow
	number                int32 // in the order of loading
	time                  int64
	profile, installation int32 // installation -1: none
	legacy                bool  // a flag of the installation changed
	reasons               [3]uint8
}

// reasonSet is the reasons that one row of the reachability of profiles shows
// together.
type reasonSet struct {
	channel string
	names   []string
}

var channelNames = [3]string{"email", "sms", "push"}

// change is a moment at which a fact became something.
type change struct {
	rank   int32
	flag   flag
	state  bool
	text   string
	update bool
}

// history is the changes of one profile or installation, in order.
type history []change

// last is the latest change of a flag by the events before a rank; nil: there
// is none.
func (h history) last(of flag, limit int32) *change {
	for i := len(h) - 1; i >= 0; i-- {
		if h[i].flag == of && h[i].rank < limit {
			return &h[i]
		}
	}
	return nil
}

// state is a flag after the events before a rank; known is false when no event
// changes it. Before its first change a flag was the opposite of what it
// became.
func (h history) state(of flag, limit int32) (state, known bool) {
	if last := h.last(of, limit); last != nil {
		return last.state, true
	}
	for i := range h {
		if h[i].flag == of {
			return !h[i].state || h[i].update, true
		}
	}
	return false, false
}

func newSnapshot(from *logSegment, generation int64) *Snapshot {
	s := &Snapshot{
		generation: generation, since: from.since,
		profiles: make([]profile, len(from.profiles)), installations: make([]installation, len(from.installations)),
		events: make([]event, len(from.events)),
	}
	for i, name := range from.profiles {
		s.profiles[i] = profile{id: name.id, anonymous: name.anonymous}
	}
	for i, name := range from.installations {
		s.installations[i] = installation{id: name.id}
	}
	seen := make([]bool, len(s.profiles))
	for i := range from.profileRows {
		version := &from.profileRows[i]
		p := &s.profiles[version.of]
		if !seen[version.of] {
			p.at, seen[version.of] = version.at, true
		}
		if version.profileID != "" {
			p.id = version.profileID
		}
		if version.customID != "" {
			p.customID = version.customID
		}
		if version.row != nil {
			p.row = version.row
		}
	}
	seen = make([]bool, len(s.installations))
	for i := range from.installationRows {
		version := &from.installationRows[i]
		in := &s.installations[version.of]
		if !seen[version.of] {
			in.at, seen[version.of] = version.at, true
		}
		in.owner = version.owner
		if version.row != nil {
			in.row = version.row
		}
	}
	for i := range s.installations {
		owner := &s.profiles[s.installations[i].owner]
		owner.installations = append(owner.installations, int32(i))
	}
	s.placeEvents(from)
	s.deriveChanges()
	return s
}

// placeEvents puts the events in order and gives each to its installation and
// profile.
func (s *Snapshot) placeEvents(from *logSegment) {
	for i, loaded := range from.events {
		s.events[i] = event{eventRow: loaded.row, number: int32(i), time: loaded.time, profile: loaded.profile, installation: loaded.installation}
	}
	sort.SliceStable(s.events, func(i, j int) bool { return s.events[i].time < s.events[j].time })
	for rank := range s.events {
		e := &s.events[rank]
		if e.installation >= 0 {
			in := &s.installations[e.installation]
			in.events = append(in.events, int32(rank))
			if e.profile < 0 {
				e.profile = in.owner
			}
		}
		p := &s.profiles[e.profile]
		p.events = append(p.events, int32(rank))
	}
}

// before is the number of events up to a second, that second included.
func (s *Snapshot) before(second int64) int32 {
	return int32(sort.Search(len(s.events), func(i int) bool { return s.events[i].time > second }))
}

// deriveChanges finds out what each event changed. An event that asks for a
// state that is so already changes nothing, and no export shows it.
func (s *Snapshot) deriveChanges() {
	stated := s.statedWithdrawals()
	sets := map[string]uint8{}
	for rank := range s.events {
		e := &s.events[rank]
		changes := e.desiredChanges(nil)
		if ends, is := e.withdrawal(); is && !stated[int32(rank)] {
			changes = append(changes, desiredChange{flag: ends})
		}
		var names [3][]string
		for _, wanted := range changes {
			reason, changed := s.apply(e, int32(rank), wanted)
			if !changed {
				continue
			}
			e.legacy = e.legacy || wanted.flag.ofInstallation()
			for i, channel := range channelNames {
				if reason != "" && channels[wanted.flag] == channel {
					names[i] = append(names[i], reason)
				}
			}
		}
		for i, list := range names {
			if len(list) == 0 {
				continue
			}
			key := strings.Join(list, "|")
			if sets[key] == 0 {
				s.reasonSets = append(s.reasonSets, reasonSet{channelNames[i], list})
				sets[key] = uint8(len(s.reasonSets))
			}
			e.reasons[i] = sets[key]
		}
	}
}

// statedWithdrawals are the ranks of messages that end a consent whose end a
// reachability event states as well: only that one is shown as a change.
func (s *Snapshot) statedWithdrawals() map[int32]bool {
	stated := map[int32]bool{}
	next := map[[2]int32]bool{} // by profile and flag: whether the next statement is an end
	for rank := len(s.events) - 1; rank >= 0; rank-- {
		e := &s.events[rank]
		if e.Type == "reachability" {
			for _, wanted := range e.desiredChanges(nil) {
				if wanted.flag == flagEmailConsent || wanted.flag == flagSMSConsent {
					next[[2]int32{e.profile, int32(wanted.flag)}] = !wanted.state
				}
			}
			continue
		}
		if ends, is := e.withdrawal(); is && next[[2]int32{e.profile, int32(ends)}] {
			stated[int32(rank)] = true
		}
	}
	return stated
}

// apply makes a desired change part of a history, unless it changes nothing,
// and returns the reason by which the exports know it.
func (s *Snapshot) apply(e *event, rank int32, wanted desiredChange) (reason string, changed bool) {
	past := &s.profiles[e.profile].history
	if wanted.flag.ofInstallation() {
		if e.installation < 0 {
			return "", false
		}
		past = &s.installations[e.installation].history
	}
	names := reasonsOf[wanted.flag]
	before := past.last(wanted.flag, rank)
	made := change{rank: rank, flag: wanted.flag, state: wanted.state, text: wanted.text}
	reason = wanted.reason
	if reason == "" {
		reason = names[1]
		if wanted.state {
			reason = names[0]
			if names[2] != "" && s.hadAddress(e.profile, wanted, before) {
				reason = names[2]
			}
		}
	}
	made.update = wanted.state && reason == names[2] && reason != ""
	if before != nil && before.state == wanted.state && !made.update {
		return "", false
	}
	if made.update && wanted.reason == "" && before != nil && before.text == wanted.text {
		return "", false
	}
	*past = append(*past, made)
	return reason, true
}

// hadAddress reports whether a profile had another address or number before.
func (s *Snapshot) hadAddress(profile int32, wanted desiredChange, before *change) bool {
	if before != nil {
		return before.state
	}
	row := s.profiles[profile].row
	if row == nil {
		return false
	}
	if wanted.flag == flagEmail {
		return row.EmailAddress != "" && row.EmailAddress != wanted.text
	}
	return row.PhoneNumber != "" && row.PhoneNumber != wanted.text
}

// address is the e-mail address or the phone number of a profile after the
// events before a rank; has is false when it has none, and text is empty when
// it has one that no row gives.
func (s *Snapshot) address(profile, limit int32, of flag) (text string, has bool) {
	p := &s.profiles[profile]
	if p.row != nil {
		text = p.row.EmailAddress
		if of == flagPhone {
			text = p.row.PhoneNumber
		}
	}
	state, known := p.history.state(of, limit)
	if !known {
		return text, text != ""
	}
	if last := p.history.last(of, limit); last != nil && last.text != "" {
		text = last.text
	}
	return text, state
}
