package mockserver_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestCORS: pages of the origins that were named, and no others, may read answers; the control paths only where a token guards them.
func TestCORS(t *testing.T) {
	const page, other = "http://localhost:5173", "https://evil.example"
	for _, c := range []struct {
		about, token   string
		origins        []string
		method, path   string
		origin         string
		allowed        string // Access-Control-Allow-Origin
		credentials    bool
		status         int
		preflightAsked string
	}{
		{"off", "", nil, "GET", "/", page, "", false, 200, ""},
		{"off, preflight", "", nil, "OPTIONS", "/2.7/profiles/export", page, "", false, 404, "authorization"},
		{"no origin", "", []string{page}, "GET", "/", "", "", false, 200, ""},
		{"allowed", "", []string{page, "https://app.example"}, "GET", "/", page, page, true, 200, ""},
		{"an error", "", []string{page}, "POST", "/2.7/profiles/export", page, page, true, 401, ""},
		{"not allowed", "", []string{page}, "GET", "/", other, "", false, 200, ""},
		{"preflight", "", []string{page}, "OPTIONS", "/2.7/profiles/export", page, page, true, 204, "authorization,content-type,x-service-project"},
		{"preflight, not allowed", "", []string{page}, "OPTIONS", "/2.7/profiles/export", other, "", false, 404, "authorization"},
		{"everybody", "", []string{"*"}, "OPTIONS", "/2.7/profiles/export", other, "*", false, 204, "authorization"},
		{"the clock, without a token", "", []string{"*"}, "GET", "/_mock/clock", page, "", false, 403, ""},
		{"the clock, without a token, preflight", "", []string{page}, "OPTIONS", "/_mock/clock", page, "", false, 404, "content-type"},
		{"the clock, written otherwise", "", []string{page}, "OPTIONS", "/%5Fmock/clock", page, "", false, 404, "content-type"},
		{"the clock, with a token", "secret", []string{page}, "OPTIONS", "/_mock/clock", page, page, true, 204, "authorization"},
		{"the clock, without the token", "secret", []string{page}, "GET", "/_mock/clock", page, page, true, 401, ""},
	} {
		t.Run(c.about, func(t *testing.T) {
			server, err := mockserver.New(mockserver.Options{StartAt: noon, Profiles: 10, CORS: c.origins, ControlToken: mockserver.Secret(c.token)})
			if err != nil {
				t.Fatal(err)
			}
			defer server.Close()
			r := httptest.NewRequest(c.method, "http://localhost"+c.path, nil)
			r.RemoteAddr = "127.0.0.1:1"
			if c.origin != "" {
				r.Header.Set("Origin", c.origin)
			}
			if c.method == http.MethodOptions {
				r.Header.Set("Access-Control-Request-Method", "POST")
				r.Header.Set("Access-Control-Request-Headers", c.preflightAsked)
			}
			w := httptest.NewRecorder()
			server.ServeHTTP(w, r)
			header := w.Result().Header
			if w.Code != c.status || header.Get("Access-Control-Allow-Origin") != c.allowed || (header.Get("Access-Control-Allow-Credentials") == "true") != c.credentials {
				t.Errorf("%d with %v, want %d for the origin %q, credentials %t", w.Code, header, c.status, c.allowed, c.credentials)
			}
			if vary := strings.Join(header.Values("Vary"), ", "); c.allowed != "" && c.allowed != "*" && !strings.Contains(vary, "Origin") {
				t.Errorf("the answer depends on the origin and does not say so: %v", header)
			}
			if c.allowed != "" && c.preflightAsked != "" && header.Get("Access-Control-Allow-Headers") != c.preflightAsked {
				t.Errorf("the headers %s are asked for, and %s allowed", c.preflightAsked, header.Get("Access-Control-Allow-Headers"))
			}
		})
	}
}

// TestCORSMisuse: an origin that no browser sends would allow nobody.
func TestCORSMisuse(t *testing.T) {
	for origins, want := range map[string]string{
		"localhost:5173":          `"localhost:5173" is not an origin`,
		"null":                    `"null" is not an origin`,
		"file://x":                "is not an origin",
		"https://*.example":       "is not an origin",
		"http://me:you@x":         "is not an origin",
		"http://localhost:5173/":  `write "http://localhost:5173"`,
		"HTTP://localhost":        `write "http://localhost"`,
		"http://LocalHost:1/x?y":  `write "http://localhost:1"`,
		"http://localhost:80":     `write "http://localhost"`,
		"https://app.example:443": `write "https://app.example"`,
		"* http://localhost":      "so the others (http://localhost) have no effect",
	} {
		server, err := mockserver.New(mockserver.Options{StartAt: noon, Profiles: 10, CORS: strings.Fields(origins)})
		if err == nil {
			server.Close()
		}
		must.Hold(t, err != nil && strings.Contains(err.Error(), want), "%q: %v, want %q", origins, err, want)
	}
}

// TestPreflightsAreNamed: the answer to a preflight of an origin that was not let in says so, with the flag to set. No preflight
// is in the journal, since it tells nothing about a client.
func TestPreflightsAreNamed(t *testing.T) {
	for path, says := range map[string]string{
		"/2.7/profiles/export": "start with --cors https://app.example to let its pages in",
		"/nothing":             "start with --cors https://app.example to let its pages in",
		"/_mock/clock":         "to let its pages in, together with --control-token",
	} {
		for _, allowed := range [][]string{nil, {"http://localhost:5173"}} {
			server := must.Get(mockserver.New(mockserver.Options{StartAt: noon, Profiles: 10, CORS: allowed}))(t)
			defer server.Close()
			ask := func(method, path string) *httptest.ResponseRecorder {
				r := httptest.NewRequest(method, "http://localhost"+path, nil)
				r.RemoteAddr = "127.0.0.1:1"
				if method == http.MethodOptions {
					r.Header.Set("Origin", "https://app.example")
					r.Header.Set("Access-Control-Request-Method", "POST")
				}
				w := httptest.NewRecorder()
				server.ServeHTTP(w, r)
				return w
			}
			if w := ask(http.MethodOptions, path); w.Code != http.StatusNotFound || !strings.Contains(w.Body.String(), says) {
				t.Errorf("%s: %d %s, want %q", path, w.Code, w.Body, says)
			}
			ask(http.MethodGet, "/1.0/live_demo/nothing")
			if journal := ask(http.MethodGet, "/_mock/journal").Body.String(); strings.Contains(journal, "OPTIONS") || !strings.Contains(journal, "/1.0/live_demo/nothing") {
				t.Errorf("%s is in the journal: %s", path, journal)
			}
		}
	}
}
