package server_test

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// load posts rows of the dataset.
func (s *harness) load(kind, mediaType, body string) answer {
	s.Helper()
	return s.do(call{path: "/_mock/data/" + kind, body: body, header: http.Header{"Content-Type": {mediaType}}})
}

// loads posts rows that are in order.
func (s *harness) loads(kind, mediaType, body string) {
	s.Helper()
	s.answers("loading "+kind, s.load(kind, mediaType, body), http.StatusOK)
}

func (s *harness) mode(mode string) {
	s.Helper()
	s.answers("the mode "+mode, s.do(call{path: "/_mock/data", body: `{"mode":"` + mode + `"}`}), http.StatusOK)
}

// rows are the rows of the file of an export, which must fit its schema.
func (s *harness) rows(k kind) []string {
	s.Helper()
	return s.rowsIn(k.name, s.create(k.path, k.body, "progress=now"))
}

func (s *harness) rowsIn(name, id string) []string {
	s.Helper()
	var rows []string
	for _, link := range s.links(id) {
		text := s.get(link).text
		must.Get(s.library.CheckFile(name, strings.NewReader(text), func(fault schemas.Fault) bool {
			s.Errorf("%s, line %d: %s", name, fault.Line, fault.Message)
			return true
		}))(s)
		lines := strings.Split(strings.TrimSpace(text), "\n")
		if strings.HasPrefix(text, "[") {
			lines = lines[:len(lines)-1] // the closing bracket
		}
		for _, line := range lines[1:] {
			rows = append(rows, strings.TrimSuffix(line, ","))
		}
	}
	return rows
}

// same compares the rows of a file with those that are wanted.
func (s *harness) same(what string, got []string, want ...string) {
	s.Helper()
	for i := range max(len(got), len(want)) {
		switch {
		case i >= len(got):
			s.Errorf("%s: row %d is missing: %s", what, i, want[i])
		case i >= len(want):
			s.Errorf("%s: row %d is too much: %s", what, i, got[i])
		case got[i] != want[i]:
			s.Errorf("%s: row %d is\n  %s\nwant\n  %s", what, i, got[i], want[i])
		}
	}
}

const (
	ownProfiles = "profile_id,custom_id,email_address,email_marketing,phone_number,language,segments,attributes.colour,creation_date\n" +
		"profile_alice,alice,alice@example.com,subscribed,+33600000001,fr,loyal|vip,\"deep \"\"green\"\";\",2025-01-01T00:00:00\n" +
		",bob,,,,,,,\n" +
		"profile_later,,,,,,,,2026-03-16T00:00:00Z\n"
	ownInstallations = `{"install_id":"phone-a","custom_id":"alice","platform":"ios","is_optin":true,"advertising_id":"ad-a","smart_segment":"ENGAGED","install_date":"2025-01-02T00:00:00Z","last_start_date":"2026-03-01T00:00:00Z"}

{"install_id":"phone-b","profile_id":"profile_alice","platform":"web","is_optin":false,"install_date":"2025-01-03T00:00:00Z"}
{"install_id":"phone-c","custom_id":"bob","install_date":"2025-01-04T00:00:00","last_start_date":"2026-03-02T00:00:00","has_custom_id":false}
`
)

// ownEvents hold something at both ends of the window, before it and after it.
var ownEvents = func() string {
	var rows []string
	at := func(date, row string) { rows = append(rows, `{"date":"`+date+`",`+row+`}`) }
	for _, date := range []string{"2026-03-09T23:59:59Z", "2026-03-10T00:00:00", "2026-03-11T23:59:59.999Z", "2026-03-12T00:00:00Z"} {
		at(date, `"type":"push_sent","install_id":"phone-a","campaign":"c1"`)
		at(date, `"type":"push_sent","install_id":"phone-a","group":"g1","transactional_token":"t;1"`)
		at(date, `"type":"inapp_shown","install_id":"phone-a","campaign":"c1"`)
		at(date, `"type":"email_sent","custom_id":"alice"`)
	}
	at("2026-03-10T10:00:00Z", `"type":"push_opened","install_id":"phone-b","campaign":"c1"`)
	at("2026-03-10T10:00:00Z", `"type":"push_error","install_id":"phone-c","group":"g1"`)
	at("2026-03-10T10:00:01Z", `"type":"inapp_clicked","install_id":"phone-a","campaign":"c1","cta":"service.deeplink","cta_position":2`)
	at("2026-03-10T10:00:02Z", `"type":"inapp_clicked","install_id":"phone-c","campaign":"c1"`)
	at("2026-03-10T10:00:03Z", `"type":"inapp_closed","install_id":"phone-a","campaign":"other"`)
	at("2026-03-10T11:00:00Z", `"type":"email_open","profile_id":"profile_alice","machine_open":true`)
	at("2026-03-10T12:00:00Z",
		`"type":"email_click","custom_id":"alice","click_url":"https://www.example.com/?a=\"b\"","orchestration_id":"orchestration_1"`)
	at("2026-03-10T12:30:00Z", `"type":"push_open","install_id":"phone-b"`)
	at("2026-03-10T13:00:00Z", `"type":"sms_sent","custom_id":"bob"`)
	at("2026-03-10T14:00:00Z", `"type":"reachability","install_id":"phone-a","is_optin":false,"event_id":"e1"`)
	at("2026-03-10T14:00:00Z", `"type":"reachability","install_id":"phone-a","is_optin":false`) // nothing changes
	at("2026-03-10T15:00:00Z",
		`"type":"reachability","install_id":"phone-b","reasons":["SUBSCRIBED_TO_PUSH","PUSH_TOKEN_ADDED"],"event_id":"e2"`)
	at("2026-03-10T16:00:00Z", `"type":"reachability","install_id":"phone-c","has_custom_id":true`)
	at("2026-03-10T17:00:00Z",
		`"type":"reachability","custom_id":"bob","email_address":"bob@example.com","email_marketing":"subscribed","event_id":"e3"`)
	at("2026-03-10T18:00:00Z", `"type":"email_unsubscribed","custom_id":"alice"`)
	at("2026-03-10T19:00:00Z", `"type":"tag_added","custom_id":"alice","collection":"interests","tag":"music"`)
	at("2026-03-10T19:00:01Z", `"type":"tag_added","install_id":"phone-a","collection":"interests","tag":"sports"`)
	at("2026-03-10T19:00:02Z", `"type":"tag_removed","custom_id":"alice","collection":"interests","tag":"music"`)
	at("2026-03-10T19:00:03Z", `"type":"attribute_changed","custom_id":"bob","attribute":"colour","value":["red","blue"]`)
	at("2026-03-11T00:00:00Z", `"type":"custom_event","install_id":"phone-a","name":"bought","data":{"price":12}`)
	at("2026-03-14T00:00:00Z", `"type":"visit","install_id":"phone-a"`)
	return strings.Join(rows, "\n")
}()

// ownKinds are the eleven exports over the window that ownEvents straddle.
func ownKinds() []kind {
	const (
		span  = `"from":"2026-03-10T00:00:00","to":"2026-03-12T00:00:00"`
		spanZ = `"from":"2026-03-10T00:00:00Z","to":"2026-03-12T00:00:00Z"`
		push  = `{` + span + `,"events":["push_sent","push_open","push_error"],` + ids + `}`
		inApp = `{` + span + `,"events":["inapp_supplied","inapp_shown","inapp_clicked","inapp_closed"],` + ids + `}`
	)
	return []kind{
		{"campaign.ids", "/1.0/live_demo/export/campaign/c1/ids", push},
		{"campaign.events", "/1.0/live_demo/export/campaign/c1/events", push},
		{"transactional.ids", "/1.0/live_demo/export/transactional/g1/ids", push},
		{"transactional.events", "/1.0/live_demo/export/transactional/g1/events", push},
		{"in-app-campaign.ids", "/1.0/live_demo/export/in-app-campaign/c1/ids", inApp},
		{"in-app-campaign.events", "/1.0/live_demo/export/in-app-campaign/c1/events", inApp},
		{"reachability.events", "/1.0/live_demo/export/reachability/events", `{` + span + `,` + ids + `}`},
		{"userbase", userbasePath, userbaseBody},
		{"profiles.attributes", profilesPath,
			`{"export_type":"ATTRIBUTES","attributes":["$email_address","$email_marketing","$language","$last_activity","$last_email_marketing_click","$push_subscriptions","colour","interests"],"identifiers":["custom_id","installation_ids"]}`},
		{"profiles.events", profilesPath,
			`{"export_type":"EVENTS",` + spanZ + `,"events":["email_sent","email_open","email_click","email_unsubscribed","sms_sent","push_open"],"identifiers":["custom_id"]}`},
		{"profiles.reachability", profilesPath,
			`{"export_type":"REACHABILITY",` + spanZ + `,"channels":["push","email","sms"],"identifiers":["custom_id","installation_id"]}`},
	}
}

// What is made where nothing was given.
var (
	madeProfile = regexp.MustCompile(`"profile_[0-9a-f]{32}"`)
	madeEvent   = regexp.MustCompile(`"id":"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"`)
	madePhone   = regexp.MustCompile(`"\+49(2214710|3023125)[0-9]{3}"`)
)

// ownRows are the rows that ownKinds show of the dataset, exactly. BOB is the
// profile identifier that was made for bob, UUID any identifier.
var ownRows = map[string][]string{
	"campaign.ids": {"phone-a;alice;ad-a;push_sent", "phone-b;alice;;push_opened"},
	"campaign.events": {"phone-a;alice;ad-a;2026-03-10T00:00:00;push_sent", "phone-b;alice;;2026-03-10T10:00:00;push_opened",
		"phone-a;alice;ad-a;2026-03-11T23:59:59;push_sent"},
	"transactional.ids": {
		"phone-a;alice;ad-a;push_sent", "phone-c;;;push_error"},
	"transactional.events": {
		`phone-a;alice;ad-a;2026-03-10T00:00:00;push_sent;"t;1"`, "phone-c;;;2026-03-10T10:00:00;push_error;",
		`phone-a;alice;ad-a;2026-03-11T23:59:59;push_sent;"t;1"`},
	"in-app-campaign.ids": {
		"phone-a;alice;ad-a;inapp_shown", "phone-a;alice;ad-a;inapp_clicked", "phone-c;;;inapp_clicked"},
	"in-app-campaign.events": {
		"phone-a;alice;ad-a;2026-03-10T00:00:00;inapp_shown;;", "phone-a;alice;ad-a;2026-03-10T10:00:01;inapp_clicked;service.deeplink;2",
		"phone-c;;;2026-03-10T10:00:02;inapp_clicked;service.dismiss;0", "phone-a;alice;ad-a;2026-03-11T23:59:59;inapp_shown;;"},
	"reachability.events": {
		"phone-a;alice;ad-a;2026-03-10T14:00:00;reachability;true;false;true", "phone-b;alice;;2026-03-10T15:00:00;reachability;true;true;true",
		"phone-c;bob;;2026-03-10T16:00:00;reachability;true;true;true"},
	"userbase": {
		"phone-a;alice;ad-a;false;2025-01-02T00:00:00;2026-03-14T00:00:00;ENGAGED",
		"phone-b;alice;;true;2025-01-03T00:00:00;2026-03-10T12:30:00;",
		"phone-c;bob;;true;2025-01-04T00:00:00;2026-03-10T10:00:02;"},
	"profiles.attributes": {
		`{"attributes":{"$email_address":"alice@example.com","$email_marketing":"unsubscribed","$language":"fr","$last_activity":"2026-03-14T00:00:00Z","$last_email_marketing_click":"2026-03-10T12:00:00Z",` +
			`"$push_subscriptions":[{"installation_id":"phone-a","is_subscribed":false,"platform":"IOS"},{"installation_id":"phone-b","is_subscribed":true,"platform":"WEBPUSH"}],` +
			`"colour":"deep \"green\";","interests":["sports"]},"identifiers":{"profile_id":"profile_alice","custom_id":"alice","installation_ids":["phone-a","phone-b"]}}`,
		`{"attributes":{"$email_address":"bob@example.com","$email_marketing":"subscribed","$language":null,"$last_activity":"2026-03-10T10:00:02Z","$last_email_marketing_click":null,` +
			`"$push_subscriptions":[{"installation_id":"phone-c","is_subscribed":true,"platform":"ANDROID"}],` +
			`"colour":["red","blue"],"interests":null},"identifiers":{"profile_id":"BOB","custom_id":"bob","installation_ids":["phone-c"]}}`},
	"profiles.events": {
		ownEmail("2026-03-10T00:00:00Z", "email_sent", "", ""),
		ownEmail("2026-03-10T11:00:00Z", "email_open", "", `"machine_open":true,`),
		`{"ab_testing_status":null,"ab_testing_variant":null,"api_key":"live_demo","click_url":"https://www.example.com/?a=\"b\"","email_address":"alice@example.com","event_date":"2026-03-10T12:00:00Z","event_type":"email_click",` +
			`"orchestration_id":"orchestration_1","orchestration_name":null,"step_name":null,"identifiers":{"profile_id":"profile_alice","custom_id":"alice"}}`,
		`{"ab_testing_status":null,"ab_testing_variant":null,"api_key":"live_demo","event_date":"2026-03-10T12:30:00Z","event_type":"push_open","is_push_opt_in":false,"orchestration_name":null,"platform":"WEBPUSH","step_name":null,` +
			`"identifiers":{"profile_id":"profile_alice","custom_id":"alice"}}`,
		`{"ab_testing_status":null,"ab_testing_variant":null,"api_key":"live_demo","event_date":"2026-03-10T13:00:00Z","event_type":"sms_sent","orchestration_name":null,"phone_number":"PHONE","step_name":null,"sms_parts":1,` +
			`"identifiers":{"profile_id":"BOB","custom_id":"bob"}}`,
		ownEmail("2026-03-10T18:00:00Z", "email_unsubscribed", "", ""),
		ownEmail("2026-03-11T23:59:59Z", "email_sent", "", ""),
	},
	"profiles.reachability": {
		`{"event":{"channel":"PUSH","id":"e1","timestamp":"2026-03-10T14:00:00Z","reasons":["UNSUBSCRIBED_FROM_PUSH"],"is_optin":false,"platform":"iOS"},"identifiers":{"profile_id":"profile_alice","custom_id":"alice","installation_id":"phone-a"}}`,
		`{"event":{"channel":"PUSH","id":"e2","timestamp":"2026-03-10T15:00:00Z","reasons":["PUSH_TOKEN_ADDED","SUBSCRIBED_TO_PUSH"],"is_optin":true,"platform":"Webpush"},"identifiers":{"profile_id":"profile_alice","custom_id":"alice","installation_id":"phone-b"}}`,
		`{"event":{"channel":"EMAIL","id":"e3","timestamp":"2026-03-10T17:00:00Z","reasons":["EMAIL_ADDRESS_ADDED","SUBSCRIBED_TO_EMAIL_MARKETING"],"has_email_address":true,"email_marketing":"subscribed"},"identifiers":{"profile_id":"BOB","custom_id":"bob"}}`,
		`{"event":{"channel":"EMAIL","id":"UUID","timestamp":"2026-03-10T18:00:00Z","reasons":["UNSUBSCRIBED_FROM_EMAIL_MARKETING"],"has_email_address":true,"email_marketing":"unsubscribed"},"identifiers":{"profile_id":"profile_alice","custom_id":"alice"}}`,
	},
}

func ownEmail(date, eventType, before, after string) string {
	return `{"ab_testing_status":null,"ab_testing_variant":null,"api_key":"live_demo",` + before + `"email_address":"alice@example.com","event_date":"` + date + `","event_type":"` + eventType + `",` +
		after + `"orchestration_name":null,"step_name":null,"identifiers":{"profile_id":"profile_alice","custom_id":"alice"}}`
}

// withOwnData is a server that holds all rows of the tests.
func withOwnData(t *testing.T) *harness {
	s := newServer(t)
	s.loads("profiles", "text/csv", ownProfiles)
	s.loads("installations", "application/x-ndjson", ownInstallations)
	s.loads("events", "application/x-ndjson", ownEvents)
	return s
}

// reopened is a configuration that works with the store and the clock of another server.
func reopened(other *harness) func(*mockserver.Options) {
	return func(config *mockserver.Options) { config.State = keptIn(other.store) }
}

// withoutMade puts words in the place of what is made.
func withoutMade(rows []string) []string {
	var all []string
	for _, row := range rows {
		row = madeProfile.ReplaceAllString(row, `"BOB"`)
		row = madeEvent.ReplaceAllString(row, `"id":"UUID"`)
		all = append(all, madePhone.ReplaceAllString(row, `"PHONE"`))
	}
	return all
}

func TestOwnDataAlone(t *testing.T) {
	s := withOwnData(t)
	s.mode("only")
	for _, k := range ownKinds() {
		s.same(k.name, withoutMade(s.rows(k)), ownRows[k.name]...)
	}
}

// TestOwnDataAmongSynthetic checks that a file holds what it held before, and the dataset in its place.
func TestOwnDataAmongSynthetic(t *testing.T) {
	large := func(config *mockserver.Options) { config.Profiles = 3000 }
	empty, s := newServer(t, large), newServer(t, large)
	s.loads("profiles", "text/csv", ownProfiles)
	s.loads("installations", "application/x-ndjson", ownInstallations)
	s.loads("events", "application/x-ndjson", ownEvents)
	synthetic := 0
	for _, k := range ownKinds() {
		before, after := empty.rows(k), s.rows(k)
		if len(before) > 0 {
			synthetic++
		}
		left := slices.Clone(before)
		var own []string
		for _, row := range after {
			if at := slices.Index(left, row); at >= 0 {
				left = slices.Delete(left, at, at+1)
				continue
			}
			own = append(own, row)
		}
		if len(left) > 0 {
			t.Errorf("%s: synthetic rows are gone:\n%s", k.name, strings.Join(left, "\n"))
		}
		s.same(k.name, withoutMade(own), ownRows[k.name]...)
		if date := dateOf(after[0]); date != "" && !slices.IsSortedFunc(after,
			func(a, b string) int { return strings.Compare(dateOf(a), dateOf(b)) }) && strings.HasSuffix(k.name, "events") {
			t.Errorf("%s is not in order of time", k.name)
		}
	}
	if synthetic < 9 { // a campaign need not be sent on these days
		t.Errorf("only %d kinds have synthetic rows", synthetic)
	}
}

// dateOf is when the event of a row happened.
func dateOf(row string) string {
	for _, before := range []string{`"event_date":"`, `"timestamp":"`} {
		if _, rest, found := strings.Cut(row, before); found {
			return rest[:19]
		}
	}
	for _, cell := range strings.Split(row, ";") {
		if len(cell) == 19 && cell[10] == 'T' {
			return cell
		}
	}
	return ""
}

// TestExportsKeepTheirData checks that an export renders the same bytes after later loads, another mode, a reset and a restart.
func TestExportsKeepTheirData(t *testing.T) {
	s := withOwnData(t)
	s.mode("only")
	promised := map[string]string{}
	for _, k := range ownKinds() {
		promised[k.name] = s.create(k.path, k.body, "progress=now")
	}
	check := func(what string, s *harness) {
		t.Helper()
		for name, id := range promised {
			s.same(what+", "+name, withoutMade(s.rowsIn(name, id)), ownRows[name]...)
		}
	}
	check("at once", s)
	again := func() *harness { // files are written anew, and data read from the store
		return newServer(t, reopened(s))
	}
	s.loads("events", "application/json",
		`[{"type":"inapp_shown","install_id":"phone-a","campaign":"c1","date":"2026-03-10T08:00:00Z"},{"type":"reachability","install_id":"phone-a","is_optin":true,"date":"2026-03-10T13:00:00Z"}]`)
	s.loads("profiles", "application/json", `{"profile_id":"profile_alice","custom_id":"alicia"}`)
	s.loads("installations", "application/json", `{"install_id":"phone-a","custom_id":"bob"}`)
	check("after loads", again())
	s.mode("mixed")
	check("after a change of the mode", again())
	if a := s.do(call{method: "DELETE", path: "/_mock/data"}); a.body["events"] != float64(0) || a.body["mode"] != "mixed" {
		t.Errorf("a reset answers %s", a.text)
	}
	check("after a reset", again())
	k := ownKinds()[5]
	s.same("a new export after a reset", s.rows(k), newServer(t).rows(k)...)
	s.loads("events", "application/json", `{"type":"inapp_shown","install_id":"phone-a","campaign":"c1","date":"2026-03-10T08:00:00Z"}`)
	s.mode("only")
	s.same("a load after a reset", s.rows(k), "phone-a;;;2026-03-10T08:00:00;inapp_shown;;")
	check("after a load after a reset", again())
}

// TestEventsHappenNow checks that an event without a date is in the next export
// up to now, even while the clock stands still, and not in the one after.
func TestEventsHappenNow(t *testing.T) {
	s := newServer(t)
	s.mode("only")
	k := kind{"in-app-campaign.events", "/1.0/live_demo/export/in-app-campaign/c1/events",
		`{"from":"2026-03-15T11:00:00","to":"now","events":["inapp_shown"],"ids":["install_id"]}`}
	s.same("before", s.rows(k))
	s.loads("events", "application/json", `{"type":"inapp_shown","install_id":"phone-1","campaign":"c1"}`)
	s.same("up to now", s.rows(k), "phone-1;2026-03-15T11:59:59;inapp_shown;;")
	k.body = strings.Replace(k.body, "2026-03-15T11:00:00", "now", 1)
	s.same("from now on", s.rows(k))
	s.loads("events", "application/json", `{"type":"inapp_shown","install_id":"phone-2","campaign":"c1","date":"2026-03-15T12:00:01Z"}`)
	k.body = `{"from":"2026-03-15T12:00:00","to":"2026-03-16T00:00:00","events":["inapp_shown"],"ids":["install_id"]}`
	s.same("what is still to come", s.rows(k))
	s.setClock(`{"advance":"2s"}`)
	s.same("what has come", s.rows(k), "phone-2;2026-03-15T12:00:01;inapp_shown;;")
}

// TestEventsHappenByTheClockOfAKey checks by whose clock an event without a date happens.
func TestEventsHappenByTheClockOfAKey(t *testing.T) {
	s := newServer(t)
	s.mode("only")
	s.clockOf("POST", "live_demo", `{"set":"2026-05-01T00:00:00Z"}`)
	s.answers("", s.load("events?key=live_demo", "application/json", `{"type":"inapp_shown","install_id":"phone-1","campaign":"c1"}`), 200)
	k := kind{"in-app-campaign.events", "/1.0/live_demo/export/in-app-campaign/c1/events",
		`{"from":"2026-04-01T00:00:00","to":"now","events":["inapp_shown"],"ids":["install_id"]}`}
	s.same("a key's own time", s.rows(k), "phone-1;2026-04-30T23:59:59;inapp_shown;;")
	s.refused(s.load("events?key=nobody", "application/json", `{}`), 400, "MALFORMED_PARAMETER", "nobody")
}

// TestBadRows checks that a load is refused as a whole, with the place of each fault.
func TestBadRows(t *testing.T) {
	for _, c := range []struct {
		name, kind, mediaType, body string
		want                        []string // "line column pointer keyword"
		contains                    string
	}{
		{"a slip in NDJSON", "events", "application/x-ndjson",
			"\n" + `{"type":"visit","install_id":"a"}` + "\n" + `  {"type":"inapp_show","install_id":"a","campaign":"c"}` + "\n",
			[]string{"3 11 /1/type enum"}, "did you mean inapp_shown?"},
		{"two bad rows", "events", "application/x-ndjson", `{"install_id":"a"}` + "\n" + `{"type":"visit","custom_id":"a","x":1}`,
			[]string{"1 1 /0/type required", "2 33 /1/x additionalProperties"}, "line 1, column 1"},
		{"no JSON", "events", "application/x-ndjson", `{"type":"visit","install_id":"a"}` + "\n" + `{"type":}` + "\n{",
			[]string{"2 9 /1 json", "3 2 /2 json"}, "nothing was loaded"},
		{"a name twice", "profiles", "application/x-ndjson", `{"custom_id":"a","custom_id":"b"}`, []string{"1 18 /0 json"}, ""},
		{"CSV cells", "installations", "text/csv", "install_id,is_optin,platform\nphone-1,yes,ios\n,true,IOS\n",
			[]string{"2 9 /0/is_optin type", "3 1 /1/install_id required", "3 7 /1/platform enum"}, ""},
		{"a CSV row that is too short", "installations", "text/csv", "install_id;is_optin\nphone-1\n", []string{"2 1 /0 csv"}, "1 cells"},
		{"an unknown column", "installations", "text/csv", "install_id,is_optn\nphone-1,true\n", []string{"1 12  additionalProperties"},
			"did you mean is_optin?"},
		{"a column twice", "installations", "text/csv", "install_id,install_id\na,b\n", []string{"1 12  csv"}, "twice"},
		{"an attribute without its name", "profiles", "text/csv", "custom_id,attributes\na,b\n", []string{"1 11  csv"}, "attributes.colour"},
		{"a quote that stays open", "installations", "text/csv", "install_id\n\"phone\n", []string{"2 8 /0 csv"}, ""},
		{"an array", "events", "application/json",
			"[\n {\"type\":\"visit\",\"install_id\":\"a\"},\n {\"type\":\"visit\",\n  \"date\":\"today\",\"install_id\":\"a\"}\n]",
			[]string{"4 10 /1/date pattern"}, ""},
		{"an array that ends early", "events", "application/json", `[{"type":"visit","install_id":"a"}`, []string{"1 35 /1 json"}, ""},
		{"an object and more", "events", "application/json", `{"type":"visit","install_id":"a"} {}`, []string{"1 35 /1 json"}, "NDJSON"},
		{"a text", "events", "application/json", `"visit"`, []string{"1 1 /0 type"}, ""},
		{"nothing", "events", "application/json", ``, []string{"1 1 /0 json"}, ""},
		{"no header", "events", "text/csv", ``, []string{"1 1 /0 csv"}, "header"},
		{"a contradiction", "events", "application/json",
			`{"type":"reachability","install_id":"a","reasons":["SUBSCRIBED_TO_PUSH"],"is_optin":false}`, []string{"1 1 /0/is_optin contradiction"},
			"SUBSCRIBED_TO_PUSH"},
		{"campaign and group", "events", "application/json", `{"type":"push_sent","install_id":"a","campaign":"c","group":"g"}`,
			[]string{"1 1 /0/group contradiction"}, ""},
		{"two profiles under two names", "profiles", "application/json",
			`[{"profile_id":"profile_a","custom_id":"a"},{"profile_id":"profile_b","custom_id":"b"},{"profile_id":"profile_a","custom_id":"b"}]`,
			[]string{"1 88 /2/profile_id conflict"}, "profile_a"},
		{"the profile identifier of another", "profiles", "application/json",
			`[{"profile_id":"profile_a","custom_id":"a"},{"profile_id":"profile_b","custom_id":"a"}]`, []string{"1 45 /1/custom_id conflict"},
			"profile_b"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newServer(t)
			a := s.load(c.kind, c.mediaType, c.body)
			s.refused(a, 400, "MALFORMED_PARAMETER", c.contains, "nothing was loaded")
			var got []string
			items, _ := a.body["errors"].([]any)
			for _, item := range items {
				problem, _ := item.(map[string]any)
				got = append(got, fmt.Sprintf("%v %v %v %v", problem["line"], problem["column"], problem["pointer"], problem["keyword"]))
			}
			s.same("faults of "+a.text, got, c.want...)
			if status := s.do(call{method: "GET", path: "/_mock/data"}); status.body["generation"] != float64(0) {
				t.Errorf("something was loaded: %s", status.text)
			}
		})
	}
}

// TestManyBadRows checks that the list of faults has an end.
func TestManyBadRows(t *testing.T) {
	s := newServer(t)
	a := s.load("events", "application/x-ndjson", strings.Repeat("{}\n", 5000))
	s.refused(a, 400, "MALFORMED_PARAMETER", "more")
	if items, _ := a.body["errors"].([]any); len(items) != 100 {
		t.Errorf("%d faults are listed", len(items))
	}
}

func TestDataRefusals(t *testing.T) {
	s := newServer(t)
	s.refused(s.load("evnts", "text/csv", ""), 404, "ROUTE_NOT_FOUND", "did you mean events?")
	s.refused(s.load("events", "text/plain", "{}"), 400, "MALFORMED_PARAMETER", "application/x-ndjson")
	s.refused(s.load("events", "text/csv; charset=latin1", ""), 400, "MALFORMED_PARAMETER", "latin1")
	s.refused(s.do(call{path: "/_mock/data", body: `{"mode":"instead"}`}), 400, "MALFORMED_PARAMETER", "mixed")
	s.refused(s.do(call{path: "/_mock/data", body: `{}`}), 400, "MISSING_PARAMETER", "mode")
	s.refused(s.load("events", "application/x-ndjson", `{"type":"visit","install_id":"`+strings.Repeat("a", 5<<20)+`"}`), 400,
		"MALFORMED_PARAMETER", "longer than 4 MB")
	for _, c := range []call{
		{method: "GET", path: "/_mock/data"}, {method: "DELETE", path: "/_mock/data"}, {path: "/_mock/data", body: `{"mode":"only"}`},
		{path: "/_mock/data/events", body: `{"type":"visit","install_id":"a"}`},
	} {
		c.remote = "192.0.2.7:4000"
		s.refused(s.do(c), 403, "API_MISUSE", "same machine")
	}
}
