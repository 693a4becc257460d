package dataset

import (
	"slices"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// Query chooses the loaded rows of one file, beside what the query of its
// synthetic rows says.
type Query struct {
	World world.Query
	// Campaign and Group are the token or the group that the file is about; at
	// most one is set.
	Campaign, Group string
	// Wire turns the type of an event into the name that the file has for it.
	Wire func(eventType string) string
	// Only leaves the synthetic rows out.
	Only bool
}

// Overlay is what one file shows of a dataset: the rows, and their facts. It
// is immutable and safe for concurrent use.
type Overlay struct {
	*Snapshot
	world        *world.World
	query        Query
	synthetic    world.View
	events       bool  // rows are events, not a snapshot
	now          int64 // what a snapshot shows
	limit        int32 // the events up to now
	counterparts counterparts
	rows         []world.Row
}

// Overlay chooses what a file shows. The view is that of its synthetic rows.
// It is nil when the file shows synthetic rows alone.
func (s *Snapshot) Overlay(of *world.World, query Query, synthetic world.View) *Overlay {
	if len(s.profiles) == 0 && !query.Only {
		return nil
	}
	made := &Overlay{Snapshot: s, world: of, query: query, synthetic: synthetic, now: lastSecond(query.World.Now)}
	made.limit = s.before(made.now)
	made.counterparts = s.counterpartsIn(of)
	switch query.World.View {
	case world.ViewInstallations:
		made.listInstallations()
	case world.ViewProfiles:
		made.listProfiles()
	case world.ViewInstallationChanges:
		made.events = true
		made.listInstallationChanges()
	case world.ViewProfileChanges:
		made.events = true
		made.listProfileChanges()
	default:
		made.events = true
		made.listMessages()
	}
	return made
}

// Rows is how many loaded rows the file has, those that only replace a
// synthetic one not counted.
func (s *Overlay) Rows() int { return len(s.rows) }

// Reasons are the channel and the reasons of the rows of reachability changes,
// in the order of Row.Reason, which counts from 1.
func (s *Overlay) Reasons() (channels []string, reasons [][]string) {
	for _, set := range s.reasonSets {
		channels, reasons = append(channels, set.channel), append(reasons, set.names)
	}
	return channels, reasons
}

// inWindow is the range of ranks of the events in the window. What happens at
// the time of creation, or later, is not known yet.
func (s *Overlay) inWindow() (first, last int32) {
	to := min(ceilSecond(s.query.World.To), ceilSecond(s.query.World.Now))
	first, last = s.before(ceilSecond(s.query.World.From)-1), s.before(to-1)
	return min(first, last), last
}

func ceilSecond(at time.Time) int64 { return lastSecond(at) + 1 }

// row is a loaded row about an event, or about a moment when rank is -1.
func (s *Overlay) row(profile, installation, rank int32) world.Row {
	row := s.world.RowAt(int64(profile), int64(installation), s.now)
	row.Loaded = 1
	if rank >= 0 {
		e := &s.Snapshot.events[rank]
		row.Time, row.Loaded, row.Message = e.time, rank+1, s.keyOf(e)
	}
	return row
}

// keyOf is a number, never 0, that identifies an event and does not depend on
// what was loaded later.
func (s *Snapshot) keyOf(e *event) uint64 {
	return (uint64(s.since)<<32+uint64(e.number)+1)*0x9e3779b97f4a7c15 | 1
}

func (s *Overlay) listInstallations() {
	for i := range s.installations {
		in := &s.installations[i]
		if in.row != nil && in.row.InstallDate.given && in.row.InstallDate.second > s.now {
			continue
		}
		if s.counterparts.installations[i] >= 0 && in.row == nil && !s.query.Only {
			continue // the synthetic row stands for it
		}
		s.rows = append(s.rows, s.row(in.owner, int32(i), -1))
	}
}

func (s *Overlay) listProfiles() {
	for i := range s.profiles {
		if s.listsProfile(int32(i)) {
			s.rows = append(s.rows, s.row(int32(i), -1, -1))
		}
	}
}

func (s *Overlay) listsProfile(i int32) bool {
	p := &s.profiles[i]
	base := s.counterparts.profiles[i]
	switch {
	case base >= 0 && p.row == nil:
		if !s.query.Only || s.counterparts.alias[i] {
			return false
		}
		return base < s.world.ProfilesAt(s.now+1) && s.inSegment(i)
	case p.anonymous > 0 && p.row == nil && !slices.Contains(p.installations, p.anonymous-1):
		return false // a row gives its installation to another profile
	case p.row != nil && p.row.CreationDate.given && p.row.CreationDate.second > s.now:
		return false
	}
	return s.inSegment(i)
}

// inSegment reports whether a profile belongs to the segment that is wanted:
// the row of a loaded one lists its segments, and the world knows those of a
// synthetic one.
func (s *Overlay) inSegment(i int32) bool {
	code, p := s.query.World.Segment, &s.profiles[i]
	switch {
	case code == "":
		return true
	case p.row != nil:
		return slices.Contains(p.row.Segments, code)
	}
	base := s.counterparts.profiles[i]
	return base >= 0 && s.world.InSegment(code, base)
}

func (s *Overlay) listInstallationChanges() {
	first, last := s.inWindow()
	for rank := first; rank < last; rank++ {
		if e := &s.Snapshot.events[rank]; e.legacy {
			s.rows = append(s.rows, s.row(s.installations[e.installation].owner, e.installation, rank))
		}
	}
}

func (s *Overlay) listProfileChanges() {
	first, last := s.inWindow()
	wanted := s.query.World.Channels
	for rank := first; rank < last; rank++ {
		e := &s.Snapshot.events[rank]
		for i, reasons := range e.reasons {
			if reasons == 0 || !s.inSegment(e.profile) || wanted != nil && !slices.Contains(wanted, channelNames[i]) {
				continue
			}
			row := s.row(e.profile, -1, rank)
			if channelNames[i] == "push" {
				row = s.row(s.installations[e.installation].owner, e.installation, rank)
			}
			row.Reason = world.Reason(reasons)
			s.rows = append(s.rows, row)
		}
	}
}

func (s *Overlay) listMessages() {
	q := &s.query.World
	first, last := s.inWindow()
	names := s.synthetic.Events()
	seen := map[recipient]bool{}
	for rank := first; rank < last; rank++ {
		e := &s.Snapshot.events[rank]
		name := s.query.Wire(e.Type)
		at := slices.Index(names, name)
		if at < 0 || q.Events != nil && !slices.Contains(q.Events, name) || !s.concerns(e) {
			continue
		}
		profile := e.profile
		if q.View == world.ViewProfileMessages && !s.inSegment(profile) {
			continue
		}
		if q.View != world.ViewProfileMessages {
			profile = s.installations[e.installation].owner
		}
		row := s.row(profile, e.installation, rank)
		row.Event = int32(at)
		if q.View == world.ViewInstallationRecipients {
			key := recipient{e.installation, row.Event, q.ShowsLinks && s.isLinked(e.installation, rank+1)}
			if seen[key] || s.listedSynthetically(&row) {
				continue
			}
			seen[key] = true
		}
		s.rows = append(s.rows, row)
	}
}

// recipient is the key by which a list of recipients is distinct.
type recipient struct {
	installation, event int32
	linked              bool
}

// concerns reports whether the file is about the campaign, group or
// orchestration of an event.
func (s *Overlay) concerns(e *event) bool {
	if s.query.World.View == world.ViewProfileMessages {
		return e.Campaign == "" && e.Group == "" || e.OrchestrationID != ""
	}
	if e.installation < 0 {
		return false
	}
	return s.query.Campaign != "" && e.Campaign == s.query.Campaign || s.query.Group != "" && e.Group == s.query.Group
}

// listedSynthetically reports whether the synthetic rows list the recipient as
// well.
func (s *Overlay) listedSynthetically(row *world.Row) bool {
	lists, is := s.synthetic.(world.RecipientLister)
	base, inherits := s.syntheticRow(row)
	if !is || !inherits || s.query.Only {
		return false
	}
	base.Event = row.Event
	return lists.Lists(&base)
}
