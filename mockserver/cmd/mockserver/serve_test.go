package main

import (
	"bufio"
	"bytes"
	"context"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// running is a server started by the command.
type running struct {
	t      *testing.T
	base   string
	first  string // line of standard output
	stop   context.CancelFunc
	ended  chan int
	copied chan struct{} // closed when its output is all in output
	output *locked
	ticks  chan time.Time // of --watch
}

// locked is a buffer for several writers.
type locked struct {
	lock sync.Mutex
	text bytes.Buffer
}

func (l *locked) Write(data []byte) (int, error) {
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.text.Write(data)
}

func (l *locked) String() string {
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.text.String()
}

// fixed is an environment in which the clock of a server begins at noon, unless it says another instant or an empty one. The clock of the
// machine is below, for the deadlines of connections.
func fixed(environment map[string]string) func(name string) string {
	return func(name string) string {
		value, given := environment[name]
		if name == "REHEARSAL_NOW" && !given {
			return noon.Format(time.RFC3339)
		}
		return value
	}
}

// start runs "serve" and waits for its first line.
func start(t *testing.T, environment map[string]string, arguments ...string) *running {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	reader, writer := io.Pipe()
	s := &running{t: t, stop: cancel, ended: make(chan int, 1), copied: make(chan struct{}), output: &locked{}, ticks: make(chan time.Time)}
	go func() {
		s.ended <- run(ctx, append([]string{"serve"}, arguments...), terminal{
			out: writer, err: s.output, now: time.Now, environment: fixed(environment), ticks: func() <-chan time.Time { return s.ticks },
		})
		writer.Close()
	}()
	lines := bufio.NewReader(reader)
	line, err := lines.ReadString('\n')
	if err != nil {
		t.Fatalf("no first line: %v, exit code %d: %s", err, <-s.ended, s.output)
	}
	s.first = strings.TrimSuffix(line, "\n")
	s.base = strings.TrimPrefix(s.first, "listening on ")
	go func() {
		defer close(s.copied)
		io.Copy(s.output, lines)
	}()
	t.Cleanup(func() { s.end() })
	return s
}

// end stops the server and returns its exit code, when all that it printed is in the output.
func (s *running) end() int {
	s.stop()
	code := <-s.ended
	s.ended <- code
	<-s.copied
	return code
}

func (s *running) send(method, path, body string, header ...string) (int, string) {
	s.t.Helper()
	request := must.Get(http.NewRequest(method, s.base+path, strings.NewReader(body)))(s.t)
	request.Header.Set("Content-Type", "application/json")
	request.Header.Set("X-Authorization", "rest_demo")
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	response := must.Get(http.DefaultClient.Do(request))(s.t)
	defer response.Body.Close()
	data := must.Get(io.ReadAll(response.Body))(s.t)
	return response.StatusCode, string(data)
}

// answers reports an answer of another status, or without a text.
func (s *running) answers(about string, status int, says, method, path, body string, header ...string) {
	s.t.Helper()
	if got, text := s.send(method, path, body, header...); got != status || !strings.Contains(text, says) {
		s.t.Errorf("%s: answered %d, want %d with %q: %s", about, got, status, says, text)
	}
}

// TestServe starts the server as a program would, and again on the same state.
func TestServe(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state.db")
	s := start(t, map[string]string{"REHEARSAL_ADDR": "127.0.0.1:0"}, "--state", state, "--progress", "now", "--profiles", "50")
	must.Hold(t, strings.HasPrefix(s.first, "listening on http://127.0.0.1:"), "the first line is %q", s.first)
	status, body := s.send("POST", "/1.0/live_demo/export/userbase", `{"ids":["install_id"]}`)
	if status != http.StatusAccepted {
		t.Fatalf("answered %d: %s", status, body)
	}
	id := strings.Split(body, `"`)[3]
	s.answers("the clock", http.StatusOK, "", "GET", "/_mock/clock", "")
	must.Equal(t, s.end(), 0, "exit code: %s", s.output)
	for _, text := range []string{"rest_demo", "live_demo (live)", "dev_demo (dev)", "project_demo", "token_demo", "curl -s http://localhost:", state} {
		must.Hold(t, strings.Contains(s.output.String(), text), "the announcement lacks %s: %s", text, s.output)
	}

	s = start(t, map[string]string{"REHEARSAL_NOW": ""}, "--addr", "127.0.0.1:0", "--state", state)
	s.answers("after a restart", http.StatusOK, "SUCCESS", "GET", "/1.0/live_demo/export/request/"+id, "")
}

// TestServeCredentials: keys from a file, and none at all.
func TestServeCredentials(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys.json")
	must.Do(t, os.WriteFile(path, []byte(`{"companies":[{"key":"mine","plan":"starter","applications":[{"key":"my_app"}]}]}`), 0o600))
	const userbase = "/export/userbase"
	s := start(t, nil, "--addr", "127.0.0.1:0", "--state", "memory", "--credentials", path)
	s.answers("the demo keys", 401, "", "POST", "/1.0/live_demo"+userbase, `{"ids":["install_id"]}`)
	s.answers("the keys of the file", 403, "", "POST", "/1.0/my_app"+userbase, `{"ids":["install_id"]}`, "X-Authorization", "mine")
	s.end()
	if text := s.output.String(); !strings.Contains(text, "plan starter") || strings.Contains(text, "rest_demo") {
		t.Errorf("the announcement: %s", text)
	}
	s = start(t, nil, "--addr", "127.0.0.1:0", "--state", "memory", "--credentials", "any")
	s.answers("any credentials", 202, "", "POST", "/1.0/anything"+userbase, `{"ids":["install_id"]}`, "X-Authorization", "whatever")
	must.Do(t, os.WriteFile(path, []byte(`{"companies":[{"kee":"mine"}]}`), 0o600))
	invoke(t, "", "serve", "--credentials", path).is(t, exitFailed, "", "companies[0].kee is not known here: allowed are key, plan, applications, projects; did you mean key?")
}

// TestServeAnotherDay: the clock begins where it was told to, and a state remembers that.
func TestServeAnotherDay(t *testing.T) {
	state := filepath.Join(t.TempDir(), "state.db")
	clock := func(s *running) string {
		t.Helper()
		_, body := s.send("GET", "/_mock/clock", "")
		return body
	}
	s := start(t, nil, "--addr", "127.0.0.1:0", "--state", state, "--now", "2031-05-06T09:08:09+02:00")
	if body := clock(s); !strings.Contains(body, `"now":"2031-05-06T07:`) || !strings.Contains(body, `"frozen":false`) {
		t.Errorf("the clock: %s", body)
	}
	s.send("POST", "/_mock/clock", `{"freeze":true}`)
	if s.end(); !strings.Contains(s.output.String(), "clock        set to 2031-05-06T07:08:09Z") {
		t.Errorf("the announcement: %s", s.output)
	}
	s = start(t, map[string]string{"REHEARSAL_NOW": ""}, "--addr", "127.0.0.1:0", "--state", state)
	if body := clock(s); !strings.Contains(body, `"now":"2031-05-06T07:`) || !strings.Contains(body, `"frozen":true`) {
		t.Errorf("the clock after a restart: %s", body)
	}
	s.end()
	s = start(t, nil, "--addr", "127.0.0.1:0", "--state", state, "--now", "2030-01-01T00:00:00Z")
	if body := clock(s); !strings.Contains(body, `"now":"2030-01-01T00:00:00Z","frozen":true`) {
		t.Errorf("a frozen clock, set to another day: %s", body)
	}
}

// TestServeBehindAnotherAddress: links, and what is printed, carry the public address.
func TestServeBehindAnotherAddress(t *testing.T) {
	s := start(t, nil, "--addr", "127.0.0.1:0", "--state", "memory", "--profiles", "10", "--public-url", "https://mock.example/",
		"--schemas", "../../examples/services/analytics")
	_, body := s.send("POST", "/1.0/live_demo/export/userbase", `{"ids":["install_id"]}`, "X-Mock-Scenario", "progress=now")
	_, record := s.send("GET", "/1.0/live_demo/export/request/"+strings.Split(body, `"`)[3], "")
	must.Hold(t, strings.Contains(record, `"file_url":"https://mock.example/files/`), "the record: %s", record)
	s.end()
	for _, says := range []string{"page         https://mock.example/\n", "curl -s https://mock.example/1.0/",
		"  analytics    GET /api/2/export, GET /api/2/days/{day}; Authorization: Basic with the user project_demo and the password token_demo\n"} {
		if !strings.Contains(s.output.String(), says) {
			t.Errorf("the announcement lacks %s: %s", says, s.output)
		}
	}
}

// TestServeDownloads: --gzip and --refuse-authorization reach the downloads.
func TestServeDownloads(t *testing.T) {
	s := start(t, nil, "--addr", "127.0.0.1:0", "--state", "memory", "--profiles", "10", "--gzip", "--refuse-authorization")
	_, body := s.send("POST", "/1.0/live_demo/export/userbase", `{"ids":["install_id"]}`, "X-Mock-Scenario", "progress=now")
	_, record := s.send("GET", "/1.0/live_demo/export/request/"+strings.Split(body, `"`)[3], "")
	_, link, _ := strings.Cut(record, `"file_url":"`+s.base)
	link, _, _ = strings.Cut(link, `"`)
	s.answers("with a credential", http.StatusBadRequest, "AUTHORIZATION_FORWARDED", "GET", link, "")
	response, err := http.Get(s.base + link) // asks for gzip on its own
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	data, err := io.ReadAll(response.Body)
	if err != nil || response.StatusCode != http.StatusOK || !response.Uncompressed || !strings.HasPrefix(string(data), "install_id;") {
		t.Errorf("%d, decompressed on the way: %t, %q, %v", response.StatusCode, response.Uncompressed, data, err)
	}
}

// TestServeFilesApart: files of an origin of their own make a correct client, which drops its credentials when it is
// led to another host, pass --refuse-authorization; neither origin serves what is the other's.
func TestServeFilesApart(t *testing.T) {
	s := start(t, nil, "--addr", "127.0.0.1:0", "--files-addr", "127.0.0.1:0", "--state", "memory", "--profiles", "10", "--refuse-authorization")
	base := strings.Replace(s.base, "127.0.0.1", "localhost", 1)
	send := func(method, address, body string) (int, string, http.Header) {
		t.Helper()
		r := must.Get(http.NewRequestWithContext(t.Context(), method, address, strings.NewReader(body)))(t)
		r.Header = http.Header{"Authorization": {"Bearer token_demo"}, "X-Service-Project": {"project_demo"}, "Content-Type": {"application/json"}, "X-Mock-Scenario": {"progress=now"}}
		response := must.Get(http.DefaultClient.Do(r))(t)
		defer response.Body.Close()
		data := must.Get(io.ReadAll(response.Body))(t)
		if response.Request.URL.String() != address {
			t.Logf("%s led to %s", address, response.Request.URL)
			response.Header.Set("Led-To", response.Request.URL.String())
		}
		return response.StatusCode, string(data), response.Header
	}
	status, _, header := send("POST", base+"/2.7/profiles/export", `{"export_type":"ATTRIBUTES","identifiers":["custom_id"]}`)
	if status != http.StatusAccepted || !strings.HasPrefix(header.Get("Location"), base+"/2.7/exports/view?id=export_") {
		t.Fatalf("created: %d, Location %q", status, header.Get("Location"))
	}
	_, record, _ := send("GET", header.Get("Location"), "")
	_, link, _ := strings.Cut(record, `"url":"`)
	link, _, _ = strings.Cut(link, `"`)
	status, data, header := send("GET", link, "")
	file := header.Get("Led-To")
	if status != http.StatusOK || !strings.HasPrefix(data, "[") || !strings.HasPrefix(file, "http://127.0.0.1:") || strings.HasPrefix(file, s.base) {
		t.Fatalf("the file: %d from %s: %.80s", status, file, data)
	}
	apart, path, _ := strings.Cut(file, "/files/")
	if status, body, _ := send("GET", base+"/files/"+path, ""); status != http.StatusNotFound || !strings.Contains(body, "files are not served here, but at "+apart) {
		t.Errorf("a file at the origin of the API: %d %s", status, body)
	}
	page := must.Get(http.NewRequest("GET", base+"/files/"+path, nil))(t)
	page.Header.Set("Sec-Fetch-Site", "same-origin")
	shown := must.Get(http.DefaultClient.Do(page))(t)
	shown.Body.Close()
	must.Equal(t, shown.StatusCode, http.StatusOK, "a file for the page of the server")
	if status, body, _ := send("GET", apart+"/2.7/exports/list", ""); status != http.StatusNotFound || !strings.Contains(body, "files alone are served here") {
		t.Errorf("the API at the origin of the files: %d %s", status, body)
	}
	invoke(t, "", "serve", "--files-url", "http://files.example").is(t, exitUsage, "", "--files-addr")
}
