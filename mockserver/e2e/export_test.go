package e2e_test

import (
	"bytes"
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestEveryKind follows every kind from the request to its rows: created, looked up until it is finished, downloaded, read.
func TestEveryKind(t *testing.T) {
	t.Parallel()
	c := connect(t, "--state", "memory", "--seed", "7", "--profiles", "3000", "--progress", "time:2s")
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			c := &client{t, c.base, c.http}
			body := k.month()
			id := c.create(k, body)
			if shape := map[bool]string{true: `^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$`, false: `^export_.+$`}[k.legacy]; !regexp.MustCompile(shape).MatchString(id) {
				t.Errorf("identifier %q has not the shape %s", id, shape)
			}
			must.Equal(t, c.status(k, id), "CREATED", "at once the status")
			c.advance("1s")
			must.Equal(t, c.status(k, id), "PENDING", "after a second the status")
			c.advance("1s")
			if status := c.status(k, id); status != "SUCCESS" {
				t.Fatalf("after two seconds the status is %s, want SUCCESS", status)
			}
			if k.legacy {
				checkLegacyRecord(t, c.lookup(id), k, id, body)
			}
			files := c.files(k, id)
			if k.legacy {
				header, _, _ := strings.Cut(string(files[0]), "\n")
				if want := strings.Join(k.columns, ";"); strings.TrimRight(header, "\r") != want {
					t.Errorf("header %q, want %q", header, want)
				}
			}
			rows := c.rows(k, files)
			if len(rows) == 0 {
				t.Fatal("the file has no rows")
			}
			for _, r := range rows {
				checkValues(t, k, r)
				if t.Failed() {
					t.Fatalf("in the row %s", describe(r))
				}
			}
			if again := c.files(k, id); !slices.EqualFunc(files, again, bytes.Equal) {
				t.Error("a second download has other bytes")
			}
		})
	}
}

func checkLegacyRecord(t *testing.T, record legacyRecord, k kind, id, body string) {
	t.Helper()
	if record.ID != id || record.URI != k.path || record.ErrorMsg != "" {
		t.Errorf("record %+v: want id %s, uri %s and no error", record, id, k.path)
	}
	for _, date := range []string{record.RequestDate, record.CompletionDate} {
		checkShape(t, "csv", "event_date", date)
	}
	must.Equal(t, instant(t, record.CompletionDate).Sub(instant(t, record.RequestDate)), 2*time.Second, "completed after")
	var echo, sent any
	must.Do(t, json.Unmarshal(record.Request, &echo))
	must.Do(t, json.Unmarshal([]byte(body), &sent))
	must.Equal(t, echo, sent, "the request %s of the record, sent was %s", record.Request, body)
}

// checkValues compares every value of a row with sections 2.4 and 2.7.
func checkValues(t *testing.T, k kind, r row) {
	t.Helper()
	if k.legacy {
		for name, cell := range r {
			checkShape(t, "csv", name, cell.(string))
		}
		clicked := r.text("event_type") == "inapp_clicked"
		if k.name == "in-app-campaign.events" && (clicked != (r.text("cta") != "") || clicked != (r.text("cta_position") != "")) {
			t.Errorf("cta %q and cta_position %q on a row %s", r.text("cta"), r.text("cta_position"), r.text("event_type"))
		}
		if strings.HasPrefix(k.name, "reachability") && r.text("event_type") != "reachability" {
			t.Errorf("event_type %q on a reachability row", r.text("event_type"))
		}
		return
	}
	var members map[string]any
	switch k.name {
	case "profiles.attributes":
		members, _ = r.at("attributes").(map[string]any)
		for _, name := range nativeAttributes {
			if _, there := members[name]; !there {
				t.Errorf("the requested attribute %s is not there, an absent value is null", name)
			}
		}
		if subscriptions, ok := members["$push_subscriptions"].([]any); ok {
			for _, item := range subscriptions {
				subscription, _ := item.(map[string]any)
				_, subscribed := subscription["is_subscribed"].(bool)
				if row(subscription).text("installation_id") == "" || row(subscription).text("platform") == "" || !subscribed {
					t.Errorf("push subscription %v lacks a member", item)
				}
			}
		}
	case "profiles.events":
		members = r
		checkEventMembers(t, r)
	case "profiles.reachability":
		members, _ = r.at("event").(map[string]any)
		checkReachability(t, r)
	}
	for name, value := range members {
		if text, ok := value.(string); ok {
			checkShape(t, "json", name, text)
		}
	}
	checkShape(t, "json", "profile_id", r.text("identifiers", "profile_id"))
}

// belongs says which members of an event row make sense for which event types (section 2.7, "only the relevant fields").
var belongs = map[string]*regexp.Regexp{
	"bounce_code":    regexp.MustCompile(`_bounced$`),
	"bounce_type":    regexp.MustCompile(`_bounced$`),
	"click_url":      regexp.MustCompile(`^email_click$`),
	"click_url_name": regexp.MustCompile(`^email_click$`),
	"machine_open":   regexp.MustCompile(`^email_open$`),
	"email_address":  regexp.MustCompile(`^email_`),
	"phone_number":   regexp.MustCompile(`^sms_`),
	"phone_country":  regexp.MustCompile(`^sms_`),
	"sms_parts":      regexp.MustCompile(`^sms_`),
	"platform":       regexp.MustCompile(`^push_`),
}

func checkEventMembers(t *testing.T, r row) {
	t.Helper()
	for name := range r {
		if types := belongs[name]; types != nil && !types.MatchString(r.text("event_type")) {
			t.Errorf("member %s on a row %s", name, r.text("event_type"))
		}
	}
	if r.text("event_type") == "email_click" && r.text("click_url") == "" {
		t.Error("a click without click_url")
	}
}

func checkReachability(t *testing.T, r row) {
	t.Helper()
	channel := r.text("event", "channel")
	reasons := r.texts("event", "reasons")
	must.Hold(t, len(reasons) != 0 && r.text("event", "id") != "", "event without reasons or id")
	marks := map[string][]string{"SMS": {"SMS", "PHONE"}, "EMAIL": {"EMAIL"}, "PUSH": {"PUSH"}}[channel]
	for _, reason := range reasons {
		if !slices.ContainsFunc(marks, func(mark string) bool { return strings.Contains(reason, mark) }) {
			t.Errorf("reason %s on channel %s", reason, channel)
		}
	}
	event, _ := r.at("event").(map[string]any)
	for member, only := range map[string]string{"has_phone_number": "SMS", "is_optin": "PUSH", "platform": "PUSH"} {
		if _, there := event[member]; there != (channel == only) {
			t.Errorf("member %s: present is %t on channel %s", member, there, channel)
		}
	}
	if (r.text("identifiers", "installation_id") != "") != (channel == "PUSH") {
		t.Errorf("installation_id %q on channel %s", r.text("identifiers", "installation_id"), channel)
	}
}

// TestRequestIsHonoured checks that a file holds what was asked for and nothing else.
func TestRequestIsHonoured(t *testing.T) {
	t.Parallel()
	c := connect(t, "--state", "memory", "--seed", "7", "--profiles", "3000")
	crowd := connect(t, "--state", "memory", "--seed", "7", "--profiles", "20000") // has the rare events
	from, to := noon.AddDate(0, 0, -20), noon.AddDate(0, 0, -10)
	for _, k := range kinds {
		t.Run(k.name, func(t *testing.T) {
			c := &client{t, c.base, c.http}
			if k.dates != nil {
				all := c.export(k, k.body(noon.AddDate(0, 0, -30), noon, nil))
				var want []row
				var before time.Time
				for _, r := range all {
					at := instant(t, r.text(k.dates...))
					if at.Before(before) {
						t.Fatalf("row at %v after one at %v: rows are in time order", at, before)
					}
					before = at
					if !at.Before(from) && at.Before(to) {
						want = append(want, r)
					}
				}
				got := c.export(k, k.body(from, to, nil))
				if len(got) == 0 || len(got) == len(all) {
					t.Errorf("the window has %d of %d rows", len(got), len(all))
				}
				for _, r := range got {
					if at := instant(t, r.text(k.dates...)); at.Before(from) || !at.Before(to) {
						t.Fatalf("a row at %v lies outside of %v to %v", at, from, to)
					}
				}
				if k.name != "profiles.reachability" && !reflect.DeepEqual(got, want) { // its event ids are free
					t.Errorf("the window alone has %d rows, the same window in a longer file has %d, or other ones", len(got), len(want))
				}
			}
			for _, event := range k.events {
				field := "events"
				if k.name == "profiles.reachability" {
					field = "channels"
				}
				c, days := c, 30
				if event == "push_error" || event == "email_spam_complaint" {
					c, days = &client{t, crowd.base, crowd.http}, 90
				}
				rows := c.export(k, k.body(noon.AddDate(0, 0, -days), noon, map[string]any{field: []string{event}}))
				must.Hold(t, len(rows) != 0, "nothing for %s", event)
				for _, r := range rows {
					if k.eventOf(r) != k.output(event) {
						t.Fatalf("asked for %s, got %s", k.output(event), describe(r))
					}
				}
			}
			if !k.legacy {
				return
			}
			for _, ids := range [][]string{{"custom_id"}, {"advertising_id", "install_id"}} {
				rows := c.create(k, k.body(from, to, map[string]any{"ids": ids}), "X-Mock-Scenario", "progress=now")
				header, _, _ := strings.Cut(string(c.files(k, rows)[0]), "\n")
				want := slices.DeleteFunc(slices.Clone(k.columns), func(name string) bool {
					return slices.Contains(identifierColumns, name) && !slices.Contains(ids, name)
				})
				must.Equal(t, strings.TrimRight(header, "\r"), strings.Join(want, ";"), "the header of ids %q", ids)
			}
		})
	}
}

// TestProfileSelection checks the members that choose what a profile export shows.
func TestProfileSelection(t *testing.T) {
	c := connect(t, "--state", "memory", "--profiles", "3000")
	k := kindOf("profiles.attributes")
	everyone := c.export(k, k.body(noon, noon, nil))

	rows := c.export(k, k.body(noon, noon, map[string]any{"attributes": []string{"$language", "shoe_size"}, "identifiers": nil}))
	must.Equal(t, len(rows), len(everyone), "profiles with two attributes, against all")
	for _, r := range rows {
		attributes, _ := r.at("attributes").(map[string]any)
		if _, custom := attributes["shoe_size"]; len(attributes) != 2 || !custom || r.text("identifiers", "custom_id") != "" ||
			r.at("identifiers", "installation_ids") != nil {
			t.Fatalf("asked for $language and shoe_size, got %s", describe(r))
		}
	}
	rows = c.export(k, k.body(noon, noon, map[string]any{"attributes": nil, "identifiers": []string{"custom_id"}}))
	named := 0
	for _, r := range rows {
		if r.text("identifiers", "custom_id") != "" {
			named++
		}
		if attributes, _ := r.at("attributes").(map[string]any); len(attributes) != 0 || r.at("identifiers", "installation_ids") != nil {
			t.Fatalf("asked for custom_id alone, got %s", describe(r))
		}
	}
	if named == 0 || named == len(rows) {
		t.Errorf("%d of %d profiles have a custom_id, want some with and some without", named, len(rows))
	}

	segment := func(code string) []row {
		return c.export(k, k.body(noon, noon, map[string]any{"filter": map[string]any{"segment": code}}))
	}
	loyal := segment("loyal")
	if len(loyal) == 0 || len(loyal) >= len(everyone) {
		t.Errorf("the segment has %d of %d profiles, want a part", len(loyal), len(everyone))
	}
	must.Equal(t, loyal, segment("loyal"), "a segment asked for twice has other profiles")
	if reflect.DeepEqual(loyal, segment("lapsed")) {
		t.Error("two segments have the same profiles")
	}
	known := map[string]row{}
	for _, r := range everyone {
		known[r.text("identifiers", "profile_id")] = r
	}
	for _, r := range loyal {
		if !reflect.DeepEqual(known[r.text("identifiers", "profile_id")], r) {
			t.Fatalf("in the segment %s, in the whole %s", describe(r), describe(known[r.text("identifiers", "profile_id")]))
		}
	}
}
