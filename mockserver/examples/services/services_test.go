// Package services_test serves the services that are made of files alone, and lets their clients ask them.
package services_test

import (
	"archive/zip"
	"bytes"
	"cmp"
	"compress/gzip"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/mockserver/mocktest"
	"github.com/rehearsal-sdk/rehearsal/mockserver/state"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// today is when clients ask.
func today() time.Time { return time.Date(2026, 3, 15, 12, 30, 0, 0, time.UTC) }

// serve serves a service, whose clock stands still. What its client does wrong fails the test.
func serve(t *testing.T, name string) *mocktest.Mock {
	t.Helper()
	return mocktest.Start(t, mocktest.Options{
		Now: today(), Lints: mocktest.FailOnWarnings, PollInterval: -1,
		Server: mockserver.Options{Schemas: os.DirFS(name), Profiles: 2000},
	})
}

// run is what the client of a service prints.
func run(t *testing.T, address, client string, arguments ...string) string {
	t.Helper()
	python, err := exec.LookPath("python3")
	if err != nil {
		testlevel.Unavailable(t, "there is no python3 on this machine, which the client needs")
	}
	command := exec.Command(python, append([]string{"-B", client, address}, arguments...)...)
	command.Stderr = os.Stderr
	printed, err := command.Output()
	if err != nil {
		t.Fatalf("%s: %v", client, err)
	}
	return string(printed)
}

// ask sends a request with the credential of a service, and reads the answer.
func ask(t *testing.T, mock *mocktest.Mock, method, path, body string, header http.Header) (*http.Response, string) {
	t.Helper()
	request := must.Get(http.NewRequest(method, mocktest.Base+path, strings.NewReader(body)))(t)
	if request.Header = header.Clone(); body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	request.Header.Set("X-Mock-Lint", "off")
	response := must.Get(mock.Client().Do(request))(t)
	defer response.Body.Close()
	text := must.Get(io.ReadAll(response.Body))(t)
	return response, string(text)
}

// TestSharedToken: a token of two projects is refused where it has to say the project, and accepted where a header says it.
func TestSharedToken(t *testing.T) {
	credentials, err := mockserver.ParseCredentials([]byte(`{"companies":[{"key":"c","projects":[
		{"key":"first","tokens":["shared"]},{"key":"second","tokens":["own","shared"]}]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	options := mockserver.Options{Credentials: credentials, Schemas: os.DirFS("contacts"), StartAt: today()}
	server, err := mockserver.New(options)
	if err == nil {
		server.Close()
		t.Fatal("a token of two projects is accepted by contacts")
	}
	const says = `a token of the project "second" opens the project "first" too`
	if refused := new(mockserver.OptionError); !errors.As(err, &refused) || refused.Option != "credentials" ||
		!strings.Contains(err.Error(), says) || strings.Contains(err.Error(), "shared") {
		t.Errorf("refused with %v", err)
	}
	options.Schemas = nil
	if server, err = mockserver.New(options); err != nil {
		t.Fatal(err)
	}
	server.Close()
}

// answers reports an answer of another status, or without a text.
func answers(t *testing.T, mock *mocktest.Mock, about, method, path, body string, header http.Header, status int, says string) {
	t.Helper()
	if response, text := ask(t, mock, method, path, body, header); response.StatusCode != status || !strings.Contains(text, says) {
		t.Errorf("%s: %d %s, want %d %s", about, response.StatusCode, text, status, says)
	}
}

// TestContacts: requests by REST, a bearer token alone, states of other names, zip files of CSV.
func TestContacts(t *testing.T) {
	mock := serve(t, "contacts")
	bearer := http.Header{"Authorization": {"Bearer " + mocktest.Token}}
	for _, c := range []struct {
		about, method, path, body string
		header                    http.Header
		status                    int
		says                      string
	}{
		{"no credential", "GET", "/v3/contacts/exports", "", http.Header{}, 401,
			`{"error":{"id":"AUTHENTICATION_INVALID","message":"the header Authorization is missing`},
		{"another token", "GET", "/v3/contacts/exports", "", http.Header{"Authorization": {"Bearer other"}}, 401,
			"carries a token that is not known"},
		{"an unknown member", "POST", "/v3/contacts/exports", `{"list_i": "a"}`, bearer, 400, `did you mean list_id?`},
		{"no export", "GET", "/v3/contacts/exports/5b1c6e0e-4b52-4d7e-9d0b-0c8d6d3b7f10", "", bearer, 404, `"id":"ROUTE_NOT_FOUND"`},
		{"no identifier", "GET", "/v3/contacts/exports/mine", "", bearer, 400,
			`id in the path is \"mine\"; send the UUID that the creation answered as id`},
		{"no page", "GET", "/v3/contacts/exports?page_token=x", "", bearer, 400,
			"the query parameter page_token is \\\"x\\\"; send the next_page of the page before"},
		{"an empty list", "GET", "/v3/contacts/exports", "", bearer, 200, `{"result":[]}`},
		{"a forced failure", "POST", "/v3/contacts/exports", `{}`,
			http.Header{"Authorization": bearer["Authorization"], "X-Mock-Scenario": {"progress=now;outcome=error"}}, 202, `"self":"http`},
		{"its record in the list", "GET", "/v3/contacts/exports", "", bearer, 200,
			`"status":"failed","created_at":1773577800,"completed_at":1773577800,"message":"`},
	} {
		answers(t, mock, c.about, c.method, c.path, c.body, c.header, c.status, c.says)
	}
	var languages map[string]int
	must.Do(t, json.Unmarshal([]byte(run(t, mock.URL(), "contacts.py", "0")), &languages))
	must.Hold(t, languages["en"] >= 10 && languages["en"] <= 1000, "the client counted %v", languages)
	var statuses []string
	for _, entry := range mock.Journal().Entries(mocktest.Filter{Route: "contacts.status", Kind: "contacts"}) {
		statuses = append(statuses, entry.ExportStatus)
	}
	must.Equal(t, statuses, []string{"pending", "pending", "ready"}, "the client saw")
	mock.Set(mocktest.Scenario{Match: mocktest.Match{Stage: "create"}, Scenario: "progress=now"})
	var called map[string]int
	must.Do(t, json.Unmarshal([]byte(run(t, mock.URL(), "contacts.py", "callback")), &called))
	must.Equal(t, called, languages, "the client that was called counted")
	answers(t, mock, "the callback in the API document", "GET", "/openapi.json", "", http.Header{}, 200, `"{$request.body#/callback_url}": {`)
	described(t, mock, "contacts.bearerToken", map[string]string{"POST /v3/contacts/exports": "contactsCreate",
		"GET /v3/contacts/exports":      "contactsList",
		"GET /v3/contacts/exports/{id}": "contactsStatus"})
}

// receiver answers callbacks with these statuses, and hands them over.
func receiver(t *testing.T, statuses ...int) (address string, received <-chan *http.Request) {
	t.Helper()
	requests := make(chan *http.Request, 10)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		status := statuses[min(len(requests), len(statuses)-1)]
		text, _ := io.ReadAll(r.Body)
		r.Body = io.NopCloser(bytes.NewReader(text))
		requests <- r
		w.Header().Set("Location", "/elsewhere")
		w.WriteHeader(status)
	}))
	t.Cleanup(server.Close)
	return server.URL + "/ended?token=t", requests
}

// TestCallbacks: the record is sent to the address of the request when the export has ended, a few times until it is taken.
func TestCallbacks(t *testing.T) {
	for _, c := range []struct {
		about, scenario string
		answered, noted []int
		state           string
	}{
		{"a success", "progress=now", []int{204}, []int{204}, "ready"},
		{"a failure", "progress=now;outcome=error", []int{204}, []int{204}, "failed"},
		{"the end by the clock", "progress=time:1h", []int{204}, []int{204}, "ready"},
		{"another attempt", "progress=now", []int{500, 200}, []int{500, 200}, "ready"},
		{"no redirect, and no fourth attempt", "progress=now", []int{307}, []int{307, 307, 307}, "ready"},
	} {
		t.Run(c.about, func(t *testing.T) {
			address, received := receiver(t, c.answered...)
			t.Cleanup(func() { // the mock has ended
				if len(received) > 0 {
					t.Errorf("there were %d more callbacks", len(received))
				}
			})
			mock := mocktest.Start(t, mocktest.Options{
				Now: today(), Lints: mocktest.Ignore,
				Server: mockserver.Options{Schemas: os.DirFS("contacts"), Profiles: 2000, Sleep: soon},
			})
			header := http.Header{"Authorization": {"Bearer " + mocktest.Token}, "X-Mock-Scenario": {c.scenario}}
			_, created := ask(t, mock, "POST", "/v3/contacts/exports", `{"callback_url": "`+address+`"}`, header)
			mock.Clock().Advance(time.Hour)
			noted := mock.Journal().Wait(mocktest.Filter{Route: "callback"}, len(c.noted))
			for i, entry := range noted {
				sent := <-received
				var record struct {
					ID, Status string
					URLs       []string
				}
				must.Do(t, json.NewDecoder(sent.Body).Decode(&record))
				if record.ID == "" || !strings.Contains(created, record.ID) || record.Status != c.state ||
					(c.state == "ready") != (len(record.URLs) > 0) {
					t.Errorf("the receiver was sent %v", record)
				}
				if sent.Method != "POST" || sent.URL.String() != "/ended?token=t" || sent.Header.Get("Authorization")+sent.Header.Get("Cookie") != "" {
					t.Errorf("the callback was %s %s with %v", sent.Method, sent.URL, sent.Header)
				}
				if entry.Status != c.noted[i] || entry.ExportStatus != c.state || strings.Contains(entry.Path, "token") {
					t.Errorf("the journal has %v", entry)
				}
			}
		})
	}
}

// unsteady is a store that fails to read, or once to change, what callbacks are due, or has another state after a reset.
type unsteady struct {
	store.Store
	unread, unkept bool
	other          *store.Snapshot
}

func (u *unsteady) Restore(ctx context.Context, snapshot *store.Snapshot) error {
	return u.Store.Restore(ctx, cmp.Or(u.other, snapshot))
}

func (u *unsteady) Setting(ctx context.Context, name string) ([]byte, error) {
	if u.unread && name == "callbacks" {
		return nil, errors.New("a read error")
	}
	return u.Store.Setting(ctx, name)
}

func (u *unsteady) UpdateSetting(ctx context.Context, name string, change func([]byte) ([]byte, error)) error {
	if u.unkept && name == "callbacks" {
		u.unkept = false
		return errors.New("a write error")
	}
	return u.Store.UpdateSetting(ctx, name, change)
}

// TestCallbacksOutliveTheServer: what is due when the server ends is sent after the next start that can read it, once, and at no further
// start; what is due in a state that is restored is sent as well, and not twice where it is due already.
func TestCallbacksOutliveTheServer(t *testing.T) {
	address, received := receiver(t, 200)
	file := t.TempDir() + "/state.db"
	var snapshot *store.Snapshot
	for i, about := range []string{"the creation", "a start that cannot read", "after a restart", "after another one", "a restored state"} {
		t.Run(about, func(t *testing.T) {
			var log bytes.Buffer
			var kept *unsteady
			opened := state.At(file)
			if i == 4 {
				opened = state.At(t.TempDir() + "/another.db")
			}
			mock := mocktest.Start(t, mocktest.Options{Now: today().Add(time.Duration(i%4) * time.Hour), Lints: mocktest.Ignore,
				Server: mockserver.Options{Schemas: os.DirFS("contacts"), Profiles: 2000, Sleep: soon, Logger: slog.New(slog.NewTextHandler(&log, nil)),
					State: func(ctx context.Context) (store.Store, error) {
						steady, err := opened(ctx)
						kept = &unsteady{steady, i == 1, i == 2, snapshot}
						return kept, err
					}}})
			switch i {
			case 0:
				header := http.Header{"Authorization": {"Bearer " + mocktest.Token}, "X-Mock-Scenario": {"progress=time:30m"}}
				answers(t, mock, about, "POST", "/v3/contacts/exports", `{"callback_url": "`+address+`"}`, header, 202, `"self":"http://mock.`)
				snapshot = must.Get(kept.Snapshot(t.Context(), dataset.BatchesOf()))(t)
				return
			case 1:
				if text := log.String(); !strings.Contains(text, "a read error") {
					t.Errorf("the log has %s", text)
				}
				return
			case 3:
				must.Equal(t, string(must.Get(kept.Setting(t.Context(), "callbacks"))(t)), "{}", "due")
				return
			case 4:
				mock.Reset()
				mock.Reset()
				mock.Clock().Advance(time.Hour)
			}
			mock.Journal().Wait(mocktest.Filter{Route: "callback"}, 1)
			sent := <-received
			if text := string(must.Get(io.ReadAll(sent.Body))(t)); !strings.Contains(text, `"ready"`) || !strings.Contains(text, `"http://mock.`) {
				t.Errorf("the receiver was sent %s", text)
			}
		})
	}
	must.Equal(t, len(received), 0, "further callbacks")
}

// TestCallbackAddresses: callbacks go to this machine and to listed hosts alone.
func TestCallbackAddresses(t *testing.T) {
	mock := mocktest.Start(t, mocktest.Options{Now: today(), Lints: mocktest.Ignore,
		Server: mockserver.Options{Schemas: os.DirFS("contacts"), CallbackHosts: []string{"hooks.test"}}})
	header := http.Header{"Authorization": {"Bearer " + mocktest.Token}, "X-Mock-Scenario": {"progress=stuck"}}
	for address, says := range map[string]string{
		"http://localhost:9/a": "", "https://127.0.0.2/a": "", "http://[::1]:9/a": "",
		"http://app.localhost/": "", "https://HOOKS.test:8443/a": "",
		"http://hooks.test.example/":       "--callback-host hooks.test.example",
		"http://10.0.0.1/":                 "--callback-host 10.0.0.1",
		"http://127.0.0.1.example/":        "its host must be of this machine",
		"http://169.254.169.254/latest":    "its host must be of this machine",
		"http://user:secret@localhost/":    "no credentials are sent",
		"http://localhost/%5Fmock/reset":   "controls a mock server",
		"file:///etc/passwd":               "must be an address such as",
		"localhost:9000":                   "must be an address such as",
		"http://[::ffff:10.0.0.1]/":        "its host must be of this machine",
		"http://localhost@hooks.example/a": "no credentials are sent",
	} {
		response, text := ask(t, mock, "POST", "/v3/contacts/exports", `{"callback_url": "`+address+`"}`, header)
		if want := map[bool]int{true: 202, false: 400}[says == ""]; response.StatusCode != want || !strings.Contains(text, says) ||
			says != "" && !strings.Contains(text, "callback_url is ") {
			t.Errorf("%s: %d %s, want %d %s", address, response.StatusCode, text, want, says)
		}
	}
}

// TestCallbackSecrets: the journal has neither the query of an address nor what may be a secret in its path, also when nobody answers.
func TestCallbackSecrets(t *testing.T) {
	mock := mocktest.Start(t, mocktest.Options{Now: today(), Lints: mocktest.Ignore,
		Server: mockserver.Options{Schemas: os.DirFS("contacts"), Profiles: 2000, Sleep: soon}})
	gone := httptest.NewServer(http.NotFoundHandler())
	gone.Close()
	address := gone.URL + "/hooks/planted-0123456789?token=planted"
	header := http.Header{"Authorization": {"Bearer " + mocktest.Token}, "X-Mock-Scenario": {"progress=now"}}
	ask(t, mock, "POST", "/v3/contacts/exports", `{"callback_url": "`+address+`"}`, header)
	for _, entry := range mock.Journal().Wait(mocktest.Filter{Route: "callback"}, 1) {
		text, err := json.Marshal(entry)
		if err != nil || strings.Contains(string(text), "planted") || !strings.Contains(string(text), "/hooks/[redacted]") ||
			!strings.Contains(string(text), "the callback was not sent: dial ") {
			t.Errorf("the journal has %s, %v", text, err)
		}
	}
}

// TestFixedCallback: an interface may have one address for all exports, which the start checks.
func TestFixedCallback(t *testing.T) {
	address, received := receiver(t, 200)
	mock := mocktest.Start(t, mocktest.Options{Now: today(), Lints: mocktest.Ignore, Server: mockserver.Options{
		Schemas: edited(t, "interface.json", `"version"`, `"callback": "`+address+`", "version"`,
			"interface.json", `"scheme"`, `"answers": {"X-Quota-Left": "41"}, "scheme"`,
			"export.request.json", `"x-role": "callback"`, `"x-role": "ignored"`), Scenario: "progress=now", Profiles: 2000}})
	answer, _ := ask(t, mock, "POST", "/v3/contacts/exports", `{}`, http.Header{"Authorization": {"Bearer " + mocktest.Token}})
	must.Equal(t, answer.Header.Get("X-Quota-Left"), "41", "a header of the interface")
	_, document := ask(t, mock, "GET", "/openapi.json", "", http.Header{})
	document = strings.NewReplacer("\n", "", " ", "").Replace(document)
	for text, count := range map[string]int{`"callbacks":{"ended":{"` + address + `":{"post":{`: 1, `Themockofcontactssends41.`: 2,
		`"X-Quota-Left":{"$ref":`: 10} {
		must.Equal(t, strings.Count(document, text), count, "%s in the API document", text)
	}
	mock.Journal().Wait(mocktest.Filter{Route: "callback"}, 1)
	if sent := <-received; sent.URL.Path != "/ended" {
		t.Errorf("the callback went to %s", sent.URL)
	}
	for pointer, c := range map[string]struct{ file, old, changed, says string }{
		"/x-interface/callback": {"interface.json", `"version"`, `"callback": "http://hooks.test/a", "version"`, "--callback-host hooks.test"},
		"/x-export/view": {"contact.row.json", `"profiles"`,
			`"profile-messages", "stream": "profiles", "lookback": "P90D", "lookbackPolicy": "clip"`, "every file is empty"},
	} {
		_, err := mockserver.New(mockserver.Options{StartAt: today(), Schemas: edited(t, c.file, c.old, c.changed)})
		if fault := new(schemas.FileError); !errors.As(err, &fault) || fault.Pointer != pointer || !strings.Contains(fault.Message, c.says) {
			t.Errorf("the start says %v", err)
		}
	}
}

// TestNestedIdentifier: the identifier may be in a member of the answer to a creation, and in the body of a lookup.
func TestNestedIdentifier(t *testing.T) {
	files := edited(t,
		"export.created.json", `"required": ["id", "self"],`, `"required": ["data"],`,
		"export.created.json", `"properties": {`, `"properties": {"data": {"type": "object", "required": ["id"], "properties": {`,
		"export.created.json", `7f10"]}
  }`, `7f10"]}}}
  }`,
		"export.record.json", `"method": "GET",`, `"method": "POST", "request": "contacts/lookup.request.json",`,
		"export.record.json", `exports/{id}`, `exports/lookup`)
	files["contacts/lookup.request.json"] = &fstest.MapFile{Data: []byte(`{
		"title": "Lookup", "description": "Names an export.", "type": "object",
		"required": ["export"], "additionalProperties": false, "properties": {"export": {"type": "object", "required": ["key"],
		"properties": {"key": {"description": "The export.", "type": "string", "x-role": "export"}}}}}`)}
	mock := mocktest.Start(t, mocktest.Options{Now: today(), Lints: mocktest.Ignore, Server: mockserver.Options{Schemas: files}})
	created := mock.Create("contacts", mocktest.ExportOptions{Scenario: "progress=polls:2"})
	bearer := http.Header{"Authorization": {"Bearer " + mocktest.Token}}
	for _, c := range []struct {
		about, body string
		status      int
		says        string
	}{
		{"the first lookup", `{"export": {"key": "` + created.ID + `"}}`, 200, `{"id":"` + created.ID + `","status":"pending"`},
		{"the second lookup", `{"export": {"key": "` + created.ID + `"}}`, 200, `{"id":"` + created.ID + `","status":"ready"`},
		{"another export", `{"export": {"key": "5b1c6e0e-4b52-4d7e-9d0b-0c8d6d3b7f10"}}`, 404, `"id":"ROUTE_NOT_FOUND"`},
		{"no identifier", `{"export": {"key": "mine"}}`, 400, `send the UUID that the creation answered as data/id`},
		{"no export", `{}`, 400, `export is missing`},
		{"no JSON", `{`, 400, `"id":"MALFORMED_JSON_BODY"`},
	} {
		answers(t, mock, c.about, "POST", "/v3/contacts/exports/lookup", c.body, bearer, c.status, c.says)
	}
	if _, text := ask(t, mock, "POST", "/v3/contacts/exports", `{}`, bearer); !strings.HasPrefix(text, `{"data":{"id":"`) {
		t.Errorf("the creation answers %s", text)
	}
}

// TestPartsInContainers: a file that is packed is split as well, and each part is a file of its own.
func TestPartsInContainers(t *testing.T) {
	files := edited(t, "interface.json", `"container"`, `"partSize": 20000, "container"`)
	mock := mocktest.Start(t, mocktest.Options{Now: today(), Lints: mocktest.Ignore,
		Server: mockserver.Options{Schemas: files, Profiles: 2000}})
	created := mock.Create("contacts", mocktest.ExportOptions{Scenario: "progress=now"})
	bearer := http.Header{"Authorization": {"Bearer " + mocktest.Token}}
	_, text := ask(t, mock, "GET", "/v3/contacts/exports/"+created.ID, "", bearer)
	var record struct{ URLs []string }
	must.Do(t, json.Unmarshal([]byte(text), &record))
	lines, names := 0, map[string]bool{}
	for i, link := range record.URLs {
		response, body := ask(t, mock, "GET", strings.TrimPrefix(link, mocktest.Base), "", http.Header{})
		if want := fmt.Sprintf(`attachment; filename="contacts-%d.csv.zip"`, i+1); response.Header.Get("Content-Disposition") != want ||
			response.ContentLength != int64(len(body)) || !strings.Contains(link, fmt.Sprintf(".%d.csv.zip?", i+1)) {
			t.Errorf("part %d of %s has %v", i+1, link, response.Header)
		}
		archive := must.Get(zip.NewReader(strings.NewReader(body), int64(len(body))))(t)
		content := string(must.Get(io.ReadAll(must.Get(archive.File[0].Open())(t)))(t))
		if len(content) > 20000 || !strings.HasPrefix(content, "contact_id,email,") {
			t.Errorf("part %d has %d bytes: %.50s", i+1, len(content), content)
		}
		names[archive.File[0].Name] = true
		lines += strings.Count(content, "\n") - 1
	}
	if lines < 1000 || len(names) != len(record.URLs) || len(names) < 5 {
		t.Errorf("%d rows in %v, of %d links", lines, names, len(record.URLs))
	}
	files["contacts/export.record.json"].Data = bytes.Replace(files["contacts/export.record.json"].Data, []byte(`"record.files"`),
		[]byte(`"record.link"`), 1)
	_, err := mockserver.New(mockserver.Options{StartAt: today(), Schemas: files})
	if fault := new(schemas.FileError); !errors.As(err, &fault) || fault.Pointer != "/x-interface/files/partSize" {
		t.Errorf("parts that no record lists are accepted: %v", err)
	}
}

// soon is a sleep that takes a moment.
func soon(ctx context.Context, _ time.Duration) error {
	select {
	case <-time.After(time.Millisecond):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// edited are the files of the contacts service with changes: each is a file, a part of it, and the text in its place.
func edited(t *testing.T, changes ...string) fstest.MapFS {
	t.Helper()
	files := fstest.MapFS{}
	names := must.Get(fs.Glob(os.DirFS("contacts"), "contacts/*.json"))(t)
	for _, name := range names {
		text := must.Get(os.ReadFile("contacts/" + name))(t)
		files[name] = &fstest.MapFile{Data: text}
	}
	for change := range slices.Chunk(changes, 3) {
		file := files["contacts/"+change[0]]
		if !bytes.Contains(file.Data, []byte(change[1])) {
			t.Fatalf("%s does not have %s", change[0], change[1])
		}
		file.Data = bytes.Replace(file.Data, []byte(change[1]), []byte(change[2]), 1)
	}
	return files
}

// TestAnalytics: no job, dates in the query or the path, Basic, gzip of one object a line.
func TestAnalytics(t *testing.T) {
	mock := serve(t, "analytics")
	basic := http.Header{"Authorization": {"Basic " + base64.StdEncoding.EncodeToString([]byte(mocktest.ProjectKey+":"+mocktest.Token))}}
	for _, c := range []struct {
		about, path string
		header      http.Header
		status      int
		says        string
	}{
		{"no credential", "/api/2/export", http.Header{}, 401,
			`{"code":401,"error":"the header Authorization is missing; it carries a project key with its token`},
		{"no pair", "/api/2/export", http.Header{"Authorization": {"Basic abc"}}, 401, "in base64, the project key, a colon and the token"},
		{"a missing hour", "/api/2/export?start=20260314T05", basic, 400, `"missing_field":["/end"]}`},
		{"no hour", "/api/2/export?start=2026-03-14&end=20260314T05", basic, 400, "start must be an hour in UTC, such as 20260314T05"},
		{"hours in the wrong order", "/api/2/export?start=20260314T05&end=20260314T03", basic, 400,
			"start (20260314T05) is after end (20260314T03)"},
		{"an unknown event", "/api/2/export?start=20260314T05&end=20260314T05&event=push_sen", basic, 400, "did you mean push_sent?"},
		{"too long ago", "/api/2/days/2025-01-01", basic, 400, "day (2025-01-01) is older than the lookback of 90 days"},
		{"a forced failure", "/api/2/days/2026-03-14", http.Header{"Authorization": basic["Authorization"],
			"X-Mock-Scenario": {"error=MAINTENANCE_ERROR"}}, 503, `"code":503`},
	} {
		answers(t, mock, c.about, "GET", c.path, "", c.header, c.status, c.says)
	}
	response, text := ask(t, mock, "GET", "/api/2/export?start=20260314T00&end=20260314T23&event=email_open&event=email_sent", "", basic)
	unpacked, err := gzip.NewReader(strings.NewReader(text))
	if err != nil || response.Header.Get("Content-Type") != "application/gzip" {
		t.Fatalf("the answer is %s: %v", response.Header.Get("Content-Type"), err)
	}
	kinds := map[string]int{}
	for lines := json.NewDecoder(unpacked); ; {
		var event struct {
			Type string    `json:"event_type"`
			Time time.Time `json:"event_time"`
		}
		if err := lines.Decode(&event); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		if kinds[event.Type]++; event.Time.Format(time.DateOnly) != "2026-03-14" {
			t.Fatalf("an event of %s is in the file", event.Time)
		}
	}
	if len(kinds) != 2 || kinds["email_open"] == 0 || kinds["email_sent"] == 0 {
		t.Errorf("the file has %v, want email_open and email_sent", kinds)
	}
	var counted map[string]int
	must.Do(t, json.Unmarshal([]byte(run(t, mock.URL(), "analytics.py", "2026-03-14")), &counted))
	if counted["email_open"] != kinds["email_open"] || counted["push_sent"] == 0 {
		t.Errorf("the client counted %v, want %v and others", counted, kinds)
	}
	stored := func() int {
		_, list := ask(t, mock, "GET", "/_mock/exports", "", http.Header{})
		return strings.Count(list, `"analytics.`)
	}
	for path, status := range map[string]int{"/api/2/export?start=20260314T00&end=20260314T23": 200, "/api/2/days/2026-03-14": 200,
		"/api/2/days/2025-01-01": 400} {
		before := stored()
		head, body := ask(t, mock, "HEAD", path, "", basic)
		if head.StatusCode != status || body != "" || before == 0 || stored() != before {
			t.Errorf("HEAD %s: %d, and of %d exports there are %d", path, head.StatusCode, before, stored())
		}
		get, _ := ask(t, mock, "GET", path, "", basic)
		for _, name := range []string{"Etag", "Content-Length", "Content-Type"} {
			if head.Header.Get(name) != get.Header.Get(name) {
				t.Errorf("HEAD %s: %s is %q, and %q of GET", path, name, head.Header.Get(name), get.Header.Get(name))
			}
		}
	}
	described(t, mock, "analytics.basic", map[string]string{"GET /api/2/export": "analyticsHoursCreate",
		"GET /api/2/days/{day}": "analyticsDayCreate"})
}

// described checks that the API document has the operations of a service, with an example of each answer, and its credential.
func described(t *testing.T, mock *mocktest.Mock, scheme string, want map[string]string) {
	t.Helper()
	type operation struct {
		OperationID string
		Security    []map[string][]string
		Responses   map[string]struct {
			Content map[string]struct{ Examples map[string]any }
		}
	}
	var document struct {
		Paths      map[string]map[string]operation
		Components struct{ SecuritySchemes map[string]any }
	}
	_, text := ask(t, mock, "GET", "/openapi.json", "", http.Header{})
	must.Do(t, json.Unmarshal([]byte(text), &document))
	must.Hold(t, document.Components.SecuritySchemes[scheme] != nil, "the API document does not have the credential %s", scheme)
	for at, id := range want {
		method, path, _ := strings.Cut(at, " ")
		found := document.Paths[path][strings.ToLower(method)]
		if found.OperationID != id || len(found.Security) != 1 || found.Security[0][scheme] == nil {
			t.Errorf("%s is %s with %v, want %s with %s", at, found.OperationID, found.Security, id, scheme)
		}
		for status, response := range found.Responses {
			for media, content := range response.Content {
				if len(content.Examples) == 0 && media != "application/gzip" {
					t.Errorf("%s has no example of the answer %s of %s", at, media, status)
				}
			}
		}
	}
}
