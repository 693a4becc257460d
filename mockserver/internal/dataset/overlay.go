package dataset

import (
	"math"
	"slices"
	"strings"
	"sync"
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
	now          int64  // what a snapshot shows
	limit        moment // the last event up to now
	counterparts *counterparts
	first, last  int64 // the events in the window
	// distinct are the events that stand for others of the same recipient; nil
	// if all stand for themselves.
	distinct *numberSet

	naming  sync.Mutex
	indexes map[string]int32 // of types of events
}

// New chooses what a file shows of a dataset. The view is that of its synthetic rows.
// It is nil when the file shows synthetic rows alone.
func New(s *Snapshot, of *world.World, query Query, synthetic world.View) *Overlay {
	if s.profiles.count == 0 && !query.Only {
		return nil
	}
	made := &Overlay{Snapshot: s, world: of, query: query, synthetic: synthetic, now: lastSecond(query.World.Now), indexes: map[string]int32{}}
	made.limit = moment{made.now, math.MaxInt32}
	made.counterparts = counterpartsIn(s, of)
	if made.showsEvents() {
		made.first, made.last = made.inWindow()
	}
	if query.World.View == world.ViewInstallationRecipients {
		made.findRecipients()
	}
	return made
}

// showsEvents reports whether rows are events, and not a snapshot.
func (s *Overlay) showsEvents() bool {
	return s.query.World.View != world.ViewInstallations && s.query.World.View != world.ViewProfiles
}

// Reasons are the channel and the reasons of the rows of reachability changes,
// in the order of Row.Reason, which counts from 1.
func (s *Overlay) Reasons() (channels []string, reasons [][]string) {
	for _, set := range s.reasonSets {
		channels, reasons = append(channels, set.channel), append(reasons, set.names)
	}
	return channels, reasons
}

// inWindow is the range of the events in the window. What happens at the time of
// creation, or later, is not known yet.
func (s *Overlay) inWindow() (first, last int64) {
	to := min(ceilSecond(s.query.World.To), ceilSecond(s.query.World.Now))
	first, last = s.before(ceilSecond(s.query.World.From)-1), s.before(to-1)
	return min(first, last), last
}

func ceilSecond(at time.Time) int64 { return lastSecond(at) + 1 }

// record reads the present record of a list and appends the rows that the file
// shows of it.
func (s *Overlay) record(at *overlayCursor, rows []world.Row) []world.Row {
	switch s.query.World.View {
	case world.ViewInstallations:
		var in installation
		var owner profile
		decodeInstallation(&at.decoder, &in)
		decodeProfile(&at.decoder, &owner)
		if s.listsInstallation(&in) {
			rows = append(rows, s.row(&owner, &in, nil))
		}
	case world.ViewProfiles:
		var p profile
		decodeProfile(&at.decoder, &p)
		if s.listsProfile(&p) {
			rows = append(rows, s.row(&p, nil, nil))
		}
	case world.ViewInstallationChanges:
		if e := at.eventIf(func(e *event) bool { return e.legacy }); e != nil {
			rows = append(rows, s.row(s.ownerOf(e), e.on, e))
		}
	case world.ViewProfileChanges:
		if e := at.eventIf(func(e *event) bool { return e.reasons != [3]uint8{} }); e != nil {
			rows = s.changeRows(e, rows)
		}
	default:
		if s.distinct != nil && !s.distinct.has(int32(at.number()-s.first)) {
			return rows
		}
		if e := at.eventIf(s.concerns); e != nil {
			if row, shown := s.message(e); shown {
				rows = append(rows, row)
			}
		}
	}
	return rows
}

// cursor reads the records of a list, and events into one row that is used again.
type overlayCursor struct {
	*cursor
	row eventRow // of an event that may not be shown
}

func read(list *list, from int64) *overlayCursor { return &overlayCursor{cursor: list.from(from)} }

// eventIf is the event of the present record, if its own members say that it is
// shown; otherwise nil.
func (c *overlayCursor) eventIf(shown func(*event) bool) *event {
	var head event
	if decodeEventHead(&c.decoder, &head, &c.row); !shown(&head) {
		return nil
	}
	e := new(event)
	*e = head
	e.eventRow = nil // until somebody asks
	decodeEventRest(&c.decoder, e)
	return e
}

// records are the list that the rows of the file come from, and which of it.
func (s *Overlay) records() (from *list, first, last int64) {
	switch s.query.World.View {
	case world.ViewInstallations:
		return s.installations, 0, s.installations.count
	case world.ViewProfiles:
		return s.profiles, 0, s.profiles.count
	}
	return s.events, s.first, s.last
}

// row is a loaded row about an event, or about a moment when there is none.
func (s *Overlay) row(of *profile, on *installation, e *event) world.Row {
	number := int64(-1)
	if on != nil {
		number = int64(on.number)
	}
	row := s.world.RowAt(int64(of.number), number, s.now)
	about := &loadedRow{of: of, on: on, event: e, limit: s.limit}
	if e != nil {
		about.limit = e.when
		row.Time, row.Message = e.when.second, s.keyOf(e)
	}
	row.Loaded = about
	return row
}

// keyOf is a number, never 0, that identifies an event and does not depend on
// what was loaded later.
func (s *Overlay) keyOf(e *event) uint64 {
	return (uint64(s.since)<<32+uint64(e.when.number)+1)*0x9e3779b97f4a7c15 | 1
}

// ownerOf is the owner of the installation of an event.
func (s *Overlay) ownerOf(e *event) *profile {
	if e.on.owner == e.of.number {
		return e.of
	}
	return s.profileAt(e.on.owner)
}

func (s *Overlay) listsInstallation(in *installation) bool {
	if date := in.loaded().InstallDate; date.given && date.second > s.now {
		return false
	}
	_, synthetic := s.counterparts.installations[in.number]
	return !synthetic || in.encoded != "" || s.query.Only // else the synthetic row stands for it
}

func (s *Overlay) listsProfile(p *profile) bool {
	base, synthetic := s.counterparts.profiles[p.number]
	switch {
	case synthetic && !p.loaded:
		if !s.query.Only || base.alias {
			return false
		}
		return base.number < s.world.ProfilesAt(s.now+1) && s.inSegment(p)
	case p.anonymous > 0 && !p.loaded && !p.has(p.anonymous-1):
		return false // a row gives its installation to another profile
	case p.given().CreationDate.given && p.given().CreationDate.second > s.now:
		return false
	}
	return s.inSegment(p)
}

// inSegment reports whether a profile belongs to the segment that is wanted:
// the row of a loaded one lists its segments, and the world knows those of a
// synthetic one.
func (s *Overlay) inSegment(p *profile) bool {
	code := s.query.World.Segment
	switch {
	case code == "":
		return true
	case p.loaded:
		return slices.Contains(p.given().Segments, code)
	}
	base, synthetic := s.counterparts.profiles[p.number]
	return synthetic && s.world.InSegment(code, base.number)
}

func (s *Overlay) changeRows(e *event, rows []world.Row) []world.Row {
	wanted := s.query.World.Channels
	for i, reasons := range e.reasons {
		if reasons == 0 || !s.inSegment(e.of) || wanted != nil && !slices.Contains(wanted, channelNames()[i]) {
			continue
		}
		row := s.row(e.of, nil, e)
		if i == pushChannel {
			row = s.row(s.ownerOf(e), e.on, e)
		}
		row.Reason = world.Reason(reasons)
		rows = append(rows, row)
	}
	return rows
}

// message is the row of an event that a message file shows.
func (s *Overlay) message(e *event) (row world.Row, shown bool) {
	q := &s.query.World
	of := e.of
	if q.View == world.ViewProfileMessages && !s.inSegment(of) {
		return row, false
	}
	if q.View != world.ViewProfileMessages {
		of = s.ownerOf(e)
	}
	row = s.row(of, e.on, e)
	row.Event = e.index
	return row, true
}

// eventIndex is the place of a type among the events of the file; -1: it is
// not wanted.
func (s *Overlay) eventIndex(eventType string) int32 {
	s.naming.Lock()
	defer s.naming.Unlock()
	index, known := s.indexes[eventType]
	if !known {
		name := s.query.Wire(eventType)
		index = int32(slices.Index(s.synthetic.Events(), name))
		if wanted := s.query.World.Events; wanted != nil && !slices.Contains(wanted, name) {
			index = -1
		}
		s.indexes[strings.Clone(eventType)] = index
	}
	return index
}

// findRecipients finds the first event of each recipient: a list of recipients
// is distinct. It takes a bit for each installation and event of the file, by
// the kind of recipient.
func (s *Overlay) findRecipients() {
	s.distinct = &numberSet{}
	seen := map[recipient]*numberSet{}
	distinct := &numberSet{}
	for at := read(s.events, s.first); at.more(s.last); {
		e := at.eventIf(s.concerns)
		if e == nil {
			continue
		}
		row, shown := s.message(e)
		if !shown {
			continue
		}
		key := recipient{row.Event, s.query.World.ShowsLinks && s.isLinked(&row)}
		if seen[key] == nil {
			seen[key] = &numberSet{}
		}
		if seen[key].has(e.installation) || s.listedSynthetically(&row) {
			continue
		}
		seen[key].add(e.installation)
		distinct.add(int32(at.number() - s.first))
	}
	s.distinct = distinct
}

// recipient is the key, with an installation, by which a list of recipients is
// distinct.
type recipient struct {
	event  int32
	linked bool
}

// concerns reports whether the file is about the campaign, group or
// orchestration of an event.
func (s *Overlay) concerns(e *event) bool {
	if e.index = s.eventIndex(e.Type); e.index < 0 {
		return false
	}
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
