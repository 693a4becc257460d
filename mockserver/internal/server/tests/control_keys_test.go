package server_test

import (
	"net/http"
	"path/filepath"
	"reflect"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/bolt"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// clockOf asks for the clock of a key, or changes it.
func (s *harness) clockOf(method, key, body string) answer {
	s.Helper()
	return s.do(call{method: method, path: "/_mock/clock?key=" + key, body: body, header: http.Header{"Content-Type": {"application/json"}}})
}

// TestClockOfAKey: everything that depends on time follows the clock of the key that asks, and of no other.
func TestClockOfAKey(t *testing.T) {
	s := newServer(t)
	const other = "/1.0/dev_demo/export/"
	if a := s.clockOf("GET", "live_demo", ""); a.body["own"] != false || a.body["key"] != "live_demo" || a.body["keys"] != nil {
		t.Errorf("at first: %s", a.text)
	}
	mine := s.create(userbasePath, userbaseBody, "progress=time:1h")
	theirs := s.do(call{path: other + "userbase", body: userbaseBody, scenario: "progress=time:1h"}).body["requestId"].(string)
	if a := s.clockOf("POST", "live_demo", `{"advance":"2h"}`); a.StatusCode != 200 || a.body["own"] != true ||
		a.body["now"] != "2026-03-15T14:00:00Z" {
		t.Fatalf("the change: %d %s", a.StatusCode, a.text)
	}
	if a := s.do(call{method: "GET", path: "/_mock/clock"}); a.body["now"] != "2026-03-15T12:00:00Z" ||
		!reflect.DeepEqual(a.body["keys"], []any{"live_demo"}) {
		t.Errorf("the clock of all: %s", a.text)
	}

	// Progress.
	must.Equal(t, s.lookup(mine).body["status"], "SUCCESS", "the export of the key")
	must.Equal(t, s.do(call{method: "GET", path: other + "request/" + theirs}).body["status"], "CREATED", "the export of another key is")
	// Links, though they carry no key.
	link := s.links(mine)[0]
	s.clockOf("POST", "live_demo", `{"advance":"19m"}`)
	s.answers("a link of 19 minutes", s.get(link), 200)
	s.clockOf("POST", "live_demo", `{"advance":"1m"}`)
	s.refused(s.get(link), 403, "LINK_EXPIRED")
	// The control API itself.
	must.Equal(t, s.do(call{method: "GET", path: "/_mock/exports/" + mine}).body["status"], "SUCCESS", "the control API says")
	if a := s.do(call{method: "GET", path: "/_mock/exports/" + theirs}); a.body["status"] != "CREATED" {
		t.Errorf("the control API says %v of another key's", a.body["status"])
	}
	// The lookback and the rate limit of a project.
	s.clockOf("POST", "project_demo", `{"set":"2026-09-01T00:00:00Z"}`)
	s.refused(s.do(call{path: profilesPath, body: kinds[9].body}), 400, "MALFORMED_PARAMETER", "lookback")
	for range 10 {
		s.create(profilesPath, filteredBody, "")
	}
	s.refused(s.do(call{path: profilesPath, body: filteredBody}), 429, "TOO_MANY_REQUESTS")
	s.setClock(`{"advance":"12m"}`)
	s.refused(s.do(call{path: profilesPath, body: filteredBody}), 429, "TOO_MANY_REQUESTS")
	s.clockOf("POST", "project_demo", `{"advance":"12m"}`)
	s.create(profilesPath, filteredBody, "")
	// The life of a file.
	s.clockOf("POST", "live_demo", `{"advance":"800h"}`)
	s.refused(s.get(link), 410, "FILE_EXPIRED")

	// Back to the clock of all.
	if a := s.clockOf("DELETE", "live_demo", ""); a.StatusCode != 200 || a.body["own"] != false || a.body["now"] != "2026-03-15T12:12:00Z" {
		t.Errorf("given back: %s", a.text)
	}
	must.Equal(t, s.lookup(mine).body["status"], "CREATED", "back on the clock of all, the export")
	s.answers("given back twice", s.clockOf("DELETE", "live_demo", ""), 200)
	s.setClock(`{"set":"2027-01-01T00:00:00Z","freeze":true,"rate":2}`)
	if a := s.do(call{method: "DELETE", path: "/_mock/clock"}); a.StatusCode != 200 || a.body["now"] != "2026-03-15T12:00:00Z" ||
		a.body["frozen"] != false || a.body["rate"] != 1.0 {
		t.Errorf("the clock of all, back to the real time: %s", a.text)
	}
	for _, method := range []string{"GET", "POST", "DELETE"} {
		s.refused(s.clockOf(method, "nobody", `{"advance":"1s"}`), 400, "MALFORMED_PARAMETER", `"nobody"`, "no application key")
	}
	s.refused(s.clockOf("POST", "dev_demo", `{"advence":"1s"}`), 400, "MALFORMED_PARAMETER", "did you mean advance?")
	s.refused(s.do(call{method: "GET", path: "/_mock/clock?kee=live_demo"}), 400, "MALFORMED_PARAMETER", "did you mean key?")
}

// TestClocksOfKeysInParallel: tests that take a key each do not see each other.
func TestClocksOfKeysInParallel(t *testing.T) {
	s := newServer(t, func(c *mockserver.Options) { c.Credentials.Any = true })
	var work sync.WaitGroup
	for _, key := range []string{"a", "b", "c", "d"} {
		work.Go(func() {
			day := time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, int(key[0]-'a'))
			for range 20 {
				s.clockOf("POST", key, `{"set":"`+day.Format(time.RFC3339)+`","freeze":true}`)
				id, _ := s.do(call{path: "/1.0/" + key + "/export/userbase", body: userbaseBody,
					scenario: "progress=time:1h"}).body["requestId"].(string)
				s.clockOf("POST", key, `{"advance":"1h"}`)
				record := s.do(call{method: "GET", path: "/1.0/" + key + "/export/request/" + id}).body
				if want := day.Format("2006-01-02T15:04:05"); record["request_date"] != want || record["status"] != "SUCCESS" {
					t.Errorf("%s: requested %v, want %s; %v", key, record["request_date"], want, record["status"])
				}
			}
		})
	}
	work.Wait()
}

// TestClocksOutliveTheProcess keeps them in a file.
func TestClocksOutliveTheProcess(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	open := func() *harness {
		return newServer(t, func(c *mockserver.Options) {
			state := must.Get(bolt.Open(t.Context(), path))(t)
			c.State = keptIn(state)
		})
	}
	s := open()
	s.clockOf("POST", "live_demo", `{"advance":"1h"}`)
	s.clockOf("POST", "dev_demo", `{"advance":"2h"}`)
	s.clockOf("DELETE", "dev_demo", "")
	s.setClock(`{"advance":"3h"}`)
	s.store.Close()
	s = open()
	for key, want := range map[string]string{"live_demo": "13:00", "dev_demo": "15:00", "project_demo": "15:00"} {
		if a := s.clockOf("GET", key, ""); a.body["now"] != "2026-03-15T"+want+":00Z" {
			t.Errorf("the clock of %s: %s", key, a.text)
		}
	}
}

// TestControlToken: with a token everybody needs it, from wherever.
func TestControlToken(t *testing.T) {
	s := newServer(t, func(c *mockserver.Options) { c.ControlToken = "secret" })
	for _, c := range []struct {
		about, remote, authorization string
		allowed                      bool
	}{
		{"nothing from here", "127.0.0.1:5", "", false},
		{"nothing from elsewhere", "192.0.2.1:5", "", false},
		{"the token from here", "127.0.0.1:5", "Bearer secret", true},
		{"the token from elsewhere", "192.0.2.1:5", "bearer  secret", true},
		{"another token", "192.0.2.1:5", "Bearer secrets", false},
		{"a shorter token", "192.0.2.1:5", "Bearer secre", false},
		{"an empty token", "192.0.2.1:5", "Bearer ", false},
		{"another scheme", "192.0.2.1:5", "Basic secret", false},
		{"a token of the export API", "192.0.2.1:5", "Bearer token_demo", false},
		{"from inside the process", "@", "", true},
	} {
		header := http.Header{"Content-Type": {"application/json"}}
		if c.authorization != "" {
			header.Set("Authorization", c.authorization)
		}
		for _, route := range []call{
			{method: "GET", path: "/_mock/clock"}, {path: "/_mock/clock", body: `{"advance":"1s"}`}, {method: "GET", path: "/_mock/exports"},
		} {
			route.remote, route.header, route.host = c.remote, header, "mock.example"
			a := s.do(route)
			if c.allowed && a.StatusCode != 200 {
				t.Errorf("%s: %s answered %d: %s", c.about, route.path, a.StatusCode, a.text)
			}
			if !c.allowed {
				s.refused(a, 401, "AUTHENTICATION_INVALID", "Authorization")
				if challenge := a.Header.Get("WWW-Authenticate"); !strings.HasPrefix(challenge, "Bearer ") {
					t.Errorf("%s: the challenge is %q", c.about, challenge)
				}
				must.Hold(t, !strings.Contains(a.text, "secret"), "%s: the refusal tells the token: %s", c.about, a.text)
			}
		}
	}
	twice := http.Header{"Authorization": {"Bearer secret", "Bearer secret"}}
	s.refused(s.do(call{method: "GET", path: "/_mock/clock", header: twice}), 401, "AUTHENTICATION_INVALID", "2 times")
	s.answers("the API itself", s.do(call{path: userbasePath, body: userbaseBody, remote: "192.0.2.1:5"}), 202)
	must.Equal(t, s.get("/").text, newServer(t).get("/").text, "the page is another one with a token")
}
