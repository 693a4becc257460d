// Package input holds rows as a user gives them: profiles, installations and
// events from CSV or JSON, read and checked against the schemas
// data/profile.json, data/installation.json and data/event.json, all or none
// ([Read], [OpenDirectory]). A [Spool] keeps rows on their way into a dataset, so
// that they need not be in memory.
package input

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/big"
	"strings"
	"time"
)

// Kind is what rows are about.
type Kind string

// The kinds of rows, in the order in which they are loaded together.
const (
	Profiles      Kind = "profiles"
	Installations Kind = "installations"
	Events        Kind = "events"
)

// Kinds are all kinds, in the order in which they are loaded together.
func Kinds() []Kind { return []Kind{Profiles, Installations, Events} }

// Schema is the name of the schema of a row.
func (k Kind) Schema() string {
	switch k {
	case Profiles:
		return "data/profile.json"
	case Installations:
		return "data/installation.json"
	}
	return "data/event.json"
}

// Row is one row that fits its schema.
type Row struct {
	Kind Kind
	Text json.RawMessage // the row as JSON
	// File, Line and Column say where it was read; File is empty for a body.
	File         string
	Line, Column int

	number int // among the rows read together, from 0
	// The members, of which one is there, by the kind.
	Profile      *Profile
	Installation *Installation
	Event        *Event
}

// Profile is a row with the members of data/profile.json.
type Profile struct {
	ProfileID                   string          `json:"profile_id"`
	CustomID                    string          `json:"custom_id"`
	CreationDate                Timestamp       `json:"creation_date"`
	EmailAddress                string          `json:"email_address"`
	MailboxProvider             string          `json:"mailbox_provider"`
	EmailMarketing              string          `json:"email_marketing"`
	PhoneNumber                 string          `json:"phone_number"`
	PhoneCountry                string          `json:"phone_country"`
	SMSMarketing                string          `json:"sms_marketing"`
	Language                    string          `json:"language"`
	Region                      string          `json:"region"`
	Timezone                    string          `json:"timezone"`
	LastVisitDate               Timestamp       `json:"last_visit_date"`
	LastActivity                Timestamp       `json:"last_activity"`
	LastEmailMarketingOpen      Timestamp       `json:"last_email_marketing_open"`
	LastEmailMarketingClick     Timestamp       `json:"last_email_marketing_click"`
	LastEmailTransactionalOpen  Timestamp       `json:"last_email_transactional_open"`
	LastEmailTransactionalClick Timestamp       `json:"last_email_transactional_click"`
	Segments                    []string        `json:"segments"`
	Attributes                  json.RawMessage `json:"attributes"`

	Further
}

// Further are members that only the schemas of an overlay directory know.
type Further map[string]any

// Member is one of them.
func (f Further) Member(name string) (value any, is bool) {
	value, is = f[name]
	return value, is
}

// Installation is a row with the members of data/installation.json.
type Installation struct {
	InstallID     string    `json:"install_id"`
	ProfileID     string    `json:"profile_id"`
	CustomID      string    `json:"custom_id"`
	AdvertisingID string    `json:"advertising_id"`
	Platform      string    `json:"platform"`
	InstallDate   Timestamp `json:"install_date"`
	LastStartDate Timestamp `json:"last_start_date"`
	SmartSegment  string    `json:"smart_segment"`
	IsOptin       *bool     `json:"is_optin"`
	IsReachable   *bool     `json:"is_reachable"`
	HasCustomID   *bool     `json:"has_custom_id"`

	Further
}

// Event is a row with the members of data/event.json.
type Event struct {
	Type               string          `json:"type"`
	Date               Timestamp       `json:"date"`
	InstallID          string          `json:"install_id"`
	ProfileID          string          `json:"profile_id"`
	CustomID           string          `json:"custom_id"`
	Campaign           string          `json:"campaign"`
	Group              string          `json:"group"`
	TransactionalToken string          `json:"transactional_token"`
	CTA                string          `json:"cta"`
	CTAPosition        *Integer        `json:"cta_position"`
	ClickURL           string          `json:"click_url"`
	ClickURLName       string          `json:"click_url_name"`
	MachineOpen        *bool           `json:"machine_open"`
	BounceCode         string          `json:"bounce_code"`
	BounceType         string          `json:"bounce_type"`
	SMSParts           *Integer        `json:"sms_parts"`
	MessageLanguage    string          `json:"message_language"`
	OrchestrationID    string          `json:"orchestration_id"`
	OrchestrationName  string          `json:"orchestration_name"`
	StepID             string          `json:"step_id"`
	StepName           string          `json:"step_name"`
	SentID             string          `json:"sent_id"`
	ABTestingStatus    string          `json:"ab_testing_status"`
	ABTestingVariant   string          `json:"ab_testing_variant"`
	EventID            string          `json:"event_id"`
	Reasons            []string        `json:"reasons"`
	IsOptin            *bool           `json:"is_optin"`
	IsReachable        *bool           `json:"is_reachable"`
	HasCustomID        *bool           `json:"has_custom_id"`
	EmailMarketing     string          `json:"email_marketing"`
	SMSMarketing       string          `json:"sms_marketing"`
	EmailAddress       string          `json:"email_address"`
	PhoneNumber        string          `json:"phone_number"`
	Collection         string          `json:"collection"`
	Tag                string          `json:"tag"`
	Attribute          string          `json:"attribute"`
	Value              json.RawMessage `json:"value"`
	// The details of a custom event are shown by no export.
	Name  any `json:"name"`
	Label any `json:"label"`
	Tags  any `json:"tags"`
	Data  any `json:"data"`

	Further
}

// decode reads the text of a row that fits its schema.
func (r *Row) decode(s *scanner) error { return r.decodeText(s, string(r.Text)) }

// decodeText is decode for those who have the text as a string as well, of
// which the row keeps parts.
func (r *Row) decodeText(s *scanner, text string) (err error) {
	var into rowMembers
	switch r.Kind {
	case Profiles:
		r.Profile = new(Profile)
		into = r.Profile
	case Installations:
		r.Installation = new(Installation)
		into = r.Installation
	case Events:
		r.Event = new(Event)
		into = r.Event
	default:
		return fmt.Errorf("rows of kind %q are not known", r.Kind)
	}
	if !s.row(r.Kind, text, into) {
		err = r.decodeSlowly([]byte(text))
	}
	if r.Event != nil {
		r.Event.Name, r.Event.Label, r.Event.Tags, r.Event.Data = nil, nil, nil, nil
		if r.Event.Type == "push_opened" { // the exports have two names for it
			r.Event.Type = "push_open"
		}
	}
	return err
}

// decodeSlowly reads what the scanner does not.
func (r *Row) decodeSlowly(text []byte) (err error) {
	switch r.Kind {
	case Profiles:
		r.Profile = new(Profile)
		r.Profile.Further, err = decodeRow(text, r.Profile)
	case Installations:
		r.Installation = new(Installation)
		r.Installation.Further, err = decodeRow(text, r.Installation)
	case Events:
		r.Event = new(Event)
		r.Event.Further, err = decodeRow(text, r.Event)
	}
	return err
}

// decodeRow reads a row, and what it has beside the members of into.
func decodeRow(text []byte, into any) (further map[string]any, err error) {
	if DecodeExact(text, into, true) == nil {
		return nil, nil
	}
	if err := DecodeExact(text, into, false); err != nil {
		return nil, err
	}
	err = DecodeExact(text, &further, false)
	return further, err
}

// DecodeExact reads a text and keeps its numbers as they were written.
func DecodeExact(text []byte, into any, strict bool) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if strict {
		decoder.DisallowUnknownFields()
	}
	return decoder.Decode(into)
}

// Names are the identifiers that a row names; empty ones are not there.
func (r *Row) Names() (profileID, customID, installID string) {
	switch {
	case r.Profile != nil:
		return r.Profile.ProfileID, r.Profile.CustomID, ""
	case r.Installation != nil:
		return r.Installation.ProfileID, r.Installation.CustomID, r.Installation.InstallID
	}
	return r.Event.ProfileID, r.Event.CustomID, r.Event.InstallID
}

// hasIdentifier reports whether a row has an identifier. The schemas demand
// one, but the rows of a store may have been written by another program.
func (r *Row) hasIdentifier() bool {
	switch {
	case r.Profile != nil:
		return r.Profile.ProfileID+r.Profile.CustomID != ""
	case r.Installation != nil:
		return r.Installation.InstallID != ""
	}
	return r.Event.InstallID+r.Event.ProfileID+r.Event.CustomID != ""
}

// Timestamp is a whole second since 1970, UTC, or none.
type Timestamp struct {
	Second int64
	Given  bool
}

// dateLayout takes fractions of a second as well, as time.Parse does.
const dateLayout = "2006-01-02T15:04:05"

// UnmarshalText reads a date with or without Z; what is left of a second counts
// as nothing.
func (t *Timestamp) UnmarshalText(text []byte) error {
	date, err := time.Parse(dateLayout, strings.TrimSuffix(string(text), "Z"))
	if err != nil {
		return fmt.Errorf("date %.40q: %w", text, err)
	}
	*t = Timestamp{date.Unix(), true}
	return nil
}

// Integer is an integer as JSON may write it, 1.0 and 1e2 included.
type Integer int64

// UnmarshalJSON reads an integer of 64 bits.
func (w *Integer) UnmarshalJSON(text []byte) error {
	number, valid := new(big.Rat).SetString(string(text))
	if !valid || !number.IsInt() || !number.Num().IsInt64() {
		return fmt.Errorf("%.40s is no integer of 64 bits", text)
	}
	*w = Integer(number.Num().Int64())
	return nil
}

// UpTo is a time, or 0 when there is none or it lies after now.
func (t Timestamp) UpTo(now int64) int64 {
	if t.Given && t.Second <= now {
		return t.Second
	}
	return 0
}
