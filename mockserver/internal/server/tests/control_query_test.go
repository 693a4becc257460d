package server_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
)

// TestUnknownQueryParameters: no route of the control API passes over a
// parameter that it does not have, and it does nothing before it refuses one.
func TestUnknownQueryParameters(t *testing.T) {
	s := newServer(t)
	kept := s.create(userbasePath, userbaseBody, "")
	for _, c := range routeCases {
		if !strings.HasPrefix(c.path, "/_mock/") {
			continue
		}
		path := c.path + "?"
		if strings.Contains(c.path, "?") {
			path = c.path + "&"
		}
		t.Run(c.name, func(t *testing.T) {
			a := s.do(call{method: c.method, path: path + "kee=live_demo", body: c.body, header: http.Header{"Content-Type": {"application/json"}}})
			s.refused(a, 400, "MALFORMED_PARAMETER", `"kee" is not known`)
		})
	}
	s.answers("the export is gone", s.do(call{method: "GET", path: "/_mock/exports/" + kept}), 200)
	s.refused(s.do(call{method: "GET", path: "/_mock/exports/" + kept + "?key=live_demo"}), 400, "MALFORMED_PARAMETER",
		`"key" is not known; this route has none`)
	s.refused(s.do(call{method: "GET", path: "/_mock/exports?form=x"}), 400, "MALFORMED_PARAMETER", "did you mean from?")
}

// TestMisspeltKeys: a key that is no credential and that nobody has sent is refused, since a test that expects nothing of it would hold;
// one that is configured, or was sent, is answered.
func TestMisspeltKeys(t *testing.T) {
	routes := []call{
		{method: "GET", path: "/_mock/lints"}, {method: "GET", path: "/_mock/journal"}, {method: "DELETE", path: "/_mock/journal"},
		{method: "GET", path: "/_mock/journal/count"}, {method: "GET", path: "/_mock/journal/wait?timeout=0s&count=1"},
		{method: "GET", path: "/_mock/journal/events?limit=1"},
		{method: "GET", path: "/_mock/scenarios"}, {method: "DELETE", path: "/_mock/scenarios"}, {method: "GET", path: "/_mock/exports"},
		{method: "GET", path: "/_mock/clock"}, {method: "DELETE", path: "/_mock/clock"}, {method: "DELETE", path: "/_mock/state"},
	}
	ask := func(s *harness, route call, key string) answer {
		separator := "?"
		if strings.Contains(route.path, "?") {
			separator = "&"
		}
		route.path += separator + "key=" + key
		return s.do(route)
	}
	s := newServer(t)
	for _, route := range routes {
		s.refused(ask(s, route, "live_dmeo"), 400, "MALFORMED_PARAMETER", `"live_dmeo"`, "live_demo, dev_demo, project_demo",
			"did you mean live_demo?")
		s.refused(ask(s, route, "rest_demo"), 400, "MALFORMED_PARAMETER", "no application key and no project key")
		if strings.Contains(route.path, "events") {
			continue // which waits for a request
		}
		if a := ask(s, route, "project_demo"); a.StatusCode >= 300 {
			t.Errorf("%s %s of a key without requests: %s", route.method, route.path, a.text)
		}
	}

	s.do(call{path: profilesPath, body: filteredBody, header: http.Header{"X-Service-Project": {"project_wrong"},
		"Authorization": {"Bearer token_demo"}}})
	if a := ask(s, call{method: "GET", path: "/_mock/journal/count"}, "project_wrong"); a.body["count"] != 1.0 {
		t.Errorf("a wrong key that a client has sent: %s", a.text)
	}
	s.answers("the lints of a wrong key that a client has sent", ask(s, call{method: "GET", path: "/_mock/lints"}, "project_wrong"), 200)

	s = newServer(t, func(c *mockserver.Options) { c.Credentials.Any = true })
	for _, route := range routes {
		if strings.Contains(route.path, "events") {
			continue
		}
		if a := ask(s, route, "anything"); a.StatusCode >= 300 {
			t.Errorf("%s %s, where any key is accepted: %s", route.method, route.path, a.text)
		}
	}
	s.refused(ask(s, routes[0], "a%2Fb"), 400, "MALFORMED_PARAMETER", "it accepts any that can be a segment of a path")
}
