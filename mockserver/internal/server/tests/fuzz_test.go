package server_test

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
)

// checkAnswer: whatever is sent, the answer is no panic, no 5xx, and fits its schema (which do and send check).
func checkAnswer(t *testing.T, s *harness, a answer) {
	t.Helper()
	if a.StatusCode >= 500 || a.StatusCode < 200 {
		t.Fatalf("answered %d: %s\n%s", a.StatusCode, a.text, s.log)
	}
	if a.StatusCode >= 400 && a.Request == nil && (a.name() == "" || a.message() == "") {
		t.Fatalf("a refusal without a name or a message: %s", a.text)
	}
	if s.log.Len() > 0 {
		t.Fatalf("logged: %s", s.log)
	}
}

// FuzzCreationBody sends any body to a legacy and to the profile endpoint.
func FuzzCreationBody(f *testing.F) {
	for _, c := range payloadCases {
		if len(c.body) < 2000 {
			f.Add(c.body)
		}
	}
	f.Fuzz(func(t *testing.T, body string) {
		s := newServer(t)
		for _, path := range []string{campaignPath, userbasePath, profilesPath} {
			a := s.do(call{path: path, body: body, scenario: "progress=now"})
			checkAnswer(t, s, a)
			if a.StatusCode == http.StatusAccepted {
				for _, id := range []string{"requestId", "id"} {
					if id, ok := a.body[id].(string); ok {
						checkAnswer(t, s, s.lookup(id))
					}
				}
			}
		}
	})
}

// FuzzScenarioHeader sends any scenario header.
func FuzzScenarioHeader(f *testing.F) {
	for _, seed := range []string{"", "error=CONFLICT", "error=SERVER_ERROR", "outcome=error;rows=0;progress=polls:3", "progress=time:2s",
		"progress=manual; rows=9223372036854775807", "error=\xff", ";;=;", "rows=-1",
		"latency=uniform:1s-10m;cut=5;slow=1", "reset=middle;cut=0", "length=-3;file.reset", "only;bom;link=404"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, scenario string) {
		defer func() { // as a reset or a cut asks for
			if cause := recover(); cause != nil && (cause != http.ErrAbortHandler || !strings.Contains(scenario, "reset") &&
				!strings.Contains(scenario, "cut")) {
				panic(cause)
			}
		}()
		s := newServer(t, func(c *mockserver.Options) { c.Sleep = (&waits{}).sleep })
		if strings.Contains(scenario, "length") { // a body that is shorter than it should be fits no schema
			r := httptest.NewRequest(http.MethodPost, userbasePath, strings.NewReader(userbaseBody))
			r.Header = legacyHeader()
			r.Header.Set("X-Mock-Scenario", scenario)
			s.service.ServeHTTP(httptest.NewRecorder(), r)
			return
		}
		for _, path := range []string{userbasePath, profilesPath} {
			body := map[string]string{userbasePath: userbaseBody, profilesPath: filteredBody}[path]
			a := s.do(call{path: path, body: body, scenario: scenario})
			if strings.Contains(scenario, "error") && a.StatusCode >= 500 {
				continue // as it was asked for
			}
			checkAnswer(t, s, a)
		}
	})
}

// FuzzPath sends any path and query, as a server would receive them.
func FuzzPath(f *testing.F) {
	for _, c := range routeCases {
		f.Add(c.path)
	}
	f.Add("/1.0/live_demo/export/campaign/%2e%2e%2f%00/events?x=%zz")
	f.Add("//files/..%5c..%5c?signature=x&expires=1&nonce=2")
	f.Fuzz(func(t *testing.T, target string) {
		parsed, err := url.ParseRequestURI(target)
		if err != nil || !strings.HasPrefix(target, "/") {
			return // refused before the handler
		}
		s := newServer(t)
		for _, method := range []string{http.MethodGet, http.MethodPost} {
			r := httptest.NewRequest(method, "/", strings.NewReader(userbaseBody))
			r.URL = parsed
			r.RemoteAddr = "127.0.0.1:1"
			r.Header = profilesHeader()
			r.Header.Set("X-Authorization", "rest_demo")
			checkAnswer(t, s, s.send(r))
		}
	})
}
