package server_test

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// set sets a scenario and returns its identifier.
func (s *harness) set(body string) string {
	s.Helper()
	a := s.do(call{path: "/_mock/scenarios", body: body})
	if a.StatusCode != http.StatusCreated {
		s.Fatalf("%s answered %d: %s", body, a.StatusCode, a.text)
	}
	return a.body["id"].(string)
}

// forced are the texts of the scenarios that are set.
func (s *harness) forced(query string) (texts []string) {
	s.Helper()
	list, _ := s.do(call{method: "GET", path: "/_mock/scenarios" + query}).body["scenarios"].([]any)
	for _, item := range list {
		texts = append(texts, item.(map[string]any)["scenario"].(string))
	}
	return texts
}

// rowsOf is the largest number of rows of an export, -1 if nothing limits it.
func (s *harness) rowsOf(id string) int64 {
	s.Helper()
	if rows := s.file(id).MaxRows; rows != nil {
		return *rows
	}
	return -1
}

func scenarioOf(t testing.TB, text string) exports.Scenario {
	t.Helper()
	return must.Get(exports.ParseScenario(text))(t)
}

// TestScenarioPrecedence: header, next few, rule, default; each decides the parts that no stronger one does.
func TestScenarioPrecedence(t *testing.T) {
	for _, c := range []struct {
		about                     string
		header, path              string
		next, rule, older, normal string
		rows                      int64
		outcome, progress         string
	}{
		{"nothing", "", campaignPath, "", "", "", "", -1, "", "now"},
		{"the default", "", campaignPath, "", "", "", "rows=5", 5, "", "now"},
		{"a rule before the default", "", campaignPath, "", "rows=4", "", "rows=5;outcome=error", 4, "error", "now"},
		{"the later rule before the earlier", "", campaignPath, "", "rows=4", "rows=6;outcome=error", "", 4, "error", "now"},
		{"the next few before a rule", "", campaignPath, "rows=3", "rows=4;progress=manual", "", "rows=5;outcome=error", 3, "error", "manual"},
		{"the header before the next few", "rows=1", campaignPath, "rows=3", "outcome=error", "", "rows=5", 1, "error", "now"},
		{"the header alone", "only;rows=1", campaignPath, "progress=manual", "outcome=error", "", "outcome=error", 1, "", "now"},
		{"nothing at all", "only", campaignPath, "rows=3", "rows=4", "", "rows=5", -1, "", "now"},
		{"a rule that is alone", "", campaignPath, "", "only;rows=4", "outcome=error", "outcome=error", 4, "", "now"},
	} {
		t.Run(c.about, func(t *testing.T) {
			s := newServer(t, func(config *mockserver.Options) { config.Scenario = c.normal })
			for _, rule := range []struct{ format, text string }{{`{"scenario":%q}`, c.older}, {`{"scenario":%q}`, c.rule},
				{`{"scenario":%q,"times":1}`, c.next}} {
				if rule.text != "" {
					s.set(fmt.Sprintf(rule.format, rule.text))
				}
			}
			id := s.create(c.path, pushBody, c.header)
			record := s.do(call{method: "GET", path: "/_mock/exports/" + id})
			if rows := s.rowsOf(id); rows != c.rows || record.body["progress"] != c.progress {
				t.Errorf("rows %d, progress %v; want %d, %s", rows, record.body["progress"], c.rows, c.progress)
			}
			stored, err := s.store.Get(t.Context(), id)
			must.Hold(t, err == nil && string(stored.Outcome) == c.outcome, "outcome %q, want %q: %v", stored.Outcome, c.outcome, err)
			// What was kept from being looked at is not used up.
			if left := len(s.forced("")); strings.HasPrefix(c.header, "only") && left != 2 {
				t.Errorf("%d scenarios are left, want 2", left)
			}
		})
	}
}

// TestScenarioTargets: a scenario is for a campaign, a group or a segment, however the request writes its name.
func TestScenarioTargets(t *testing.T) {
	s := newServer(t)
	segment := func(name string) string {
		return fmt.Sprintf(`{"export_type":"ATTRIBUTES","identifiers":["custom_id"],"filter":{"segment":%q}}`, name)
	}
	const target = "a=b;c 1"
	s.set(fmt.Sprintf(`{"match":{"target":%q},"scenario":"error=CONFLICT;latency=0s"}`, target))
	for _, c := range []struct{ about, path, body string }{
		{"a campaign", "/1.0/live_demo/export/campaign/" + url.PathEscape(target) + "/ids", pushBody},
		{"a campaign, all of it escaped", "/1.0/live_demo/export/campaign/" + strings.ReplaceAll(url.QueryEscape(target), "+", "%20") + "/events",
			pushBody},
		{"a group", "/1.0/live_demo/export/transactional/" + url.PathEscape(target) + "/events", pushBody},
		{"an in-app campaign", "/1.0/live_demo/export/in-app-campaign/" + url.PathEscape(target) + "/ids", appBody},
		{"a segment", profilesPath, segment(target)},
		{"a segment, escaped", profilesPath, strings.ReplaceAll(segment(target), "=", `\u003d`)},
		{"a segment in a body with faults", profilesPath, strings.ReplaceAll(segment(target), "custom_id", "costum_id")},
	} {
		a := s.do(call{path: c.path, body: c.body})
		must.Hold(t, a.StatusCode == 409 && a.name() == "CONFLICT", "%s: %d %s", c.about, a.StatusCode, a.text)
	}
	// Credentials come first, and a token that looks like a scenario is none.
	wrong := http.Header{"X-Authorization": {"nobody"}, "Content-Type": {"application/json"}}
	s.refused(s.do(call{path: "/1.0/live_demo/export/campaign/" + url.PathEscape(target) + "/ids", body: pushBody, header: wrong}), 401,
		"AUTHENTICATION_INVALID")
	id := s.create("/1.0/live_demo/export/campaign/mock:rows=3/events", pushBody, "progress=now")
	if file := s.file(id); file.Target != "mock:rows=3" || file.MaxRows != nil {
		t.Errorf("the file is %+v", file)
	}
}

// TestScenarioStages: what is said of a stage happens at that stage, also to requests long after the creation that said it.
func TestScenarioStages(t *testing.T) {
	s := newServer(t)
	status := func(id string) call { return call{method: "GET", path: statusPath + id} }
	id := s.create(userbasePath, userbaseBody, "progress=now;status.error=SERVER_ERROR;file.error=MAINTENANCE_ERROR;create.latency=0s")
	other := s.create(userbasePath, userbaseBody, "progress=now")
	s.refused(s.do(status(id)), 500, "SERVER_ERROR", "the scenario with which the export was made")
	s.refused(s.do(call{method: "GET", path: statusPath + id, scenario: "error=CONFLICT"}), 409, "CONFLICT", "header")
	a := s.do(call{method: "GET", path: statusPath + id, scenario: "only"})
	if a.StatusCode != 200 {
		t.Fatalf("only: %s", a.text)
	}
	link := strings.TrimPrefix(a.body["file_url"].(string), "http://mock.test")
	s.refused(s.get(link), 503, "MAINTENANCE_ERROR")
	s.answers("the file, with only", s.get(link, "X-Mock-Scenario", "only"), 200)
	s.lookup(other)
	// Another key does not learn of it.
	a = s.do(call{method: "GET", path: "/1.0/dev_demo/export/request/" + id})
	s.refused(a, 404, "ROUTE_NOT_FOUND")

	s.refused(s.do(call{path: userbasePath, body: userbaseBody, scenario: "create.error=CONFLICT;error=SERVER_ERROR"}), 409, "CONFLICT")
	s.refused(s.do(call{path: userbasePath, body: userbaseBody, scenario: "file.rows=3"}), 400, "MALFORMED_PARAMETER", "about the export")
	s.refused(s.do(call{path: userbasePath, body: userbaseBody, scenario: "file.error=NOTHING"}), 400, "MALFORMED_PARAMETER",
		`"NOTHING" is not known`)

	profile := s.create(profilesPath, filteredBody, "progress=now;download.error=TOO_MANY_REQUESTS;list.error=CONFLICT")
	file := "file_" + strings.TrimPrefix(profile, "export_") + "_1"
	s.lookup(profile)
	s.refused(s.do(call{method: "GET", path: "/2.7/exports/download?id=" + file}), 429, "TOO_MANY_REQUESTS")
	s.answers("a list is about no export alone", s.do(call{method: "GET", path: "/2.7/exports/list"}), 200)
	s.refused(s.do(call{method: "GET", path: "/2.7/exports/list", scenario: "list.error=CONFLICT"}), 409, "CONFLICT")
}

// TestScenarioRules: rules meet the requests that they match and no others.
func TestScenarioRules(t *testing.T) {
	events := kinds[9].body
	for _, c := range []struct {
		match string
		hits  string // of the requests below, in their order
	}{
		{`{}`, "LlUPEsvdf"},
		{`{"stage":"create"}`, "LlUPE"},
		{`{"stage":"status"}`, "sv"},
		{`{"stage":"download"}`, "d"},
		{`{"stage":"file"}`, "f"},
		{`{"method":"POST"}`, "LlUPE"},
		{`{"method":"HEAD"}`, ""},
		{`{"path":"/1.0/*"}`, "LlUs"},
		{`{"path":"*/export/userbase"}`, "U"},
		{`{"kind":"campaign.events"}`, "Ll"},
		{`{"kind":"profiles.attributes"}`, "Pvdf"},
		{`{"kind":"profiles.events"}`, "E"},
		{`{"kind":"userbase"}`, "Us"},
		{`{"key":"live_demo"}`, "LUs"},
		{`{"key":"dev_demo"}`, "l"},
		{`{"key":"project_demo"}`, "PEvdf"},
		{`{"target":"welcome"}`, "Ll"},
		{`{"target":"loyal"}`, "Pvdf"},
		{`{"target":"*"}`, "LlUPEsvdf"},
		{`{"key":"live_demo","stage":"status","kind":"userbase"}`, "s"},
		{`{"key":"live_demo","stage":"file"}`, ""},
	} {
		t.Run(c.match, func(t *testing.T) {
			s := newServer(t)
			legacy := s.create(userbasePath, userbaseBody, "progress=now")
			profile := s.create(profilesPath, filteredBody, "progress=now")
			link := s.links(profile)[0]
			s.set(`{"match":` + c.match + `,"scenario":"error=CONFLICT"}`)
			hits := ""
			for _, request := range []struct {
				letter string
				call
			}{
				{"L", call{path: campaignPath, body: pushBody}},
				{"l", call{path: "/1.0/dev_demo/export/campaign/welcome/events", body: pushBody}},
				{"U", call{path: userbasePath, body: userbaseBody}},
				{"P", call{path: profilesPath, body: filteredBody}},
				{"E", call{path: profilesPath, body: events}},
				{"s", call{method: "GET", path: statusPath + legacy}},
				{"v", call{method: "GET", path: "/2.7/exports/view?id=" + profile}},
				{"d", call{method: "GET", path: "/2.7/exports/download?id=file_" + strings.TrimPrefix(profile, "export_") + "_1"}},
				{"f", call{method: "GET", path: link, header: http.Header{}}},
			} {
				a := s.do(request.call)
				if a.StatusCode == 409 {
					hits += request.letter
				} else if a.StatusCode >= 400 {
					t.Errorf("%s answered %d: %s", request.letter, a.StatusCode, a.text)
				}
			}
			must.Equal(t, hits, c.hits, "met")
		})
	}
}

// TestRetryAfterForms: the header as a date, and none at all, which services send as well as seconds.
func TestRetryAfterForms(t *testing.T) {
	s := newServer(t)
	ask := func(form string) string {
		return s.do(call{path: userbasePath, body: userbaseBody, header: http.Header{"Content-Type": {"application/json"},
			"X-Authorization": {"rest_demo"},
			"X-Mock-Scenario": {"error=MAINTENANCE_ERROR;retry-after=" + form}}}).Header.Get("Retry-After")
	}
	must.Equal(t, ask("date:30s"), "Sun, 15 Mar 2026 12:00:30 GMT", "the date")
	must.Equal(t, ask("none"), "", "none")
}

// TestSurprises: records and creations have what no schema announces, and files have it as well.
func TestSurprises(t *testing.T) {
	s := newServer(t)
	header := http.Header{"Content-Type": {"application/json"}, "X-Authorization": {"rest_demo"}, "X-Mock-Scenario": {"surprise=status,member,column;progress=polls:2"}}
	created := s.do(call{path: userbasePath, body: userbaseBody, header: header})
	path := "/1.0/live_demo/export/request/" + created.body["requestId"].(string)
	first, last := s.do(call{method: "GET", path: path}), s.do(call{method: "GET", path: path})
	for last.body["status"] != "SUCCESS" && last.StatusCode == http.StatusOK {
		last = s.do(call{method: "GET", path: path})
	}
	if first.body["status"] != "SURPRISE" || created.body["surprise"] != "surprise" || last.body["surprise"] != "surprise" {
		t.Errorf("%v, %v, %v", created.body, first.body, last.body)
	}
	if header, _, _ := strings.Cut(s.get(last.body["file_url"].(string)).text, "\n"); !strings.HasSuffix(header, ";surprise") {
		t.Errorf("the header is %s", header)
	}
}

// TestScenarioForTheNextFew: exactly as many requests as were asked for, of those that it means something to, however many come at once.
func TestScenarioForTheNextFew(t *testing.T) {
	s := newServer(t)
	s.set(`{"match":{"stage":"create"},"times":7,"scenario":"error=TOO_MANY_REQUESTS;retry-after=2s"}`)
	var refused atomic.Int64
	var work sync.WaitGroup
	for range 4 {
		work.Go(func() {
			for range 5 {
				switch a := s.do(call{path: userbasePath, body: userbaseBody}); {
				case a.StatusCode == 429 && a.Header.Get("Retry-After") == "2":
					refused.Add(1)
				case a.StatusCode != 202:
					t.Errorf("answered %d: %s", a.StatusCode, a.text)
				}
			}
		})
	}
	work.Wait()
	must.Equal(t, refused.Load(), 7, "refused requests")
	if left := s.forced(""); len(left) != 0 {
		t.Errorf("left over: %q", left)
	}

	// One after the other, in the order in which they were set.
	id := s.create(userbasePath, userbaseBody, "progress=now")
	s.set(`{"times":1,"scenario":"status.error=SERVER_ERROR"}`)
	s.set(`{"times":1,"scenario":"error=MAINTENANCE_ERROR"}`)
	s.set(`{"times":1,"match":{"stage":"create"},"scenario":"file.error=CONFLICT"}`)
	for _, want := range []int{500, 503, 200} {
		s.answers(fmt.Sprint(want), s.do(call{method: "GET", path: statusPath + id}), want)
	}
	link := s.links(s.create(userbasePath, userbaseBody, "progress=now"))[0]
	s.refused(s.get(link), 409, "CONFLICT")
	s.refused(s.get(link), 409, "CONFLICT")
	// Wrong credentials use nothing up.
	s.set(`{"times":1,"scenario":"rows=1"}`)
	s.refused(s.do(call{path: userbasePath, body: userbaseBody, header: http.Header{"X-Authorization": {"nobody"}}}), 401,
		"AUTHENTICATION_INVALID")
	if left := s.forced(""); len(left) != 1 {
		t.Errorf("left over: %q", left)
	}
}

// TestMaintenanceWindow follows the clock of the key.
func TestMaintenanceWindow(t *testing.T) {
	s := newServer(t)
	s.set(`{"from":"2026-03-15T13:00:00Z","to":"2026-03-15T15:00:00+01:00","scenario":"error=MAINTENANCE_ERROR"}`)
	for _, c := range []struct{ now, retry string }{
		{"12:59:59", ""}, {"13:00:00", "3600"}, {"13:59:59.5", "1"}, {"14:00:00", ""}, {"13:30:00", "1800"},
	} {
		s.clockOf("POST", "live_demo", `{"set":"2026-03-15T`+c.now+`Z","freeze":true}`)
		a := s.do(call{path: userbasePath, body: userbaseBody})
		if c.retry == "" && a.StatusCode != 202 {
			t.Errorf("at %s: %d %s", c.now, a.StatusCode, a.text)
		}
		if c.retry != "" {
			s.refused(a, 503, "MAINTENANCE_ERROR", "until 2026-03-15T14:00:00Z")
			must.Equal(t, a.Header.Get("Retry-After"), c.retry, "at %s: Retry-After", c.now)
		}
		s.answers("another key at noon", s.do(call{path: "/1.0/dev_demo/export/userbase", body: userbaseBody}), 202)
	}
}

// TestForcedFailuresAreLogged: every 5xx has a line with the id of its request, and those that a scenario asks for are no errors.
func TestForcedFailuresAreLogged(t *testing.T) {
	for scenario, status := range map[string]int{"error=SERVER_ERROR": 500, "error=MAINTENANCE_ERROR": 503} {
		s := newServer(t)
		a := s.do(call{path: userbasePath, body: userbaseBody, scenario: scenario})
		line := "request_id=" + a.Header.Get("X-Request-Id")
		if log := s.log.String(); a.StatusCode != status || strings.Count(log, line) != 1 || !strings.Contains(log, "level=INFO") ||
			strings.Contains(log, "level=ERROR") {
			t.Errorf("%s: %d; the log: %s", scenario, a.StatusCode, log)
		}
		s = newServer(t)
		if s.do(call{path: userbasePath, body: userbaseBody, scenario: "error=CONFLICT"}); s.log.Len() > 0 {
			t.Errorf("a refusal: %s", s.log)
		}
	}
}
