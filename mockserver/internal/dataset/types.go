package dataset

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
func (k Kind) Schema() string { return "data/" + strings.TrimSuffix(string(k), "s") + ".json" }

// Row is one row that fits its schema.
type Row struct {
	Kind Kind
	Text json.RawMessage // the row as JSON
	// File, Line and Column say where it was read; File is empty for a body.
	File         string
	Line, Column int

	number       int // among the rows read together, from 0
	profile      *profileRow
	installation *installationRow
	event        *eventRow
}

// profileRow, installationRow and eventRow have the members of the schemas.
type profileRow struct {
	ProfileID                   string          `json:"profile_id"`
	CustomID                    string          `json:"custom_id"`
	CreationDate                timestamp       `json:"creation_date"`
	EmailAddress                string          `json:"email_address"`
	MailboxProvider             string          `json:"mailbox_provider"`
	EmailMarketing              string          `json:"email_marketing"`
	PhoneNumber                 string          `json:"phone_number"`
	PhoneCountry                string          `json:"phone_country"`
	SMSMarketing                string          `json:"sms_marketing"`
	Language                    string          `json:"language"`
	Region                      string          `json:"region"`
	Timezone                    string          `json:"timezone"`
	LastVisitDate               timestamp       `json:"last_visit_date"`
	LastActivity                timestamp       `json:"last_activity"`
	LastEmailMarketingOpen      timestamp       `json:"last_email_marketing_open"`
	LastEmailMarketingClick     timestamp       `json:"last_email_marketing_click"`
	LastEmailTransactionalOpen  timestamp       `json:"last_email_transactional_open"`
	LastEmailTransactionalClick timestamp       `json:"last_email_transactional_click"`
	Segments                    []string        `json:"segments"`
	Attributes                  json.RawMessage `json:"attributes"`

	further map[string]any // members that only the schemas of an overlay directory know
}

type installationRow struct {
	InstallID     string    `json:"install_id"`
	ProfileID     string    `json:"profile_id"`
	CustomID      string    `json:"custom_id"`
	AdvertisingID string    `json:"advertising_id"`
	Platform      string    `json:"platform"`
	InstallDate   timestamp `json:"install_date"`
	LastStartDate timestamp `json:"last_start_date"`
	SmartSegment  string    `json:"smart_segment"`
	IsOptin       *bool     `json:"is_optin"`
	IsReachable   *bool     `json:"is_reachable"`
	HasCustomID   *bool     `json:"has_custom_id"`

	further map[string]any
}

type eventRow struct {
	Type               string          `json:"type"`
	Date               timestamp       `json:"date"`
	InstallID          string          `json:"install_id"`
	ProfileID          string          `json:"profile_id"`
	CustomID           string          `json:"custom_id"`
	Campaign           string          `json:"campaign"`
	Group              string          `json:"group"`
	TransactionalToken string          `json:"transactional_token"`
	CTA                string          `json:"cta"`
	CTAPosition        *integer        `json:"cta_position"`
	ClickURL           string          `json:"click_url"`
	ClickURLName       string          `json:"click_url_name"`
	MachineOpen        *bool           `json:"machine_open"`
	BounceCode         string          `json:"bounce_code"`
	BounceType         string          `json:"bounce_type"`
	SMSParts           *integer        `json:"sms_parts"`
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

	further map[string]any
}

// decode reads the text of a row that fits its schema.
func (r *Row) decode(s *scanner) error { return r.decodeText(s, string(r.Text)) }

// decodeText is decode for those who have the text as a string as well, of
// which the row keeps parts.
func (r *Row) decodeText(s *scanner, text string) (err error) {
	var into rowMembers
	switch r.Kind {
	case Profiles:
		r.profile = new(profileRow)
		into = r.profile
	case Installations:
		r.installation = new(installationRow)
		into = r.installation
	case Events:
		r.event = new(eventRow)
		into = r.event
	default:
		return fmt.Errorf("rows of kind %q are not known", r.Kind)
	}
	if !s.row(r.Kind, text, into) {
		err = r.decodeSlowly()
	}
	if r.event != nil {
		r.event.Name, r.event.Label, r.event.Tags, r.event.Data = nil, nil, nil, nil
		if r.event.Type == "push_opened" { // the exports have two names for it
			r.event.Type = "push_open"
		}
	}
	return err
}

// decodeSlowly reads what the scanner does not.
func (r *Row) decodeSlowly() (err error) {
	switch r.Kind {
	case Profiles:
		r.profile = new(profileRow)
		r.profile.further, err = decodeRow(r.Text, r.profile)
	case Installations:
		r.installation = new(installationRow)
		r.installation.further, err = decodeRow(r.Text, r.installation)
	case Events:
		r.event = new(eventRow)
		r.event.further, err = decodeRow(r.Text, r.event)
	}
	return err
}

// decodeRow reads a row, and what it has beside the members of into.
func decodeRow(text []byte, into any) (further map[string]any, err error) {
	if decodeExact(text, into, true) == nil {
		return nil, nil
	}
	if err := decodeExact(text, into, false); err != nil {
		return nil, err
	}
	err = decodeExact(text, &further, false)
	return further, err
}

// decodeExact reads a text and keeps its numbers as they were written.
func decodeExact(text []byte, into any, strict bool) error {
	decoder := json.NewDecoder(bytes.NewReader(text))
	decoder.UseNumber()
	if strict {
		decoder.DisallowUnknownFields()
	}
	return decoder.Decode(into)
}

// hasIdentifier reports whether a row has an identifier. The schemas demand
// one, but the rows of a store may have been written by another program.
func (r *Row) hasIdentifier() bool {
	switch {
	case r.profile != nil:
		return r.profile.ProfileID+r.profile.CustomID != ""
	case r.installation != nil:
		return r.installation.InstallID != ""
	}
	return r.event.InstallID+r.event.ProfileID+r.event.CustomID != ""
}

// timestamp is a whole second since 1970, UTC, or none.
type timestamp struct {
	second int64
	given  bool
}

// dateLayout takes fractions of a second as well, as time.Parse does.
const dateLayout = "2006-01-02T15:04:05"

// UnmarshalText reads a date with or without Z; what is left of a second counts
// as nothing.
func (t *timestamp) UnmarshalText(text []byte) error {
	date, err := time.Parse(dateLayout, strings.TrimSuffix(string(text), "Z"))
	if err != nil {
		return fmt.Errorf("date %.40q: %w", text, err)
	}
	*t = timestamp{date.Unix(), true}
	return nil
}

// integer is an integer as JSON may write it, 1.0 and 1e2 included.
type integer int64

// UnmarshalJSON reads an integer of 64 bits.
func (w *integer) UnmarshalJSON(text []byte) error {
	number, valid := new(big.Rat).SetString(string(text))
	if !valid || !number.IsInt() || !number.Num().IsInt64() {
		return fmt.Errorf("%.40s is no integer of 64 bits", text)
	}
	*w = integer(number.Num().Int64())
	return nil
}

// upTo is a time, or 0 when there is none or it lies after now.
func (t timestamp) upTo(now int64) int64 {
	if t.given && t.second <= now {
		return t.second
	}
	return 0
}
