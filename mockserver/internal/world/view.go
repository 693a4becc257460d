package world

import (
	"fmt"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
)

// Row is what one row of an export is about. Facts print it.
type Row struct {
	Profile       int64
	Installation  int64 // -1: none
	Time          int64 // seconds since 1970: of the event, or what a snapshot shows
	Message       uint64
	Event         int32 // index in View.Events, -1: none
	Orchestration int32
	Reason        Reason
	// changed orders changes of one second: so many of the timelines have changed
	// at Time, the others have not yet.
	changed changeKind
	traits
	// Loaded is what a row of a dataset is about, which only its dataset
	// understands; nil for all others.
	Loaded any
	cache  rowCache
}

// traits are what a row is, beside what it is about.
type traits struct {
	ties ties
	how  manner
	// Skew is by how many seconds the date that the row shows is wrong.
	Skew int64
}

// ties are those of an installation to the profile of its row.
type ties struct {
	// linkedID says that custom_id shows only while the installation is linked
	// to the profile, as is_has_custom_id does in the same row.
	linkedID bool
	borrowed bool // it is an installation of another profile
	// snapshot says that all rows of the file are about the same instant.
	snapshot bool
}

// manner is how an event happened.
type manner struct {
	final   bool  // by the last message to an address or a device
	machine bool  // no person did it
	repeat  uint8 // so many times before
}

// rowCache holds what facts have computed about a row, so that others need not
// compute it again. It must be cleared when the row becomes one about
// something else.
type rowCache struct {
	hasLatest   bool
	mailbox     uint8                // which provider, plus one; 0: not found yet
	latest      [latestEvents]uint32 // seconds before Time, plus one; 0: never
	knownStates uint16               // one bit per changeKind: whether its bit in states is set
	states      uint16

	// Instants; 0: not computed yet.
	installed, started, visited, created int64
	// transactional is when a transactional e-mail was opened last, above pickBits; never: before 1970.
	transactional int64
}

// know keeps the state of a fact at the time of the row.
func (c *rowCache) know(kind changeKind, state bool) {
	c.knownStates |= 1 << kind
	c.states &^= 1 << kind
	if state {
		c.states |= 1 << kind
	}
}

// Key identifies what the row is about, for values that have no source in the
// world: a person or an installation, whenever it is looked at, or one event.
func (r *Row) Key() uint64 {
	key := draw(uint64(r.Profile), uint64(r.Installation))
	if r.Message == 0 {
		return key
	}
	return draw(key, draw(uint64(r.Time), r.Message^uint64(r.Event)))
}

// Recipient is whom a row is about: an installation of a profile, linked to it or not.
type Recipient struct {
	profile, installation, linked int64
}

// Recipient is whom a row is about; not if it is of a dataset. Two rows of a view that are
// about the same have the same values of the facts of which [Fact] says so.
func (r *Row) Recipient() (about Recipient, known bool) {
	linked := 4 * r.Time // whether it is follows from the time
	switch {
	case r.cache.knownStates>>changeLinked&1 != 0:
		linked = 1 + 2*int64(r.cache.states>>changeLinked&1)
	case changeLinked >= r.changed:
		linked -= 4
	}
	return Recipient{r.Profile, r.Installation, linked}, r.Loaded == nil
}

// View is an ordered list of units, each of which makes a few rows. Any unit
// can be made alone; a view is immutable and safe for concurrent use.
type View interface {
	// Events are the names of the events that rows refer to; empty when rows
	// are no events.
	Events() []string
	// Units is how many units there are.
	Units() int64
	// Append adds the rows of one unit, from 0, to rows.
	Append(rows []Row, unit int64) []Row
}

// Query chooses a view and what of it is wanted.
type Query struct {
	View string
	// From and To bound the events: From is inside, To is not. Fractions of a
	// second are honoured.
	From, To time.Time
	// Now is the moment a snapshot shows; no event at or after it is known.
	Now time.Time
	// Stream names the stream of messages: what kind of campaign, and which
	// one. Every name has an audience.
	Stream string
	// Segment keeps the profiles of a segment and their events; any code names
	// one. Empty: all. Views of installations know no segments.
	Segment string
	// Events are the wanted events, by the names of the journey; nil: all.
	Events []string
	// Channels are the wanted channels of vocabulary.ViewProfileChanges: email, sms and
	// push; nil: all.
	Channels []string
	// Journey is the life of a message, for the views of messages and
	// recipients.
	Journey []Step
	// ShowsLinks says that the rows show whether an installation is linked to
	// its profile, by its custom identifier: a recipient that was and was not
	// is then listed for both.
	ShowsLinks bool
	// OnlyRecipients says that nothing else shows in the rows of recipients than
	// who they are and the event: when it happened is then not looked for.
	OnlyRecipients bool
}

// View opens a view. It costs about the same for any query. A query that makes
// no sense (an unknown view, a journey that contradicts itself) is an error.
func (w *World) View(q Query) (View, error) {
	span := spanOf(q)
	switch q.View {
	case vocabulary.ViewInstallations:
		return w.installationsView(q), nil
	case vocabulary.ViewProfiles:
		return w.profilesView(q), nil
	case vocabulary.ViewInstallationChanges:
		return w.changesView(span, installationChanges, true), nil
	case vocabulary.ViewProfileChanges:
		kinds, err := changesOfChannels(q.Channels)
		if err != nil {
			return nil, err
		}
		view := w.changesView(span, kinds, false)
		return w.inSegment(view, q.Segment, span, 1, view.appendOf), nil
	case vocabulary.ViewInstallationMessages, vocabulary.ViewInstallationRecipients, vocabulary.ViewProfileMessages:
		return w.messagesView(q, span)
	}
	return nil, fmt.Errorf("view %q is not known; the views are %q, %q, %q, %q, %q, %q and %q", q.View,
		vocabulary.ViewInstallations, vocabulary.ViewInstallationChanges, vocabulary.ViewInstallationMessages, vocabulary.ViewInstallationRecipients,
		vocabulary.ViewProfiles, vocabulary.ViewProfileChanges, vocabulary.ViewProfileMessages)
}

// span is a range of whole seconds: events at from are inside, at to are not.
type span struct{ from, to int64 }

func spanOf(q Query) span {
	return span{max(ceilSecond(q.From), worldStart), min(ceilSecond(q.To), ceilSecond(q.Now))}
}

func (s span) holds(at int64) bool { return at >= s.from && at < s.to }

// slots are the slots of a length that touch the span.
func (s span) slots(length int64) (first, count int64) {
	if s.to <= s.from {
		return 0, 0
	}
	first = floorDivide(s.from, length)
	return first, floorDivide(s.to-1, length) - first + 1
}

// ceilSecond is the first whole second at or after an instant.
func ceilSecond(at time.Time) int64 {
	second := at.Unix()
	if at.Nanosecond() > 0 {
		second++
	}
	return second
}
