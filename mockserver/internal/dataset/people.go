package dataset

import (
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// A snapshot is the people who were given to a simulation.
var _ world.Given = (*Snapshot)(nil)

// People implements [world.Given].
func (s *Snapshot) People() int64 { return s.people.Count }

// Visit implements [world.Given]. A block that cannot be read panics, see [blocks.Decoder].
func (s *Snapshot) Visit(from, to int64, whole bool, visit func(*world.GivenPerson)) {
	s.people.Each(from, to, func(number int64, record string) {
		r := reading{since: s.since, whole: whole, devices: map[int32]int{}}
		visit(r.person(number, record))
	})
}

// reading is a person that is read from their record.
type reading struct {
	since   int64
	whole   bool
	made    world.GivenPerson
	devices map[int32]int // by the number of an installation
	events  []*givenRow
}

func (r *reading) person(number int64, text string) *world.GivenPerson {
	d, p, row := blocks.NewDecoder(text), &r.made, &givenRow{Row: input.Row{Kind: input.Profiles}}
	p.Number = number
	unnamed, said := int32(-1), ""
	for !d.Done() {
		text := d.Text()
		if text[0] == ofEvent && !r.whole {
			break
		}
		switch e := decodeEntry(text); e.kind {
		case ofProfile:
			if e.id != "" {
				p.ID = e.id
			}
			if e.customID != "" {
				p.CustomID = e.customID
			}
			if e.row != "" {
				p.Loaded, said = true, e.row
			}
			if e.installation >= 0 {
				unnamed, p.Unnamed = e.installation, true
			}
		case ofInstallation:
			if e.installation == unnamed && e.side == ofBoth && e.id != "" {
				p.InstallationID = e.id
			}
			r.add(&e)
		default:
			r.event(&e)
		}
	}
	if r.whole && p.Loaded {
		row.Row = input.RowOf(input.Profiles, said)
	}
	row.id = p.ID
	p.Values, p.Segments, p.Email, p.Phone = row, row.List("segments"), row.Get("email_address"), row.Get("phone_number")
	p.EmailConsent, p.SMSConsent = consent(row.Get("email_marketing")), consent(row.Get("sms_marketing"))
	r.withdrawals()
	p.Attribute = func(name string, at int64, nth int32) any {
		return attribute(row, p.Events, r.events, name, moment{at, nth})
	}
	return p
}

func consent(text string) *bool {
	if text == "" {
		return nil
	}
	is := text == input.Subscribed
	return &is
}

// add adds an installation, or what a later row says of it.
func (r *reading) add(e *entry) {
	at, known := r.devices[e.installation]
	if !known {
		at = len(r.made.Installations)
		r.devices[e.installation] = at
		r.made.Installations = append(r.made.Installations, world.GivenInstallation{ID: e.id, Elsewhere: e.side != ofBoth, Known: e.at})
	}
	in := &r.made.Installations[at]
	row := &givenRow{Row: input.Row{Kind: input.Installations}, id: in.ID}
	switch {
	case e.row != "":
		if in.Loaded = true; r.whole {
			row.Row = input.RowOf(input.Installations, e.row)
		}
	case known:
		return
	}
	in.Values, in.OptIn, in.Reachable, in.Linked = row, row.Flag("is_optin"), row.Flag("is_reachable"), row.Flag("has_custom_id")
}

// event adds an event.
func (r *reading) event(e *entry) {
	row := &givenRow{Row: input.RowOf(input.Events, e.row)}
	made := world.GivenEvent{
		At: e.when.second, Nth: e.when.number, Type: row.Type(), OfPerson: e.side != ofDeviceAlone, Device: -1, Values: row,
		Campaign: row.Get("campaign"), Group: row.Get("group"), Orchestration: row.Get("orchestration_id"),
		Changes: row.Changes(nil),
		// A number, never 0, that does not depend on what was loaded later.
		Key: (uint64(r.since)<<32+uint64(e.when.number)+1)*0x9e3779b97f4a7c15 | 1,
	}
	if e.installation >= 0 {
		made.Device, made.OfDevice = r.devices[e.installation], e.side != ofPersonAlone
	}
	r.made.Events = append(r.made.Events, made)
	r.events = append(r.events, row)
}

// withdrawals lets messages end consents, but for one whose end the next reachability event states as well: only that one is shown as
// a change.
func (r *reading) withdrawals() {
	var stated [world.FlagSMSConsent + 1]bool // whether the next statement is an end
	for i := len(r.made.Events) - 1; i >= 0; i-- {
		e := &r.made.Events[i]
		end := func(flag world.GivenFlag) {
			if !stated[flag] {
				e.Changes = append(e.Changes, world.GivenChange{Flag: flag})
			}
		}
		switch {
		case !e.OfPerson:
		case e.Type == "email_unsubscribed":
			end(world.FlagEmailConsent)
		case e.Type == "sms_unsubscribed":
			end(world.FlagSMSConsent)
		case e.Type == "reachability":
			for _, wanted := range e.Changes {
				stated[wanted.Flag] = !wanted.State
			}
		}
	}
}

// attribute is a custom attribute as it was loaded, with the tags and changes of the events up to a moment applied; nil when there is
// none.
func attribute(of *givenRow, events []world.GivenEvent, rows []*givenRow, name string, limit moment) (value any) {
	if held := of.JSON("attributes"); of.attributes == nil && held != "" {
		_ = input.Decode(held, &of.attributes) // it is JSON
	}
	value = of.attributes[name]
	for i, e := range rows {
		if at := (moment{events[i].At, events[i].Nth}); limit.second < at.second || limit.second == at.second && limit.number < at.number {
			break
		}
		switch kind := events[i].Type; {
		case !events[i].OfPerson:
		case kind == "attribute_changed" && e.Get("attribute") == name:
			if value = nil; e.JSON("value") != "" {
				_ = input.Decode(e.JSON("value"), &value)
			}
		case kind == "tag_added" && e.Get("collection") == name:
			if tags := tagsOf(value); !slices.Contains(tags, any(e.Get("tag"))) {
				value = append(slices.Clone(tags), e.Get("tag"))
			}
		case kind == "tag_removed" && e.Get("collection") == name:
			left := slices.DeleteFunc(slices.Clone(tagsOf(value)), func(tag any) bool { return tag == e.Get("tag") })
			if value = any(left); len(left) == 0 {
				value = nil
			}
		}
	}
	return value
}

// tagsOf is the list of tags that a custom attribute holds.
func tagsOf(value any) []any {
	switch held := value.(type) {
	case []any:
		return held
	case string:
		return []any{held}
	}
	return nil
}

// givenRow says of facts what a row has of them: see [world.Values]. Most facts have the names of members.
type givenRow struct {
	input.Row
	id         string
	attributes map[string]any // of a profile, once somebody asks
}

// Given implements [world.Values].
func (r *givenRow) Given(fact string) (text string, number int64, is bool) {
	of, member, _ := strings.Cut(fact, ".")
	switch kind := r.Kind; {
	case kind == input.Events:
		return r.event(fact, member)
	case fact == vocabulary.ProfileID && kind == input.Profiles, fact == vocabulary.InstallationID && kind == input.Installations:
		return r.id, 0, true
	case fact == vocabulary.EmailAddress, fact == vocabulary.PhoneNumber: // events may change them
		return "", 0, false
	case of+"s" != string(kind):
		return "", 0, false
	}
	return r.Value(member)
}

// event is what an event says of a fact.
func (r *givenRow) event(fact, member string) (text string, number int64, is bool) {
	switch fact {
	case vocabulary.EventType:
		return r.Type(), 0, true
	case vocabulary.EventID:
		member = "event_id"
	case vocabulary.OrchestrationID, vocabulary.OrchestrationName:
		member = "orchestration_" + member
	case vocabulary.EmailAddress:
		if !strings.HasPrefix(r.Type(), "email") { // else it tells where the message went
			return "", 0, false
		}
	case vocabulary.PhoneNumber:
		if !strings.HasPrefix(r.Type(), "sms") {
			return "", 0, false
		}
	}
	return r.Value(member)
}
