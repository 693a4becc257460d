package drift_test

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift"
)

// drifted is a service that speaks otherwise than the schema files in one way.
type drifted struct {
	overlay []string                                            // changes of schema files: file, from, to
	hand    func(r *http.Request, a *httptest.ResponseRecorder) // changes of answers
	more    func(b *beside)                                     // what the client does beyond the tour
	client  func(c *client)                                     // how the client speaks
	finds   []string                                            // parts of the findings, one of which each must have
	silent  bool                                                // no overlay says it
}

// edited puts a text in the place of another in the bodies of answers to paths.
func edited(path, from, to string) func(*http.Request, *httptest.ResponseRecorder) {
	return func(r *http.Request, a *httptest.ResponseRecorder) {
		if strings.Contains(r.URL.Path, path) && a.Code < 300 {
			changed := strings.ReplaceAll(a.Body.String(), from, to)
			a.Body = bytes.NewBufferString(changed)
			a.Header().Set("Content-Length", fmt.Sprint(len(changed)))
		}
	}
}

func headed(path, name, value string) func(*http.Request, *httptest.ResponseRecorder) {
	return func(r *http.Request, a *httptest.ResponseRecorder) {
		if strings.Contains(r.URL.Path, path) {
			a.Header().Set(name, value)
		}
	}
}

var token = []string{"Authorization: Bearer token_demo", "X-Service-Project: project_demo"}

// drifts are more than thirty ways to speak otherwise.
var drifts = map[string]drifted{
	// Files.
	"a column at the end": {overlay: []string{"legacy/userbase.row.json", `"required": ["is_optin_push"`, `"required": ["loyalty", "is_optin_push"`, "legacy/userbase.row.json", `"properties": {`, `"properties": {"loyalty": {"enum": ["true", "false"]},`},
		finds: []string{"userbase file /loyalty"}},
	"a column in the middle": {overlay: []string{"legacy/campaign.events.row.json", `"event_date", "event_type"]`, `"event_date", "country", "event_type"]`, "legacy/campaign.events.row.json", `"required": [`, `"required": ["country", `, "legacy/campaign.events.row.json", `"properties": {`, `"properties": {"country": {"type": "string", "examples": ["FR"]},`},
		finds: []string{"campaign.events file /country"}},
	"a column that is gone": {hand: func(r *http.Request, a *httptest.ResponseRecorder) {
		if strings.HasPrefix(r.URL.Path, "/files/") && strings.Contains(a.Body.String(), ";smart_segment\n") {
			reader := csv.NewReader(a.Body)
			reader.Comma = ';'
			rows, _ := reader.ReadAll()
			var kept bytes.Buffer
			writer := csv.NewWriter(&kept)
			writer.Comma = ';'
			for _, row := range rows {
				writer.Write(row[:len(row)-1])
			}
			writer.Flush()
			a.Body = &kept
			a.Header().Set("Content-Length", fmt.Sprint(a.Body.Len()))
		}
	}, finds: []string{"userbase file /smart_segment"}},
	"another order of columns": {overlay: []string{"legacy/reachability.events.row.json", `"event_date", "event_type"`, `"event_type", "event_date"`}, finds: []string{"reachability.events file", "column-order"}},
	"another separator":        {overlay: []string{"legacy/campaign.ids.row.json", `"separator": ";"`, `"separator": ","`}, finds: []string{"campaign.ids file", "separator"}},
	"another shape of dates in CSV": {overlay: []string{"legacy/in-app-campaign.events.row.json", `"$ref": "../common/dates.json#/$defs/legacyDateTime"`, `"$ref": "../common/dates.json#/$defs/utcDateTime"`, "legacy/in-app-campaign.events.row.json", `,
      "x-date-format": "local-date-time"`, ``}, finds: []string{"in-app-campaign.events file /event_date"}},
	"a new event in CSV":             {hand: edited("/files/", ";push_error", ";push_dismissed"), finds: []string{"file /event_type"}},
	"a new event in JSON":            {hand: edited("/files/", `"email_delivered"`, `"email_deferred"`), finds: []string{"profiles.events file /*/event_type", "profiles.events file /*/"}},
	"a null in JSON":                 {hand: edited("/files/", `"message_language":"default"`, `"message_language":null`), finds: []string{"profiles.events file /*/message_language"}},
	"a new member in JSON":           {hand: edited("/files/", `"sent_id":`, `"attempt":1,"sent_id":`), finds: []string{"profiles.events file /*/attempt"}},
	"another type in JSON":           {hand: edited("/files/", `"sms_parts":1`, `"sms_parts":"1"`), finds: []string{"profiles.events file /*/sms_parts"}},
	"a new channel":                  {hand: edited("/files/", `"channel":"SMS"`, `"channel":"TEXT"`), finds: []string{"profiles.reachability file /*/event/channel"}},
	"a new reason":                   {hand: edited("/files/", `"PUSH_TOKEN_ADDED"`, `"PUSH_TOKEN_RENEWED"`), finds: []string{"profiles.reachability file /*/event/reasons/*"}},
	"one object a line":              {overlay: []string{"profiles/interface.json", `"json": "array"`, `"json": "lines"`}, finds: []string{"json-layout", "Content-Type"}},
	"an unasked encoding":            {hand: headed("/files/", "Content-Encoding", "identity, gzip"), finds: []string{"Content-Encoding"}, silent: true},
	"another media type":             {hand: headed("/files/", "Content-Type", "application/vnd.ms-excel"), finds: []string{"Content-Type"}, silent: true},
	"a row that contradicts another": {hand: edited("/files/", ";true;true;true", ";true;true;false"), finds: []string{"reachability.events file link", "file link", "file change"}, silent: true},
	// Records, states and links.
	"a new member of a record": {hand: edited("/request/", `"uri":`, `"progress":50,"uri":`), finds: []string{"legacy.status 200 answer /progress"}},
	"a new state":              {overlay: []string{"legacy/interface.json", `{"name": "PENDING", "role": "running"},`, `{"name": "PENDING", "role": "running"}, {"name": "PACKING", "role": "running"},`}, finds: []string{"unknown-state:PACKING"}},
	"another name of a state":  {overlay: []string{"profiles/interface.json", `"name": "SUCCESS"`, `"name": "COMPLETED"`}, finds: []string{"unknown-state:COMPLETED"}},
	"a state that goes back": {hand: func() func(r *http.Request, a *httptest.ResponseRecorder) {
		asked := map[string]int{}
		return func(r *http.Request, a *httptest.ResponseRecorder) {
			if asked[r.URL.Path]++; asked[r.URL.Path] == 3 && strings.Contains(r.URL.Path, "/request/") && strings.Contains(a.Body.String(), `"PENDING"`) {
				edited("/request/", `"PENDING"`, `"CREATED"`)(r, a)
			}
		}
	}(), finds: []string{"transition"}, silent: true},
	"signed links":       {overlay: []string{"profiles/interface.json", `"link": "redirect"`, `"link": "signed"`}, finds: []string{"link-style:signed"}},
	"redirecting links":  {overlay: []string{"legacy/interface.json", `"link": "signed"`, `"link": "redirect"`}, finds: []string{"link-style:redirect"}},
	"another identifier": {overlay: []string{"legacy/interface.json", `"created": "requestId"`, `"created": "request_id"`, "legacy/created.response.json", `"required": ["requestId"`, `"required": ["request_id"`, "legacy/created.response.json", `"requestId":`, `"request_id":`}, finds: []string{"renamed-member"}},
	"another status": {hand: func(r *http.Request, a *httptest.ResponseRecorder) {
		if a.Code == 202 && strings.HasPrefix(r.URL.Path, "/2.7/") {
			a.Code = 201
		}
	}, finds: []string{"profiles.create 201 answer"}, silent: true},
	// Refusals, headers and limits.
	"a new error": {hand: func(r *http.Request, a *httptest.ResponseRecorder) {
		if a.Code == 400 && strings.HasPrefix(r.URL.Path, "/1.0/") {
			a.Body = bytes.NewBufferString(`{"code":33,"type":"TOO_LARGE","message":"less, please"}`)
			a.Header().Set("Content-Length", fmt.Sprint(a.Body.Len()))
		}
	}, finds: []string{"unknown-error:TOO_LARGE"}},
	"another name of a member of errors": {overlay: []string{"profiles/interface.json", `"message": "error_message"`, `"message": "detail"`, "profiles/error.json", `"required": ["error_code", "error_message"]`, `"required": ["error_code", "detail"]`, "profiles/error.json", `"error_message":`, `"detail":`}, finds: []string{"renamed-member"}},
	"another header of credentials":      {overlay: []string{"legacy/interface.json", `"credential": "X-Authorization"`, `"credential": "X-Rest-Key"`}, client: func(c *client) { c.credential = "X-Rest-Key" }, finds: []string{"credential-header"}},
	"another header to wait":             {overlay: []string{"profiles/interface.json", `"project": "X-Service-Project"`, `"project": "X-Service-Project", "retryAfter": "X-Retry-In"`}, finds: []string{"missing-header", "X-Retry-In"}},
	"a new header":                       {hand: headed("/1.0/", "X-Quota-Left", "17"), finds: []string{"X-Quota-Left"}, silent: true},
	"a smaller limit":                    {overlay: []string{"profiles/attributes.request.json", `"burst": 10`, `"burst": 3`}, finds: []string{"rate-limit"}},
	"a member that may be sent": {overlay: []string{"legacy/userbase.request.json", `"properties": {`, `"properties": {"compress": {"type": "boolean"},`}, more: func(b *beside) {
		b.legacy("userbase", `{"ids":["install_id"],"compress":true}`)
	}, finds: []string{"userbase 202 request /compress", "legacy.status 200 answer /request/compress"}},
	"a window that may be asked for": {overlay: []string{"profiles/events.output.json", `"lookbackPolicy": "refuse"`, `"lookbackPolicy": "clip"`}, more: func(b *beside) {
		b.profiles(strings.Replace(eventsPayload, "2026-03-01", "2025-09-01", 1))
	}, finds: []string{"window-accepted"}},
	"an export that is forgotten": {overlay: []string{"profiles/interface.json", `"errors":`, `"retention": "PT48H", "errors":`}, more: func(b *beside) {
		id, _ := b.profiles(attributesPayload)
		b.move(72 * time.Hour)
		b.profiles(attributesPayload)
		b.ask("GET", "/2.7/exports/view?id="+id, "", token...)
	}, finds: []string{"forgotten"}},
}

// move lets the clock of the service go on.
func (b *beside) move(by time.Duration) {
	b.t.Helper()
	request, _ := http.NewRequest("POST", b.upstream.URL+"/_mock/clock", strings.NewReader(fmt.Sprintf(`{"advance":"%ds"}`, int(by.Seconds()))))
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil || answer.StatusCode != 200 {
		b.t.Fatalf("the clock did not move: %v %v", answer, err)
	}
	answer.Body.Close()
}

func (d drifted) service(t *testing.T, overlay fstest.MapFS) *httptest.Server {
	if d.hand == nil {
		return service(t, overlay, nil)
	}
	return service(t, overlay, func(inner http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			answer := httptest.NewRecorder()
			inner.ServeHTTP(answer, r)
			d.hand(r, answer)
			for name, values := range answer.Header() {
				w.Header()[name] = values
			}
			w.WriteHeader(answer.Code)
			w.Write(answer.Body.Bytes())
		})
	})
}

func (d drifted) run(t *testing.T, upstream *httptest.Server, overlay fstest.MapFS) ([]drift.Finding, fstest.MapFS) {
	t.Helper()
	b := proxied(t, upstream, overlay)
	if d.client != nil {
		d.client(&b.client)
	}
	b.tour()
	if d.more != nil {
		d.more(b)
	}
	b.end()
	suggested := fstest.MapFS{}
	for name, text := range b.observer.Bench().Files() {
		suggested[name] = &fstest.MapFile{Data: text}
	}
	return b.observer.Findings(), suggested
}

// TestSeeded: every drift is found, nothing is invented beside it, and under the suggested overlay the schema files agree with the service.
func TestSeeded(t *testing.T) {
	if len(drifts) < 30 {
		t.Fatalf("there are %d drifts", len(drifts))
	}
	for name, d := range drifts {
		t.Run(name, func(t *testing.T) {
			overlay := sources(t, d.overlay...)
			found, suggested := d.run(t, d.service(t, overlay), nil)
			if len(found) == 0 {
				t.Fatal("nothing was found")
			}
			expected := func(f drift.Finding) bool {
				for _, part := range d.finds {
					if strings.Contains(f.String(), part) {
						return true
					}
				}
				return false
			}
			for _, each := range found {
				if !expected(each) {
					t.Errorf("invented: %s", describe([]drift.Finding{each}))
				}
			}
			all := describe(found)
			if !strings.Contains(all, d.finds[0]) {
				t.Errorf("no finding says %q:%s", d.finds[0], all)
			}
			if d.silent {
				if len(suggested) > 0 {
					t.Errorf("an overlay was suggested, and none says this:%s", all)
				}
				return
			}
			if len(suggested) == 0 {
				t.Fatalf("no overlay was suggested:%s", all)
			}
			again, _ := d.run(t, d.service(t, overlay), suggested)
			for _, each := range again {
				if len(each.Overlay) > 0 || each.Severity.AtLeast(drift.Medium) {
					t.Errorf("under the suggested overlay: %s", describe([]drift.Finding{each}))
				}
			}
			if len(d.overlay) == 0 {
				return
			}
			d.hand = nil
			mocked, _ := d.run(t, d.service(t, suggested), overlay)
			for _, each := range mocked {
				if each.Severity.AtLeast(drift.Medium) {
					t.Errorf("the mock under the suggested overlay, to who knows the service: %s", describe([]drift.Finding{each}))
				}
			}
		})
	}
}
