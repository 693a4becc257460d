package mocktest

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// week is how far back an export begins that does not say when.
const week = 7 * 24 * time.Hour

// ExportOptions say what an export is to hold. The zero value asks for everything there is of the last seven days.
type ExportOptions struct {
	// From and To are the window; From is inside, To is not. The zero times mean seven days before To, and now.
	From, To time.Time
	// Events, IDs, Channels, Attributes and Identifiers choose from what the kind of export knows; nil means all of it.
	Events, IDs, Channels, Attributes, Identifiers []string
	// Segment limits profile attributes to a segment.
	Segment string
	// Target is the campaign token or transactional group; empty means "demo".
	Target string
	// Scenario is sent as X-Mock-Scenario.
	Scenario string
	// Key is the application key (legacy kinds) or project key; empty means LiveKey or ProjectKey. Credential goes with it: the company
	// key or the bearer token; empty means CompanyKey or Token.
	Key, Credential string
}

// ownAgent tells requests of the test from those of its client.
const ownAgent = "rehearsal-mocktest"

// Export is an export that the test itself made, so that the client under test finds one, or to see what a file holds.
type Export struct {
	// ID is its identifier, Kind its kind.
	ID, Kind string

	mock   *Mock
	export schemas.Export
	iface  exports.Interface
	header http.Header
	key    string
}

// Create makes an export of a kind, such as "campaign.events", "userbase" or "profiles.attributes", through the same endpoint that a
// client uses: the request is in the journal. A refusal ends the test.
func (m *Mock) Create(kind string, options ExportOptions) *Export {
	m.t.Helper()
	e := &Export{Kind: kind, mock: m, key: options.Key}
	for _, export := range m.library.Exports() {
		if export.Kind == kind {
			e.export = export
		}
	}
	if e.export.Kind == "" {
		var kinds []string
		for _, export := range m.library.Exports() {
			kinds = append(kinds, export.Kind)
		}
		m.t.Fatalf("mocktest: there is no kind of export %q; the kinds are %s", kind, strings.Join(kinds, ", "))
	}
	body, err := json.Marshal(m.payload(e.export, options))
	if err != nil {
		m.t.Fatalf("mocktest: %v", err)
	}
	e.authorize(options.Credential)
	header := e.header.Clone()
	header.Set("Content-Type", "application/json")
	if options.Scenario != "" {
		header.Set("X-Mock-Scenario", options.Scenario)
	}
	made := map[string]any{}
	e.ask(http.MethodPost, e.path(options.Target), header, body, &made)
	e.ID = e.iface.Identifiers.In(made)
	return e
}

// payload is the body of the request, as the schema of the kind knows it.
func (m *Mock) payload(export schemas.Export, options ExportOptions) map[string]any {
	template := exports.TemplateOf(m.library, export)
	payload := template.Everything()
	if export.Roles.Dated() {
		now := m.Clock().Now()
		to := options.To
		if to.IsZero() {
			to = now
		}
		from := options.From
		if from.IsZero() {
			from = to.Add(-week)
		}
		template.PutWindow(payload, from, to, now)
	}
	for name, chosen := range map[string][]string{
		"events": options.Events, "ids": options.IDs, "channels": options.Channels,
		"attributes": options.Attributes, "identifiers": options.Identifiers,
	} {
		if chosen != nil {
			template.Put(payload, name, chosen)
		}
	}
	if options.Segment != "" {
		template.Put(payload, "segment", options.Segment)
	}
	return payload
}

// authorize chooses the credentials.
func (e *Export) authorize(credential string) {
	e.iface, _ = exports.DialectOf(e.mock.library).Named(e.export.Interface)
	inPath, key, secret := e.iface.KeyVariable != "", ProjectKey, Token
	if inPath {
		key, secret = LiveKey, CompanyKey
	}
	e.key, credential = cmp.Or(e.key, key), cmp.Or(credential, secret)
	e.header = http.Header{"User-Agent": {ownAgent}}
	e.header.Set(e.iface.Headers.Credential, e.iface.Headers.Value(credential))
	if !inPath {
		e.header.Set(e.iface.Headers.Project, e.key)
	}
}

// path is the path of the creation.
func (e *Export) path(target string) string {
	if target == "" {
		target = "demo"
	}
	path := strings.ReplaceAll(e.export.Path, "{"+e.iface.KeyVariable+"}", e.key)
	for _, name := range exports.Placeholders(path) {
		path = strings.ReplaceAll(path, "{"+name+"}", target)
	}
	return path
}

// ask sends a request as the owner of the export. A refusal ends the test.
func (e *Export) ask(method, path string, header http.Header, body []byte, into any) {
	e.mock.t.Helper()
	r, err := http.NewRequest(method, Base+path, bodyOf(body))
	if err != nil {
		e.mock.t.Fatalf("mocktest: %v", err)
	}
	r.Header = header
	response, err := e.mock.client.Do(r)
	if err != nil {
		e.mock.t.Fatalf("mocktest: %v", err)
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode >= 300 {
		err = fmt.Errorf("%s: %s", response.Status, bytes.TrimSpace(answer))
	}
	if err == nil {
		err = json.Unmarshal(answer, into)
	}
	if err != nil {
		e.mock.t.Fatalf("mocktest: %s %s: %v", method, path, err)
	}
}

// Finish completes the export now, with the outcome that its scenario asked for.
func (e *Export) Finish() {
	e.mock.t.Helper()
	e.move(map[string]any{"action": "finish"})
}

// Fail completes the export in error, with a message.
func (e *Export) Fail(message string) {
	e.mock.t.Helper()
	e.move(map[string]any{"action": "fail", "message": message})
}

// Step moves the export on by one state; from then on it moves by hand only.
func (e *Export) Step() {
	e.mock.t.Helper()
	e.move(map[string]any{"action": "step"})
}

func (e *Export) move(action map[string]any) {
	e.mock.t.Helper()
	e.mock.control("POST", "/_mock/exports/"+e.ID, action, nil)
}

// Status is CREATED, PENDING, SUCCESS or ERROR, or what schema files call them otherwise. Asking does not count as a lookup.
func (e *Export) Status() string {
	e.mock.t.Helper()
	var record struct{ Status string }
	e.mock.control("GET", "/_mock/exports/"+e.ID, nil, &record)
	return record.Status
}
