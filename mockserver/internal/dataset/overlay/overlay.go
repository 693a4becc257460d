// Package overlay shows a dataset in files: which of its rows a file has among
// the synthetic ones or instead of them, and the facts of each. What follows from
// the rows is derived here: the flags and addresses at any moment, the
// reachability rows of a change, the latest open or click of a profile.
package overlay

import (
	"math"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/record"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
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
	*dataset.Snapshot
	world        *world.World
	query        Query
	synthetic    world.View
	now          int64         // what a snapshot shows
	limit        record.Moment // the last event up to now
	counterparts *counterparts
	first, last  int64 // the events in the window
	// distinct are the events that stand for others of the same recipient; nil
	// if all stand for themselves.
	distinct *blocks.NumberSet

	naming  sync.Mutex
	indexes map[string]int32 // of types of events
}

// New chooses what a file shows of a dataset. The view is that of its synthetic rows.
// It is nil when the file shows synthetic rows alone.
func New(s *dataset.Snapshot, of *world.World, query Query, synthetic world.View) *Overlay {
	if s.Profiles.Count == 0 && !query.Only {
		return nil
	}
	made := &Overlay{Snapshot: s, world: of, query: query, synthetic: synthetic, now: dataset.LastSecond(query.World.Now), indexes: map[string]int32{}}
	made.limit = record.Moment{Second: made.now, Number: math.MaxInt32}
	made.counterparts = counterpartsIn(s, of)
	if made.showsEvents() {
		made.first, made.last = made.inWindow()
	}
	if query.World.View == vocabulary.ViewInstallationRecipients {
		made.findRecipients()
	}
	return made
}

// showsEvents reports whether rows are events, and not a snapshot.
func (s *Overlay) showsEvents() bool {
	return !vocabulary.IsSnapshot(s.query.World.View)
}

// Reasons are the channel and the reasons of the rows of reachability changes,
// in the order of Row.Reason, which counts from 1.
func (s *Overlay) Reasons() (channels []string, reasons [][]string) {
	for _, set := range s.ReasonSets {
		channels, reasons = append(channels, set.Channel), append(reasons, set.Names)
	}
	return channels, reasons
}

// inWindow is the range of the events in the window. What happens at the time of
// creation, or later, is not known yet.
func (s *Overlay) inWindow() (first, last int64) {
	to := min(ceilSecond(s.query.World.To), ceilSecond(s.query.World.Now))
	first, last = s.Before(ceilSecond(s.query.World.From)-1), s.Before(to-1)
	return min(first, last), last
}

func ceilSecond(at time.Time) int64 { return dataset.LastSecond(at) + 1 }

// record reads the present record of a list and appends the rows that the file
// shows of it.
func (s *Overlay) record(at *cursor, rows []world.Row) []world.Row {
	switch s.query.World.View {
	case vocabulary.ViewInstallations:
		var in record.Installation
		var owner record.Profile
		record.DecodeInstallation(&at.Decoder, &in)
		record.DecodeProfile(&at.Decoder, &owner)
		if s.listsInstallation(&in) {
			rows = append(rows, s.row(&owner, &in, nil))
		}
	case vocabulary.ViewProfiles:
		var p record.Profile
		record.DecodeProfile(&at.Decoder, &p)
		if s.listsProfile(&p) {
			rows = append(rows, s.row(&p, nil, nil))
		}
	case vocabulary.ViewInstallationChanges:
		if e := at.eventIf(func(e *record.Event) bool { return e.Legacy }); e != nil {
			rows = append(rows, s.row(s.ownerOf(e), e.On, e))
		}
	case vocabulary.ViewProfileChanges:
		if e := at.eventIf(func(e *record.Event) bool { return e.ReasonSets != [3]uint8{} }); e != nil {
			rows = s.changeRows(e, rows)
		}
	default:
		if s.distinct != nil && !s.distinct.Has(int32(at.Number()-s.first)) {
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
type cursor struct {
	*blocks.Cursor
	row input.Event // of an event that may not be shown
}

func read(list *blocks.List, from int64) *cursor { return &cursor{Cursor: list.From(from)} }

// eventIf is the event of the present record, if its own members say that it is
// shown; otherwise nil.
func (c *cursor) eventIf(shown func(*record.Event) bool) *record.Event {
	var head record.Event
	if record.DecodeEventHead(&c.Decoder, &head, &c.row); !shown(&head) {
		return nil
	}
	e := new(record.Event)
	*e = head
	e.Event = nil // until somebody asks
	record.DecodeEventRest(&c.Decoder, e)
	return e
}

// records are the list that the rows of the file come from, and which of it.
func (s *Overlay) records() (from *blocks.List, first, last int64) {
	switch s.query.World.View {
	case vocabulary.ViewInstallations:
		return s.Installations, 0, s.Installations.Count
	case vocabulary.ViewProfiles:
		return s.Profiles, 0, s.Profiles.Count
	}
	return s.Events, s.first, s.last
}

// row is a loaded row about an event, or about a moment when there is none.
func (s *Overlay) row(of *record.Profile, on *record.Installation, e *record.Event) world.Row {
	number := int64(-1)
	if on != nil {
		number = int64(on.Number)
	}
	row := s.world.RowAt(int64(of.Number), number, s.now)
	about := &loadedRow{of: of, on: on, event: e, limit: s.limit}
	if e != nil {
		about.limit = e.When
		row.Time, row.Message = e.When.Second, s.keyOf(e)
	}
	row.Loaded = about
	return row
}

// keyOf is a number, never 0, that identifies an event and does not depend on
// what was loaded later.
func (s *Overlay) keyOf(e *record.Event) uint64 {
	return (uint64(s.Since)<<32+uint64(e.When.Number)+1)*0x9e3779b97f4a7c15 | 1
}

// ownerOf is the owner of the installation of an event.
func (s *Overlay) ownerOf(e *record.Event) *record.Profile {
	if e.On.Owner == e.Of.Number {
		return e.Of
	}
	return s.ProfileAt(e.On.Owner)
}

func (s *Overlay) listsInstallation(in *record.Installation) bool {
	if date := in.Given().InstallDate; date.Given && date.Second > s.now {
		return false
	}
	_, synthetic := s.counterparts.installations[in.Number]
	return !synthetic || in.Encoded != "" || s.query.Only // else the synthetic row stands for it
}

func (s *Overlay) listsProfile(p *record.Profile) bool {
	base, synthetic := s.counterparts.profiles[p.Number]
	switch {
	case synthetic && !p.Loaded:
		if !s.query.Only || base.alias {
			return false
		}
		return base.number < s.world.ProfilesAt(s.now+1) && s.inSegment(p)
	case p.Anonymous > 0 && !p.Loaded && !p.Has(p.Anonymous-1):
		return false // a row gives its installation to another profile
	case p.Given().CreationDate.Given && p.Given().CreationDate.Second > s.now:
		return false
	}
	return s.inSegment(p)
}

// inSegment reports whether a profile belongs to the segment that is wanted:
// the row of a loaded one lists its segments, and the world knows those of a
// synthetic one.
func (s *Overlay) inSegment(p *record.Profile) bool {
	code := s.query.World.Segment
	switch {
	case code == "":
		return true
	case p.Loaded:
		return slices.Contains(p.Given().Segments, code)
	}
	base, synthetic := s.counterparts.profiles[p.Number]
	return synthetic && s.world.InSegment(code, base.number)
}

func (s *Overlay) changeRows(e *record.Event, rows []world.Row) []world.Row {
	wanted := s.query.World.Channels
	for i, reasons := range e.ReasonSets {
		if reasons == 0 || !s.inSegment(e.Of) || wanted != nil && !slices.Contains(wanted, record.Channels()[i]) {
			continue
		}
		row := s.row(e.Of, nil, e)
		if i == record.PushChannel {
			row = s.row(s.ownerOf(e), e.On, e)
		}
		row.Reason = world.Reason(reasons)
		rows = append(rows, row)
	}
	return rows
}

// message is the row of an event that a message file shows.
func (s *Overlay) message(e *record.Event) (row world.Row, shown bool) {
	q := &s.query.World
	of := e.Of
	if q.View == vocabulary.ViewProfileMessages && !s.inSegment(of) {
		return row, false
	}
	if q.View != vocabulary.ViewProfileMessages {
		of = s.ownerOf(e)
	}
	row = s.row(of, e.On, e)
	row.Event = e.Index
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
	s.distinct = &blocks.NumberSet{}
	seen := map[recipient]*blocks.NumberSet{}
	distinct := &blocks.NumberSet{}
	for at := read(s.Events, s.first); at.More(s.last); {
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
			seen[key] = &blocks.NumberSet{}
		}
		if seen[key].Has(e.Installation) || s.listedSynthetically(&row) {
			continue
		}
		seen[key].Add(e.Installation)
		distinct.Add(int32(at.Number() - s.first))
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
func (s *Overlay) concerns(e *record.Event) bool {
	if e.Index = s.eventIndex(e.Type); e.Index < 0 {
		return false
	}
	if s.query.World.View == vocabulary.ViewProfileMessages {
		return e.Campaign == "" && e.Group == "" || e.OrchestrationID != ""
	}
	if e.Installation < 0 {
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
