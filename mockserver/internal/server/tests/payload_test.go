package server_test

import (
	"bytes"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// payloadCases has one row for every rule about payloads in sections 2.1, 2.5,
// 4.1 and 4.3 of the export API, and for the choices made where it is silent.
// An empty name means that the payload is accepted.
var payloadCases = []struct {
	about, path, body, name, problems string // problems: "pointer keyword", joined by commas
}{
	{"all fields", campaignPath, pushBody, "", ""},
	{"order and space do not matter", campaignPath, ` { "ids" : ["install_id"], "events":["push_error"], "to":"now" , "from":"now" } `, "",
		""},
	{"nothing", campaignPath, `{}`, "MISSING_PARAMETER", "/events required,/from required,/ids required,/to required"},
	{"no from", campaignPath, `{"to":"now","events":["push_sent"],` + ids + `}`, "MISSING_PARAMETER", "/from required"},
	{"no to", campaignPath, `{"from":"now","events":["push_sent"],` + ids + `}`, "MISSING_PARAMETER", "/to required"},
	{"no events", campaignPath, `{` + window + `,` + ids + `}`, "MISSING_PARAMETER", "/events required"},
	{"no ids", campaignPath, `{` + window + `,"events":["push_sent"]}`, "MISSING_PARAMETER", "/ids required"},
	{"missing comes before malformed", campaignPath, `{"from":5,"events":["push_sent"],` + ids + `}`, "MISSING_PARAMETER",
		"/from type,/to required"},
	{"null is no date", campaignPath, `{"from":null,"to":"now","events":["push_sent"],` + ids + `}`, "MALFORMED_PARAMETER", "/from type"},
	{"a number is no date", campaignPath, `{"from":1773000000,"to":"now","events":["push_sent"],` + ids + `}`, "MALFORMED_PARAMETER",
		"/from type"},
	{"a legacy date has no zone", campaignPath, `{"from":"2026-03-08T12:00:00Z","to":"now","events":["push_sent"],` + ids + `}`,
		"MALFORMED_PARAMETER", "/from pattern"},
	{"a legacy date has no fraction", campaignPath, `{"from":"2026-03-08T12:00:00.5","to":"now","events":["push_sent"],` + ids + `}`,
		"MALFORMED_PARAMETER", "/from pattern"},
	{"a day is no date-time", campaignPath, `{"from":"2026-03-08","to":"now","events":["push_sent"],` + ids + `}`, "MALFORMED_PARAMETER",
		"/from pattern"},
	{"the calendar counts", campaignPath, `{"from":"2026-02-29T12:00:00","to":"now","events":["push_sent"],` + ids + `}`,
		"MALFORMED_PARAMETER", "/from pattern"},
	{"now is lower case", campaignPath, `{"from":"NOW","to":"now","events":["push_sent"],` + ids + `}`, "MALFORMED_PARAMETER",
		"/from pattern"},
	{"events are a list", campaignPath, `{` + window + `,"events":"push_sent",` + ids + `}`, "MALFORMED_PARAMETER", "/events type"},
	{"events are not empty", campaignPath, `{` + window + `,"events":[],` + ids + `}`, "MALFORMED_PARAMETER", "/events minItems"},
	{"events repeat", campaignPath, `{` + window + `,"events":["push_sent","push_sent"],` + ids + `}`, "", ""},
	{"requests say push_open", campaignPath, `{` + window + `,"events":["push_opened"],` + ids + `}`, "MALFORMED_PARAMETER", "/events/0 enum"},
	{"events of another endpoint", campaignPath, `{` + window + `,"events":["push_sent","inapp_shown"],` + ids + `}`, "MALFORMED_PARAMETER",
		"/events/1 enum"},
	{"in-app events", "/1.0/live_demo/export/in-app-campaign/x/ids",
		`{` + window + `,"events":["inapp_shown","inapp_clicked","inapp_closed","inapp_supplied"],` + ids + `}`, "", ""},
	{"push events of an in-app campaign", "/1.0/live_demo/export/in-app-campaign/x/ids", pushBody, "MALFORMED_PARAMETER",
		"/events/0 enum,/events/1 enum"},
	{"ids are known", userbasePath, `{"ids":["install_id","email"]}`, "MALFORMED_PARAMETER", "/ids/1 enum"},
	{"ids are not empty", userbasePath, `{"ids":[]}`, "MALFORMED_PARAMETER", "/ids minItems"},
	{"ids repeat", userbasePath, `{"ids":["custom_id","custom_id"]}`, "", ""},
	{"ids hold text", userbasePath, `{"ids":[1]}`, "MALFORMED_PARAMETER", "/ids/0 enum"},
	{"userbase has no window", userbasePath, `{` + window + `,` + ids + `}`, "MALFORMED_PARAMETER",
		"/from additionalProperties,/to additionalProperties"},
	{"reachability has no events", "/1.0/live_demo/export/reachability/events", pushBody, "MALFORMED_PARAMETER",
		"/events additionalProperties"},
	{"an unknown field", userbasePath, `{"ids":["install_id"],"idz":1}`, "MALFORMED_PARAMETER", "/idz additionalProperties"},
	{"from after to", campaignPath, `{"from":"2026-03-15T12:00:00","to":"2026-03-15T11:59:59","events":["push_sent"],` + ids + `}`,
		"MALFORMED_PARAMETER", "/from window"},
	{"from after now", campaignPath, `{"from":"2026-03-15T12:00:01","to":"now","events":["push_sent"],` + ids + `}`, "MALFORMED_PARAMETER",
		"/from window"},
	{"an empty window", campaignPath, `{"from":"now","to":"now","events":["push_sent"],` + ids + `}`, "", ""},
	{"an object it must be", userbasePath, `["ids"]`, "MALFORMED_PARAMETER", " type"},
	{"null is no object", userbasePath, `null`, "MALFORMED_PARAMETER", " type"},
	{"text is no object", profilesPath, `"ATTRIBUTES"`, "MALFORMED_PARAMETER", " type"},

	{"no export_type", profilesPath, `{"identifiers":["custom_id"]}`, "MISSING_PARAMETER", "/export_type required"},
	{"an unknown export_type", profilesPath, `{"export_type":"ALL"}`, "MALFORMED_PARAMETER", "/export_type enum"},
	{"export_type in lower case", profilesPath, `{"export_type":"events"}`, "MALFORMED_PARAMETER", "/export_type enum"},
	{"export_type is text", profilesPath, `{"export_type":null}`, "MALFORMED_PARAMETER", "/export_type enum"},
	{"attributes or identifiers", profilesPath, `{"export_type":"ATTRIBUTES"}`, "MISSING_PARAMETER", "/attributes required"},
	{"attributes alone", profilesPath, `{"export_type":"ATTRIBUTES","attributes":["$language","shoe_size"]}`, "", ""},
	{"identifiers alone", profilesPath, `{"export_type":"ATTRIBUTES","identifiers":["installation_ids"]}`, "", ""},
	{"both", profilesPath, `{"export_type":"ATTRIBUTES","attributes":["$language"],"identifiers":["custom_id","installation_ids"]}`, "", ""},
	{"an unknown native attribute", profilesPath, `{"export_type":"ATTRIBUTES","attributes":["$shoe_size"]}`, "MALFORMED_PARAMETER",
		"/attributes/0 anyOf"},
	{"a filter", profilesPath, filteredBody, "", ""},
	{"a filter without segment", profilesPath, `{"export_type":"ATTRIBUTES","identifiers":["custom_id"],"filter":{}}`, "MISSING_PARAMETER",
		"/filter/segment required"},
	{"a filter with something else", profilesPath,
		`{"export_type":"ATTRIBUTES","identifiers":["custom_id"],"filter":{"segment":"a","tag":"b"}}`, "MALFORMED_PARAMETER",
		"/filter/tag additionalProperties"},
	{"a filter on events", profilesPath, `{"export_type":"EVENTS","from":"now","to":"now","events":["sms_sent"],"filter":{"segment":"a"}}`,
		"MALFORMED_PARAMETER", "/filter additionalProperties"},
	{"a snapshot has no window", profilesPath, `{"export_type":"ATTRIBUTES","identifiers":["custom_id"],"from":"now"}`, "MALFORMED_PARAMETER",
		"/from additionalProperties"},
	{"events require from, to and events", profilesPath, `{"export_type":"EVENTS"}`, "MISSING_PARAMETER",
		"/events required,/from required,/to required"},
	{"identifiers of events are optional", profilesPath, `{"export_type":"EVENTS",` + windowZ + `,"events":["sms_sent"]}`, "", ""},
	{"events know custom_id", profilesPath, `{"export_type":"EVENTS",` + windowZ + `,"events":["sms_sent"],"identifiers":["installation_id"]}`,
		"MALFORMED_PARAMETER", "/identifiers/0 enum"},
	{"events know their types", profilesPath, `{"export_type":"EVENTS",` + windowZ + `,"events":["email_opened"]}`, "MALFORMED_PARAMETER",
		"/events/0 enum"},
	{"a profile date has a zone", profilesPath, `{"export_type":"EVENTS","from":"2026-03-08T12:00:00","to":"now","events":["sms_sent"]}`,
		"MALFORMED_PARAMETER", "/from pattern"},
	{"a profile date ends in Z", profilesPath, `{"export_type":"EVENTS","from":"2026-03-08T12:00:00+01:00","to":"now","events":["sms_sent"]}`,
		"MALFORMED_PARAMETER", "/from pattern"},
	{"a profile date may have a fraction", profilesPath,
		`{"export_type":"EVENTS","from":"2026-03-08T12:00:00.123456Z","to":"now","events":["sms_sent"]}`, "", ""},
	{"from after to, profiles", profilesPath,
		`{"export_type":"EVENTS","from":"2026-03-08T12:00:00.5Z","to":"2026-03-08T12:00:00Z","events":["sms_sent"]}`, "MALFORMED_PARAMETER",
		"/from window"},
	{"reachability requires from, to and channels", profilesPath, `{"export_type":"REACHABILITY"}`, "MISSING_PARAMETER",
		"/channels required,/from required,/to required"},
	{"reachability with identifiers", profilesPath,
		`{"export_type":"REACHABILITY",` + windowZ + `,"channels":["sms"],"identifiers":["custom_id","installation_id"]}`, "", ""},
	{"channels are known", profilesPath, `{"export_type":"REACHABILITY",` + windowZ + `,"channels":["fax"]}`, "MALFORMED_PARAMETER",
		"/channels/0 enum"},

	{"no body", userbasePath, ``, "MALFORMED_JSON_BODY", ""},
	{"space is no body", userbasePath, "\n  \t", "MALFORMED_JSON_BODY", ""},
	{"broken off", userbasePath, `{"ids":["install_id"`, "MALFORMED_JSON_BODY", ""},
	{"a comma too many", userbasePath, `{"ids":["install_id"],}`, "MALFORMED_JSON_BODY", ""},
	{"single quotes", userbasePath, `{'ids':['install_id']}`, "MALFORMED_JSON_BODY", ""},
	{"a form", userbasePath, `ids=install_id`, "MALFORMED_JSON_BODY", ""},
	{"a comment", userbasePath, `{"ids":["install_id"]} // all`, "MALFORMED_JSON_BODY", ""},
	{"two values", userbasePath, userbaseBody + userbaseBody, "MALFORMED_JSON_BODY", ""},
	{"a byte-order mark", userbasePath, "\xef\xbb\xbf" + userbaseBody, "MALFORMED_JSON_BODY", ""},
	{"a name twice", userbasePath, `{"ids":["install_id"],"ids":["custom_id"]}`, "MALFORMED_JSON_BODY", ""},
	{"a name twice, once escaped", userbasePath, `{"ids":["install_id"],"\u0069ds":["custom_id"]}`, "MALFORMED_JSON_BODY", ""},
	{"not UTF-8", userbasePath, "{\"ids\":[\"install_id\xff\"]}", "MALFORMED_JSON_BODY", ""},
	{"half a surrogate", userbasePath, `{"ids":["\ud800"]}`, "MALFORMED_JSON_BODY", ""},
	{"a line end in text", userbasePath, "{\"ids\":[\"install\nid\"]}", "MALFORMED_JSON_BODY", ""},
	{"nested 65 deep", userbasePath, strings.Repeat("[", 65) + strings.Repeat("]", 65), "MALFORMED_JSON_BODY", ""},
	{"nested 64 deep is JSON", userbasePath, strings.Repeat("[", 64) + strings.Repeat("]", 64), "MALFORMED_PARAMETER", " type"},
	{"nested very deep", userbasePath, strings.Repeat(`{"a":`, 200_000), "MALFORMED_JSON_BODY", ""},
	{"a number beyond all bounds", userbasePath, `{"ids":[1e99999]}`, "MALFORMED_JSON_BODY", ""},
	{"UTF-16", userbasePath, "{\x00\"\x00", "MALFORMED_JSON_BODY", ""},
}

func TestPayloads(t *testing.T) {
	s := newServer(t)
	for _, c := range payloadCases {
		t.Run(c.about, func(t *testing.T) {
			s := &harness{TB: t, service: s.service, library: s.library, clock: s.clock, store: s.store, log: s.log}
			a := s.do(call{path: c.path, body: c.body})
			if c.name == "" {
				if a.StatusCode != http.StatusAccepted {
					t.Fatalf("answered %d: %s", a.StatusCode, a.text)
				}
				return
			}
			s.refused(a, 400, c.name)
			must.Equal(t, strings.Join(a.problems(), ","), c.problems, "the problems of %s", a.text)
		})
	}
}

// TestRefusalsHelp reads the messages as a person would.
func TestRefusalsHelp(t *testing.T) {
	s := newServer(t)
	for _, c := range []struct {
		path, body string
		says       []string
	}{
		{campaignPath, `{` + window + `,"event":["push_sent"],` + ids + `}`,
			[]string{"events is missing", "event is not known", "did you mean events"}},
		{userbasePath, `{"ids":["instal_id"]}`, []string{"instal_id", "install_id", "custom_id", "advertising_id"}},
		{userbasePath, `{"ids":["install_id"],"segmant":1}`, []string{"segmant"}},
		{campaignPath, `{"from":"15/03/2026","to":"now","events":["push_sent"],` + ids + `}`, []string{"from", "15/03/2026", "now"}},
		{userbasePath, `{"ids":`, []string{"line 1, column"}},
		{profilesPath, `{"export_type":"EVENT"}`, []string{"EVENT", "ATTRIBUTES", "EVENTS", "REACHABILITY"}},
	} {
		a := s.do(call{path: c.path, body: c.body})
		for _, text := range c.says {
			if !strings.Contains(a.message(), text) {
				t.Errorf("%s: the message lacks %q: %s", c.body, text, a.message())
			}
		}
		if first := a.message()[:1]; strings.ToLower(first) != first {
			t.Errorf("the message starts with a capital letter: %s", a.message())
		}
	}
}

// TestMediaTypes checks the header Content-Type and its relatives.
func TestMediaTypes(t *testing.T) {
	for _, c := range []struct {
		about    string
		values   []string
		encoding string
		accepted bool
	}{
		{"JSON", []string{"application/json"}, "", true},
		{"JSON in UTF-8", []string{"application/json; charset=utf-8"}, "", true},
		{"letter case", []string{"Application/JSON;Charset=UTF-8"}, "", true},
		{"another parameter", []string{`application/json; profile="x"`}, "", true},
		{"identity", []string{"application/json"}, "identity", true},
		{"none", nil, "", false},
		{"empty", []string{""}, "", false},
		{"a form", []string{"application/x-www-form-urlencoded"}, "", false},
		{"text", []string{"text/plain"}, "", false},
		{"text/json", []string{"text/json"}, "", false},
		{"another JSON", []string{"application/vnd.api+json"}, "", false},
		{"another charset", []string{"application/json; charset=iso-8859-1"}, "", false},
		{"nonsense", []string{"application/json;;;="}, "", false},
		{"twice", []string{"application/json", "application/json"}, "", false},
		{"compressed", []string{"application/json"}, "gzip", false},
	} {
		t.Run(c.about, func(t *testing.T) {
			s := newServer(t)
			h := legacyHeader()
			h["Content-Type"] = c.values
			if c.encoding != "" {
				h.Set("Content-Encoding", c.encoding)
			}
			a := s.do(call{path: userbasePath, body: userbaseBody, header: h})
			if c.accepted {
				if a.StatusCode != 202 {
					t.Fatalf("answered %d: %s", a.StatusCode, a.text)
				}
				return
			}
			s.refused(a, 400, "MALFORMED_PARAMETER", "header Content-")
		})
	}
}

// TestBodySize checks both sides of the limit, with and without a length.
func TestBodySize(t *testing.T) {
	padded := func(size int) []byte {
		return append([]byte(userbaseBody), bytes.Repeat([]byte(" "), size-len(userbaseBody))...)
	}
	for _, c := range []struct {
		size   int
		length bool
		expect string
		status int
	}{
		{1 << 20, true, "", 202}, {1 << 20, false, "", 202},
		{1<<20 + 1, true, "", 400}, {1<<20 + 1, false, "", 400},
		{10 << 20, true, "", 400}, {10 << 20, false, "", 400},
		{10 << 20, true, "100-continue", 400},
	} {
		s := newServer(t)
		body := bytes.NewReader(padded(c.size))
		r := httptest.NewRequest("POST", userbasePath, body)
		r.Header = legacyHeader()
		if c.expect != "" {
			r.Header.Set("Expect", c.expect)
		}
		if !c.length {
			r.ContentLength = -1
		}
		a := s.send(r)
		if c.status == 202 {
			s.answers("a body that is large enough", a, 202)
			continue
		}
		s.refused(a, 400, "MALFORMED_PARAMETER", "larger than 1 MB")
		// A client that sends everything before reading the answer gets to read it; one that waits to be asked is not asked.
		must.Equal(t, body.Len() == 0, c.expect == "", "%+v: all was read but %d bytes", c, body.Len())
	}
}

// TestOrderOfChecks sends requests with every fault from some check on: the first one answers.
func TestOrderOfChecks(t *testing.T) {
	s := newServer(t)
	small := http.Header{"X-Authorization": {"rest_small"}, "Content-Type": {"text/plain"}}
	good := http.Header{"X-Authorization": {"rest_demo"}, "Content-Type": {"text/plain"}}
	const smallPath, nowhere = "/1.0/live_small/export/campaign/x/events", "/1.0/live_small/export/campaign/x/event"
	huge := `{"from":` + strings.Repeat(" ", 1<<20)
	typed := legacyHeader()
	for _, c := range []struct {
		about, says string
		status      int
		call        call
	}{
		{"route before credentials", "no route", 404, call{path: nowhere, body: huge, header: http.Header{}, scenario: "x"}},
		{"credentials before plan", "X-Authorization", 401, call{path: smallPath, body: huge, header: http.Header{}, scenario: "x"}},
		{"plan before scenario", "enterprise", 403, call{path: smallPath, body: huge, header: small, scenario: "x"}},
		{"scenario before media type", "X-Mock-Scenario", 400, call{path: campaignPath, body: huge, header: good, scenario: "x"}},
		{"forced error before media type", "forced", 409, call{path: campaignPath, body: huge, header: good, scenario: "error=CONFLICT"}},
		{"media type before size", "Content-Type", 400, call{path: campaignPath, body: huge, header: good}},
		{"size before syntax", "1 MB", 400, call{path: campaignPath, body: huge, header: typed}},
		{"syntax before missing", "not valid JSON", 400, call{path: campaignPath, body: `{"from":5,"nonsense":true`, header: typed}},
		{"missing before malformed", "is missing", 400, call{path: campaignPath, body: `{"from":5,"nonsense":true}`, header: typed}},
		{"malformed before lookback", "/ids", 400, call{path: profilesPath,
			body: `{"export_type":"EVENTS","from":"2020-01-01T00:00:00Z","to":"now","events":["sms_sent"],"ids":1}`}},
		{"dates before lookback", "after to", 400, call{path: profilesPath,
			body: `{"export_type":"EVENTS","from":"2020-01-02T00:00:00Z","to":"2020-01-01T00:00:00Z","events":["sms_sent"]}`}},
	} {
		a := s.do(c.call)
		s.answers(c.about, a, c.status, c.says)
	}
	// Rate comes last: what was refused before took no token.
	for i := range 30 {
		bad := s.do(call{path: profilesPath, body: strings.Replace(filteredBody, `"custom_id"`, `"nobody"`, 1)})
		s.refused(bad, 400, "MALFORMED_PARAMETER")
		if i < 10 {
			s.create(profilesPath, filteredBody, "")
		}
	}
	s.refused(s.do(call{path: profilesPath, body: filteredBody}), 429, "TOO_MANY_REQUESTS")
}
