package server_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/clock"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/demo"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/live"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/memory"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/texture"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// noon is what the clock of every test shows at first. It stands still.
var noon = time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)

// harness is a server on a clock that stands still, with everything it sends checked against the schemas.
type harness struct {
	testing.TB
	service *mockserver.Server
	library *schemas.Library
	clock   commonClock
	store   store.Store
	log     *bytes.Buffer
	web     bool // with a web page
}

func newServer(t testing.TB, change ...func(*mockserver.Options)) *harness {
	t.Helper()
	s := &harness{TB: t, log: &bytes.Buffer{}}
	config := usualConfig()
	config.Logger = slog.New(slog.NewTextHandler(s.log, nil))
	for _, c := range change {
		c(&config)
	}
	s.store = must.Get(config.State(t.Context()))(t)
	config.State, s.web = keptIn(s.store), config.Web != nil
	s.service = must.Get(mockserver.New(config))(t)
	s.library, s.clock = s.service.Schemas(), commonClock{s.service.Live()}
	t.Cleanup(func() {
		s.service.Close()
		if t.Failed() && s.log.Len() > 0 {
			t.Logf("log of the server:\n%s", s.log)
		}
	})
	return s
}

// commonClock is the common clock, of all keys that have none of their own. It is changed as a client changes it, but for the request.
type commonClock struct{ live *live.State }

func (c commonClock) Now() time.Time       { return c.live.Now() }
func (c commonClock) Status() clock.Status { return c.live.Clock("") }

func (c commonClock) Advance(by time.Duration) error {
	return c.change(func(clock *clock.Clock) error { return clock.Advance(by) })
}

func (c commonClock) Set(instant time.Time) error {
	return c.change(func(clock *clock.Clock) error { return clock.Set(instant) })
}

func (c commonClock) change(how func(*clock.Clock) error) error {
	return c.live.ChangeClocks(context.Background(), "", func(clocks *clock.Clocks) error { return how(clocks.Common()) })
}

// keptIn is the state of a store.
func keptIn(kept store.Store) mockserver.State {
	return func(context.Context) (store.Store, error) { return kept, nil }
}

// patience is how long a lookup waits for its file: on a busy machine, longer than for a user.
const patience = 10 * time.Minute

// usualConfig is the configuration of a service on its own.
func usualConfig() mockserver.Options {
	return mockserver.Options{
		State: keptIn(memory.New()), Now: func() time.Time { return noon }, Random: rand.NewChaCha8([32]byte{}),
		Progress: "now", Profiles: 200, World: mockserver.World{Texture: texture.Tidy}, // a row is a line
		Limits: budget.Exact(budget.Limits{Times: budget.Times{Wait: patience}}),
		Credentials: mockserver.Credentials{Companies: []mockserver.Company{
			{
				Key:          demo.CompanyKey,
				Applications: []mockserver.Application{{Key: demo.LiveKey}, {Key: "dev_demo", Environment: "dev"}},
				Projects: []mockserver.Project{{Key: "project_demo", Tokens: []mockserver.Secret{"token_demo"}},
					{Key: "project_other", Tokens: []mockserver.Secret{"token_other"}}},
			}, {
				Key: "rest_small", Plan: "basic",
				Applications: []mockserver.Application{{Key: "live_small"}},
				Projects:     []mockserver.Project{{Key: "project_small", Tokens: []mockserver.Secret{"token_small"}}},
			},
		}},
	}
}

// call is one request. The zero value of a field means the usual thing.
type call struct {
	method, path, body string
	header             http.Header // replaces the credentials when not nil
	scenario           string
	remote, host       string
	chunked            bool // its length is not said before
}

// answer is a response, read to its end.
type answer struct {
	*http.Response
	text string
	body map[string]any // nil unless it is a JSON object
}

func legacyHeader() http.Header {
	return http.Header{"X-Authorization": {demo.CompanyKey}, "Content-Type": {"application/json"}}
}

func profilesHeader() http.Header {
	return http.Header{
		"Authorization": {"Bearer token_demo"}, "X-Service-Project": {"project_demo"}, "Content-Type": {"application/json"},
	}
}

// do sends a call and checks the response against the schema of its route.
func (s *harness) do(c call) answer {
	s.Helper()
	if c.method == "" {
		c.method = http.MethodPost
	}
	r := httptest.NewRequest(c.method, "http://mock.test", strings.NewReader(c.body))
	if c.chunked {
		r.ContentLength = -1
	}
	target, err := url.ParseRequestURI(c.path)
	if err != nil {
		s.Fatalf("path %q: %v", c.path, err)
	}
	target.Scheme, target.Host = r.URL.Scheme, r.URL.Host
	r.URL = target
	r.RemoteAddr = "127.0.0.1:40000"
	if strings.HasPrefix(c.path, "/_mock/") {
		r.Host = "localhost:8080"
	}
	if c.host != "" {
		r.Host = c.host
	}
	if c.remote != "" {
		r.RemoteAddr = c.remote
	}
	switch {
	case c.header != nil:
		r.Header = c.header.Clone()
	case strings.HasPrefix(c.path, "/2.7/"):
		r.Header = profilesHeader()
	default:
		r.Header = legacyHeader()
	}
	if c.scenario != "" {
		r.Header.Set("X-Mock-Scenario", c.scenario)
	}
	return s.send(r)
}

func (s *harness) send(r *http.Request) answer {
	s.Helper()
	recorder := httptest.NewRecorder()
	s.service.ServeHTTP(recorder, r)
	response := recorder.Result()
	data := must.Get(io.ReadAll(response.Body))(s)
	result := answer{Response: response, text: string(data)}
	json.Unmarshal(data, &result.body)
	s.check(r, result)
	s.checkDocument(r, result)
	return result
}

// check validates every JSON body against the schema that is declared for it.
func (s *harness) check(r *http.Request, a answer) {
	s.Helper()
	if r.Method == http.MethodHead || a.StatusCode == http.StatusNoContent {
		if a.text != "" {
			s.Errorf("%s %s: a body where none may be: %s", r.Method, r.URL.Path, a.text)
		}
		return
	}
	path := r.URL.EscapedPath()
	schema := ""
	switch contentType := a.Header.Get("Content-Type"); {
	case contentType != "application/json" || strings.HasPrefix(path, "/files/") && a.StatusCode < 400:
		return
	case a.StatusCode >= 400:
		schema = "legacy/error.json"
		first, _, _ := strings.Cut(strings.TrimLeft(path, "/"), "/")
		if first == "2.7" || first == "files" && strings.HasPrefix(path, "/files/export_") {
			schema = "profiles/error.json"
		}
	default:
		for _, route := range s.service.Routes() {
			if route.Method == r.Method && samePath(route.Path, path) {
				if a.StatusCode != route.Status {
					s.Errorf("%s %s: status %d, the table says %d", r.Method, path, a.StatusCode, route.Status)
				}
				schema = route.Response
			}
		}
	}
	if schema == "" || strings.Contains(a.text, `"surprise"`) || strings.Contains(a.text, `"SURPRISE"`) { // which no schema allows
		return
	}
	value, err := schemas.Decode([]byte(a.text))
	if err == nil {
		err = s.library.Validate(schema, value)
	}
	if err != nil {
		s.Errorf("%s %s: %d: the body does not fit %s: %v\n%s", r.Method, path, a.StatusCode, schema, err, a.text)
	}
}

func samePath(template, path string) bool {
	wanted, sent := strings.Split(template, "/"), strings.Split(path, "/")
	if len(wanted) != len(sent) {
		return false
	}
	for i := range wanted {
		if wanted[i] != sent[i] && !strings.HasPrefix(wanted[i], "{") {
			return false
		}
	}
	return true
}

// name is the name of a refusal, in whichever shape.
func (a answer) name() string {
	for _, member := range []string{"type", "error_code"} {
		if name, ok := a.body[member].(string); ok {
			return name
		}
	}
	return ""
}

// message is the sentence of a refusal.
func (a answer) message() string {
	for _, member := range []string{"message", "error_message", "detail"} {
		if message, ok := a.body[member].(string); ok {
			return message
		}
	}
	return ""
}

// problems lists the faults of a refusal as "pointer keyword".
func (a answer) problems() []string {
	var list []string
	items, _ := a.body["errors"].([]any)
	for _, item := range items {
		problem, _ := item.(map[string]any)
		list = append(list, fmt.Sprintf("%v %v", problem["pointer"], problem["keyword"]))
	}
	return list
}

// refused fails the test unless the answer is this refusal.
func (s *harness) refused(a answer, status int, name string, contains ...string) {
	s.Helper()
	if a.StatusCode != status || a.name() != name {
		s.Fatalf("answered %d %s, want %d %s: %s", a.StatusCode, a.name(), status, name, a.text)
	}
	for _, text := range contains {
		if !strings.Contains(a.message(), text) {
			s.Errorf("the message of %s lacks %q: %s", name, text, a.message())
		}
	}
}

// answers fails the test unless the answer has this status, and holds these texts.
func (s *harness) answers(about string, a answer, status int, contains ...string) {
	s.Helper()
	if a.StatusCode != status {
		s.Errorf("%s: answered %d, want %d: %.500s", about, a.StatusCode, status, a.text)
	}
	for _, text := range contains {
		if !strings.Contains(a.text, text) {
			s.Errorf("%s: the answer lacks %q: %.500s", about, text, a.text)
		}
	}
}

// kind is one of the eleven exports with a payload that is accepted.
type kind struct {
	name, path, body string
}

const (
	window   = `"from":"2026-03-08T12:00:00","to":"2026-03-15T12:00:00"`
	windowZ  = `"from":"2026-03-08T12:00:00Z","to":"2026-03-15T12:00:00Z"`
	ids      = `"ids":["install_id","custom_id","advertising_id"]`
	pushBody = `{` + window + `,"events":["push_sent","push_open"],` + ids + `}`
	appBody  = `{` + window + `,"events":["inapp_shown","inapp_clicked"],` + ids + `}`

	userbasePath = "/1.0/live_demo/export/userbase"
	userbaseBody = `{` + ids + `}`
	campaignPath = "/1.0/live_demo/export/campaign/welcome/events"
	statusPath   = "/1.0/live_demo/export/request/"
	profilesPath = "/2.7/profiles/export"
	filteredBody = `{"export_type":"ATTRIBUTES","identifiers":["custom_id"],"filter":{"segment":"loyal"}}`
)

var kinds = []kind{
	{"campaign.ids", "/1.0/live_demo/export/campaign/welcome/ids", pushBody},
	{"campaign.events", campaignPath, pushBody},
	{"transactional.ids", "/1.0/live_demo/export/transactional/receipts/ids", pushBody},
	{"transactional.events", "/1.0/live_demo/export/transactional/receipts/events", pushBody},
	{"in-app-campaign.ids", "/1.0/live_demo/export/in-app-campaign/spring/ids", appBody},
	{"in-app-campaign.events", "/1.0/live_demo/export/in-app-campaign/spring/events", appBody},
	{"reachability.events", "/1.0/live_demo/export/reachability/events", `{` + window + `,` + ids + `}`},
	{"userbase", userbasePath, userbaseBody},
	{"profiles.attributes", profilesPath, `{"export_type":"ATTRIBUTES","attributes":["$language"],"identifiers":["custom_id"]}`},
	{"profiles.events", profilesPath,
		`{"export_type":"EVENTS",` + windowZ + `,"events":["email_sent","push_open"],"identifiers":["custom_id"]}`},
	{"profiles.reachability", profilesPath, `{"export_type":"REACHABILITY",` + windowZ + `,"channels":["push","email","sms"]}`},
}

// create makes an export and returns its identifier.
func (s *harness) create(path, body, scenario string) string {
	s.Helper()
	a := s.do(call{path: path, body: body, scenario: scenario})
	if a.StatusCode != http.StatusAccepted {
		s.Fatalf("creating answered %d: %s", a.StatusCode, a.text)
	}
	for _, member := range []string{"requestId", "id"} {
		if id, ok := a.body[member].(string); ok {
			return id
		}
	}
	s.Fatalf("no identifier in %s", a.text)
	return ""
}

// lookup asks for the record of an export of either interface.
func (s *harness) lookup(id string) answer {
	s.Helper()
	path := statusPath + id
	if strings.HasPrefix(id, "export_") {
		path = "/2.7/exports/view?id=" + id
	}
	a := s.do(call{method: http.MethodGet, path: path})
	if a.StatusCode != http.StatusOK {
		s.Fatalf("looking %s up answered %d: %s", id, a.StatusCode, a.text)
	}
	return a
}

// links lists the links to the files of a finished export, as path and query.
func (s *harness) links(id string) []string {
	s.Helper()
	record := s.lookup(id)
	if link, ok := record.body["file_url"].(string); ok {
		return []string{strings.TrimPrefix(link, "http://mock.test")}
	}
	files, _ := record.body["files"].([]any)
	var found []string
	for _, file := range files {
		fileID, _ := file.(map[string]any)["id"].(string)
		a := s.do(call{method: http.MethodGet, path: "/2.7/exports/download?id=" + fileID})
		if a.StatusCode != http.StatusTemporaryRedirect {
			s.Fatalf("download of %s answered %d: %s", fileID, a.StatusCode, a.text)
		}
		found = append(found, strings.TrimPrefix(a.Header.Get("Location"), "http://mock.test"))
	}
	if len(found) == 0 {
		s.Fatalf("export %s has no file: %s", id, record.text)
	}
	return found
}

// get fetches a path without credentials.
func (s *harness) get(path string, header ...string) answer {
	s.Helper()
	h := http.Header{}
	for i := 0; i < len(header); i += 2 {
		h.Set(header[i], header[i+1])
	}
	return s.do(call{method: http.MethodGet, path: path, header: h})
}
