package main

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// standardWriter decodes a file once and returns a function that writes its rows again with the standard library.
func standardWriter(export schemas.Export, text []byte) (func(io.Writer) error, error) {
	switch {
	case export.Format == "csv":
		return csvWriter(text)
	case export.Kind == "profiles.attributes":
		return jsonWriter[attributesRow](text)
	case export.Kind == "profiles.events":
		return jsonWriter[eventRow](text)
	case export.Kind == "profiles.reachability":
		return jsonWriter[reachabilityRow](text)
	default:
		return nil, fmt.Errorf("no comparison for %s", export.Kind)
	}
}

func csvWriter(text []byte) (func(io.Writer) error, error) {
	reader := csv.NewReader(bytes.NewReader(text))
	reader.Comma = ';'
	rows, err := reader.ReadAll()
	return func(out io.Writer) error {
		writer := csv.NewWriter(out)
		writer.Comma = ';'
		return writer.WriteAll(rows)
	}, err
}

func jsonWriter[Row any](text []byte) (func(io.Writer) error, error) {
	var rows []Row
	err := json.Unmarshal(text, &rows)
	return func(out io.Writer) error { return json.NewEncoder(out).Encode(rows) }, err
}

// The rows as a Go program would declare them: export API section 2.7.

type identifiers struct {
	ProfileID       string   `json:"profile_id"`
	CustomID        *string  `json:"custom_id,omitempty"`
	InstallationID  string   `json:"installation_id,omitempty"`
	InstallationIDs []string `json:"installation_ids,omitempty"`
}

type attributesRow struct {
	Attributes struct {
		CreationDate       *string `json:"$creation_date"`
		EmailAddress       *string `json:"$email_address"`
		EmailMarketing     *string `json:"$email_marketing"`
		Language           *string `json:"$language"`
		LastActivity       *string `json:"$last_activity"`
		MarketingClick     *string `json:"$last_email_marketing_click"`
		MarketingOpen      *string `json:"$last_email_marketing_open"`
		TransactionalClick *string `json:"$last_email_transactional_click"`
		TransactionalOpen  *string `json:"$last_email_transactional_open"`
		LastVisitDate      *string `json:"$last_visit_date"`
		PhoneNumber        *string `json:"$phone_number"`
		PushSubscriptions  []struct {
			InstallationID string `json:"installation_id"`
			IsSubscribed   bool   `json:"is_subscribed"`
			Platform       string `json:"platform"`
		} `json:"$push_subscriptions"`
		Region       *string `json:"$region"`
		SMSMarketing *string `json:"$sms_marketing"`
		Timezone     *string `json:"$timezone"`
	} `json:"attributes"`
	Identifiers identifiers `json:"identifiers"`
}

type eventRow struct {
	ABTestingStatus   *string     `json:"ab_testing_status"`
	ABTestingVariant  *string     `json:"ab_testing_variant"`
	APIKey            string      `json:"api_key"`
	BounceCode        string      `json:"bounce_code,omitempty"`
	BounceType        string      `json:"bounce_type,omitempty"`
	ClickURL          string      `json:"click_url,omitempty"`
	ClickURLName      string      `json:"click_url_name,omitempty"`
	EmailAddress      string      `json:"email_address,omitempty"`
	EventDate         string      `json:"event_date"`
	EventType         string      `json:"event_type"`
	MachineOpen       *bool       `json:"machine_open,omitempty"`
	MailboxProvider   string      `json:"mailbox_provider,omitempty"`
	IsPushOptIn       *bool       `json:"is_push_opt_in,omitempty"`
	MessageLanguage   string      `json:"message_language,omitempty"`
	OrchestrationID   string      `json:"orchestration_id,omitempty"`
	OrchestrationName *string     `json:"orchestration_name"`
	PhoneCountry      string      `json:"phone_country,omitempty"`
	PhoneNumber       string      `json:"phone_number,omitempty"`
	Platform          string      `json:"platform,omitempty"`
	SentID            string      `json:"sent_id,omitempty"`
	StepID            string      `json:"step_id,omitempty"`
	StepName          *string     `json:"step_name"`
	SMSParts          int         `json:"sms_parts,omitempty"`
	Identifiers       identifiers `json:"identifiers"`
}

type reachabilityRow struct {
	Event struct {
		Channel         string   `json:"channel"`
		ID              string   `json:"id"`
		Timestamp       string   `json:"timestamp"`
		Reasons         []string `json:"reasons"`
		HasPhoneNumber  *bool    `json:"has_phone_number,omitempty"`
		HasEmailAddress *bool    `json:"has_email_address,omitempty"`
		SMSMarketing    string   `json:"sms_marketing,omitempty"`
		EmailMarketing  string   `json:"email_marketing,omitempty"`
		IsOptin         *bool    `json:"is_optin,omitempty"`
		Platform        string   `json:"platform,omitempty"`
	} `json:"event"`
	Identifiers identifiers `json:"identifiers"`
}
