package e2e_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
)

// kind is one of the eleven exports, as the specification states it.
type kind struct {
	name     string // as the schema files call it
	legacy   bool
	path     string
	windowed bool     // takes from and to
	events   []string // every value of the request's events or channels; nil when it takes none
	ids      []string // every value of ids or identifiers
	columns  []string // of a CSV file, in order
	row      string   // schema of one row (CSV) or of the whole file (JSON)
	dates    []string // where a row says when its event was; nil for a snapshot and for the ids files
}

var (
	identifierColumns = []string{"install_id", "custom_id", "advertising_id"}
	pushEvents        = []string{"push_sent", "push_open", "push_error"}
	inAppEvents       = []string{"inapp_supplied", "inapp_shown", "inapp_clicked", "inapp_closed"}
	profileEvents     = []string{"email_sent", "email_delivered", "email_open", "email_click", "email_bounced", "email_spam_complaint",
		"email_unsubscribed", "sms_sent", "sms_delivered", "sms_bounced", "sms_unsubscribed", "push_sent", "push_bounced", "push_open"}
	nativeAttributes = []string{"$creation_date", "$email_address", "$email_marketing", "$language", "$last_activity",
		"$last_email_marketing_click", "$last_email_marketing_open", "$last_email_transactional_click", "$last_email_transactional_open",
		"$last_visit_date", "$phone_number", "$push_subscriptions", "$region", "$sms_marketing", "$timezone"}
)

// kinds are sections 2.4, 2.5 and 4 of the specification.
var kinds = []kind{
	{name: "campaign.ids", legacy: true, path: "/1.0/live_demo/export/campaign/welcome/ids", windowed: true, events: pushEvents,
		ids:     identifierColumns,
		columns: columns("event_type"), row: "legacy/campaign.ids.row.json"},
	{name: "campaign.events", legacy: true, path: "/1.0/live_demo/export/campaign/welcome/events", windowed: true, events: pushEvents,
		ids:     identifierColumns,
		columns: columns("event_date", "event_type"), row: "legacy/campaign.events.row.json", dates: []string{"event_date"}},
	{name: "transactional.ids", legacy: true, path: "/1.0/live_demo/export/transactional/receipts/ids", windowed: true, events: pushEvents,
		ids:     identifierColumns,
		columns: columns("event_type"), row: "legacy/transactional.ids.row.json"},
	{name: "transactional.events", legacy: true, path: "/1.0/live_demo/export/transactional/receipts/events", windowed: true,
		events: pushEvents, ids: identifierColumns,
		columns: columns("event_date", "event_type", "transactional_token"), row: "legacy/transactional.events.row.json",
		dates: []string{"event_date"}},
	{name: "in-app-campaign.ids", legacy: true, path: "/1.0/live_demo/export/in-app-campaign/spring/ids", windowed: true, events: inAppEvents,
		ids:     identifierColumns,
		columns: columns("event_type"), row: "legacy/in-app-campaign.ids.row.json"},
	{name: "in-app-campaign.events", legacy: true, path: "/1.0/live_demo/export/in-app-campaign/spring/events", windowed: true,
		events: inAppEvents, ids: identifierColumns,
		columns: columns("event_date", "event_type", "cta", "cta_position"), row: "legacy/in-app-campaign.events.row.json",
		dates: []string{"event_date"}},
	{name: "reachability.events", legacy: true, path: "/1.0/live_demo/export/reachability/events", windowed: true, ids: identifierColumns,
		columns: columns("event_date", "event_type", "is_reachable", "is_optin", "has_custom_id"), row: "legacy/reachability.events.row.json",
		dates: []string{"event_date"}},
	{name: "userbase", legacy: true, path: "/1.0/live_demo/export/userbase", ids: identifierColumns,
		columns: columns("is_optin_push", "install_date", "last_start_date", "smart_segment"), row: "legacy/userbase.row.json"},
	{name: "profiles.attributes", path: "/2.7/profiles/export", ids: []string{"custom_id", "installation_ids"},
		row: "profiles/attributes.output.json"},
	{name: "profiles.events", path: "/2.7/profiles/export", windowed: true, events: profileEvents, ids: []string{"custom_id"},
		row: "profiles/events.output.json", dates: []string{"event_date"}},
	{name: "profiles.reachability", path: "/2.7/profiles/export", windowed: true, events: []string{"push", "email", "sms"},
		ids: []string{"custom_id", "installation_id"},
		row: "profiles/reachability.output.json", dates: []string{"event", "timestamp"}},
}

func columns(others ...string) []string { return append(slices.Clone(identifierColumns), others...) }

func kindOf(name string) kind {
	for _, k := range kinds {
		if k.name == name {
			return k
		}
	}
	panic("no kind " + name)
}

func (k kind) headers() []string {
	if k.legacy {
		return slices.Clone(legacyHeaders)
	}
	return slices.Clone(profileHeaders)
}

// body is a creation payload that asks for everything in a window, changed by the given members; a nil value leaves one out.
func (k kind) body(from, to time.Time, changes map[string]any) string {
	payload := map[string]any{}
	date := legacy
	if k.legacy {
		payload["ids"] = k.ids
	} else {
		date = zoned
		payload["export_type"] = strings.ToUpper(strings.TrimPrefix(k.name, "profiles."))
		payload["identifiers"] = k.ids
	}
	if k.windowed {
		payload["from"], payload["to"] = date(from), date(to)
	}
	switch {
	case k.name == "profiles.reachability":
		payload["channels"] = k.events
	case k.name == "profiles.attributes":
		payload["attributes"] = append(slices.Clone(nativeAttributes), "favourite_colour")
	case k.events != nil:
		payload["events"] = k.events
	}
	maps.Copy(payload, changes)
	maps.DeleteFunc(payload, func(_ string, value any) bool { return value == nil })
	data, err := json.Marshal(payload)
	if err != nil {
		panic(err)
	}
	return string(data)
}

// month is the payload for the thirty days before noon.
func (k kind) month() string { return k.body(noon.AddDate(0, 0, -30), noon, nil) }

// wireNames are the request names of events and channels that outputs spell differently.
var wireNames = map[string]string{"push_open": "push_opened", "push": "PUSH", "email": "EMAIL", "sms": "SMS"}

// output is how a kind's file names an event or channel of the request.
func (k kind) output(event string) string {
	if wire, ok := wireNames[event]; ok && k.name != "profiles.events" {
		return wire
	}
	return event
}

// eventOf is the event type, or channel, of a row.
func (k kind) eventOf(r row) string {
	if k.name == "profiles.reachability" {
		return r.text("event", "channel")
	}
	return r.text("event_type")
}

// shapes are the value shapes of sections 2.4 and 2.7, by column or member; "" stands for any.
var shapes = func() map[string]*regexp.Regexp {
	const (
		local = `[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}`
		utc   = local + `(?:\.[0-9]+)?Z`
		yesNo = `true|false`
	)
	all := map[string]*regexp.Regexp{}
	for name, pattern := range map[string]string{
		"csv.install_id": `.+`, "csv.custom_id": `(?s).*`, "csv.advertising_id": `.*`,
		"csv.event_date": local, "csv.install_date": local, "csv.last_start_date": local,
		"csv.is_optin_push": yesNo, "csv.is_optin": yesNo, "csv.is_reachable": yesNo, "csv.has_custom_id": yesNo,
		"csv.smart_segment": `.+`, "csv.transactional_token": `.+`, "csv.cta": `.*`, "csv.cta_position": `(?:[0-9]+)?`,
		"csv.event_type":  `push_sent|push_opened|push_error|inapp_supplied|inapp_shown|inapp_clicked|inapp_closed|reachability`,
		"json.event_date": utc, "json.timestamp": utc, "json.profile_id": `profile_.+`, "json.orchestration_id": `orchestration_.+`,
		"json.event_type": strings.Join(profileEvents, "|"), "json.channel": `SMS|EMAIL|PUSH`,
		"json.$creation_date": utc, "json.$last_activity": utc, "json.$last_visit_date": utc, "json.$last_email_marketing_click": utc,
		"json.$last_email_marketing_open": utc, "json.$last_email_transactional_click": utc, "json.$last_email_transactional_open": utc,
		"json.$email_marketing": `subscribed|unsubscribed`, "json.$sms_marketing": `subscribed|unsubscribed`,
	} {
		all[name] = regexp.MustCompile(`^(?:` + pattern + `)$`)
	}
	return all
}()

// checkShape reports a text that has not the shape of its column or member.
func checkShape(t *testing.T, format, name, text string) {
	t.Helper()
	if shape := shapes[format+"."+name]; shape != nil && !shape.MatchString(text) {
		t.Errorf("%s %q has not the shape %s", name, text, shape)
	}
}

// describe shortens a row for a message.
func describe(r row) string {
	data, err := json.Marshal(r)
	if err != nil {
		return fmt.Sprint(r)
	}
	return string(data)
}
