package recorder_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/proxy"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/recording/recorder"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

var noon = time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)

// watch is a clock that tests move.
type watch struct {
	mutex sync.Mutex
	now   time.Time
}

func (w *watch) Now() time.Time {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	return w.now
}

func (w *watch) advance(by time.Duration) {
	w.mutex.Lock()
	defer w.mutex.Unlock()
	w.now = w.now.Add(by)
}

func serve(t *testing.T, clock *watch, options mockserver.Options) *httptest.Server {
	t.Helper()
	options.Now, options.Seed = clock.Now, 7
	server := must.Get(mockserver.New(options))(t)
	made := httptest.NewServer(server)
	t.Cleanup(func() { made.Close(); server.Close() })
	return made
}

// recorded is what a client makes of a conversation through a proxy that records it.
func recorded(t *testing.T, clock *watch, upstream string, overlay fs.FS, converse func(base string)) (directory, summary string) {
	t.Helper()
	return changed(t, clock, upstream, overlay, nil, converse)
}

// changed is recorded with changed files.
func changed(
	t *testing.T, clock *watch, upstream string, overlay fs.FS, change recorder.Change, converse func(base string),
) (directory, summary string) {
	t.Helper()
	observer := must.Get(drift.New(overlay))(t)
	directory = filepath.Join(t.TempDir(), "recording")
	into := must.Get(recorder.New(directory, strings.TrimPrefix(upstream, "http://"), clock.Now(), change))(t)
	into.Know(observer.Bench().Library())
	observer.OnObserved(into.Add)
	address, _ := url.Parse(upstream)
	transport := proxy.Transport(&http.Transport{})
	p := proxy.New(proxy.Options{
		Upstream: address, Transport: transport, Directory: t.TempDir(), MostBody: 1 << 30, Now: clock.Now, Log: slog.New(slog.DiscardHandler),
		Observe: func(x *drift.Exchange) { observer.Observe(x) }, Links: observer.ListsLinks,
	})
	front := httptest.NewServer(p)
	converse(front.URL)
	front.Close()
	transport.CloseIdleConnections()
	p.Close()
	summary = must.Get(into.Close())(t)
	return directory, summary
}

// answer is what a client sees.
type answer struct {
	status int
	body   string
	header http.Header
	link   string // of a file
}

var stay = http.Client{CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
	Transport: &http.Transport{DisableCompression: true}}

func ask(t *testing.T, method, address, body string, headers ...string) answer {
	t.Helper()
	request := must.Get(http.NewRequest(method, address, strings.NewReader(body)))(t)
	request.Header.Set("Content-Type", "application/json")
	for _, each := range headers {
		name, value, _ := strings.Cut(each, ": ")
		request.Header.Set(name, value)
	}
	response := must.Get(stay.Do(request))(t)
	defer response.Body.Close()
	text := must.Get(io.ReadAll(response.Body))(t)
	return answer{status: response.StatusCode, body: string(text), header: response.Header}
}

func member(t *testing.T, text, name string) string {
	t.Helper()
	var value map[string]any
	if err := json.Unmarshal([]byte(text), &value); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	found, _ := value[name].(string)
	return found
}

const userbase = "/export/userbase"

// legacy makes an export, asks after a time, and downloads its file. The key is that of the application.
func legacy(t *testing.T, clock *watch, base, key string) (states []string, file answer) {
	t.Helper()
	credential := "X-Authorization: rest_demo"
	created := ask(t, "POST", base+"/1.0/"+key+userbase, `{"ids": ["install_id", "custom_id"]}`, credential)
	id := member(t, created.body, "requestId")
	if created.status != http.StatusAccepted || id == "" {
		t.Fatalf("the creation: %d %s", created.status, created.body)
	}
	for range 4 {
		found := ask(t, "GET", base+"/1.0/"+key+"/export/request/"+id, "", credential)
		states = append(states, member(t, found.body, "status"))
		if link := member(t, found.body, "file_url"); link != "" {
			file = ask(t, "GET", link, "")
			file.link = link
			return states, file
		}
		clock.advance(20 * time.Second)
	}
	return states, answer{}
}

// profiles makes an export of profiles, and downloads its parts, behind redirects.
func profiles(t *testing.T, clock *watch, base string) (files []string) {
	t.Helper()
	credentials := []string{"Authorization: Bearer token_demo", "X-Service-Project: project_demo"}
	created := ask(t, "POST", base+"/2.7/profiles/export", `{"export_type": "ATTRIBUTES", "attributes": ["$email_address"]}`, credentials...)
	id := member(t, created.body, "id")
	clock.advance(time.Minute)
	var record struct {
		Files []map[string]any
	}
	found := ask(t, "GET", base+"/2.7/exports/view?id="+id, "", credentials...)
	if err := json.Unmarshal([]byte(found.body), &record); err != nil || len(record.Files) < 2 {
		t.Fatalf("%d files: %s %s", len(record.Files), created.body, found.body)
	}
	ask(t, "GET", base+"/2.7/exports/list?limit=5", "", credentials...)
	for _, each := range record.Files {
		link, _ := each["link"].(string)
		if link == "" {
			link, _ = each["url"].(string)
		}
		redirect := ask(t, "GET", link, "", credentials...)
		if redirect.status != http.StatusTemporaryRedirect {
			t.Fatalf("%s: %d %s", link, redirect.status, redirect.body)
		}
		files = append(files, ask(t, "GET", redirect.header.Get("Location"), "").body)
	}
	return files
}

func open(directory string) fs.FS { return os.DirFS(directory) }

// TestReplay: files and answers are those of the recording, for another key, by the time of its clock.
func TestReplay(t *testing.T) {
	clock := &watch{now: noon}
	service := serve(t, clock, mockserver.Options{Profiles: 400, Progress: "time:30s"})
	var before, refused answer
	var states []string
	directory, summary := recorded(t, clock, service.URL, nil, func(base string) {
		states, before = legacy(t, clock, base, "live_demo")
		refused = ask(t, "GET", base+"/1.0/live_demo/export/request/unknown", "", "X-Authorization: rest_demo")
		ask(t, "GET", base+"/1.0/live_demo/nothing", "", "X-Authorization: rest_demo")
	})
	if !strings.Contains(summary, fmt.Sprintf(": %d exchanges", len(states)+4)) || strings.Contains(summary, "not in it") {
		t.Errorf("the summary is %s", summary)
	}
	later := &watch{now: noon.Add(1000 * time.Hour)}
	again := serve(t, later, mockserver.Options{Profiles: 10, Replay: open(directory)})
	links := map[string]bool{}
	for _, key := range []string{"live_demo", "dev_demo", "live_demo"} {
		replayed, after := legacy(t, later, again.URL, key)
		links[after.link] = true
		must.Equal(t, strings.Join(replayed, " "), strings.Join(states, " "), "%s: the replayed states", key)
		if after.body != before.body || after.header.Get("Etag") != before.header.Get("Etag") ||
			after.header.Get("Content-Disposition") != before.header.Get("Content-Disposition") || after.header.Get("X-Mock-Replay") == "" {
			t.Errorf("%s: the file differs: %.100q %v, it was %.100q %v", key, after.body, after.header, before.body, before.header)
		}
	}
	must.Equal(t, len(links), 3, "links of three exports, in %v", links)
	if lints := ask(t, "GET", again.URL+"/_mock/lints", ""); strings.Contains(lints.body, "polled_after_final") ||
		strings.Contains(lints.body, "file_never_downloaded") {
		t.Errorf("clients that do all well are told %s", lints.body)
	}
	unknown := ask(t, "GET", again.URL+"/1.0/live_demo/export/request/unknown", "", "X-Authorization: rest_demo")
	if unknown.status != refused.status || unknown.body != refused.body || unknown.header.Get("X-Mock-Replay") == "none" {
		t.Errorf("a recorded refusal: %d %v", unknown.status, unknown.header)
	}
	other := ask(t, "POST", again.URL+"/1.0/live_demo"+userbase, `{"ids": ["install_id"]}`, "X-Authorization: rest_demo")
	if other.status != http.StatusAccepted || other.header.Get("X-Mock-Replay") != "none" {
		t.Errorf("what was not recorded: %d %v", other.status, other.header)
	}
	if entries := ask(t, "GET", again.URL+"/_mock/journal", ""); strings.Count(entries.body, `"replayed":`) < 12 ||
		!strings.Contains(entries.body, `"export_status":"SUCCESS"`) {
		t.Errorf("the journal does not tell of the replay: %s", entries.body)
	}
}

// TestProfiles: parts behind redirects are replayed, each its own file.
func TestProfiles(t *testing.T) {
	clock := &watch{now: noon}
	service := serve(t, clock, mockserver.Options{Profiles: 300, Progress: "time:30s", PartSize: 8 << 10})
	var before []string
	directory, _ := recorded(t, clock, service.URL, nil, func(base string) { before = profiles(t, clock, base) })
	later := &watch{now: noon.Add(time.Hour)}
	again := serve(t, later, mockserver.Options{Profiles: 10, Replay: open(directory)})
	if after := profiles(t, later, again.URL); !slices.Equal(after, before) {
		t.Errorf("%d parts differ from %d", len(after), len(before))
	}
	err := fs.WalkDir(open(directory), ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := fs.ReadFile(open(directory), path)
		for _, secret := range []string{"token_demo", "project_demo", service.URL, "signature="} {
			must.Hold(t, !strings.Contains(string(text), secret), "%s holds %s", path, secret)
		}
		return err
	})
	if err != nil {
		t.Error(err)
	}
}

// TestEditedFile: a file of a recording may be edited; ranges are cut out of it.
func TestEditedFile(t *testing.T) {
	clock := &watch{now: noon}
	service := serve(t, clock, mockserver.Options{Profiles: 50, Progress: "now"})
	directory, _ := recorded(t, clock, service.URL, nil, func(base string) { legacy(t, clock, base, "live_demo") })
	files, err := filepath.Glob(filepath.Join(directory, "files", "*.csv"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	again := serve(t, clock, mockserver.Options{Profiles: 10, Replay: open(directory)})
	_, file := legacy(t, clock, again.URL, "live_demo")
	if file.header.Get("Etag") == "" {
		t.Fatal("the file has no entity tag")
	}
	edited := []byte("install_id;custom_id\nphone-1;ada\n")
	must.Do(t, os.WriteFile(files[0], edited, 0o600))
	_, file = legacy(t, clock, again.URL, "live_demo")
	if file.body != string(edited) || file.header.Get("Etag") != "" || file.header.Get("Content-Length") != "33" {
		t.Errorf("the edited file is %q %v", file.body, file.header)
	}
	entries := must.Get(fs.Glob(open(directory), "*.json"))(t)
	var link string
	for _, name := range entries {
		text, _ := fs.ReadFile(open(directory), name)
		if at := bytes.Index(text, []byte(`"path": "/replay/`)); at >= 0 {
			link = member(t, string(text), "path")
		}
	}
	part := ask(t, "GET", again.URL+link, "", "Range: bytes=0-9")
	if part.status != http.StatusPartialContent || part.body != "install_id" {
		t.Errorf("a range of it is %d %q", part.status, part.body)
	}
	if head := ask(t, "HEAD", again.URL+link, ""); head.status != http.StatusOK || head.header.Get("Content-Length") != "33" {
		t.Errorf("its head is %d %v", head.status, head.header)
	}
}

// TestNights: a client that reckons its window from its clock is answered on another night, whichever clock it has; another
// window, a member that nobody said to ignore, and a strict replay are told as what they are.
func TestNights(t *testing.T) {
	t.Parallel()
	const credential = "X-Authorization: rest_demo"
	payload := func(now time.Time, days int, ids string) string {
		day := now.Truncate(24 * time.Hour)
		return fmt.Sprintf(`{"from": %q, "to": %q, "ids": [%q]}`, day.AddDate(0, 0, -days).Format("2006-01-02T15:04:05"),
			day.Format("2006-01-02T15:04:05"), ids)
	}
	const path = "/1.0/live_demo/export/reachability/events"
	clock := &watch{now: noon}
	service := serve(t, clock, mockserver.Options{Profiles: 100, Progress: "now"})
	directory, _ := recorded(t, clock, service.URL, nil, func(base string) {
		ask(t, "POST", base+path, payload(noon, 1, "install_id"), credential)
		ask(t, "POST", base+path, payload(noon, 7, "install_id"), credential)
	})
	tonight, later := noon.Add(25*time.Hour), noon.AddDate(1, 0, 0)
	for name, c := range map[string]struct {
		options mockserver.Options
		sent    string
		replay  string // the header; "" for any other
		status  int
		lint    string
	}{
		"the same":                    {mockserver.Options{}, payload(noon, 1, "install_id"), "1", 202, ""},
		"by the clock of the machine": {mockserver.Options{}, payload(tonight, 1, "install_id"), "1", 202, ""},
		"by the clock of the mock":    {mockserver.Options{StartAt: later}, payload(later, 7, "install_id"), "2", 202, ""},
		"another window":              {mockserver.Options{}, payload(tonight, 3, "install_id"), "none", 202, "differs in /from"},
		"another member": {mockserver.Options{}, payload(tonight, 7, "custom_id"), "none", 202,
			"exchange of the recording, 2, differs in /ids/0"},
		"ignored": {mockserver.Options{ReplayIgnore: []string{"/ids"}}, payload(tonight, 7, "custom_id"), "2", 202, ""},
		"strict": {mockserver.Options{ReplayStrict: true}, payload(tonight, 7, "custom_id"), "none", 404,
			"exchange of the recording, 2, differs in /ids/0"},
	} {
		t.Run(name, func(t *testing.T) {
			c.options.Replay, c.options.Profiles = open(directory), 10
			again := serve(t, &watch{now: tonight}, c.options)
			got := ask(t, "POST", again.URL+path, c.sent, credential)
			if got.status != c.status || got.header.Get("X-Mock-Replay") != c.replay {
				t.Errorf("got %d %v %s", got.status, got.header, got.body)
			}
			lints := ask(t, "GET", again.URL+"/_mock/lints", "").body
			if strings.Contains(lints, "not_in_recording") != (c.lint != "") || !strings.Contains(lints, c.lint) {
				t.Errorf("want %q in %s", c.lint, lints)
			}
			if c.options.ReplayStrict && !strings.Contains(got.body, c.lint) {
				t.Errorf("want %q in %s", c.lint, got.body)
			}
		})
	}
}

// TestUnlisted: paths that no schema file lists are kept and replayed without secrets, links through an endpoint of the service
// lead to the server that replays, and a recording that names the service is not finished.
func TestUnlisted(t *testing.T) {
	t.Parallel()
	const id, credential = "5b1c6e0e-4b52-4d7e-9d0b-0c8d6d3b7f10", "X-Authorization: rest_demo"
	const lookup = "/1.0/live_demo/export/request/" + id
	file := "install_id\nphone-1\n"
	var service *httptest.Server
	service = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		switch r.URL.Path {
		case "/oauth/token":
			io.WriteString(w, `{"access_token": "very-secret-token", "see": "`+strings.ReplaceAll(service.URL, "/", `\/`)+`\/docs"}`)
		case "/1.0/live_demo/export/userbase":
			w.WriteHeader(202)
			io.WriteString(w, `{"requestId": "`+id+`"}`)
		case lookup:
			fmt.Fprintf(w, `{"id": %q, "status": "SUCCESS", "file_url": "%s/go"}`, id, service.URL+lookup)
		case lookup + "/go":
			http.Redirect(w, r, service.URL+"/files/x?signature=abc", http.StatusFound)
		case "/files/x":
			w.Header().Set("Content-Type", "text/csv")
			io.WriteString(w, file)
		}
	}))
	defer service.Close()
	converse := func(base string) (token, found answer) {
		token = ask(t, "POST", base+"/oauth/token", "grant_type=client&client_secret=hidden-secret",
			"Content-Type: application/x-www-form-urlencoded", credential)
		made := ask(t, "POST", base+"/1.0/live_demo/export/userbase", `{"ids": ["install_id"]}`, credential)
		record := ask(t, "GET", base+"/1.0/live_demo/export/request/"+member(t, made.body, "requestId"), "", credential)
		link := member(t, record.body, "file_url")
		must.Hold(t, base == service.URL || strings.HasPrefix(link, base), "the link is %s", link)
		for range 3 {
			if found = ask(t, "GET", link, ""); found.status == http.StatusOK {
				break
			}
			link = found.header.Get("Location")
		}
		return token, found
	}
	directory, _ := recorded(t, &watch{now: noon}, service.URL, nil, func(base string) { converse(base) })
	again := serve(t, &watch{now: noon}, mockserver.Options{Replay: open(directory), Profiles: 10, ReplayStrict: true})
	for range 2 {
		token, found := converse(again.URL)
		if found.body != file || token.status != http.StatusOK || !strings.Contains(token.body, `[redacted]", "see": "`+again.URL) {
			t.Errorf("got %+v and %+v", token, found)
		}
	}
	ask(t, "POST", again.URL+"/oauth/token", "grant_type=none&client_secret=other-secret",
		"Content-Type: application/x-www-form-urlencoded", credential)
	for path, says := range map[string]string{"journal?route=replay.unlisted.1": `"replayed":1`,
		"lints?underway=true": "differs in the payload's grant_type"} {
		if noted := ask(t, "GET", again.URL+"/_mock/"+path, ""); !strings.Contains(noted.body, says) {
			t.Errorf("%s is without %s: %s", path, says, noted.body)
		}
	}
	for name, text := range must.Get(allOf(directory))(t) {
		for _, secret := range []string{"hidden-secret", "very-secret", "live_demo", service.URL} {
			must.Hold(t, !strings.Contains(text, secret), "%s has %s: %s", name, secret, text)
		}
	}
	file = "install_id\n" + service.URL + "\n"
	unfinished := t.TempDir()
	into := must.Get(recorder.New(unfinished, strings.TrimPrefix(service.URL, "http://"), noon, nil))(t)
	must.Do(t, os.WriteFile(filepath.Join(unfinished, "files", "x.csv"), []byte(file), 0o600))
	if _, err := into.Close(); err == nil || !strings.Contains(err.Error(), "files/x.csv") {
		t.Errorf("a recording that names the service ends with %v", err)
	}
	if _, err := mockserver.New(mockserver.Options{Replay: open(unfinished)}); err == nil || !strings.Contains(err.Error(), "unfinished") {
		t.Errorf("it is replayed: %v", err)
	}
}

// allOf are the files of a directory.
func allOf(directory string) (map[string]string, error) {
	made := map[string]string{}
	return made, fs.WalkDir(open(directory), ".", func(path string, entry fs.DirEntry, err error) error {
		if err == nil && !entry.IsDir() {
			var text []byte
			text, err = fs.ReadFile(open(directory), path)
			made[path] = string(text)
		}
		return err
	})
}

// TestTook: it is recorded after how long an answer came.
func TestTook(t *testing.T) {
	t.Parallel()
	clock := &watch{now: noon}
	slow := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		clock.advance(1500 * time.Millisecond)
		w.WriteHeader(http.StatusNotFound)
	}))
	defer slow.Close()
	directory, _ := recorded(t, clock, slow.URL, nil, func(base string) {
		ask(t, "GET", base+"/1.0/live_demo/export/request/unknown", "", "X-Authorization: rest_demo")
	})
	if text, err := os.ReadFile(filepath.Join(directory, "000001.json")); err != nil ||
		!strings.Contains(string(text), `"took_seconds": 1.5,`) {
		t.Errorf("%v: %s", err, text)
	}
}

// TestNoGzip: an answer that is not the gzip that it says is left out and counted, and the recording goes on.
func TestNoGzip(t *testing.T) {
	t.Parallel()
	asked := 0
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if asked++; asked == 1 {
			w.Header().Set("Content-Encoding", "gzip")
		}
		w.WriteHeader(http.StatusNotFound)
		io.WriteString(w, "{}")
	}))
	defer service.Close()
	directory, summary := recorded(t, &watch{now: noon}, service.URL, nil, func(base string) {
		for range 2 {
			ask(t, "GET", base+"/1.0/live_demo/export/request/unknown", "", "X-Authorization: rest_demo", "Accept-Encoding: gzip")
		}
	})
	left, err := filepath.Glob(filepath.Join(directory, "00*"))
	if err != nil || len(left) != 2 || !strings.Contains(summary, "1 exchange") || !strings.Contains(summary, "not what its head says") {
		t.Errorf("%s, and there are %v, %v", summary, left, err)
	}
}

// TestOpen says what is wrong with a recording.
func TestOpen(t *testing.T) {
	head := &fstest.MapFile{Data: []byte(`{"version": 1, "began": "2026-03-15T12:00:00Z"}`)}
	for name, c := range map[string]struct {
		files fstest.MapFS
		says  string
	}{
		"empty": {fstest.MapFS{}, "there is no recording.json"},
		"a later format": {fstest.MapFS{"recording.json": {Data: []byte(`{"version": 2}`)}},
			"recording.json: version is 2; this program reads version 1"},
		"no JSON": {fstest.MapFS{"recording.json": head, "000001.json": {Data: []byte(`{`)}}, "000001.json: unexpected end"},
		"no method": {fstest.MapFS{"recording.json": head, "000001.json": {Data: []byte(`{"path": "/", "status": 200}`)}},
			`000001.json: method is ""`},
		"no body": {fstest.MapFS{"recording.json": head,
			"000001.json": {Data: []byte(`{"method": "GET", "path": "/", "status": 200, "answer": {"file": "000001.answer.json"}}`)}},
			"000001.json: its body: "},
		"a body elsewhere": {fstest.MapFS{"recording.json": head,
			"000001.json": {Data: []byte(`{"method": "GET", "path": "/", "status": 200, "answer": {"file": "../secret"}}`)}},
			"000001.json: its body: "},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := mockserver.New(mockserver.Options{Replay: c.files}); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("got %v", err)
			}
		})
	}
}
