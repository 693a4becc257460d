package drift_test

import (
	"fmt"
	"io/fs"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift/drifttest"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// drifted is a service that speaks otherwise than the schema files in one way.
type drifted struct {
	drifttest.Service
	more   func(b *beside) // what the client does beyond the tour
	client func(c *client) // how the client speaks
	finds  []string        // parts of the findings, one of which each must have
	silent bool            // no overlay says it
}

var token = []string{"Authorization: Bearer token_demo", "X-Service-Project: project_demo"}

// drifts are what is found of each service of drifttest, and what the client does for it.
var drifts = map[string]drifted{
	// Files.
	"a column at the end":            {finds: []string{"userbase file /loyalty"}},
	"a column in the middle":         {finds: []string{"campaign.events file /country"}},
	"a column that is gone":          {finds: []string{"userbase file /smart_segment"}},
	"another order of columns":       {finds: []string{"reachability.events file", "column-order"}},
	"another separator":              {finds: []string{"campaign.ids file", "separator"}},
	"another shape of dates in CSV":  {finds: []string{"in-app-campaign.events file /event_date"}},
	"a new event in CSV":             {finds: []string{"file /event_type"}},
	"a new event in JSON":            {finds: []string{"profiles.events file /*/event_type", "profiles.events file /*/"}},
	"a null in JSON":                 {finds: []string{"profiles.events file /*/message_language"}},
	"a new member in JSON":           {finds: []string{"profiles.events file /*/attempt"}},
	"another type in JSON":           {finds: []string{"profiles.events file /*/sms_parts"}},
	"a new channel":                  {finds: []string{"profiles.reachability file /*/event/channel"}},
	"a new reason":                   {finds: []string{"profiles.reachability file /*/event/reasons/*"}},
	"one object a line":              {finds: []string{"json-layout", "Content-Type"}},
	"an unasked encoding":            {finds: []string{"Content-Encoding"}, silent: true},
	"another media type":             {finds: []string{"Content-Type"}},
	"a row that contradicts another": {finds: []string{"reachability.events file link", "file link", "file change"}, silent: true},
	// Records, states and links.
	"a new member of a record": {finds: []string{"legacy.status 200 answer /progress"}},
	"a new state":              {finds: []string{"unknown-state:PACKING"}},
	"another name of a state":  {finds: []string{"unknown-state:COMPLETED"}},
	"a state that goes back":   {finds: []string{"transition"}, silent: true},
	"signed links":             {finds: []string{"link-style:signed"}},
	"redirecting links":        {finds: []string{"link-style:redirect"}},
	"another identifier":       {finds: []string{"renamed-member"}},
	"another status":           {finds: []string{"profiles.create 201 answer"}},
	// Refusals, headers and limits.
	"a new error":                        {finds: []string{"unknown-error:TOO_LARGE"}},
	"another name of a member of errors": {finds: []string{"renamed-member"}},
	"another header of credentials":      {client: func(c *client) { c.credential = "X-Rest-Key" }, finds: []string{"credential-header"}},
	"another header to wait":             {finds: []string{"missing-header", "X-Retry-In"}},
	"a new header":                       {finds: []string{"X-Quota-Left"}},
	"a smaller limit":                    {finds: []string{"rate-limit"}},
	"a renamed column":                   {finds: []string{"renamed-column"}},
	"another column in the place of one": {finds: []string{"[additional-column]", "[missing-column]"}},
	"a renamed member of a record":       {finds: []string{"renamed-member"}},
	"a renamed member of a list":         {finds: []string{"renamed-member"}},
	"a renamed member in JSON":           {finds: []string{"renamed-member"}},
	"a new member of a creation":         {finds: []string{"202 answer /queue"}},
	"a new member of errors":             {finds: []string{"answer /trace"}},
	"another shape of errors":            {finds: []string{"error-shape"}},
	"another form of booleans in CSV":    {finds: []string{"userbase file /is_optin_push"}},
	"dates with a blank in a record":     {finds: []string{"legacy.status 200 answer /request_date"}},
	"dates as numbers in JSON":           {finds: []string{"profiles.events file /*/event_date"}},
	"links that need credentials":        {finds: []string{"link-credentials"}},
	"links that die early": {finds: []string{"link-lifetime"}, more: func(b *beside) {
		b.again = true
		b.legacy("userbase", userbasePayload)
	}},
	"a member that may be sent": {more: func(b *beside) {
		b.legacy("userbase", `{"ids":["install_id"],"compress":true}`)
	}, finds: []string{"userbase 202 request /compress", "legacy.status 200 answer /request/compress"}},
	"a window that may be asked for": {more: func(b *beside) {
		b.profiles(strings.Replace(eventsPayload, "2026-03-01", "2025-09-01", 1))
	}, finds: []string{"window-accepted"}},
	"an export that is forgotten": {more: func(b *beside) {
		id, _ := b.profiles(attributesPayload)
		b.move(72 * time.Hour)
		b.profiles(attributesPayload)
		b.ask("GET", "/2.7/exports/view?id="+id, "", token...)
	}, finds: []string{"forgotten"}},
}

// move lets the clock of the service go on.
func (b *beside) move(by time.Duration) {
	b.t.Helper()
	request, _ := http.NewRequest("POST", b.upstream.URL+"/_mock/clock",
		strings.NewReader(fmt.Sprintf(`{"advance":"%ds"}`, int(by.Seconds()))))
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil || answer.StatusCode != 200 {
		b.t.Fatalf("the clock did not move: %v %v", answer, err)
	}
	answer.Body.Close()
}

func (d drifted) service(t *testing.T, overlay fstest.MapFS) *httptest.Server {
	return service(t, overlay, d.Handler)
}

// mock is this server under an overlay.
func mock(overlay fs.FS, now func() time.Time) (http.Handler, func(), error) {
	server, err := mockserver.New(mockserver.Options{Schemas: overlay, Now: now, Profiles: 400, Seed: 7, Progress: "polls:6"})
	if err != nil {
		return nil, nil, err
	}
	return server, func() { server.Close() }, nil
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
	keys := drift.Keys{Company: "rest_demo", Application: "live_demo", Token: "token_demo", Project: "project_demo"}
	must.Do(t, b.observer.Rehearse(t.Context(), mock, keys, t.TempDir()))
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
	services := drifttest.Services()
	if len(services) != len(drifts) {
		t.Fatalf("there are %d services that drift, and %d are expected to be found", len(services), len(drifts))
	}
	overlays, shown, ran := 0, 0, 0
	for _, name := range testlevel.Some(t, testlevel.Count(2, 16, len(drifts)), slices.Sorted(maps.Keys(drifts))) {
		t.Run(name, func(t *testing.T) {
			d := drifts[name]
			its, there := services[name]
			if !there {
				t.Fatal("no service drifts like this")
			}
			d.Service = its
			overlay := sources(t, d.Overlay...)
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
			shows := slices.ContainsFunc(found, func(f drift.Finding) bool {
				return f.Mock == drift.Shows && strings.Contains(f.String(), d.finds[0])
			})
			if ran++; len(suggested) > 0 {
				overlays++
			}
			if shows {
				shown++
			} else {
				t.Logf("not shown: %s: %s", found[0].Mock, found[0])
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
		})
	}
	t.Logf("%d drifts were found, %d have an overlay, a mock shows %d", ran, overlays, shown)
	if ran == len(drifts) && (overlays < leastOverlays || shown < leastShown) {
		t.Errorf("of %d drifts %d have an overlay, and a mock shows %d; they were %d and %d", ran, overlays, shown, leastOverlays, leastShown)
	}
}

// leastOverlays and leastShown are how many drifts an overlay says, and a mock under it shows. The others no schema file says, or
// the world does not know.
const leastOverlays, leastShown = 44, 44
