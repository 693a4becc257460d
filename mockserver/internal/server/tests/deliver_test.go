package server_test

import (
	"bufio"
	"bytes"
	"compress/flate"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// wire is what came over a bare connection: everything up to its end.
type wire struct {
	status int // 0: no head
	header http.Header
	body   string // what came behind the head
	reset  bool   // the connection ended with a reset
}

// overWire sends a request over a connection of its own and reads until it ends. Nothing of net/http's client is between: it would hide
// what a server does wrong.
func overWire(t *testing.T, server *httptest.Server, method, path, body string, header ...string) wire {
	t.Helper()
	connection := must.Get(net.Dial("tcp", server.Listener.Addr().String()))(t)
	defer connection.Close()
	connection.SetDeadline(time.Now().Add(time.Minute)) // only ends a test that hangs
	var request strings.Builder
	fmt.Fprintf(&request, "%s %s HTTP/1.1\r\nHost: mock.localhost\r\nConnection: close\r\nX-Authorization: rest_demo\r\n", method, path)
	for i := 0; i < len(header); i += 2 {
		fmt.Fprintf(&request, "%s: %s\r\n", header[i], header[i+1])
	}
	if body != "" {
		fmt.Fprintf(&request, "Content-Type: application/json\r\nContent-Length: %d\r\n", len(body))
	}
	request.WriteString("\r\n" + body)
	must.Get(io.WriteString(connection, request.String()))(t)
	data, err := io.ReadAll(connection)
	got := wire{reset: errors.Is(err, syscall.ECONNRESET)}
	if err != nil && !got.reset {
		t.Fatalf("reading: %v", err)
	}
	head, rest, found := bytes.Cut(data, []byte("\r\n\r\n"))
	if !found {
		return got
	}
	response, err := http.ReadResponse(bufio.NewReader(bytes.NewReader(append(head, "\r\n\r\n"...))), &http.Request{Method: http.MethodHead})
	if err != nil {
		t.Fatalf("the head %q: %v", head, err)
	}
	got.status, got.header, got.body = response.StatusCode, response.Header, string(rest)
	return got
}

func (w wire) length(t *testing.T) int {
	t.Helper()
	length, err := strconv.Atoi(w.header.Get("Content-Length"))
	if err != nil {
		t.Fatalf("Content-Length is %q", w.header.Get("Content-Length"))
	}
	return length
}

// TestFaultsOfAnswers looks at the bytes that arrive.
func TestFaultsOfAnswers(t *testing.T) {
	w := &waits{}
	s := newServer(t, func(c *mockserver.Options) { c.Sleep = w.sleep })
	server := httptest.NewServer(s.service)
	defer server.Close()
	id := s.create(userbasePath, userbaseBody, "progress=now;rows=50")
	link := s.links(id)[0]
	record := s.lookup(id)
	whole := s.get(link).text
	size := len(whole)

	for _, c := range []struct {
		about, method, path, scenario string
		header                        []string
		status, length, body          int // bytes; -1: it does not matter
		reset                         bool
	}{
		{"no fault", "GET", link, "slow=1000000000", nil, 200, size, size, false},
		{"cut", "GET", link, "cut=100", nil, 200, size, 100, false},
		{"cut before the first byte", "GET", link, "cut=0", nil, 200, size, 0, false},
		{"cut behind the end", "GET", link, "cut=1000000", nil, 200, size, size, false},
		{"cut at the end", "GET", link, "cut=" + strconv.Itoa(size), nil, 200, size, size, false},
		{"cut, in a range", "GET", link, "cut=10", []string{"Range", "bytes=100-199"}, 206, 100, 10, false},
		{"cut, but the range is shorter", "GET", link, "cut=500", []string{"Range", "bytes=100-199"}, 206, 100, 100, false},
		{"cut does not touch HEAD", "HEAD", link, "cut=10;length=+5", nil, 200, size, 0, false},
		{"cut, slowly", "GET", link, "cut=100;slow=1000", nil, 200, size, 100, false},
		{"cut a record", "GET", statusPath + id, "cut=10", nil, 200, -1, 10, false},
		{"cut a refusal", "GET", statusPath + id, "cut=10;error=CONFLICT", nil, 409, -1, 10, false},
		{"cut a range that is not there", "GET", link, "cut=10", []string{"Range", "bytes=9999999-"}, 416, -1, 10, false},
		{"reset before", "GET", link, "reset", nil, 0, -1, -1, true},
		{"reset before a refusal", "GET", link, "reset;error=CONFLICT", nil, 0, -1, -1, true},
		{"reset after", "GET", link, "reset=after", nil, 0, -1, -1, true},
		{"reset HEAD", "HEAD", link, "reset", nil, 0, -1, -1, true},
		{"a length that is too large", "GET", link, "length=+7", nil, 200, size + 7, size, false},
		{"a length that is too small", "GET", link, "length=-7", nil, 200, size - 7, size, false},
		{"a length below nothing", "GET", link, "length=-1000000", nil, 200, 0, size, false},
		{"a length of a range", "GET", link, "length=-7", []string{"Range", "bytes=100-199"}, 206, 93, 100, false},
		{"a length of a record", "GET", statusPath + id, "length=+1", nil, 200, -1, -1, false},
		{"a length, and cut", "GET", link, "length=-7;cut=50", nil, 200, size - 7, 50, false},
	} {
		t.Run(c.about, func(t *testing.T) {
			got := overWire(t, server, c.method, c.path, "", append(c.header, "X-Mock-Scenario", c.scenario)...)
			if got.status != c.status || got.reset != c.reset || c.body >= 0 && len(got.body) != c.body {
				t.Fatalf("%d with %d bytes, reset %v; want %d with %d, %v\n%.300s", got.status, len(got.body), got.reset, c.status, c.body, c.reset,
					got.body)
			}
			if c.length >= 0 && got.length(t) != c.length {
				t.Errorf("Content-Length is %d, want %d", got.length(t), c.length)
			}
			begin := 0
			if c.status == 206 {
				begin = 100
				if want := fmt.Sprintf("bytes 100-199/%d", size); got.header.Get("Content-Range") != want {
					t.Errorf("Content-Range is %q, want %q", got.header.Get("Content-Range"), want)
				}
			}
			if c.path == link && c.status/100 == 2 && !strings.HasPrefix(whole[begin:], got.body) {
				t.Errorf("the bytes are not those of the file: %.100q", got.body)
			}
		})
	}
	if got := overWire(t, server, "GET", statusPath+id, "", "X-Mock-Scenario", "cut=cell"); !endsInText(got.body, true) {
		t.Errorf("a record cut in a text is %s", got.body)
	}
	t.Run("reset in the middle", func(t *testing.T) {
		for _, scenario := range []string{"reset=middle", "reset=middle;cut=100"} {
			// The reset may overtake bytes that were sent before it.
			got := overWire(t, server, "GET", link, "", "X-Mock-Scenario", scenario)
			if !got.reset || len(got.body) > size/2 {
				t.Errorf("%s: %d bytes of %d, reset %v", scenario, len(got.body), size, got.reset)
			}
		}
	})
	t.Run("a client of Go notices", func(t *testing.T) {
		for scenario, status := range map[string]int{"cut=100": 200, "length=+7": 200, "reset": 0, "reset=after": 0, "cut=0": 200} {
			request, _ := http.NewRequest("GET", server.URL+link, nil)
			request.Header.Set("X-Mock-Scenario", scenario)
			response, err := http.DefaultTransport.RoundTrip(request)
			if err == nil {
				_, err = io.ReadAll(response.Body)
				response.Body.Close()
				must.Equal(t, response.StatusCode, status, "%s: answered", scenario)
			}
			must.Hold(t, err != nil, "%s: nothing was wrong", scenario)
		}
	})
	if again := s.lookup(id); again.body["request_date"] != record.body["request_date"] || s.get(link).text != whole {
		t.Error("a fault of an answer changed what is there")
	}
	must.Hold(t, s.log.Len() == 0, "logged: %s", s.log)
}

// TestSlowAnswers: as many bytes as were asked for between two waits, and the waits take as long as the bytes.
func TestSlowAnswers(t *testing.T) {
	w := &waits{}
	s := newServer(t, func(c *mockserver.Options) { c.Sleep = w.sleep })
	server := httptest.NewServer(s.service)
	defer server.Close()
	link := s.links(s.create(userbasePath, userbaseBody, "progress=now;rows=50;file.slow=1000"))[0]
	got := overWire(t, server, "GET", link, "")
	var total time.Duration
	for _, wait := range w.all() {
		total += wait
		if wait > 100*time.Millisecond {
			t.Fatalf("waited %v at once", wait)
		}
	}
	want := time.Duration(len(got.body)) * time.Millisecond
	if got.status != 200 || (total-want).Abs() > time.Millisecond || len(got.body) != got.length(t) {
		t.Errorf("%d bytes of %d in %v, want %v", len(got.body), got.length(t), total, want)
	}
}

// TestResetAndWhatIsThere: a reset before leaves nothing behind, one after leaves an export that nobody was told of.
func TestResetAndWhatIsThere(t *testing.T) {
	s := newServer(t)
	server := httptest.NewServer(s.service)
	defer server.Close()
	for i, scenario := range []string{"reset", "reset=after"} {
		for _, path := range []string{userbasePath, campaignPath} {
			body := map[string]string{userbasePath: userbaseBody, campaignPath: pushBody}[path]
			if got := overWire(t, server, "POST", path, body, "X-Mock-Scenario", scenario); !got.reset || got.status != 0 {
				t.Errorf("%s: %d, reset %v", scenario, got.status, got.reset)
			}
		}
		list, _ := s.do(call{method: "GET", path: "/_mock/exports"}).body["exports"].([]any)
		must.Equal(t, len(list), 2*i, "exports after %s", scenario)
	}
}

// TestResumeAfterACut: a client that goes on with Range gets the whole file. What it has before ends inside a cell if a scenario says so.
func TestResumeAfterACut(t *testing.T) {
	embedded := must.Get(schemas.Embedded())(t)
	for _, container := range []string{"", "gzip", "zip"} {
		overlay := fstest.MapFS{}
		for _, file := range []string{"legacy/interface.json", "profiles/interface.json"} {
			overlay[file] = &fstest.MapFile{Data: bytes.Replace(embedded.Source(file), []byte(`"linkLifetime"`),
				[]byte(`"container": "`+container+`", "linkLifetime"`), min(len(container), 1))}
		}
		s := newServer(t, withOverlay(t, overlay))
		server := httptest.NewServer(s.service)
		defer server.Close()
		for path, body := range map[string]string{userbasePath: userbaseBody, profilesPath: filteredBody} {
			for _, cut := range []string{"700", "cell"} {
				link := s.links(s.create(path, body, "progress=now;rows=300;hostile;file.cut="+cut))[0]
				text, tag := "", ""
				for size, pieces := 1, 1; len(text) < size; pieces++ {
					got := overWire(t, server, "GET", link, "", "Range", fmt.Sprintf("bytes=%d-", len(text)), "If-Range", tag)
					if got.status != 206 && (text != "" || got.status != 200) || got.body == "" || cut == "cell" && pieces > 2 {
						t.Fatalf("%s %s: from %d: %d with %d bytes", container, cut, len(text), got.status, len(got.body))
					}
					text, tag = text+got.body, got.header.Get("ETag")
					if size = got.length(t); pieces > 1 {
						_, total, _ := strings.Cut(got.header.Get("Content-Range"), "/")
						size, _ = strconv.Atoi(total)
					} else if cut == "cell" && !endsInText(unpacked(text), path == profilesPath) {
						t.Errorf("%s of %s: the piece ends with %.100q, of %d bytes", container, path, unpacked(text), len(text))
					}
				}
				if want := overWire(t, server, "GET", link, "", "X-Mock-Scenario", "only").body; text != want {
					t.Errorf("%s %s: %d bytes, want %d", container, cut, len(text), len(want))
				}
			}
		}
	}
}

// unpacked is what a reader gets of the beginning of a file, which may be an archive.
func unpacked(text string) string {
	content := io.Reader(strings.NewReader(text))
	if strings.HasPrefix(text, "PK") {
		const head = 30
		content = flate.NewReader(strings.NewReader(text[head+int(text[26])+int(text[28]):]))
	} else if unzipped, err := gzip.NewReader(content); err == nil {
		content = unzipped
	} else {
		return text
	}
	whole, _ := io.ReadAll(content)
	return string(whole)
}

// endsInText tells whether a quoted cell, or a text of JSON, is open at the end.
func endsInText(text string, isJSON bool) bool {
	if isJSON {
		text = strings.NewReplacer(`\\`, "", `\"`, "").Replace(text)
	}
	return strings.Count(text, `"`)%2 == 1
}

// TestFaultsWithCompression: a compressed download has no length, and breaks off all the same.
func TestFaultsWithCompression(t *testing.T) {
	s := newServer(t, func(c *mockserver.Options) { c.Gzip = true })
	server := httptest.NewServer(s.service)
	defer server.Close()
	link := s.links(s.create(userbasePath, userbaseBody, "progress=now"))[0]
	whole := overWire(t, server, "GET", link, "", "Accept-Encoding", "gzip")
	for _, scenario := range []string{"cut=50", "cut=cell", "reset=middle", "cut=50;reset=middle", "cut=cell;reset=middle"} {
		got := overWire(t, server, "GET", link, "", "Accept-Encoding", "gzip", "X-Mock-Scenario", scenario)
		if strings.HasSuffix(got.body, "0\r\n\r\n") || got.reset != strings.Contains(scenario, "reset") || len(got.body) >= len(whole.body) {
			t.Errorf("%s: %d bytes of %d, reset %v", scenario, len(got.body), len(whole.body), got.reset)
		}
	}
	// Nobody knows how long it is, so nobody can say it wrong.
	got := overWire(t, server, "GET", link, "", "Accept-Encoding", "gzip", "X-Mock-Scenario", "length=+5")
	if got.header.Get("Content-Length") != "" || len(got.body) != len(whole.body) {
		t.Errorf("a length of %q, %d bytes of %d", got.header.Get("Content-Length"), len(got.body), len(whole.body))
	}
}

// hijackable is a response whose connection is a pipe: a write to it ends when the test has read it.
type hijackable struct {
	*httptest.ResponseRecorder
	connection net.Conn
}

func (h hijackable) Hijack() (net.Conn, *bufio.ReadWriter, error) { return h.connection, nil, nil }

// firstByte creates an export over a connection of its own and reads one byte of
// the answer; done is closed when the server has nothing more to send.
func (s *harness) firstByte(scenario string) (client net.Conn, done <-chan struct{}) {
	s.Helper()
	client, connection := net.Pipe()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		r := httptest.NewRequest("POST", userbasePath, strings.NewReader(userbaseBody))
		r.Header = legacyHeader()
		r.Header.Set("X-Mock-Scenario", scenario)
		s.service.ServeHTTP(hijackable{httptest.NewRecorder(), connection}, r)
	}()
	must.Get(io.ReadFull(client, make([]byte, 1)))(s)
	return client, ended
}

// TestJournalKnowsBeforeTheFirstByte: a client that is told of fewer bytes than there are goes on before the last of them is written, so
// the journal says that its answer was not whole before it gets any of it.
func TestJournalKnowsBeforeTheFirstByte(t *testing.T) {
	s := newServer(t)
	client, done := s.firstByte("create.length=-10")
	entry := s.journal("")[0]
	rest := must.Get(io.ReadAll(client))(t)
	<-done
	_, body, _ := bytes.Cut(rest, []byte("\r\n\r\n"))
	if !entry.Broken || entry.Response != int64(len(body)) {
		t.Errorf("at the first byte the journal says broken: %t, with %d bytes; the body has %d", entry.Broken, entry.Response, len(body))
	}
	if last := s.journal("")[0]; last.Broken != entry.Broken || last.Response != entry.Response {
		t.Errorf("at the end it says %+v", last)
	}
}

// TestJournalKnowsWhatWasSent: a client that leaves an answer whose length is wrong before its end has not been sent all of it.
func TestJournalKnowsWhatWasSent(t *testing.T) {
	s := newServer(t, func(o *mockserver.Options) { o.Sleep = (&waits{}).sleep })
	client, done := s.firstByte("create.length=-10;create.slow=20")
	whole := s.journal("")[0].Response
	client.Close()
	<-done
	if last := s.journal("")[0]; !last.Broken || last.Response >= whole {
		t.Errorf("at the end the journal says broken: %t, with %d bytes of %d", last.Broken, last.Response, whole)
	}
}
