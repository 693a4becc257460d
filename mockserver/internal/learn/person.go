package learn

import (
	"encoding/json"
	"fmt"
	"hash/fnv"
	"time"
)

// person is what the files say of one, as rows of a dataset.
type person struct {
	number        int64 // from 1
	profile       *profileRow
	installations []installationRow
	events        []eventRow
}

type profileRow struct {
	CustomID        string                     `json:"custom_id"`
	CreationDate    instant                    `json:"creation_date"`
	EmailAddress    string                     `json:"email_address"`
	EmailMarketing  string                     `json:"email_marketing"`
	PhoneNumber     string                     `json:"phone_number"`
	SMSMarketing    string                     `json:"sms_marketing"`
	Timezone        string                     `json:"timezone"`
	Region          string                     `json:"region"`
	Language        string                     `json:"language"`
	MailboxProvider string                     `json:"mailbox_provider"`
	LastActivity    instant                    `json:"last_activity"`
	Attributes      map[string]json.RawMessage `json:"attributes"`
}

type installationRow struct {
	CustomID      string  `json:"custom_id"`
	InstallDate   instant `json:"install_date"`
	LastStartDate instant `json:"last_start_date"`
	IsOptIn       *bool   `json:"is_optin"`
	Platform      string  `json:"platform"`
	SmartSegment  string  `json:"smart_segment"`
}

type eventRow struct {
	Type          string  `json:"type"`
	Date          instant `json:"date"`
	InstallID     string  `json:"install_id"`
	Campaign      string  `json:"campaign"`
	Group         string  `json:"group"`
	Orchestration string  `json:"orchestration_id"`
	SentID        string  `json:"sent_id"`
	MachineOpen   bool    `json:"machine_open"`
	inputs        []int   // which tell of it
	drawn         drawnRow
	changed       changedRow
	// sum is that of the whole row: rows that are in a file twice have the same.
	sum uint64
}

// drawnRow are the members of an event that the world draws from lists.
type drawnRow struct {
	CTA             string `json:"cta"`
	CTAPosition     *int64 `json:"cta_position"`
	SMSParts        *int64 `json:"sms_parts"`
	BounceCode      string `json:"bounce_code"`
	BounceType      string `json:"bounce_type"`
	MessageLanguage string `json:"message_language"`
}

// instant is seconds since 1970; 0: not told.
type instant int64

// UnmarshalJSON reads a date as files and datasets write it.
func (i *instant) UnmarshalJSON(text []byte) error {
	var date string
	if err := json.Unmarshal(text, &date); err != nil || date == "" {
		return err
	}
	for _, layout := range []string{time.RFC3339, "2006-01-02T15:04:05"} {
		if read, err := time.Parse(layout, date); err == nil {
			*i = instant(read.Unix())
			return nil
		}
	}
	return fmt.Errorf("a date is of no form that is known")
}

// add takes a row of a dataset; of an event, which inputs tell of it.
func (p *person) add(kind string, row []byte, inputs []int) error {
	var into any
	switch kind {
	case "profiles":
		p.profile = &profileRow{}
		into = p.profile
	case "installations":
		p.installations = append(p.installations, installationRow{})
		into = &p.installations[len(p.installations)-1]
	default:
		sum := fnv.New64a()
		_, _ = sum.Write(row) // it does not fail
		p.events = append(p.events, eventRow{sum: sum.Sum64(), inputs: inputs})
		event := &p.events[len(p.events)-1]
		into = &struct {
			*eventRow
			*drawnRow
			*changedRow
		}{event, &event.drawn, &event.changed}
	}
	if err := json.Unmarshal(row, into); err != nil {
		return fmt.Errorf("a row of %s cannot be read: %w", kind, err)
	}
	return nil
}
