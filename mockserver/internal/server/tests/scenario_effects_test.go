package server_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestLinksThatFail: SUCCESS, and no file.
func TestLinksThatFail(t *testing.T) {
	s := newServer(t)
	for _, c := range []struct{ path, body string }{{userbasePath, userbaseBody}, {profilesPath, kinds[8].body}} {
		for link, want := range map[string]int{"404": 404, "410": 410} {
			id := s.create(c.path, c.body, "progress=now;link="+link)
			for _, link := range s.links(id) {
				if a := s.get(link); a.StatusCode != want || a.name() == "" {
					t.Errorf("link=%d: %d %s", want, a.StatusCode, a.text)
				}
			}
			if a := s.do(call{method: "GET", path: "/_mock/exports/" + id}); a.body["link"] != link || a.body["status"] != "SUCCESS" {
				t.Errorf("the record: %s", a.text)
			}
		}
		id := s.create(c.path, c.body, "progress=now;link=none")
		if a := s.lookup(id); a.body["status"] != "SUCCESS" || a.body["file_url"] != nil || a.body["files"] != nil {
			t.Errorf("link=none: %s", a.text)
		}
	}
	id := s.create(profilesPath, kinds[8].body, "progress=now;link=none")
	s.refused(s.do(call{method: "GET", path: "/2.7/exports/download?id=file_" + strings.TrimPrefix(id, "export_") + "_1"}), 404,
		"ROUTE_NOT_FOUND")
}

// TestFaultyFiles: every download of a faulty file is the same, in whole and in parts, and says so.
func TestFaultyFiles(t *testing.T) {
	s := newServer(t)
	good := s.get(s.links(s.create(userbasePath, userbaseBody, "progress=now"))[0])
	for scenario, check := range map[string]func(text string) bool{
		"truncated": func(text string) bool {
			return strings.HasPrefix(good.text, text) && len(text) < len(good.text) && !strings.HasSuffix(text, "\n")
		},
		"bom":  func(text string) bool { return text == "\xef\xbb\xbf"+good.text },
		"crlf": func(text string) bool { return text == strings.ReplaceAll(good.text, "\n", "\r\n") },
		"extra-date": func(text string) bool {
			header, rest, _ := strings.Cut(text, "\n")
			row, _, _ := strings.Cut(rest, "\n")
			return strings.HasPrefix(good.text, header) && strings.Count(row, ";") == strings.Count(header, ";")+1
		},
		"bom;crlf;truncated;extra-date;rows=3": func(text string) bool {
			return strings.HasPrefix(text, "\xef\xbb\xbf") && strings.Count(text, "\r\n") == 3
		},
	} {
		id := s.create(userbasePath, userbaseBody, "progress=now;"+scenario)
		link := s.links(id)[0]
		whole, again := s.get(link), s.get(s.links(id)[0])
		if !check(whole.text) || whole.ContentLength != int64(len(whole.text)) || whole.text != again.text ||
			whole.Header.Get("ETag") != again.Header.Get("ETag") {
			t.Errorf("%s: %d bytes, Content-Length %d: %.200q", scenario, len(whole.text), whole.ContentLength, whole.text)
		}
		must.Hold(t, whole.Header.Get("ETag") != good.Header.Get("ETag"), "%s: the tag is that of the good file", scenario)
		head := s.do(call{method: "HEAD", path: link, header: http.Header{}})
		must.Equal(t, head.Header.Get("Content-Length"), fmt.Sprint(len(whole.text)), "%s: bytes that HEAD says", scenario)
		end := s.get(link, "Range", "bytes=-7")
		if end.StatusCode != 206 || end.text != whole.text[len(whole.text)-7:] {
			t.Errorf("%s: the end is %d %q", scenario, end.StatusCode, end.text)
		}
		if a := s.do(call{method: "GET", path: "/_mock/exports/" + id}); a.body["file"].(map[string]any)["faults"] == nil {
			t.Errorf("%s: the record does not tell: %s", scenario, a.text)
		}
	}
}

// waits collects what a server would have slept.
type waits struct {
	lock  sync.Mutex
	waits []time.Duration
	after func()
}

func (w *waits) sleep(ctx context.Context, duration time.Duration) error {
	w.lock.Lock()
	defer w.lock.Unlock()
	w.waits = append(w.waits, duration)
	if w.after != nil {
		w.after()
	}
	return ctx.Err()
}

func (w *waits) all() []time.Duration {
	w.lock.Lock()
	defer w.lock.Unlock()
	return append([]time.Duration(nil), w.waits...)
}

// TestLatencyComesBeforeTheWork: what counts is how things are when the wait is over; a refusal waits as well, and a request that is
// refused for another reason does not.
func TestLatencyComesBeforeTheWork(t *testing.T) {
	w := &waits{}
	s := newServer(t, func(c *mockserver.Options) { c.Sleep = w.sleep })
	id := s.create(userbasePath, userbaseBody, "progress=time:1h;status.latency=5s;file.latency=6s")
	w.after = func() { s.clock.Advance(time.Hour) }
	must.Equal(t, s.lookup(id).body["status"], "SUCCESS", "after the wait")
	link := s.links(id)[0]
	s.refused(s.get(link), 403, "LINK_EXPIRED") // an hour later
	w.after = func() {
		s.do(call{path: "/_mock/exports/" + id, body: `{"action":"fail"}`})
	}
	id = s.create(userbasePath, userbaseBody, "progress=manual;status.latency=5s")
	must.Equal(t, s.lookup(id).body["status"], "ERROR", "failed while it waited")
	w.after, w.waits = nil, nil
	s.do(call{path: userbasePath, body: userbaseBody, scenario: "latency=2s;error=CONFLICT"})
	s.do(call{path: profilesPath, body: "{", scenario: "latency=3s"})
	s.do(call{path: userbasePath, body: userbaseBody, scenario: "latency=4s", header: http.Header{}})
	must.Equal(t, fmt.Sprint(w.waits), "[2s 3s]", "the waits")
}
