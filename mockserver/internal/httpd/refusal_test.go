package httpd_test

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

var errSecret = errors.New("secret: the disk is full")

// TestInterfaceOfARefusal: a refusal has the shape of the interface that was
// asked, with or without a route, and the journal says which one that is.
func TestInterfaceOfARefusal(t *testing.T) {
	refuse := answers(httpd.Response{}, exports.Refuse(exports.MissingParameter, "it is missing"))
	files := httpd.MockRoutes([]*httpd.Route{{Name: "file", Method: http.MethodGet, Path: "/files/{name}", Credential: httpd.SignedLink,
		Stage: exports.StageFile, Handle: refuse,
		Output: httpd.Output{InterfaceOf: func(variables map[string]string) exports.Interface {
			return exports.Specified().OfExport(variables["name"])
		}}}})
	own := httpd.MockRoutes([]*httpd.Route{{Name: "own", Method: http.MethodGet, Path: "/own", Credential: httpd.Public, Handle: refuse}})
	s := serve(t, on(exports.Legacy(), "/1.0/{api_key}/x", refuse), on(exports.Profiles(), "/2.7/x", refuse), files[0], own[0])
	for _, c := range []struct {
		about, method, path string
		profiles            bool
		journal             string // the interface of its entry
	}{
		{"a legacy route", "POST", "/1.0/a/x", false, "legacy"},
		{"a profile route", "POST", "/2.7/x", true, "profiles"},
		{"another method", "PUT", "/2.7/x", true, "profiles"},
		{"no route of an interface", "POST", "/2.7/y", true, "profiles"},
		{"a version alone", "POST", "/2.7", true, "profiles"},
		{"no route of the other one", "POST", "/1.0/a/y", false, "legacy"},
		{"no route at all", "POST", "/nowhere", false, ""},
		{"a link to a legacy file", "GET", "/files/6f9619ff.1.csv", false, ""},
		{"a link to a profile file", "GET", "/files/export_x.1.json", true, ""},
		{"another method on such a link", "POST", "/files/export_x.1.json", true, ""},
		{"a route of the server", "GET", "/own", false, "none"},
	} {
		before := s.journal.List(journal.Filter{}, 0).Entries
		w := s.send(c.method, c.path)
		var body map[string]any
		if err := json.Unmarshal(w.Body.Bytes(), &body); err != nil {
			t.Fatalf("%s: %s: %v", c.about, w.Body, err)
		}
		if _, is := body["error_code"]; is != c.profiles || (body["code"] != nil) == c.profiles {
			t.Errorf("%s: %s, want the shape of profiles: %t", c.about, w.Body, c.profiles)
		}
		entries := s.journal.List(journal.Filter{}, 0).Entries
		switch {
		case c.journal == "none":
			must.Equal(t, len(entries), len(before), "%s: entries of the journal", c.about)
		case len(entries) != len(before)+1 || entries[len(entries)-1].Interface != c.journal:
			t.Errorf("%s: %d entries after %d, the interface is not %q", c.about, len(entries), len(before), c.journal)
		}
	}
}

// TestUnexpectedErrors are answered as SERVER_ERROR, logged, and not shown.
func TestUnexpectedErrors(t *testing.T) {
	for name, handle := range map[string]httpd.Handler{
		"error": answers(httpd.Response{}, errSecret),
		"panic": func(*httpd.Request) (httpd.Response, error) { panic(errSecret) },
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, on(exports.Legacy(), "/1.0/x", handle), on(exports.Profiles(), "/2.7/x", handle))
			for _, path := range []string{"/1.0/x", "/2.7/x"} {
				w := s.send("POST", path)
				if w.Code != http.StatusInternalServerError || !strings.Contains(w.Body.String(), exports.ServerError) ||
					strings.Contains(w.Body.String(), "secret") {
					t.Errorf("%s: %d %s", path, w.Code, w.Body)
				}
				if id := w.Header().Get("X-Request-Id"); id == "" || !strings.Contains(s.log.String(), "request_id="+id+" ") {
					t.Errorf("%s: the log does not know the request %q: %s", path, id, s.log)
				}
			}
			must.Equal(t, strings.Count(s.log.String(), errSecret.Error()), 2, "mentions of the cause in %s", s.log)
		})
	}
}

// brokenWriter panics when a body is sent.
type brokenWriter struct{ http.ResponseWriter }

func (brokenWriter) Write([]byte) (int, error) { panic("the cable is cut") }

// TestPanicWhileSending ends the connection and is logged, without the credentials that somebody wrote into the path.
func TestPanicWhileSending(t *testing.T) {
	for name, response := range map[string]httpd.Response{
		"body": {Status: http.StatusOK, Body: []byte("{}")},
		"file": {Status: http.StatusOK, Content: &httpd.Content{Reader: file{strings.NewReader("a;b\n")}, Size: 4, Modified: noon}},
	} {
		t.Run(name, func(t *testing.T) {
			s := serve(t, on(exports.Legacy(), "/1.0/{key}", answers(response, nil)))
			for _, path := range []string{"/1.0/my_token", "/1.0/my%5Ftoken", "/1.0/my%255Ftoken", "/1.0/" + strings.Repeat("x", 194) + "my_token"} {
				func() {
					defer func() {
						if cause := recover(); cause != http.ErrAbortHandler {
							t.Errorf("panicked with %v", cause)
						}
					}()
					sent := httptest.NewRequest("POST", path, nil)
					sent.Header.Set("X-Authorization", "my_token")
					s.ServeHTTP(brokenWriter{httptest.NewRecorder()}, sent)
				}()
				line := s.log.String()
				must.Hold(t, strings.Contains(line, "the cable is cut") && strings.Contains(line, "path=/1.0/"), "not logged: %s", line)
				for _, secret := range []string{"my_", "my%", "%5F", "%255F"} {
					must.Hold(t, !strings.Contains(line, secret), "%s: the log shows the credential: %s", path, line)
				}
				s.log.Reset()
			}
		})
	}
}

// file is a file in memory.
type file struct{ *strings.Reader }

func (file) Close() error { return nil }

// TestRequestID: every answer has one, a plain one is taken over.
func TestRequestID(t *testing.T) {
	s := serve(t, on(exports.Legacy(), "/1.0/x", answers(httpd.Response{Status: http.StatusNoContent}, nil)))
	seen := map[string]bool{}
	for _, path := range []string{"/1.0/x", "/1.0/y", "/nothing", "/1.0/x"} {
		id := s.send("POST", path).Header().Get("X-Request-Id")
		must.Hold(t, strings.HasPrefix(id, "request-") && !seen[id], "%s: identifier %q", path, id)
		seen[id] = true
	}
	for given, kept := range map[string]bool{"mine-1.2_3:4": true, strings.Repeat("x", 128): true, strings.Repeat("x", 129): false,
		"a b": false, "ä": false, "a\"b": false} {
		id := s.send("POST", "/1.0/x", "X-Request-Id", given).Header().Get("X-Request-Id")
		entries := s.journal.List(journal.Filter{}, 0).Entries
		if last := entries[len(entries)-1].RequestID; (id == given) != kept || last != id {
			t.Errorf("%q: answered %q, in the journal %q", given, id, last)
		}
	}
}
