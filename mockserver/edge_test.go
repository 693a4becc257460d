package mockserver_test

import (
	"bufio"
	"bytes"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"net"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/fstest"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// plainClient is a client as the simpler libraries write them: it sends everything before it reads anything.
func plainClient(t *testing.T, server *httptest.Server, request string, halfClose bool) (status int, text string) {
	t.Helper()
	connection := must.Get(net.Dial("tcp", server.Listener.Addr().String()))(t)
	defer connection.Close()
	if _, err := io.WriteString(connection, request); err != nil {
		t.Fatalf("the request could not be sent to its end: %v", err)
	}
	if halfClose {
		must.Do(t, connection.(*net.TCPConn).CloseWrite())
	}
	response, err := http.ReadResponse(bufio.NewReader(connection), nil)
	if err != nil {
		t.Fatalf("the answer could not be read: %v", err)
	}
	defer response.Body.Close()
	body := must.Get(io.ReadAll(response.Body))(t)
	return response.StatusCode, string(body)
}

func listeningServer(t *testing.T) (*httptest.Server, *bytes.Buffer) {
	t.Helper()
	var log bytes.Buffer
	server := must.Get(mockserver.New(mockserver.Options{StartAt: noon, Profiles: 10, Logger: slog.New(slog.NewTextHandler(&log, nil))}))(t)
	listening := httptest.NewServer(server)
	t.Cleanup(func() {
		listening.Close()
		server.Close()
	})
	return listening, &log
}

const createHead = "POST /1.0/live_demo/export/userbase HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"

// TestEarlyRefusalsAreReadable: a client that sends its whole body first can read why nobody wanted it.
func TestEarlyRefusalsAreReadable(t *testing.T) {
	listening, _ := listeningServer(t)
	const size = 20 << 20
	for _, c := range []struct {
		about, head string
		status      int
		says        string
	}{
		{"nothing to validate", "POST /_mock/validate?schema=userbase HTTP/1.1\r\nHost: localhost\r\n", 200, `"complete"`},
		{"an unknown schema", "POST /_mock/validate?schema=nothing HTTP/1.1\r\nHost: localhost\r\n", 400, "nothing"},
		{"rows without a header", "POST /_mock/data/profiles HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/csv\r\n", 400,
			"nothing was loaded"},
		{"an unknown kind of rows", "POST /_mock/data/cats HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/csv\r\n", 404, "cats"},
		{"no form", "POST /_mock/check HTTP/1.1\r\nHost: localhost\r\n", 400, "multipart"},
		{"no credentials", createHead, 401, "X-Authorization"},
		{"too large", createHead + "X-Authorization: rest_demo\r\n", 400, "larger than 1 MB"},
		{"no route", "POST /nothing HTTP/1.1\r\nHost: localhost\r\n", 404, "no route"},
		{"another name", "POST /_mock/check HTTP/1.1\r\nHost: evil.example\r\n", 403, "--host"},
		{"another origin", "POST /_mock/check HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: cross-site\r\n", 403, "--cors"},
	} {
		t.Run(c.about, func(t *testing.T) {
			request := fmt.Sprintf("%sContent-Length: %d\r\n\r\n%s", c.head, size, strings.Repeat("x", size))
			if status, text := plainClient(t, listening, request, false); status != c.status || !strings.Contains(text, c.says) {
				t.Errorf("%d %.300s, want %d with %q", status, text, c.status, c.says)
			}
		})
	}
}

// TestWholeFilesAreDrained: a file that is refused by its first lines is read to its end, however large it is.
func TestWholeFilesAreDrained(t *testing.T) {
	listening, _ := listeningServer(t)
	const size = 300 << 20
	taken := &repeated{text: strings.Repeat("x", 1<<10-1) + "\n"}
	taken.left.Store(size)
	request := must.Get(http.NewRequest(http.MethodPost, listening.URL+"/_mock/validate?schema=userbase&max_faults=1", taken))(t)
	request.ContentLength = size
	// The client of Go reads while it sends, and finds the answer in any case.
	response := must.Get(listening.Client().Do(request))(t)
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK || taken.left.Load() != 0 {
		t.Errorf("%d, and %d bytes of %d were not taken", response.StatusCode, taken.left.Load(), size)
	}
}

// repeated is a text over and over, up to a number of bytes.
type repeated struct {
	text string
	left atomic.Int64
}

func (r *repeated) Read(into []byte) (int, error) {
	left := r.left.Load()
	if left == 0 {
		return 0, io.EOF
	}
	n := copy(into[:min(int64(len(into)), left)], r.text)
	r.left.Add(-int64(n))
	return n, nil
}

// TestBrokenBodiesAreTheClientsFault: neither framing nor a connection that is closed too early is a fault of the server.
func TestBrokenBodiesAreTheClientsFault(t *testing.T) {
	listening, log := listeningServer(t)
	for about, request := range map[string]string{
		"create":   createHead + "X-Authorization: rest_demo\r\n",
		"data":     "POST /_mock/data/profiles HTTP/1.1\r\nHost: localhost\r\nContent-Type: text/csv\r\n",
		"rows":     "POST /_mock/data/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n",
		"json":     "POST /_mock/data/events HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n",
		"validate": "POST /_mock/validate?schema=userbase HTTP/1.1\r\nHost: localhost\r\n",
		"csv":      "POST /_mock/validate?schema=legacy/userbase.row HTTP/1.1\r\nHost: localhost\r\n",
		"check":    "POST /_mock/check HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=x\r\n",
		"state":    "PUT /_mock/state HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n",
		"clock":    "POST /_mock/clock HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n",
	} {
		for fault, body := range map[string]string{
			"a chunk length": "Transfer-Encoding: chunked\r\n\r\nzz\r\n", "a bare line feed": "Transfer-Encoding: chunked\r\n\r\n1\nx\n0\n\n",
			"a chunk that is too long": "Transfer-Encoding: chunked\r\n\r\n1\r\nxyz\r\n0\r\n\r\n",
			"a negative chunk":         "Transfer-Encoding: chunked\r\n\r\n-1\r\n",
		} {
			if status, text := plainClient(t, listening, request+body, false); status != 400 {
				t.Errorf("%s with %s: %d %s", about, fault, status, text)
			}
		}
		if status, text := plainClient(t, listening, request+"Content-Length: 100\r\n\r\nx", true); status != 400 {
			t.Errorf("%s, half of it: %d %s", about, status, text)
		}
	}
	slow := createHead + "X-Authorization: rest_demo\r\nX-Mock-Scenario: latency=60s\r\nContent-Length: 22\r\n\r\n" + `{"ids":["install_id"]}`
	if status, text := plainClient(t, listening, slow, true); status != 400 || !strings.Contains(text, "closed") {
		t.Errorf("closed before the answer: %d %s", status, text)
	}
	listening.Close()
	must.Hold(t, !strings.Contains(log.String(), "level=ERROR"), "the log has errors: %s", log)
}

// TestHalfClosedConnectionsAreAnswered: a client may say that no more will come before it reads the answer, as TCP allows.
func TestHalfClosedConnectionsAreAnswered(t *testing.T) {
	listening, _ := listeningServer(t)
	ask := func(about, request string) string {
		status, text := plainClient(t, listening, request, true)
		if status/100 != 2 {
			t.Fatalf("%s: %d %s", about, status, text)
		}
		return text
	}
	body := `{"ids":["install_id"]}`
	create := createHead + "X-Authorization: rest_demo\r\nX-Mock-Scenario: progress=now\r\nContent-Length: " + strconv.Itoa(len(body)) + "\r\n\r\n" + body
	id := regexp.MustCompile(`[0-9a-f-]{36}`).FindString(ask("create", create))
	get := func(path string) string {
		return "GET " + path + " HTTP/1.1\r\nHost: localhost\r\nX-Authorization: rest_demo\r\n\r\n"
	}
	lookup := get("/1.0/live_demo/export/request/" + id)
	file := regexp.MustCompile(`/files/[^"?]+[^"]*`).FindString(ask("lookup", lookup))
	for about, request := range map[string]string{
		"create": create, "lookup": lookup, "file": get(file),
		"ready": get("/_mock/ready"), "exports": get("/_mock/exports"), "data": get("/_mock/data"), "metrics": get("/_mock/metrics"), "state": get("/_mock/state"),
	} {
		for try := range 30 {
			ask(about+", try "+strconv.Itoa(try), request)
		}
	}
}

// TestReplayRunsNothing: a recording comes from somebody else. No answer of it runs a script, sets a cookie or opens the
// control API to a page.
func TestReplayRunsNothing(t *testing.T) {
	server, err := mockserver.New(mockserver.Options{Profiles: 10, Replay: fstest.MapFS{
		"recording.json": {Data: []byte(`{"version": 1, "began": "2026-03-15T12:00:00Z"}`)},
		"1.json": {Data: []byte(`{"number": 1, "time": "2026-03-15T12:00:00Z", "method": "GET", "path": "/1.0/{{key}}/export/request/x", "status": 200,
			"headers": {"Content-Type": "text/html", "etag": "\"1\"", "Location": "javascript:alert(1)", "Set-Cookie": "a=b", "Access-Control-Allow-Origin": "*",
			"Content-Security-Policy": "script-src *", "Refresh": "0", "X-Amz-Security-Token": "s"}, "answer": {"file": "1.html"}, "facts": {"stage": "status"}}`)},
		"1.html": {Data: []byte("<script>fetch('/_mock/state')</script>")},
	}})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	w := httptest.NewRecorder()
	server.ServeHTTP(w, httptest.NewRequest("GET", "http://localhost/1.0/live_demo/export/request/x", nil))
	got := w.Result().Header
	got.Del("X-Request-Id")
	want := http.Header{"Content-Type": {"text/html"}, "Etag": {`"1"`}, "Content-Security-Policy": {"sandbox"}, "X-Mock-Replay": {"1"},
		"X-Content-Type-Options": {"nosniff"}, "Cache-Control": {"no-store"}, "Content-Length": {"38"}}
	must.Hold(t, w.Code == http.StatusOK && maps.EqualFunc(got, want, slices.Equal), "%d %v, want %v", w.Code, got, want)
}
