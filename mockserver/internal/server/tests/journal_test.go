package server_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// control asks a path under /_mock/ and decodes the answer.
func control[T any](s *harness, method, path string) T {
	s.Helper()
	var value T
	a := s.do(call{method: method, path: path, header: http.Header{}})
	if a.StatusCode != 200 {
		s.Fatalf("%s answered %d: %s", path, a.StatusCode, a.text)
	}
	if err := json.Unmarshal([]byte(a.text), &value); err != nil {
		s.Fatalf("%s: %v: %s", path, err, a.text)
	}
	return value
}

// logged is what a test reads of an entry.
type logged struct {
	Sequence     uint64
	RequestID    string `json:"request_id"`
	Time         time.Time
	Method, Path string
	Query, Route string
	Key          string
	Credentials  []string
	UserAgent    string `json:"user_agent"`
	Body         string
	Status       int
	Response     int64 `json:"response_bytes"`
	Error        struct {
		Name    string
		Code    int
		Message string
		Forced  bool
	}
	Applied      []struct{ Source, Scenario string }
	RetryAfter   int `json:"retry_after_seconds"`
	Kind, Export string
	ExportStatus string `json:"export_status"`
	Parts, Part  int
	Open, Broken bool
	Listed       []journal.Listed
	Asked        *time.Time `json:"asked_from"`
	Reason       string
}

type journalPage struct {
	Requests []logged
	Next     uint64 `json:"next_since"`
	Size     int
	Dropped  int
}

func (s *harness) journal(query string) []logged {
	s.Helper()
	return control[journalPage](s, "GET", "/_mock/journal?"+query).Requests
}

// TestJournal: every request of a client is there, with what was decided.
func TestJournal(t *testing.T) {
	s := newServer(t)
	id := s.create(userbasePath, userbaseBody, "progress=polls:2")
	s.lookup(id)
	link := s.links(id)[0]
	file := s.get(link)
	s.get(link, "Range", "bytes=0-9")
	s.do(call{method: "HEAD", path: link, header: http.Header{}})
	s.get(link, "Range", "bytes=99999999-")
	s.do(call{path: campaignPath, body: `{"from":"2020-01-01T00:00:00","to":"now","events":["push_sent"],` + ids + `}`})
	s.do(call{path: userbasePath, body: `{"ids":["install_id"],"idz":[]}`})
	s.do(call{path: profilesPath, body: filteredBody, scenario: "error=TOO_MANY_REQUESTS"})
	s.do(call{path: "/1.0/live_demo/export/nothing"})
	s.do(call{path: userbasePath, header: http.Header{"X-Authorization": {"wrong"}}})
	s.do(call{method: "GET", path: "/_mock/exports"})
	s.do(call{method: "GET", path: "/"})
	profile := s.create(profilesPath, `{"export_type":"ATTRIBUTES","attributes":["$language"]}`, "progress=now")
	s.links(profile)

	want := []logged{
		{Method: "POST", Path: userbasePath, Route: "userbase", Key: "live_demo", Status: 202, Kind: "userbase", Export: id, Body: userbaseBody,
			Reason: "was created"},
		{Method: "GET", Path: statusPath + id, Route: "legacy.status", Key: "live_demo", Status: 200, Kind: "userbase", Export: id,
			ExportStatus: "CREATED", Reason: "is CREATED"},
		{Method: "GET", Path: statusPath + id, Route: "legacy.status", Key: "live_demo", Status: 200, Kind: "userbase", Export: id,
			ExportStatus: "SUCCESS", Parts: 1, Reason: "has 1 file"},
		{Method: "GET", Path: "/files/" + id + ".1.csv", Route: "file", Key: "live_demo", Status: 200, Kind: "userbase", Export: id, Part: 1,
			Response: int64(len(file.text)), Reason: "part 1 was sent"},
		{Method: "GET", Path: "/files/" + id + ".1.csv", Route: "file", Key: "live_demo", Status: 206, Kind: "userbase", Export: id, Part: 1,
			Response: 10, Reason: "part 1 was sent"},
		{Method: "HEAD", Path: "/files/" + id + ".1.csv", Route: "file", Key: "live_demo", Status: 200, Kind: "userbase", Export: id, Part: 1,
			Reason: "part 1 is there"},
		{Method: "GET", Path: "/files/" + id + ".1.csv", Route: "file", Key: "live_demo", Status: 416, Kind: "userbase", Export: id, Part: 1,
			Reason: "Range"},
		{Method: "POST", Path: campaignPath, Route: "campaign.events", Key: "live_demo", Status: 202, Kind: "campaign.events",
			Reason: "older events are not kept"},
		{Method: "POST", Path: userbasePath, Route: "userbase", Key: "live_demo", Status: 400, Body: `{"ids":["install_id"],"idz":[]}`,
			Reason: "idz"},
		{Method: "POST", Path: profilesPath, Route: "profiles.create", Key: "project_demo", Status: 429, RetryAfter: 720, Reason: "forced"},
		{Method: "POST", Path: "/1.0/live_demo/export/nothing", Key: "live_demo", Status: 404, Reason: "no route"},
		{Method: "POST", Path: userbasePath, Route: "userbase", Key: "live_demo", Status: 401, Reason: "X-Authorization"},
		{Method: "POST", Path: profilesPath, Route: "profiles.create", Key: "project_demo", Status: 202, Kind: "profiles.attributes",
			Export: profile, Reason: "was created"},
		{Method: "GET", Path: "/2.7/exports/view", Route: "profiles.view", Key: "project_demo", Status: 200, Kind: "profiles.attributes",
			Export: profile, ExportStatus: "SUCCESS", Parts: 1, Reason: "has 1 file"},
		{Method: "GET", Path: "/2.7/exports/download", Route: "profiles.download", Key: "project_demo", Status: 307, Kind: "profiles.attributes",
			Export: profile, Part: 1, Reason: "behind a link"},
	}
	got := s.journal("")
	if len(got) != len(want) {
		t.Fatalf("the journal has %d requests, want %d: %+v", len(got), len(want), got)
	}
	for i, w := range want {
		g := got[i]
		if g.Sequence != uint64(i+1) || g.Method != w.Method || g.Path != w.Path || g.Route != w.Route || g.Key != w.Key ||
			g.Status != w.Status ||
			g.Kind != w.Kind || w.Export != "" && g.Export != w.Export || w.Body != "" && g.Body != w.Body || g.ExportStatus != w.ExportStatus ||
			g.Parts != w.Parts || g.Part != w.Part ||
			w.Response != 0 && g.Response != w.Response || g.RetryAfter != w.RetryAfter || !strings.Contains(g.Reason, w.Reason) ||
			!g.Time.Equal(noon) || g.Open || g.Broken {
			t.Errorf("request %d\n got %+v\nwant %+v", i+1, g, w)
		}
		if forced := w.Status == 429; g.Error.Forced != forced || (g.Applied != nil) != (forced || i == 0 || i == 12) {
			t.Errorf("request %d: forced %v, applied %v", i+1, g.Error.Forced, g.Applied)
		}
		if (w.Status >= 400) != (g.Error.Name != "") || w.Status == 401 && g.Error.Code != 10 {
			t.Errorf("request %d has the error %+v", i+1, g.Error)
		}
	}
	if g := got[7]; g.Asked == nil || !g.Asked.Equal(time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("asked from %v", g.Asked)
	}
	if g := got[3]; !strings.Contains(g.Query, "signature=[redacted]") || !strings.Contains(g.Query, "expires=20") || g.Credentials != nil {
		t.Errorf("a link: %+v", g)
	}
	must.Equal(t, got[0].Credentials, []string{"X-Authorization"}, "credentials")
}

// TestFaultsAreInTheJournal: an answer that was spoilt on purpose is there, as it was for the client.
func TestFaultsAreInTheJournal(t *testing.T) {
	s := newServer(t)
	id := s.create(userbasePath, userbaseBody, "progress=now;link=none")
	s.lookup(id)
	s.do(call{method: "GET", path: statusPath + id, scenario: "latency=1ms"})
	func() {
		defer func() { _ = recover() }() // the connection ends
		s.do(call{path: userbasePath, body: userbaseBody, scenario: "reset=after"})
	}()
	got := s.journal("")
	if len(got) != 4 {
		t.Fatalf("the journal has %+v", got)
	}
	if g := got[1]; g.ExportStatus != "SUCCESS" || g.Parts != 0 || g.Reason != "the export is SUCCESS" {
		t.Errorf("without a link: %+v", g)
	}
	if g := got[2]; len(g.Applied) != 1 || g.Applied[0].Source != "header" || g.Applied[0].Scenario != "latency=1ms" {
		t.Errorf("with latency: %+v", g)
	}
	if g := got[3]; g.Status != 0 || !g.Broken || !strings.Contains(g.Reason, "before the answer") {
		t.Errorf("without an answer: %+v", g)
	}
	must.Equal(t, s.lints(""), "", "a client that did nothing wrong")
}

// TestJournalQueries: filters, limits and their refusals.
func TestJournalQueries(t *testing.T) {
	s := newServer(t, func(c *mockserver.Options) { c.JournalSize = 3 })
	for range 5 {
		s.create(userbasePath, userbaseBody, "")
	}
	s.do(call{path: "/1.0/dev_demo/export/userbase", body: `{}`})
	page := control[journalPage](s, "GET", "/_mock/journal?limit=2&status=2xx")
	must.Hold(t, len(page.Requests) == 2 && page.Size == 3 && page.Dropped == 3 && page.Next == 6, "got %+v", page)
	if page = control[journalPage](s, "GET", "/_mock/journal?since=5"); len(page.Requests) != 1 || page.Requests[0].Key != "dev_demo" {
		t.Errorf("got %+v", page)
	}
	type counted struct{ Count, Cleared, Dropped int }
	if c := control[counted](s, "GET", "/_mock/journal/count?key=live_demo&route=userbase"); c.Count != 2 || c.Dropped != 3 {
		t.Errorf("got %+v", c)
	}
	if c := control[counted](s, "DELETE", "/_mock/journal?error=missing_parameter"); c.Cleared != 1 {
		t.Errorf("got %+v", c)
	}
	if c := control[counted](s, "DELETE", "/_mock/journal"); c.Cleared != 2 {
		t.Errorf("got %+v", c)
	}
	if left := s.journal(""); len(left) != 0 {
		t.Errorf("left: %+v", left)
	}
	for query, says := range map[string]string{
		"?rout=userbase": "did you mean route?", "?status=600": "a status from 100 to 599", "?limit=1001": "a number from 0 to 1000",
		"?since=-1": "sequence", "/count?limit=3": "is not known", "/wait?count=0": "a number from 1", "/wait?timeout=5": "a duration",
		"/wait?timeout=2m": "at most 1m", "/wait?timeout=99999m": "at most 1m", "/count?key=a&key=b": "2 times", "/events?status=x": "a status",
	} {
		s.refused(s.do(call{method: "GET", path: "/_mock/journal" + query, header: http.Header{}}), 400, "MALFORMED_PARAMETER", says)
	}
	for query, says := range map[string]string{"?keys=a": "did you mean key?", "?underway=1": "true", "?poll_interval=1": "a duration",
		"?poll_interval=999999h999999h999999h": "a duration"} {
		s.refused(s.do(call{method: "GET", path: "/_mock/lints" + query, header: http.Header{}}), 400, "MALFORMED_PARAMETER", says)
	}
}

// TestJournalWait: the answer comes with the request that was waited for, or when the time is over.
func TestJournalWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t)
		type result struct {
			Count     int
			Satisfied bool
		}
		must.Equal(t, control[result](s, "GET", "/_mock/journal/wait?timeout=0s"), result{}, "no time")
		must.Equal(t, control[result](s, "GET", "/_mock/journal/wait?timeout=30s"), result{}, "in vain")
		answered := make(chan result)
		go func() {
			answered <- control[result](s, "GET", "/_mock/journal/wait?count=2&status=202&timeout=1m")
		}()
		s.create(userbasePath, userbaseBody, "")
		synctest.Wait()
		select {
		case got := <-answered:
			t.Fatalf("answered after one request: %+v", got)
		default:
		}
		s.create(userbasePath, userbaseBody, "")
		must.Equal(t, <-answered, result{2, true}, "two requests")
		go func() {
			answered <- control[result](s, "GET", "/_mock/journal/wait?count=9&timeout=1m")
		}()
		synctest.Wait()
		began := time.Now()
		s.service.Drain()
		if got := <-answered; got.Satisfied || time.Since(began) != 0 {
			t.Errorf("a server that is about to stop: %+v after %s", got, time.Since(began))
		}
	})
}

// events reads an event stream.
func events(t *testing.T, s *harness, ctx context.Context, query string, header ...string) (next func() (id, data string), end func()) {
	t.Helper()
	httpServer := httptest.NewServer(s.service)
	r := must.Get(http.NewRequestWithContext(ctx, "GET", httpServer.URL+"/_mock/journal/events"+query, nil))(t)
	for i := 0; i < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	response := must.Get(httpServer.Client().Do(r))(t)
	if contentType := response.Header.Get("Content-Type"); contentType != "text/event-stream" {
		t.Fatalf("Content-Type %q", contentType)
	}
	lines := bufio.NewScanner(response.Body)
	next = func() (id, data string) {
		for lines.Scan() {
			name, value, _ := strings.Cut(lines.Text(), ": ")
			switch name {
			case "id":
				id = value
			case "data":
				return id, value
			}
		}
		return "", ""
	}
	return next, func() { response.Body.Close(); httpServer.Close() }
}

// TestJournalEvents: what is there comes at once, what follows as it happens.
func TestJournalEvents(t *testing.T) {
	s := newServer(t)
	first := s.create(userbasePath, userbaseBody, "")
	next, end := events(t, s, t.Context(), "?status=202")
	defer end()
	if id, data := next(); id != "1" || !strings.Contains(data, first) || !strings.Contains(data, `"reason":"the export was created"`) {
		t.Errorf("got %s %s", id, data)
	}
	s.lookup(first)
	second := s.create(userbasePath, userbaseBody, "")
	if id, data := next(); id != "3" || !strings.Contains(data, second) {
		t.Errorf("got %s %s", id, data)
	}
	s.service.Drain()
	if id, data := next(); id != "" {
		t.Errorf("a server that is about to stop sends %s %s", id, data)
	}
}

// TestJournalEventsStayAlive: a stream on which nothing happens says so, so that nobody takes it for dead, and ends with its client.
func TestJournalEventsStayAlive(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := newServer(t)
		ctx, leave := context.WithCancel(t.Context())
		r := httptest.NewRequest("GET", "http://localhost/_mock/journal/events", nil).WithContext(ctx)
		r.RemoteAddr = "127.0.0.1:1"
		w := httptest.NewRecorder()
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			s.service.ServeHTTP(w, r)
		}()
		time.Sleep(31 * time.Second) // of the bubble: it takes no time
		leave()
		<-ended
		if text := w.Body.String(); !w.Flushed || text != "retry: 1000\n\n: alive\n\n: alive\n\n" {
			t.Errorf("sent %q", text)
		}
	})
}

// TestJournalEventsGoOn: a browser that was cut off goes on where it was, and a server that was started anew begins anew.
func TestJournalEventsGoOn(t *testing.T) {
	for last, want := range map[string]string{"1": "2", "0": "1", "99": "1", "x": "1", "": "1"} {
		s := newServer(t)
		s.create(userbasePath, userbaseBody, "")
		s.create(userbasePath, userbaseBody, "")
		next, end := events(t, s, t.Context(), "?limit=1", "Last-Event-ID", last)
		if id, _ := next(); id != want {
			t.Errorf("after %q: %s, want %s", last, id, want)
		}
		if id, _ := next(); id != "" {
			t.Errorf("after %q: the limit is passed over", last)
		}
		end()
	}
}

// TestBrokenDownload: a client that leaves is told from one that has all.
func TestBrokenDownload(t *testing.T) {
	s := newServer(t, func(c *mockserver.Options) { c.Profiles = 20_000 })
	link := s.links(s.create(userbasePath, userbaseBody, "progress=now"))[0]
	w := &leaver{ResponseRecorder: httptest.NewRecorder(), after: 100_000}
	s.service.ServeHTTP(w, httptest.NewRequest("GET", link, nil))
	s.get(link)
	broken, whole := s.journal("route=file")[0], s.journal("route=file")[1]
	if !broken.Broken || broken.Open || broken.Response < 50_000 || broken.Response > 200_000 ||
		!strings.Contains(broken.Reason, "before its end") {
		t.Errorf("a client that left: %+v", broken)
	}
	must.Hold(t, !whole.Broken && !whole.Open && whole.Response > broken.Response, "a client that stayed: %+v", whole)
}

// leaver is a client that leaves after a number of bytes.
type leaver struct {
	*httptest.ResponseRecorder
	after int
}

func (l *leaver) Write(block []byte) (int, error) {
	if l.after -= len(block); l.after < 0 {
		return 0, context.Canceled
	}
	return l.ResponseRecorder.Write(block)
}

// TestDownloadEndsBeforeItsLastByte: a client that has the last byte finds the end of the download in the journal.
func TestDownloadEndsBeforeItsLastByte(t *testing.T) {
	s := newServer(t, func(c *mockserver.Options) { c.Profiles = 20_000 })
	link := s.links(s.create(userbasePath, userbaseBody, "progress=now"))[0]
	w := &watcher{ResponseRecorder: httptest.NewRecorder(), look: func() logged { return s.journal("route=file")[0] }}
	s.service.ServeHTTP(w, httptest.NewRequest("GET", link, nil))
	if len(w.seen) < 2 || !w.seen[0].Open || w.seen[len(w.seen)-1].Open || w.seen[len(w.seen)-1].Response != int64(w.Body.Len()) {
		t.Errorf("seen with each block: %+v", w.seen)
	}
}

// watcher looks at the journal whenever it is sent something.
type watcher struct {
	*httptest.ResponseRecorder
	look func() logged
	seen []logged
}

func (w *watcher) Write(block []byte) (int, error) {
	w.seen = append(w.seen, w.look())
	return w.ResponseRecorder.Write(block)
}

// TestMisplacedSecrets: a company key or a token that somebody has put into a path, a query or a header for something else is neither in
// the journal nor in the log, though no header for credentials has it.
func TestMisplacedSecrets(t *testing.T) {
	var log bytes.Buffer
	s := newServer(t, func(o *mockserver.Options) {
		o.Logger = slog.New(slog.NewTextHandler(&log, &slog.HandlerOptions{Level: slog.LevelDebug}))
	})
	for _, path := range []string{
		"/foo/token_demo", "/foo/t%6Fken_demo", "/rest_demo", "/foo?x=token_demo", "/foo?rest%5Fdemo", "/1.0/rest_demo/export/userbase/x",
		"/1.0/rest_demo/export/userbase", "/1.0/token_demo/export/userbase", "/1.0/t%6Fken_demo/export/request/x",
		"/foo/t%256Fken_demo", "/foo?x=rest%25255Fdemo", "/foo/x%3Dt%6Fken_demo", "/1.0/live_demo/export/userbase?x=token_demo",
		"/_mock/foo/token_demo",
	} {
		for _, header := range []http.Header{
			{}, {"X-Authorization": {"rest_other"}}, {"X-Authorization": {"rest_demo"}, "Authorization": {"Bearer token_demo"}},
			{"User-Agent": {"ua token_demo rest_demo"}}, {"User-Agent": {"ua (t%6Fken_demo; rest_demo)"}}, {"X-Request-Id": {"token_demo"}},
			{"X-Project-Id": {"token_demo"}},
			{"X-Request-Id": {"x.token_demo"}, "Authorization": {"Bearer token_demo"}},
		} {
			s.do(call{path: path, body: "{}", header: header})
		}
	}
	journal := s.do(call{method: "GET", path: "/_mock/journal?limit=1000", header: http.Header{}})
	if journal.body["requests"] == nil || len(journal.body["requests"].([]any)) != 13*8 {
		t.Fatalf("the journal: %s", journal.text)
	}
	for what, text := range map[string]string{"journal": journal.text, "log": log.String()} {
		for _, secret := range []string{"token_demo", "rest_demo", "t%6Fken_demo", "rest%5Fdemo", "t%256Fken_demo", "rest%25255Fdemo"} {
			if at := strings.Index(text, secret); at >= 0 {
				t.Errorf("%s is in the %s: %s", secret, what, text[max(at-200, 0):min(at+100, len(text))])
			}
		}
	}
	must.Hold(t, strings.Contains(log.String(), "path=/foo/[redacted]"), "the log: %s", &log)
}
