package server_test

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

func withGzip(config *mockserver.Options) { config.Gzip = true }

// gunzipped is the text of a compressed answer.
func gunzipped(t *testing.T, text string) string {
	t.Helper()
	reader := must.Get(gzip.NewReader(strings.NewReader(text)))(t)
	return string(must.Get(io.ReadAll(reader))(t)) // the checksum as well
}

// TestWhoGetsGzip: who asks for it, of a server that has it.
func TestWhoGetsGzip(t *testing.T) {
	s := newServer(t, withGzip)
	link := s.links(s.create(userbasePath, userbaseBody, "progress=now"))[0]
	plain := s.get(link)
	for _, c := range []struct {
		accept     []string
		compressed bool
	}{
		{nil, false},
		{[]string{"br", "gzip;q=0.1"}, true},
		{[]string{"gzip;q=0"}, false},
	} {
		a := s.do(call{method: "GET", path: link, header: http.Header{"Accept-Encoding": c.accept}})
		text := a.text
		if c.compressed && a.Header.Get("Content-Encoding") == "gzip" {
			text = gunzipped(t, a.text)
		}
		if a.StatusCode != 200 || (a.Header.Get("Content-Encoding") == "gzip") != c.compressed || text != plain.text {
			t.Errorf("%q: %d, Content-Encoding %q, want it compressed: %t", c.accept, a.StatusCode, a.Header.Get("Content-Encoding"), c.compressed)
		}
		must.Equal(t, a.Header.Get("Vary"), "Accept-Encoding", "%q: Vary", c.accept)
	}
	off := newServer(t)
	link = off.links(off.create(userbasePath, userbaseBody, "progress=now"))[0]
	if a := off.get(link, "Accept-Encoding", "gzip"); a.Header.Get("Content-Encoding") != "" || a.Header.Get("Vary") != "" ||
		a.text != plain.text {
		t.Errorf("compressed without being told to: %v", a.Header)
	}
}

// TestGzipSpeaksHTTP compares the headers of a compressed and a plain file.
func TestGzipSpeaksHTTP(t *testing.T) {
	for _, k := range []kind{kinds[7], kinds[9]} {
		t.Run(k.name, func(t *testing.T) {
			s := newServer(t, withGzip)
			link := s.links(s.create(k.path, k.body, "progress=now"))[0]
			plain, packed := s.get(link), s.get(link, "Accept-Encoding", "gzip")
			if gunzipped(t, packed.text) != plain.text || len(packed.text) > len(plain.text)*3/4 {
				t.Errorf("%d bytes became %d other ones", len(plain.text), len(packed.text))
			}
			tag := plain.Header.Get("ETag")
			for name, want := range map[string]string{
				"Content-Length": "", "Accept-Ranges": "none", "ETag": "W/" + tag,
				"Content-Type": plain.Header.Get("Content-Type"), "Content-Disposition": plain.Header.Get("Content-Disposition"),
				"Last-Modified": plain.Header.Get("Last-Modified"), "Cache-Control": "no-store", "X-Content-Type-Options": "nosniff",
			} {
				must.Equal(t, packed.Header.Get(name), want, "%s", name)
			}
			for _, c := range []struct {
				about  string
				header []string
				status int
				packed bool // and whole
			}{
				{"a range is passed over", []string{"Range", "bytes=0-9"}, 200, true},
				{"so is one past the end", []string{"Range", "bytes=99999999-"}, 200, true},
				{"and a resumed download", []string{"Range", "bytes=10-19", "If-Range", tag}, 200, true},
				{"a range of the plain file", []string{"Range", "bytes=0-9", "Accept-Encoding", "identity"}, 206, false},
				{"not modified", []string{"If-None-Match", "W/" + tag}, 304, false},
				{"not modified, held as a plain file", []string{"If-None-Match", tag}, 304, false},
				{"another file", []string{"If-None-Match", `"x"`}, 200, true},
				{"a weak tag is no match", []string{"If-Match", "W/" + tag}, 412, false},
			} {
				a := s.get(link, append([]string{"Accept-Encoding", "gzip"}, c.header...)...)
				if a.StatusCode != c.status || (a.Header.Get("Content-Encoding") == "gzip") != c.packed || c.packed && a.text != packed.text {
					t.Errorf("%s: %d with %d bytes, %v", c.about, a.StatusCode, len(a.text), a.Header)
				}
			}
			head := s.do(call{method: "HEAD", path: link, header: http.Header{"Accept-Encoding": {"gzip"}}})
			if head.StatusCode != 200 || head.Header.Get("Content-Encoding") != "gzip" || head.Header.Get("Content-Length") != "" ||
				head.Header.Get("ETag") != "W/"+tag {
				t.Errorf("HEAD: %d %v", head.StatusCode, head.Header)
			}
			s.refused(s.get(link+"x", "Accept-Encoding", "gzip"), 403, "LINK_INVALID") // never compressed
		})
	}
}

// counter is a client that counts, and hangs up after some writes.
type counter struct {
	header          http.Header
	writes, largest int
	hangUpAfter     int // writes; 0 is never
	text            bytes.Buffer
}

func (c *counter) Header() http.Header { return c.header }
func (c *counter) WriteHeader(int)     {}
func (c *counter) Write(block []byte) (int, error) {
	if c.writes++; c.hangUpAfter > 0 && c.writes > c.hangUpAfter {
		return 0, errors.New("the client has gone away")
	}
	c.largest = max(c.largest, len(block))
	return c.text.Write(block)
}

// TestGzipStreams: nothing is gathered, and a file that breaks off does not end like a whole one.
func TestGzipStreams(t *testing.T) {
	s := newServer(t, withGzip, func(config *mockserver.Options) { config.Profiles = 30_000 })
	link := s.links(s.create(userbasePath, userbaseBody, "progress=now"))[0]
	fetch := func(client *counter) (cause any) {
		defer func() { cause = recover() }()
		r := httptest.NewRequest("GET", link, nil)
		r.Header.Set("Accept-Encoding", "gzip")
		s.service.ServeHTTP(client, r)
		return nil
	}
	patient := &counter{header: http.Header{}}
	if cause := fetch(patient); cause != nil {
		t.Fatalf("panicked with %v", cause)
	}
	if size := len(gunzipped(t, patient.text.String())); size < 2<<20 || patient.largest > 256<<10 || patient.writes < 10 {
		t.Errorf("%d bytes in %d writes, the largest of %d", size, patient.writes, patient.largest)
	}
	for _, after := range []int{1, patient.writes / 2, patient.writes - 1} {
		if cause := fetch(&counter{header: http.Header{}, hangUpAfter: after}); cause != http.ErrAbortHandler {
			t.Errorf("hung up after %d of %d writes: %v, want the connection to be ended", after, patient.writes, cause)
		}
	}
}
