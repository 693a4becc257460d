package server_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// routeCases has one row for every route of the table.
var routeCases = []struct {
	name, method, path, body string
	status                   int
}{
	{"campaign.ids", "POST", "/1.0/live_demo/export/campaign/welcome/ids", pushBody, 202},
	{"campaign.events", "POST", "/1.0/live_demo/export/campaign/welcome/events", pushBody, 202},
	{"transactional.ids", "POST", "/1.0/live_demo/export/transactional/receipts/ids", pushBody, 202},
	{"transactional.events", "POST", "/1.0/live_demo/export/transactional/receipts/events", pushBody, 202},
	{"in-app-campaign.ids", "POST", "/1.0/live_demo/export/in-app-campaign/spring/ids", appBody, 202},
	{"in-app-campaign.events", "POST", "/1.0/live_demo/export/in-app-campaign/spring/events", appBody, 202},
	{"reachability.events", "POST", "/1.0/live_demo/export/reachability/events", `{` + window + `,` + ids + `}`, 202},
	{"userbase", "POST", userbasePath, userbaseBody, 202},
	{"legacy.status", "GET", statusPath + "LEGACY", "", 200},
	{"profiles.create", "POST", profilesPath, `{"export_type":"ATTRIBUTES","attributes":["$language"]}`, 202},
	{"profiles.view", "GET", "/2.7/exports/view?id=EXPORT", "", 200},
	{"profiles.list", "GET", "/2.7/exports/list", "", 200},
	{"profiles.download", "GET", "/2.7/exports/download?id=FILE", "", 307},
	{"file", "GET", "LINK", "", 200},
	{"clock.get", "GET", "/_mock/clock", "", 200},
	{"clock.set", "POST", "/_mock/clock", `{"freeze":true}`, 200},
	{"clock.return", "DELETE", "/_mock/clock?key=live_demo", "", 200},
	{"scenarios.list", "GET", "/_mock/scenarios", "", 200},
	{"scenarios.add", "POST", "/_mock/scenarios", `{"scenario":"rows=0"}`, 201},
	{"scenarios.clear", "DELETE", "/_mock/scenarios", "", 204},
	{"scenarios.delete", "DELETE", "/_mock/scenarios/scenario_1", "", 204},
	{"exports.list", "GET", "/_mock/exports", "", 200},
	{"exports.get", "GET", "/_mock/exports/LEGACY", "", 200},
	{"exports.move", "POST", "/_mock/exports/MANUAL", `{"action":"step"}`, 200},
	{"exports.index", "GET", "/_mock/exports/LEGACY/index", "", 200},
	{"exports.arrivals", "GET", "/_mock/exports/LEGACY/arrivals", "", 200},
	{"check", "POST", "/_mock/check", "", 400}, // takes a form, see TestCheckOfFiles
	{"validate", "POST", "/_mock/validate?schema=userbase.request", userbaseBody, 200},
	{"journal.list", "GET", "/_mock/journal", "", 200},
	{"journal.clear", "DELETE", "/_mock/journal", "", 200},
	{"journal.count", "GET", "/_mock/journal/count", "", 200},
	{"journal.wait", "GET", "/_mock/journal/wait?count=2", "", 200},
	{"journal.events", "GET", "/_mock/journal/events?limit=1", "", 200},
	{"lints", "GET", "/_mock/lints", "", 200},
	{"data.get", "GET", "/_mock/data", "", 200},
	{"data.mode", "POST", "/_mock/data", `{"mode":"only"}`, 200},
	{"data.reset", "DELETE", "/_mock/data", "", 200},
	{"data.load", "POST", "/_mock/data/events", `{"type":"visit","install_id":"phone-1"}`, 200},
	{"state.get", "GET", "/_mock/state", "", 200},
	{"state.put", "PUT", "/_mock/state", `{"version":2,"exports":[]}`, 200},
	{"state.reset", "DELETE", "/_mock/state", "", 200},
	{"hosts.join", "POST", "/_mock/hosts", `{"protocol":1,"instance":"x","name":"Shop","platform":"go"}`, 201},
	{"hosts.calls", "GET", "/_mock/hosts/x/calls", "", 401},
	{"hosts.messages", "POST", "/_mock/hosts/x/messages", `{"messages":[]}`, 401},
	{"hosts.list", "GET", "/_mock/hosts", "", 200},
	{"hosts.events", "GET", "/_mock/host-events?limit=1", "", 200},
	{"hosts.code", "POST", "/_mock/host-code", "", 200},
	{"hosts.get", "GET", "/_mock/hosts/-", "", 200},
	{"hosts.remove", "DELETE", "/_mock/hosts/-", "", 204},
	{"hosts.perform", "POST", "/_mock/hosts/-/perform", `{"identifier":"x","timeout":"1ms"}`, 200},
	{"hosts.trigger", "POST", "/_mock/hosts/-/trigger", `{"identifier":"x","timeout":"1ms"}`, 200},
	{"health", "GET", "/_mock/health", "", 200},
	{"ready", "GET", "/_mock/ready", "", 200},
	{"metrics", "GET", "/_mock/metrics", "", 200},
	{"page", "GET", "/", "", 200},
	{"join", "GET", "/join", "", 200},
	{"favicon", "GET", "/favicon.ico", "", 204},
	{"openapi", "GET", "/openapi.json", "", 200},
	{"openapi.edition", "GET", "/openapi/full.json", "", 200},
	{"docs", "GET", "/docs", "", 200},
	{"schemas", "GET", "/schemas", "", 200},
	{"schemas.bundle", "GET", "/schemas.json", "", 200},
	{"schemas.get", "GET", "/schemas/legacy/userbase.row.json", "", 200},
	{"schemas.get.1", "GET", "/schemas/vocabulary.json", "", 200},
}

// prepared is a server with one finished export of each interface and one that
// moves by hand, and a function that puts their identifiers in a path.
func prepared(t *testing.T) (*harness, func(string) string) {
	s := newServer(t)
	legacy := s.create(userbasePath, userbaseBody, "progress=now")
	profile := s.create(profilesPath, `{"export_type":"ATTRIBUTES","attributes":["$language"]}`, "progress=now")
	manual := s.create(userbasePath, userbaseBody, "progress=manual")
	s.do(call{path: "/_mock/scenarios", body: `{"scenario":"rows=0"}`})
	s.do(call{path: "/_mock/hosts", body: `{"protocol":1,"instance":"x","name":"Shop","platform":"go"}`})
	replacer := strings.NewReplacer(
		"LEGACY", legacy, "EXPORT", profile, "MANUAL", manual, "LINK", s.links(legacy)[0],
		"FILE", "file_"+strings.TrimPrefix(profile, "export_")+"_1")
	return s, replacer.Replace
}

func TestEveryRouteAnswers(t *testing.T) {
	var tested []string
	for _, c := range routeCases {
		tested = append(tested, c.name)
		t.Run(c.name, func(t *testing.T) {
			s, fill := prepared(t)
			a := s.do(call{method: c.method, path: fill(c.path), body: c.body})
			if a.StatusCode != c.status {
				t.Fatalf("answered %d, want %d: %s", a.StatusCode, c.status, a.text)
			}
		})
	}
	var declared []string
	for _, route := range newServer(t).service.Routes() {
		declared = append(declared, route.Name)
	}
	slices.Sort(tested)
	slices.Sort(declared)
	must.Equal(t, tested, declared, "routes of the table")
}

// TestEveryRouteRefusesOtherMethods also checks that no check comes before the route: the refusal needs no credentials.
func TestEveryRouteRefusesOtherMethods(t *testing.T) {
	for _, c := range routeCases {
		t.Run(c.name, func(t *testing.T) {
			s, fill := prepared(t)
			for _, method := range []string{"DELETE", "PUT", "PATCH", "OPTIONS", "TRACE"} {
				if s.hasRoute(method, fill(c.path)) {
					continue
				}
				a := s.do(call{method: method, path: fill(c.path), header: http.Header{}})
				s.refused(a, 404, "ROUTE_NOT_FOUND", method)
				allow := a.Header.Get("Allow")
				if !strings.Contains(allow, c.method) || strings.Contains(allow, "HEAD") != strings.Contains(allow, "GET") {
					t.Errorf("%s: Allow is %q, want it to name %s", method, allow, c.method)
				}
			}
		})
	}
}

// hasRoute tells whether the table has a route for a method and a path.
func (s *harness) hasRoute(method, target string) bool {
	path, _, _ := strings.Cut(target, "?")
	return slices.ContainsFunc(s.service.Routes(), func(r *httpd.Route) bool { return r.Method == method && samePath(r.Path, path) })
}

// TestHeadAnswersLikeGet compares the headers of both.
func TestHeadAnswersLikeGet(t *testing.T) {
	for _, c := range routeCases {
		if c.method != "GET" || c.name == "page" {
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			s, fill := prepared(t)
			path := fill(c.path)
			get, head := s.do(call{method: "GET", path: path}), s.do(call{method: "HEAD", path: path})
			must.Equal(t, head.StatusCode, get.StatusCode, "the status of HEAD, against GET")
			for _, name := range []string{"Content-Type", "ETag"} {
				must.Equal(t, head.Header.Get(name), get.Header.Get(name), "%s of HEAD, against GET", name)
			}
		})
	}
	s := newServer(t)
	s.refused(s.do(call{method: "HEAD", path: campaignPath}), 404, "")
}

// TestPathsWithoutARoute checks what paths mean that only resemble a route.
func TestPathsWithoutARoute(t *testing.T) {
	for _, c := range []struct {
		about, path, hint string
	}{
		{"nothing there", "/nothing", "/docs lists the routes"},
		{"a slip", "/1.0/live_demo/export/campaigns/spring/events", "did you mean /1.0/live_demo/export/campaign/spring/events?"},
		{"another version", "/1.1/live_demo/export/userbase", "did you mean /1.0/live_demo/export/userbase?"},
		{"a trailing slash", userbasePath + "/", "did you mean " + userbasePath + "?"},
		{"a doubled slash", "/1.0//live_demo/export/userbase", "did you mean " + userbasePath + "?"},
		{"a doubled slash in front", "//1.0/live_demo/export/userbase", "did you mean " + userbasePath + "?"},
		{"encoding where none is needed", "/1.0/live_demo/export/%75serbase", "did you mean " + userbasePath + "?"},
		{"a blank at the end", userbasePath + "%20", "did you mean " + userbasePath + "?"},
		{"an encoded slash is no separator", "/1.0/live_demo%2Fexport%2Fuserbase", ""},
		{"a folder up", "/1.0/live_demo/export/campaign/x/../../userbase", ""},
		{"no application key", "/1.0//export/userbase", ""},
		{"another letter case", "/1.0/live_demo/Export/userbase", ""},
		{"a profile path", "/2.7/profiles/exports", ""},
		{"the version alone", "/2.7", ""},
		{"a profile path with a slash", "/2.7/profiles/export/", "did you mean /2.7/profiles/export?"},
		{"nothing under control", "/_mock/nothing", ""},
		{"a very long path", "/" + strings.Repeat("x", 5000), "..."},
	} {
		t.Run(c.about, func(t *testing.T) {
			s := newServer(t)
			a := s.do(call{path: c.path, body: userbaseBody})
			s.refused(a, 404, "ROUTE_NOT_FOUND", c.hint)
			if native := a.body["error_code"] != nil; native != strings.HasPrefix(c.path, "/2.7") {
				t.Errorf("the refusal has the shape of the other interface: %s", a.text)
			}
			if len(a.text) > 1000 {
				t.Errorf("the refusal has %d bytes", len(a.text))
			}
		})
	}
}

// TestPathSegments checks what may stand in a placeholder.
func TestPathSegments(t *testing.T) {
	for _, c := range []struct {
		about, token, fault string
	}{
		{"letters", "welcome", ""},
		{"anything printable", "we%20lcome%21%C3%A9~:@", ""},
		{"255 bytes", strings.Repeat("x", 255), ""},
		{"256 bytes", strings.Repeat("x", 256), "too long"},
		{"an encoded slash", "a%2Fb", "slash"},
		{"a backslash", "a%5Cb", "slash"},
		{"a folder up", "%2e%2e", "folder"},
		{"the folder itself", "%2E", "folder"},
		{"a null byte", "a%00b", "printed"},
		{"a line end", "a%0d%0aSet-Cookie:x", "printed"},
		{"an escape", "%1b[31m", "printed"},
		{"not UTF-8", "%ff%fe", "UTF-8"},
		{"a direction mark", "%E2%80%AE", "printed"},
	} {
		t.Run(c.about, func(t *testing.T) {
			s := newServer(t)
			a := s.do(call{path: "/1.0/live_demo/export/campaign/" + c.token + "/events", body: pushBody})
			if c.fault == "" {
				if a.StatusCode != 202 {
					t.Fatalf("answered %d: %s", a.StatusCode, a.text)
				}
				id := a.body["requestId"].(string)
				must.Equal(t, s.lookup(id).body["uri"], any("/1.0/live_demo/export/campaign/"+c.token+"/events"), "uri")
				return
			}
			s.refused(a, 400, "MALFORMED_PARAMETER", "campaign_token in the path", c.fault)
		})
	}
}
