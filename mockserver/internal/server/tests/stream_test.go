package server_test

import (
	"net/http"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/server"
)

// TestDownloadsThatWait: HTTP/1.0 tells a broken file from a whole one by its length alone, so
// it always has one; and a file that may not be laid out is refused to whoever asks, however.
func TestDownloadsThatWait(t *testing.T) {
	for name, c := range map[string]struct {
		limits budget.Limits
		used   bool // by others
		minor  int  // of HTTP/1
	}{
		"HTTP/1.0":                 {budget.Limits{Times: budget.Times{Wait: time.Millisecond}}, true, 0},
		"larger than --max-layout": {budget.Limits{Layout: 49_999}, false, 1},
	} {
		t.Run(name, func(t *testing.T) {
			budgets, err := budget.New(c.limits)
			if err != nil {
				t.Fatal(err)
			}
			s := newServer(t, func(o *server.Options) { o.Budgets, o.Planner.Profiles = budgets, 50_000 })
			link := s.links(s.create(userbasePath, userbaseBody, "progress=now"))[0]
			if others := budgets.Of(budget.Layout); c.used {
				if err := others.Take(others.Limit()); err != nil {
					t.Fatal(err)
				}
			}
			for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodGet} {
				r := httptest.NewRequest(method, "http://mock.test"+link, nil)
				r.ProtoMinor = c.minor
				if a := s.send(r); a.StatusCode != http.StatusServiceUnavailable {
					t.Errorf("%s is answered with %d, %v", method, a.StatusCode, a.Header)
				}
			}
		})
	}
}

// TestDownloadWithoutALength: a large file is sent before it is laid out, with everything of
// a file but its length and what depends on it.
func TestDownloadWithoutALength(t *testing.T) {
	budgets, err := budget.New(budget.Limits{})
	if err != nil {
		t.Fatal(err)
	}
	s := newServer(t, withGzip, func(o *server.Options) { o.Budgets, o.Planner.Profiles = budgets, 50_000 })
	others := budgets.Of(budget.Layout) // nothing can be laid out as long as they use all of it
	if err := others.Take(others.Limit()); err != nil {
		t.Fatal(err)
	}
	link := s.links(s.create(userbasePath, userbaseBody, "progress=now"))[0]
	early, packed := s.get(link), s.get(link, "Accept-Encoding", "gzip")
	tag := early.Header.Get("ETag")
	if early.StatusCode != http.StatusOK || early.Header.Get("Content-Length") != "" || tag == "" || early.Header.Get("Accept-Ranges") != "bytes" {
		t.Errorf("before it is laid out: %d %v", early.StatusCode, early.Header)
	}
	if packed.Header.Get("Content-Encoding") != "gzip" || gunzipped(t, packed.text) != early.text {
		t.Errorf("compressed: %d %v", packed.StatusCode, packed.Header)
	}
	for _, c := range []struct {
		header, value string
		want          int
	}{{"If-None-Match", tag, http.StatusNotModified}, {"If-Match", `"another"`, http.StatusPreconditionFailed}, {"If-Match", tag, http.StatusOK}} {
		if a := s.get(link, c.header, c.value); a.StatusCode != c.want {
			t.Errorf("%s: %s is answered with %d, want %d", c.header, c.value, a.StatusCode, c.want)
		}
	}
	others.Give(others.Limit())

	head := s.do(call{method: http.MethodHead, path: link})
	if head.Header.Get("Content-Length") != strconv.Itoa(len(early.text)) || head.Header.Get("ETag") != tag {
		t.Errorf("the header is %v, after %d bytes of %s", head.Header, len(early.text), tag)
	}
	rest := s.get(link, "Range", "bytes=100000-", "If-Range", tag)
	if rest.StatusCode != http.StatusPartialContent || rest.text != early.text[100_000:] {
		t.Errorf("the rest is answered with %d and %d bytes", rest.StatusCode, len(rest.text))
	}
	late := s.get(link)
	if late.text != early.text || late.Header.Get("Content-Length") == "" || late.Header.Get("ETag") != tag {
		t.Errorf("after it is laid out: %d bytes, want %d, %v", len(late.text), len(early.text), late.Header)
	}
	for _, name := range []string{"Content-Type", "Content-Disposition", "Last-Modified", "Accept-Ranges", "Cache-Control"} {
		if late.Header.Get(name) != early.Header.Get(name) {
			t.Errorf("%s is %q, and %q when it is laid out", name, early.Header.Get(name), late.Header.Get(name))
		}
	}
}
