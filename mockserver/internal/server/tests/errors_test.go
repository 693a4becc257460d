package server_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
)

// TestErrorTable has one row for every error of section 7 of the export API,
// caused the way a client would cause it, on creation and on the status lookup.
func TestErrorTable(t *testing.T) {
	noCredentials := http.Header{"Content-Type": {"application/json"}}
	smallPlan := legacyHeader()
	smallPlan.Set("X-Authorization", "rest_small")
	const smallPath = "/1.0/live_small/export/userbase"
	for _, c := range []struct {
		name         string
		status, code int
		call         call
	}{
		{"AUTHENTICATION_INVALID", 401, 10, call{path: userbasePath, body: userbaseBody, header: noCredentials}},
		{"AUTHENTICATION_INVALID", 401, 10, call{method: "GET", path: statusPath + "x", header: noCredentials}},
		{"API_MISUSE", 403, 12, call{path: smallPath, body: userbaseBody, header: smallPlan}},
		{"ROUTE_NOT_FOUND", 404, 20, call{path: "/1.0/live_demo/export/nothing", body: userbaseBody}},
		{"ROUTE_NOT_FOUND", 404, 20, call{method: "GET", path: statusPath + "5b1c6e0e-4b52-4d7e-9d0b-0c8d6d3b7f10"}},
		{"MISSING_PARAMETER", 400, 30, call{path: userbasePath, body: `{}`}},
		{"MALFORMED_PARAMETER", 400, 31, call{path: userbasePath, body: `{"ids":"install_id"}`}},
		{"MALFORMED_PARAMETER", 400, 31, call{method: "GET", path: statusPath + "not-a-uuid"}},
		{"MALFORMED_JSON_BODY", 400, 32, call{path: userbasePath, body: `{"ids":`}},
		{"SERVER_ERROR", 500, 1, call{path: userbasePath, body: userbaseBody, scenario: "error=SERVER_ERROR"}},
		{"SERVER_ERROR", 500, 1, call{method: "GET", path: statusPath + "x", scenario: "error=SERVER_ERROR"}},
		{"MAINTENANCE_ERROR", 503, 2, call{path: userbasePath, body: userbaseBody, scenario: "error=MAINTENANCE_ERROR"}},
		{"MAINTENANCE_ERROR", 503, 2, call{method: "GET", path: statusPath + "x", scenario: "error=MAINTENANCE_ERROR"}},
		{"MISSING_PARAMETER", 400, 30, call{method: "GET", path: statusPath + "x", scenario: "error=MISSING_PARAMETER"}},
		{"CONFLICT", 409, 409, call{path: userbasePath, body: userbaseBody, scenario: "error=CONFLICT"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := newServer(t)
			a := s.do(c.call)
			s.refused(a, c.status, c.name)
			if code, _ := a.body["code"].(float64); int(code) != c.code {
				t.Errorf("code %v, want %d", a.body["code"], c.code)
			}
		})
	}
}

// TestEveryErrorCanBeForced goes through the error schemas of both interfaces.
func TestEveryErrorCanBeForced(t *testing.T) {
	s := newServer(t)
	for _, side := range []struct {
		schema, path, body, lookup string
	}{
		{"legacy/error.json", userbasePath, userbaseBody, statusPath + "x"},
		{"profiles/error.json", profilesPath, filteredBody, "/2.7/exports/view?id=export_x"},
	} {
		branches := s.library.ErrorBranches(side.schema)
		if len(branches) < 13 {
			t.Fatalf("%s has only %d errors", side.schema, len(branches))
		}
		for _, branch := range branches {
			for _, c := range []call{{path: side.path, body: side.body}, {method: "GET", path: side.lookup}} {
				c.scenario = "error=" + branch.Name
				a := s.do(c)
				s.refused(a, branch.Status, branch.Name, "X-Mock-Scenario")
				if wait := a.Header.Get("Retry-After"); (wait != "") != (branch.Status == 429 || branch.Status == 503) {
					t.Errorf("%s: Retry-After is %q", branch.Name, wait)
				}
			}
		}
	}
	if a := s.do(call{method: "GET", path: "/_mock/exports"}); strings.Contains(a.text, `"id"`) {
		t.Errorf("a forced error left an export behind: %s", a.text)
	}
}

// TestScenarioHeader checks what is said about a header that cannot be read.
func TestScenarioHeader(t *testing.T) {
	for _, c := range []struct {
		header, says string
	}{
		{"error=NOBODY_KNOWS", "CONFLICT"},
		{"nonsense", "progress=polls:3"},
		{"error=" + strings.Repeat("x", 3000), "..."},
	} {
		s := newServer(t)
		for _, path := range []string{userbasePath, profilesPath} {
			a := s.do(call{path: path, body: "not read", scenario: c.header})
			s.refused(a, 400, "MALFORMED_PARAMETER", "header X-Mock-Scenario", c.says)
			if len(a.text) > 1000 {
				t.Errorf("the refusal has %d bytes", len(a.text))
			}
		}
	}
	s := newServer(t)
	for _, harmless := range []string{"", ";", " ; outcome=success ; "} {
		h := legacyHeader()
		h["X-Mock-Scenario"] = []string{harmless, "rows=3"}
		s.answers("header "+harmless, s.do(call{path: userbasePath, body: userbaseBody, header: h}), 202)
	}
}

// TestCredentials: what becomes of a request with good, missing and wrong
// credentials. The package auth has a row for every way they can be wrong.
func TestCredentials(t *testing.T) {
	header := func(pairs ...string) http.Header {
		h := http.Header{"Content-Type": {"application/json"}}
		for i := 0; i < len(pairs); i += 2 {
			h[pairs[i]] = append(h[pairs[i]], pairs[i+1])
		}
		return h
	}
	const key, bearer, project = "X-Authorization", "Authorization", "X-Service-Project"
	for _, c := range []struct {
		about, path string
		header      http.Header
		status      int
		says        string
	}{
		{"company and live key", userbasePath, header(key, "rest_demo"), 202, ""},
		{"no header", userbasePath, header(), 401, "X-Authorization is missing"},
		{"unknown application key", "/1.0/live_nobody/export/userbase", header(key, "rest_demo"), 401, "application API key"},
		{"profile credentials on a legacy path", userbasePath, header(bearer, "Bearer token_demo", project, "project_demo"), 401,
			"X-Authorization"},
		{"token and project", profilesPath, header(bearer, "Bearer token_demo", project, "project_demo"), 202, ""},
		{"no token", profilesPath, header(project, "project_demo"), 401, "Authorization is missing"},
		{"unknown token", profilesPath, header(bearer, "Bearer token_nobody", project, "project_demo"), 401, "does not open this project"},
		{"plan without exports", "/1.0/live_small/export/userbase", header(key, "rest_small"), 403, "enterprise plan"},
		{"plan without exports, profiles", profilesPath, header(bearer, "Bearer token_small", project, "project_small"), 403, "enterprise plan"},
	} {
		t.Run(c.about, func(t *testing.T) {
			s := newServer(t)
			body := userbaseBody
			if c.path == profilesPath {
				body = filteredBody
			}
			a := s.do(call{path: c.path, body: body, header: c.header})
			switch c.status {
			case 202:
				if a.StatusCode != 202 {
					t.Fatalf("answered %d: %s", a.StatusCode, a.text)
				}
			case 401:
				s.refused(a, 401, "AUTHENTICATION_INVALID", c.says)
				if challenge := a.Header.Get("WWW-Authenticate"); strings.HasPrefix(challenge, "Bearer ") != (c.path == profilesPath) {
					t.Errorf("WWW-Authenticate is %q", challenge)
				}
			default:
				s.refused(a, c.status, "API_MISUSE", c.says)
			}
		})
	}
}

// TestAnyCredentials accepts everything that is not empty, and still keeps exports apart by key.
func TestAnyCredentials(t *testing.T) {
	s := newServer(t, func(c *mockserver.Options) {
		c.Credentials = mockserver.Credentials{}
		c.Credentials.Any = true
	})
	h := http.Header{"Content-Type": {"application/json"}, "X-Authorization": {"whatever"}}
	a := s.do(call{path: "/1.0/my_app/export/userbase", body: userbaseBody, header: h})
	if a.StatusCode != 202 {
		t.Fatalf("answered %d: %s", a.StatusCode, a.text)
	}
	id := a.body["requestId"].(string)
	s.answers("the same key sees", s.do(call{method: "GET", path: "/1.0/my_app/export/request/" + id, header: h}), 200)
	s.refused(s.do(call{method: "GET", path: "/1.0/other_app/export/request/" + id, header: h}), 404, "ROUTE_NOT_FOUND")
	s.refused(s.do(call{path: "/1.0/my_app/export/userbase", body: userbaseBody, header: http.Header{}}), 401, "AUTHENTICATION_INVALID")
	h = http.Header{"Content-Type": {"application/json"}, "Authorization": {"Bearer x"}, "X-Service-Project": {"y"}}
	s.answers("profiles", s.do(call{path: profilesPath, body: filteredBody, header: h}), 202)
}

// TestExportsAreSeenOnlyWithTheirKey looks up exports with other good keys.
func TestExportsAreSeenOnlyWithTheirKey(t *testing.T) {
	s, fill := prepared(t)
	s.refused(s.do(call{method: "GET", path: fill("/1.0/dev_demo/export/request/LEGACY")}), 404, "ROUTE_NOT_FOUND", "seen only with the key")
	s.refused(s.do(call{method: "GET", path: fill("/1.0/live_demo/export/request/EXPORT")}), 400, "MALFORMED_PARAMETER")
	other := profilesHeader()
	other.Set("X-Service-Project", "project_other")
	other.Set("Authorization", "Bearer token_other")
	s.refused(s.do(call{method: "GET", path: fill("/2.7/exports/view?id=EXPORT"), header: other}), 404, "ROUTE_NOT_FOUND")
	s.refused(s.do(call{method: "GET", path: fill("/2.7/exports/download?id=FILE"), header: other}), 404, "ROUTE_NOT_FOUND")
	list := s.do(call{method: "GET", path: "/2.7/exports/list", header: other})
	if list.StatusCode != 200 || list.body["count"] != 0.0 {
		t.Errorf("the list of another project: %s", list.text)
	}
	s.refused(s.do(call{method: "GET", path: fill("/2.7/exports/list?from=EXPORT"), header: other}), 400, "MALFORMED_PARAMETER", "from")
}
