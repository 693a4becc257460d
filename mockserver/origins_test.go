package mockserver_test

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
)

// TestPagesOfOtherOrigins: what costs or changes something is refused when a
// browser sends it for a page of another origin that was not allowed.
func TestPagesOfOtherOrigins(t *testing.T) {
	const page, other, public = "http://localhost:5173", "https://evil.example", "https://mock.example"
	const refused, allowed = true, false
	const create, validate, check, clock, index = "POST /1.0/live_demo/export/userbase", "POST /_mock/validate?schema=userbase", "POST /_mock/check", "GET /_mock/clock", "GET /_mock/exports/x/index"
	for _, c := range []struct {
		about        string
		origins      []string
		token        string
		target       string
		origin, site string // of the headers Origin and Sec-Fetch-Site
		dest         string
		refused      bool
	}{
		{"no browser", nil, "", create, "", "", "", allowed},
		{"its own page", nil, "", validate, "http://localhost", "same-origin", "empty", allowed},
		{"its own page, old browser", nil, "", validate, "http://localhost", "", "", allowed},
		{"its public page", nil, "", validate, public, "cross-site", "empty", allowed},
		{"typed", nil, "", clock, "", "none", "document", allowed},
		{"followed from elsewhere", nil, "", clock, "", "cross-site", "document", allowed},
		{"an image", nil, "", index, "", "cross-site", "image", refused},
		{"a frame", nil, "", index, "", "same-site", "iframe", refused},
		{"a form to validate", nil, "", validate, other, "cross-site", "document", refused},
		{"a form to validate, old browser", nil, "", validate, other, "", "", refused},
		{"a form to check", nil, "", check, other, "cross-site", "document", refused},
		{"a sandboxed form", nil, "", check, "null", "cross-site", "iframe", refused},
		{"another port", nil, "", check, page, "same-site", "empty", refused},
		{"a change", nil, "", "DELETE /_mock/state", other, "cross-site", "empty", refused},
		{"a change by POST", nil, "", "POST /_mock/clock", other, "", "", refused},
		{"a creation", nil, "", create, other, "cross-site", "empty", refused},
		{"a creation, allowed", []string{page}, "", create, page, "same-site", "empty", allowed},
		{"a creation, another allowed", []string{page}, "", create, other, "cross-site", "empty", refused},
		{"a creation, all allowed", []string{"*"}, "", create, other, "cross-site", "empty", allowed},
		{"control, all allowed, no token", []string{"*"}, "", check, other, "cross-site", "empty", refused},
		{"control, allowed, no token", []string{page}, "", check, page, "same-site", "empty", refused},
		{"control, allowed, token", []string{page}, "secret", check, page, "same-site", "empty", allowed},
		{"control, another, token", []string{page}, "secret", check, other, "cross-site", "empty", refused},
		{"control, all allowed, token", []string{"*"}, "secret", check, other, "cross-site", "empty", allowed},
		{"control, read, allowed, token", []string{page}, "secret", clock, page, "same-site", "empty", allowed},
		{"a read, old browser", nil, "", index, other, "", "", refused},
		{"a read of its own page, old browser", nil, "", index, "http://localhost", "", "", allowed},
		{"readiness, which writes", nil, "", "GET /_mock/ready", "", "cross-site", "image", refused},
		{"readiness, old browser", nil, "", "GET /_mock/ready", other, "", "", refused},
		{"readiness, allowed", []string{page}, "", "GET /_mock/ready", page, "same-site", "empty", allowed},
		{"readiness, no browser", nil, "", "GET /_mock/ready", "", "", "", allowed},
		{"health", nil, "", "GET /_mock/health", "", "cross-site", "image", allowed},
		{"a file", nil, "", "GET /files/x", other, "cross-site", "empty", allowed},
	} {
		t.Run(c.about, func(t *testing.T) {
			server, err := mockserver.New(mockserver.Options{StartAt: noon, Profiles: 10, CORS: c.origins, ControlToken: mockserver.Secret(c.token), PublicURL: public})
			if err != nil {
				t.Fatal(err)
			}
			defer server.Close()
			method, path, _ := strings.Cut(c.target, " ")
			r := httptest.NewRequest(method, "http://localhost"+path, nil)
			r.RemoteAddr = "127.0.0.1:1"
			for name, value := range map[string]string{"Origin": c.origin, "Sec-Fetch-Site": c.site, "Sec-Fetch-Dest": c.dest} {
				if value != "" {
					r.Header.Set(name, value)
				}
			}
			if c.token != "" {
				r.Header.Set("Authorization", "Bearer "+c.token)
			}
			w := httptest.NewRecorder()
			server.ServeHTTP(w, r)
			said := strings.Contains(w.Body.String(), "web page of another origin")
			if said != c.refused || said && (w.Code != http.StatusForbidden || !strings.Contains(w.Body.String(), "--cors")) {
				t.Errorf("%d %s; want it to be refused: %t", w.Code, w.Body, c.refused)
			}
		})
	}
}

// TestBelowAPath: a proxy that puts the server below a path may take that off or leave it. Links and documents have it in both cases.
func TestBelowAPath(t *testing.T) {
	var small bytes.Buffer
	packed := gzip.NewWriter(&small)
	fmt.Fprint(packed, `import("/guide/assets/b.js")`)
	packed.Close()
	server, err := mockserver.New(mockserver.Options{StartAt: noon, Profiles: 10, Progress: "now", PublicURL: "https://mock.example/mock/", Web: fstest.MapFS{
		"index.html": {}, "guide/index.html": {Data: []byte(`<script src="/guide/assets/a.js">`)}, "guide/assets/a.js.gz": {Data: small.Bytes()},
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	for path, want := range map[string]string{
		"/guide": "308 ", "/guide/": `200 <script src="/mock/guide/assets/a.js">`, "/guide/assets/a.js": `200 import("/mock/guide/assets/b.js")`,
	} {
		for _, base := range []string{"", "/mock"} {
			w := httptest.NewRecorder()
			r := httptest.NewRequest("GET", base+path, nil)
			r.Header.Set("Accept-Encoding", "gzip")
			server.ServeHTTP(w, r)
			if to := w.Result().Header.Get("Location"); fmt.Sprint(w.Code, " ", w.Body) != want || strings.HasPrefix(to, "/") {
				t.Errorf("%s%s: %d %s, to %q", base, path, w.Code, w.Body, to)
			}
		}
	}
	for path, status := range map[string]int{
		"/_mock/health": 200, "/mock/_mock/health": 200, "/mock/schemas.json": 200, "/schemas.json": 200, "/mockery": 404, "/mock/mock/_mock/health": 404,
	} {
		w := httptest.NewRecorder()
		if server.ServeHTTP(w, httptest.NewRequest("GET", path, nil)); w.Code != status {
			t.Errorf("%s: %d, want %d", path, w.Code, status)
		}
	}
	for _, base := range []string{"", "/mock"} {
		r := httptest.NewRequest("POST", base+"/1.0/live_demo/export/userbase", strings.NewReader(`{"ids": ["install_id"]}`))
		r.Header = http.Header{"Content-Type": {"application/json"}, "X-Authorization": {"rest_demo"}}
		w := httptest.NewRecorder()
		server.ServeHTTP(w, r)
		if to := w.Result().Header.Get("Location"); !strings.HasPrefix(to, "https://mock.example/mock/1.0/live_demo/") {
			t.Errorf("%q: %d, and the export is at %q", base, w.Code, to)
		}
	}
}
