package server_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/clock"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/live"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/memory"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// setClock changes the clock over HTTP.
func (s *harness) setClock(body string) answer {
	s.Helper()
	return s.do(call{path: "/_mock/clock", body: body, header: http.Header{"Content-Type": {"application/json"}}})
}

// TestClock goes through the calls that change the clock. The clock below stands still at noon, so every answer is exact.
func TestClock(t *testing.T) {
	s := newServer(t)
	for _, c := range []struct {
		body, now string
		frozen    bool
		rate      float64
	}{
		{`{"advance":"21m"}`, "2026-03-15T12:21:00Z", false, 1},
		{`{"freeze":true}`, "2026-03-15T12:21:00Z", true, 1},
		{`{"advance":"744h"}`, "2026-04-15T12:21:00Z", true, 1},
		{`{"set":"2026-01-02T03:04:05Z"}`, "2026-01-02T03:04:05Z", true, 1},
		{`{"set":"2026-01-02T03:04:05.5+01:00"}`, "2026-01-02T02:04:05.5Z", true, 1},
		{`{"set":"2026-01-02T03:04:05Z","freeze":false}`, "2026-01-02T03:04:05Z", false, 1},
		{`{"rate":60}`, "2026-01-02T03:04:05Z", false, 60},
		{`{"rate":0.5,"set":"2026-01-02T00:00:00Z"}`, "2026-01-02T00:00:00Z", false, 0.5},
		{`{"advance":"1h","rate":1}`, "2026-01-02T01:00:00Z", false, 1},
		{`{"advance":"1h","freeze":true}`, "2026-01-02T02:00:00Z", true, 1},
		{`{"advance":"0s"}`, "2026-01-02T02:00:00Z", true, 1},
	} {
		for _, a := range []answer{s.setClock(c.body), s.do(call{method: "GET", path: "/_mock/clock", header: http.Header{}})} {
			if a.StatusCode != 200 || len(a.body) != 3 || a.body["now"] != c.now || a.body["frozen"] != c.frozen || a.body["rate"] != c.rate {
				t.Errorf("%s: %d %s, want %s %v %v", c.body, a.StatusCode, a.text, c.now, c.frozen, c.rate)
			}
		}
	}
	stored := must.Get(s.store.Setting(t.Context(), live.ClockSetting))(t)
	state := must.Get(clock.ParseState(stored))(t)
	must.Equal(t, clock.New(func() time.Time { return noon.AddDate(1, 0, 0) }, state).Now(), s.clock.Now(), "a restart shows")
}

// strictStore stores no setting for a caller that has gone away.
type strictStore struct{ store.Store }

func (s strictStore) UpdateSetting(ctx context.Context, name string, change func([]byte) ([]byte, error)) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return s.Store.UpdateSetting(ctx, name, change)
}

// TestClockIsKeptForADisconnectedClient: a clock that has moved is remembered, even when nobody waits for the answer any more.
func TestClockIsKeptForADisconnectedClient(t *testing.T) {
	s := newServer(t, func(c *mockserver.Options) { c.State = keptIn(strictStore{memory.New()}) })
	gone, leave := context.WithCancel(t.Context())
	leave()
	r := httptest.NewRequest("POST", "http://localhost/_mock/clock", strings.NewReader(`{"advance":"21m"}`)).WithContext(gone)
	r.RemoteAddr, r.Header = "127.0.0.1:1", http.Header{"Content-Type": {"application/json"}}
	s.answers("", s.send(r), 200)
	stored := must.Get(s.store.Setting(t.Context(), live.ClockSetting))(t)
	state := must.Get(clock.ParseState(stored))(t)
	if shown, kept := s.clock.Now(), clock.New(func() time.Time { return noon }, state).Now(); !kept.Equal(shown) || shown.Equal(noon) {
		t.Errorf("the clock shows %v, a restart %v", shown, kept)
	}
}

// TestClockRefusals: a change that is refused changes nothing.
func TestClockRefusals(t *testing.T) {
	s := newServer(t)
	for body, says := range map[string]string{
		`{}`: "at least 1 member", `[]`: "object", `"21m"`: "object", `null`: "object", ``: "not valid JSON",
		`{"advence":"21m"}`: "did you mean advance?", `{"a/b~c":1}`: "not known",
		`{"advance":"21"}`: "duration", `{"advance":21}`: "must be a string", `{"advance":"-1m"}`: "set can go back",
		`{"advance":null}`:           "must be a string",
		`{"advance":"99999999999h"}`: "a duration is at most 2562047 hours",
		`{"set":"yesterday"}`:        "RFC 3339", `{"set":"2026-01-02T03:04:05"}`: "RFC 3339", `{"set":"1999-12-31T23:59:59Z"}`: "2000-01-01",
		`{"set":5}`:                      "must be a string",
		`{"set":"2026-02-30T00:00:00Z"}`: "does not exist in the calendar",
		`{"freeze":"yes"}`:               "must be a boolean", `{"freeze":null}`: "must be a boolean",
		`{"rate":0}`: "at least 0.001", `{"rate":-1}`: "at least 0.001", `{"rate":"60"}`: "must be a number", `{"rate":1e9}`: "at most 1000000",
		`{"advance":"1m","set":"2026-01-02T03:04:05Z"}`: "set must be absent when advance is",
		`{"rate":60,"freeze":true}`:                     "rate must be absent when freeze is true",
		`{"set":"2026-01-02T03:04:05Z","rate":-1}`:      "at least 0.001", `{"freeze":true,"advance":"x"}`: "duration",
	} {
		a := s.setClock(body)
		if a.StatusCode != 400 || !strings.Contains(a.message(), says) {
			t.Errorf("%s: %d, want a message with %q: %s", body, a.StatusCode, says, a.text)
		}
	}
	must.Equal(t, s.clock.Status(), clock.Status{Now: noon, Rate: 1}, "the clock changed")
	s.clock.Set(clock.Latest.AddDate(0, 0, -1))
	a := s.setClock(`{"advance":"25h","rate":60,"freeze":false}`)
	s.refused(a, 400, "MALFORMED_PARAMETER", "9990")
	must.Equal(t, s.clock.Status().Rate, 1, "the refused change set the rate to")
	a = s.do(call{path: "/_mock/clock", body: `{"freeze":true}`, header: http.Header{"Content-Type": {"text/plain"}}})
	s.refused(a, 400, "MALFORMED_PARAMETER", "Content-Type")
}

// TestControlIsForThisMachine checks who reaches the paths under /_mock/.
func TestControlIsForThisMachine(t *testing.T) {
	s := newServer(t)
	id := s.create(userbasePath, userbaseBody, "")
	for remote, allowed := range map[string]bool{
		"127.0.0.1:5": true, "127.8.9.1:5": true, "[::1]:5": true, "[::ffff:127.0.0.1]:5": true, "@": true,
		"192.0.2.1:5": false, "[2001:db8::1]:5": false, "10.0.0.1:5": false, "0.0.0.0:5": false, "localhost:5": false, "nonsense": false,
	} {
		for _, c := range []call{
			{method: "GET", path: "/_mock/clock"}, {path: "/_mock/clock", body: `{"advance":"1s"}`},
			{method: "GET", path: "/_mock/exports"}, {method: "GET", path: "/_mock/exports/" + id}, {path: "/_mock/exports/" + id, body: "{}"},
		} {
			c.remote = remote
			a := s.do(c)
			if allowed && a.StatusCode == 403 {
				t.Errorf("%s from %s: %s", c.path, remote, a.text)
			}
			if !allowed {
				s.refused(a, 403, "API_MISUSE", "same machine", remote)
			}
		}
		s.answers("the API itself from "+remote, s.do(call{path: userbasePath, body: userbaseBody, remote: remote}), 202)
	}
}

// TestProxiedIsNotLocal: behind a proxy on the same machine everybody seems to be on it.
func TestProxiedIsNotLocal(t *testing.T) {
	s := newServer(t)
	for _, name := range []string{"Forwarded", "Via", "X-Real-IP", "CF-Connecting-IP", "X-Client-IP", "True-Client-IP", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto", "x-forwarded-anything"} {
		for _, remote := range []string{"127.0.0.1:5", "@"} {
			header := http.Header{}
			header.Set(name, "")
			a := s.do(call{method: "GET", path: "/_mock/clock", header: header, remote: remote})
			s.refused(a, 403, "API_MISUSE", "proxy", "--control-token", http.CanonicalHeaderKey(name))
			s.answers("health with "+name, s.do(call{method: "GET", path: "/_mock/health", header: header, remote: remote}), 200)
		}
	}
	guarded := newServer(t, func(o *mockserver.Options) { o.ControlToken = "secret" })
	header := http.Header{"X-Forwarded-For": {"192.0.2.1"}, "Authorization": {"Bearer secret"}}
	guarded.answers("with a token", guarded.do(call{method: "GET", path: "/_mock/clock", header: header}), 200)
}

// TestControlKnowsItsName: a web page whose name leads to this machine gets nothing from the browser that it was opened in.
func TestControlKnowsItsName(t *testing.T) {
	s := newServer(t)
	id := s.create(userbasePath, userbaseBody, "")
	for host, allowed := range map[string]bool{
		"localhost": true, "localhost:8080": true, "LocalHost:8080": true, "localhost.:8080": true, "mock.localhost:8080": true,
		"127.0.0.1": true, "127.0.0.1:8080": true, "127.8.9.1:1": true, "[::1]": true, "[::1]:8080": true, "192.0.2.1:8080": true,
		"attacker.example": false, "attacker.example:8080": false, "localhost.attacker.example": false, "127.0.0.1.attacker.example:8080": false,
		"notlocalhost": false, "2130706433": false, "127.1:8080": false, "a b": false,
	} {
		for _, c := range []call{
			{method: "GET", path: "/_mock/clock"}, {path: "/_mock/clock", body: `{"advance":"1s"}`},
			{method: "GET", path: "/_mock/exports"}, {method: "GET", path: "/_mock/exports/" + id}, {path: "/_mock/exports/" + id, body: "{}"},
		} {
			c.host = host
			a := s.do(c)
			if allowed && a.StatusCode == 403 {
				t.Errorf("%s under %s: %s", c.path, host, a.text)
			}
			if !allowed {
				s.refused(a, 403, "API_MISUSE", "localhost", "Host")
			}
		}
	}
	s.answers("the API itself under another name", s.do(call{path: userbasePath, body: userbaseBody, host: "mock.example"}), 202)
	inside := httptest.NewRequest("GET", "http://mock.test/_mock/clock", nil)
	inside.RemoteAddr = ""
	s.answers("from inside the process", s.send(inside), 200)
}

// TestExportsByHand steps, finishes and fails exports.
func TestExportsByHand(t *testing.T) {
	s := newServer(t)
	move := func(id, body string) answer {
		t.Helper()
		return s.do(call{path: "/_mock/exports/" + id, body: body, header: http.Header{"Content-Type": {"application/json"}}})
	}
	expect := func(a answer, status string) {
		t.Helper()
		must.Hold(t, a.StatusCode == 200 && a.body["status"] == status, "answered %d, want status %s: %s", a.StatusCode, status, a.text)
	}
	id := s.create(userbasePath, userbaseBody, "progress=manual")
	expect(move(id, `{"action":"step"}`), "PENDING")
	s.clock.Advance(time.Hour)
	expect(move(id, `{"action":"step"}`), "SUCCESS")
	if record := s.lookup(id); record.body["completion_date"] != "2026-03-15T13:00:00" || record.body["file_url"] == nil {
		t.Errorf("stepped to its end: %s", record.text)
	}
	s.refused(move(id, `{"action":"finish"}`), 409, "CONFLICT", "is SUCCESS since")

	expect(move(s.create(userbasePath, userbaseBody, "progress=time:1h"), `{"action":"finish"}`), "SUCCESS")
	expect(move(s.create(userbasePath, userbaseBody, "progress=manual;outcome=error"), `{"action":"finish"}`), "ERROR")
	failed := s.create(profilesPath, filteredBody, "progress=polls:9")
	expect(move(failed, `{"action":"fail","message":"the disk is full"}`), "ERROR")
	must.Equal(t, s.lookup(failed).body["error_message"], "the disk is full", "the message of a failure")
	for body, says := range map[string]string{
		`{}`: "action is missing", `[]`: "object", `{"action":"stop"}`: "step, finish or fail", `{"action":5}`: "step, finish or fail",
		`{"action":"step","message":"x"}`: "message must be absent when action is step", `{"action":"fail","message":5}`: "message",
		`{"action":"step","x":1}`: "not known",
	} {
		if a := move(id, body); a.StatusCode != 400 || !strings.Contains(a.message(), says) {
			t.Errorf("%s: %d %s", body, a.StatusCode, a.text)
		}
	}
	s.refused(move("nobody", `{"action":"step"}`), 404, "ROUTE_NOT_FOUND", "/_mock/exports")
	s.refused(s.do(call{method: "GET", path: "/_mock/exports/nobody"}), 404, "ROUTE_NOT_FOUND")
}

// TestControlList pages through everything.
func TestControlList(t *testing.T) {
	s := newServer(t)
	for range 3 {
		s.create(userbasePath, userbaseBody, "")
		s.create(profilesPath, kinds[8].body, "")
	}
	seen := map[string]bool{}
	pages := 0
	for path := "/_mock/exports?limit=4"; path != ""; pages++ {
		a := s.do(call{method: "GET", path: path})
		var page struct {
			Exports []struct {
				ID, Kind, Status, Progress string
			}
			Next string `json:"next_from"`
		}
		must.Do(t, json.Unmarshal([]byte(a.text), &page))
		for _, record := range page.Exports {
			seen[record.ID] = true
		}
		path = ""
		if page.Next != "" {
			path = "/_mock/exports?limit=4&from=" + page.Next
		}
	}
	if len(seen) != 6 || pages != 2 {
		t.Errorf("%d exports on %d pages", len(seen), pages)
	}
	for _, query := range []string{"limit=0", "limit=1001", "limit=x", "from=nobody"} {
		s.refused(s.do(call{method: "GET", path: "/_mock/exports?" + query}), 400, "MALFORMED_PARAMETER")
	}
}
