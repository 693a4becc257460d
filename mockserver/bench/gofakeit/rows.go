package main

import (
	"time"

	"github.com/brianvoe/gofakeit/v7"
)

// The rows as a Go program would declare them: export API section 2.7.

type identifiers struct {
	ProfileID       string   `json:"profile_id"`
	CustomID        string   `json:"custom_id,omitempty"`
	InstallationID  string   `json:"installation_id,omitempty"`
	InstallationIDs []string `json:"installation_ids,omitempty"`
}

type subscription struct {
	InstallationID string `json:"installation_id"`
	IsSubscribed   bool   `json:"is_subscribed"`
	Platform       string `json:"platform"`
}

type attributes struct {
	Attributes struct {
		CreationDate       string         `json:"$creation_date"`
		EmailAddress       *string        `json:"$email_address"`
		EmailMarketing     *string        `json:"$email_marketing"`
		Language           string         `json:"$language"`
		LastActivity       string         `json:"$last_activity"`
		MarketingClick     *string        `json:"$last_email_marketing_click"`
		MarketingOpen      *string        `json:"$last_email_marketing_open"`
		TransactionalClick *string        `json:"$last_email_transactional_click"`
		TransactionalOpen  *string        `json:"$last_email_transactional_open"`
		LastVisitDate      string         `json:"$last_visit_date"`
		PhoneNumber        *string        `json:"$phone_number"`
		PushSubscriptions  []subscription `json:"$push_subscriptions"`
		Region             string         `json:"$region"`
		SMSMarketing       *string        `json:"$sms_marketing"`
		Timezone           string         `json:"$timezone"`
	} `json:"attributes"`
	Identifiers identifiers `json:"identifiers"`
}

func moment(f *gofakeit.Faker) string { return f.Date().UTC().Format(time.RFC3339) }

// sometimes is absent in one of three rows.
func sometimes(f *gofakeit.Faker, value func() string) *string {
	if f.IntN(3) == 0 {
		return nil
	}
	text := value()
	return &text
}

var (
	consents  = []string{"subscribed", "unsubscribed"}
	platforms = []string{"IOS", "ANDROID", "WEBPUSH"}
	types     = []string{"email_sent", "email_delivered", "push_sent", "sms_sent", "email_open"}
	channels  = []string{"PUSH", "SMS", "EMAIL"}
)

func newAttributes(f *gofakeit.Faker) *attributes {
	row := &attributes{}
	a := &row.Attributes
	date := func() string { return moment(f) }
	consent := func() string { return f.RandomString(consents) }
	a.CreationDate, a.LastActivity, a.LastVisitDate = date(), date(), date()
	a.EmailAddress, a.PhoneNumber = sometimes(f, f.Email), sometimes(f, f.Phone)
	a.EmailMarketing, a.SMSMarketing = sometimes(f, consent), sometimes(f, consent)
	a.MarketingClick, a.MarketingOpen = sometimes(f, date), sometimes(f, date)
	a.TransactionalClick, a.TransactionalOpen = sometimes(f, date), sometimes(f, date)
	a.Language, a.Region, a.Timezone = f.LanguageBCP(), f.CountryAbr(), f.TimeZoneRegion()
	row.Identifiers = identifiers{ProfileID: "profile_" + f.UUID(), CustomID: f.Username()}
	for range f.IntN(3) {
		id := f.UUID()
		a.PushSubscriptions = append(a.PushSubscriptions, subscription{id, f.Bool(), f.RandomString(platforms)})
		row.Identifiers.InstallationIDs = append(row.Identifiers.InstallationIDs, id)
	}
	return row
}

type event struct {
	ABTestingStatus   *string     `json:"ab_testing_status"`
	ABTestingVariant  *string     `json:"ab_testing_variant"`
	APIKey            string      `json:"api_key"`
	EmailAddress      string      `json:"email_address"`
	EventDate         string      `json:"event_date"`
	EventType         string      `json:"event_type"`
	MailboxProvider   string      `json:"mailbox_provider"`
	MessageLanguage   string      `json:"message_language"`
	OrchestrationID   string      `json:"orchestration_id"`
	OrchestrationName *string     `json:"orchestration_name"`
	SentID            string      `json:"sent_id"`
	StepID            string      `json:"step_id"`
	StepName          *string     `json:"step_name"`
	Identifiers       identifiers `json:"identifiers"`
}

func newEvent(f *gofakeit.Faker) *event {
	return &event{
		ABTestingStatus:  sometimes(f, func() string { return "RUNNING" }),
		ABTestingVariant: sometimes(f, func() string { return "A" }),
		APIKey:           "live_demo", EmailAddress: f.Email(), EventDate: moment(f), EventType: f.RandomString(types),
		MailboxProvider: f.Company(), MessageLanguage: f.LanguageBCP(), OrchestrationID: "orchestration_" + f.UUID(),
		OrchestrationName: sometimes(f, f.Word), SentID: "sent_" + f.UUID(), StepID: "step_" + f.UUID(), StepName: sometimes(f, f.Word),
		Identifiers: identifiers{ProfileID: "profile_" + f.UUID(), CustomID: f.Username()},
	}
}

type change struct {
	Event struct {
		Channel         string   `json:"channel"`
		ID              string   `json:"id"`
		Timestamp       string   `json:"timestamp"`
		Reasons         []string `json:"reasons"`
		HasEmailAddress bool     `json:"has_email_address"`
		EmailMarketing  string   `json:"email_marketing"`
		Platform        string   `json:"platform"`
	} `json:"event"`
	Identifiers identifiers `json:"identifiers"`
}

func newChange(f *gofakeit.Faker) *change {
	row := &change{Identifiers: identifiers{ProfileID: "profile_" + f.UUID(), CustomID: f.Username(), InstallationID: f.UUID()}}
	e := &row.Event
	e.Channel, e.ID, e.Timestamp, e.Reasons = f.RandomString(channels), f.UUID(), moment(f), []string{"SUBSCRIBED_TO_PUSH"}
	e.HasEmailAddress, e.EmailMarketing, e.Platform = f.Bool(), f.RandomString(consents), f.RandomString(platforms)
	return row
}
