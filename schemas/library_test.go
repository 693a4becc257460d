package schemas_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

func TestEveryFileIsNamedByItsID(t *testing.T) {
	l := library(t)
	for _, name := range l.Names() {
		var file struct {
			ID          string `json:"$id"`
			Draft       string `json:"$schema"`
			Title       string
			Description string
		}
		must(t, json.Unmarshal(l.Source(name), &file))
		if file.ID != schemas.Base+name || file.Draft != "https://json-schema.org/draft/2020-12/schema" {
			t.Errorf("%s: $id %q, $schema %q", name, file.ID, file.Draft)
		}
		if file.Title == "" || !strings.HasSuffix(file.Description, ".") {
			t.Errorf("%s: title %q, description %q", name, file.Title, file.Description)
		}
		hold(t, l.Schema(name) != nil, "%s is not compiled", name)
	}
	hold(t, l.Schema("nothing.json") == nil && l.Source("nothing.json") == nil, "a file that does not exist has a schema")
}

var reference = regexp.MustCompile(`"\$ref": "([^"#]+)`)

// Every file is there for something: an export, an endpoint, an action call, the standard shape of every error, or a reference from
// such a file.
func TestEveryFileIsUsed(t *testing.T) {
	l := library(t)
	used := map[string]bool{}
	var use func(name string)
	use = func(name string) {
		if used[name] {
			return
		}
		used[name] = true
		folder, _, _ := strings.Cut(name, "/")
		for _, match := range reference.FindAllStringSubmatch(string(l.Source(name)), -1) {
			target := match[1]
			if rest, ok := strings.CutPrefix(target, "../"); ok {
				use(rest)
			} else if strings.Contains(target, "/") {
				use(target)
			} else {
				use(folder + "/" + target)
			}
		}
	}
	use("vocabulary.json")
	use("actions/call.json")
	for _, name := range []string{ // bodies and answers of the control API
		"check", "check.form", "control.query", "clock.request", "clock.response", "export.list", "export.record", "file.arrivals", "file.index", "move.request", "validation",
		"journal", "journal.count", "journal.wait", "journal.cleared", "journal.query", "lints", "lints.query", "health", "state", "state.changed",
		"scenario.list", "scenario.record", "scenario.request",
		"ready",                 // the file of --ready-file
		"credentials", "limits", // those of --credentials and --limit
		"host.join", "host.joined", "host.messages", "host.record", "host.list", "host.call", "host.result",
		"schema.index",
		"conversation", // with a service
	} {
		use("mock/" + name + ".json")
	}
	for _, name := range []string{"data/profile", "data/installation", "data/event", "mock/data.request", "mock/data.response"} { // the dataset
		use(name + ".json")
	}
	use("legacy/export.file.json") // of an interface whose links redirect
	use("common/parameters.json")  // of paths, in the API document
	for _, export := range l.Exports() {
		for _, name := range []string{export.Output, export.Request, export.Response, export.Error} {
			use(name)
		}
	}
	for _, each := range l.Interfaces() {
		use(each.File)
	}
	for _, endpoint := range l.Endpoints() {
		use(endpoint.Response)
		use(endpoint.Error)
	}
	for _, name := range l.Names() {
		hold(t, used[name], "%s is used by no export, endpoint, action call, error or reference", name)
	}
}

// The exports of the specification's section 4, with the lookback of its section 1.
func TestExports(t *testing.T) {
	const days = 24 * time.Hour
	want := []struct {
		kind, path, request, format, policy string
		lookback                            time.Duration
	}{
		{"campaign.ids", "/1.0/{api_key}/export/campaign/{campaign_token}/ids", "legacy/campaign.request.json", "csv", "clip", 90 * days},
		{"campaign.events", "/1.0/{api_key}/export/campaign/{campaign_token}/events", "legacy/campaign.request.json", "csv", "clip", 90 * days},
		{"transactional.ids", "/1.0/{api_key}/export/transactional/{group_id}/ids", "legacy/transactional.request.json", "csv", "clip", 90 * days},
		{"transactional.events", "/1.0/{api_key}/export/transactional/{group_id}/events", "legacy/transactional.request.json", "csv", "clip", 90 * days},
		{"in-app-campaign.ids", "/1.0/{api_key}/export/in-app-campaign/{campaign_token}/ids", "legacy/in-app-campaign.request.json", "csv", "clip", 90 * days},
		{"in-app-campaign.events", "/1.0/{api_key}/export/in-app-campaign/{campaign_token}/events", "legacy/in-app-campaign.request.json", "csv", "clip", 90 * days},
		{"reachability.events", "/1.0/{api_key}/export/reachability/events", "legacy/reachability.request.json", "csv", "clip", 90 * days},
		{"userbase", "/1.0/{api_key}/export/userbase", "legacy/userbase.request.json", "csv", "", 0},
		{"profiles.attributes", "/2.7/profiles/export", "profiles/attributes.request.json", "json", "", 0},
		{"profiles.events", "/2.7/profiles/export", "profiles/events.request.json", "json", "refuse", 90 * days},
		{"profiles.reachability", "/2.7/profiles/export", "profiles/reachability.request.json", "json", "refuse", 90 * days},
	}
	got := library(t).Exports()
	if len(got) != len(want) {
		t.Fatalf("got %d exports, want %d", len(got), len(want))
	}
	for i, w := range want {
		g := got[i]
		if g.Kind != w.kind || g.Method != "POST" || g.Path != w.path || g.Request != w.request || g.Format != w.format ||
			g.Lookback != w.lookback || g.LookbackPolicy != w.policy || g.Summary == "" || g.View == "" || g.Order != i+1 {
			t.Errorf("got %+v, want %+v", g, w)
		}
		floor := time.Time{}
		if w.kind == "profiles.reachability" {
			floor = time.Date(2024, 10, 10, 0, 0, 0, 0, time.UTC)
		}
		hold(t, g.NotBefore.Equal(floor), "%s: no events before %v, want %v", w.kind, g.NotBefore, floor)
	}
}

// TestColumns: rows of CSV have their properties in the order of the columns, and rows of JSON have none. Which ones the specification
// has is held by the client that was written from it.
func TestColumns(t *testing.T) {
	l := library(t)
	for _, export := range l.Exports() {
		row := l.Schema(export.Output)
		columns := l.Columns(row)
		if (columns != nil) != (export.Format == "csv") || columns != nil && !slices.Equal(l.PropertyOrder(row), columns) {
			t.Errorf("%s in %s has the columns %q and the properties %q", export.Kind, export.Format, columns, l.PropertyOrder(row))
		}
	}
}

// The error table of the specification's section 7, and what it leaves without a code.
func TestErrorBranches(t *testing.T) {
	want := []struct {
		name         string
		code, status int
	}{
		{"AUTHENTICATION_INVALID", 10, 401}, {"API_MISUSE", 12, 403}, {"ROUTE_NOT_FOUND", 20, 404}, {"MISSING_PARAMETER", 30, 400},
		{"MALFORMED_PARAMETER", 31, 400}, {"MALFORMED_JSON_BODY", 32, 400}, {"SERVER_ERROR", 1, 500}, {"MAINTENANCE_ERROR", 2, 503},
		{"CONFLICT", 409, 409}, {"TOO_MANY_REQUESTS", 429, 429}, {"LINK_INVALID", 403, 403}, {"LINK_EXPIRED", 403, 403}, {"FILE_EXPIRED", 410, 410},
		{"AUTHORIZATION_FORWARDED", 400, 400}, {"PRECONDITION_FAILED", 412, 412}, {"RANGE_NOT_SATISFIABLE", 416, 416},
	}
	l := library(t)
	for _, file := range []string{"legacy/error.json", "profiles/error.json"} {
		got := l.ErrorBranches(file)
		if len(got) != len(want) {
			t.Fatalf("%s: got %d branches, want %d", file, len(got), len(want))
		}
		for i, w := range want {
			code := w.code
			if file == "profiles/error.json" {
				code = 0
			}
			if g := got[i]; g.Name != w.name || g.Code != code || g.Status != w.status || g.Description == "" {
				t.Errorf("%s: got %+v, want %+v", file, g, w)
			}
		}
	}
	hold(t, l.ErrorBranches("nothing.json") == nil, "a file that does not exist has error branches")
}

func TestEndpoints(t *testing.T) {
	want := []struct {
		name, path, response string
		status, parameters   int
		extension            bool
	}{
		{"legacy.status", "/1.0/{api_key}/export/request/{request_id}", "legacy/export.record.json", 200, 0, false},
		{"profiles.download", "/2.7/exports/download", "profiles/export.file.json", 307, 1, true},
		{"profiles.list", "/2.7/exports/list", "profiles/export.list.json", 200, 2, true},
		{"profiles.view", "/2.7/exports/view", "profiles/export.record.json", 200, 1, true},
	}
	got := library(t).Endpoints()
	if len(got) != len(want) {
		t.Fatalf("got %d endpoints, want %d", len(got), len(want))
	}
	for i, w := range want {
		g := got[i]
		if g.Name != w.name || g.Method != "GET" || g.Path != w.path || g.Response != w.response || g.Status != w.status ||
			len(g.Query) != w.parameters || g.Extension != w.extension || g.Error == "" || g.Summary == "" {
			t.Errorf("got %+v, want %+v", g, w)
		}
	}
	limit := got[2].Query[1]
	for text, valid := range map[string]bool{"1": true, "99": true, "100": true, "0": false, "101": false, "ten": false, "": false} {
		if err := limit.Schema().Validate(text); (err == nil) != valid {
			t.Errorf("limit %q: %v", text, err)
		}
	}
}

func TestKeywords(t *testing.T) {
	l := library(t)
	row := l.Schema("legacy/campaign.events.row.json")
	date := schemas.KeywordsOf(row.Properties["event_date"])
	hold(t, date.Source == "event.date" && date.DateFormat == "local-date-time", "event_date: %+v", date)
	kinds := schemas.KeywordsOf(l.Schema("legacy/campaign.request.json").Properties["events"].Items2020)
	hold(t, kinds.WireNames["push_open"] == "push_opened", "events: %+v", kinds)
	types := l.Schema("profiles/events.output.json").Items2020.Properties["event_type"]
	if schemas.KeywordsOf(types).Source != "event.type" || schemas.KeywordsOf(types).Journey != nil {
		t.Errorf("event_type: %+v", schemas.KeywordsOf(types))
	}
	journey := schemas.KeywordsOf(types.Ref).Journey
	if len(journey) != 14 || journey[0].Channel != "email" || journey[1].Delay != 45*time.Second || journey[6].Consent != "email" {
		t.Errorf("the journey of event_type: %+v", journey)
	}
	limit := schemas.KeywordsOf(l.Schema("profiles/attributes.request.json")).RateLimit
	if limit == nil || *limit != (schemas.RateLimit{When: "filter", Burst: 10, Every: 12 * time.Minute}) {
		t.Errorf("the rate limit: %+v", limit)
	}
	if got := schemas.KeywordsOf(nil); got.Source != "" {
		t.Errorf("no schema: %+v", got)
	}
}

// The native attributes are named twice, for requests and in the file: the lists must be one.
func TestNativeAttributes(t *testing.T) {
	l := library(t)
	var file struct {
		Defs struct {
			NativeAttribute struct{ Enum []string }
		} `json:"$defs"`
	}
	must(t, json.Unmarshal(l.Source("profiles/attributes.output.json"), &file))
	attributes := l.Schema("profiles/attributes.output.json").Items2020.Properties["attributes"]
	if got := l.PropertyOrder(attributes); !slices.Equal(got, file.Defs.NativeAttribute.Enum) || len(got) != 15 {
		t.Errorf("the file has %v, a request may ask for %v", got, file.Defs.NativeAttribute.Enum)
	}
}

// What a file's event types are called in requests and in the file agree.
func TestRequestedEventsAreInTheFiles(t *testing.T) {
	l := library(t)
	for _, export := range l.Exports() {
		events := l.Schema(export.Request).Properties["events"]
		if events == nil {
			continue
		}
		item, row := events.Items2020, l.Schema(export.Output)
		if item.Ref != nil {
			item = item.Ref
		}
		if row.Items2020 != nil {
			row = row.Items2020
		}
		var asked []any
		for _, name := range item.Enum {
			if wire := schemas.KeywordsOf(item).WireNames[name.(string)]; wire != "" {
				asked = append(asked, wire)
			} else {
				asked = append(asked, name)
			}
		}
		written := row.Properties["event_type"].Ref.Enum
		hold(t, slices.Equal(asked, written), "%s: requests ask for %v, files hold %v", export.Kind, asked, written)
	}
}

func TestResolve(t *testing.T) {
	l := library(t)
	for name, want := range map[string]string{
		"userbase":                     "legacy/userbase.row.json",
		"profiles.events":              "profiles/events.output.json",
		"campaign.events":              "legacy/campaign.events.row.json",
		"legacy/userbase.row":          "legacy/userbase.row.json",
		"legacy/userbase.row.json":     "legacy/userbase.row.json",
		"userbase.row":                 "legacy/userbase.row.json",
		"userbase.request.json":        "legacy/userbase.request.json",
		"common/problem":               "common/problem.json",
		"vocabulary":                   "vocabulary.json",
		"profiles/events.request.json": "profiles/events.request.json",
	} {
		if got, err := l.Resolve(name); err != nil || got != want {
			t.Errorf("%s: got %q, %v, want %q", name, got, err, want)
		}
	}
	for name, text := range map[string]string{
		"userbas":       "did you mean userbase?",
		"profile.event": "did you mean profiles.events?",
		"error":         "choose from legacy/error.json, profiles/error.json",
		"":              "there is no schema",
		"../go.mod":     "there is no schema",
	} {
		if got, err := l.Resolve(name); err == nil || !strings.Contains(err.Error(), text) {
			t.Errorf("%s: got %q, %v, want an error with %q", name, got, err, text)
		}
	}
}

func TestChoose(t *testing.T) {
	l := library(t)
	var profiles []schemas.Export
	for _, export := range l.Exports() {
		if export.Interface == "profiles" {
			profiles = append(profiles, export)
		}
	}
	for _, want := range profiles {
		kind := strings.ToUpper(strings.TrimPrefix(want.Kind, "profiles."))
		if got, err := l.Choose(profiles, map[string]any{"export_type": kind}); err != nil || got.Kind != want.Kind {
			t.Errorf("%s: got %s, %v", kind, got.Kind, err)
		}
	}
	const three = "one of ATTRIBUTES, EVENTS or REACHABILITY"
	for _, test := range []struct {
		value         any
		want, message string
	}{
		{map[string]any{}, "/export_type required", three},
		{map[string]any{"export_type": "EVENT"}, "/export_type enum", "did you mean EVENTS?"},
		{map[string]any{"export_type": "events"}, "/export_type enum", three},
		{map[string]any{"export_type": nil}, "/export_type enum", "found null"},
		{map[string]any{"export_type": map[string]any{}}, "/export_type enum", three},
		{[]any{}, " type", "must be an object"},
		{nil, " type", "must be an object"},
	} {
		_, err := l.Choose(profiles, test.value)
		invalid, ok := err.(*schemas.InvalidError)
		if !ok || len(invalid.Problems) != 1 {
			t.Errorf("%v: got %v", test.value, err)
			continue
		}
		problem := invalid.Problems[0]
		if problem.Pointer+" "+problem.Keyword != test.want || !strings.Contains(problem.Message, test.message) {
			t.Errorf("%v: got %+v, want %s with %q", test.value, problem, test.want, test.message)
		}
	}
	if got, err := l.Choose(l.Exports()[:1], nil); err != nil || got.Kind != "campaign.ids" {
		t.Errorf("a single candidate: got %s, %v", got.Kind, err)
	}
}

// A file must not go stale because a schema changed that it is not made from.
func TestTheDigestOfAnExportCoversWhatItsFileIsMadeFrom(t *testing.T) {
	before := need(schemas.Embedded())(t)
	cases := []struct {
		file    string
		changes []string // interfaces
	}{
		{"legacy/error.json", nil},
		{"legacy/export.record.json", nil},
		{"legacy/userbase.row.json", []string{"legacy"}},
		{"legacy/campaign.request.json", []string{"legacy"}},
		{"profiles/events.output.json", []string{"profiles"}},
		{"common/dates.json", []string{"legacy", "profiles"}},
	}
	for _, c := range cases {
		after := need(schemas.Open(fstest.MapFS{c.file: {Data: append(slices.Clone(before.Source(c.file)), '\n')}}))(t)
		for i, export := range after.Exports() {
			if changed := export.Digest != before.Exports()[i].Digest; changed != slices.Contains(c.changes, export.Interface) {
				t.Errorf("%s changed: the digest of %s changed %v", c.file, export.Kind, changed)
			}
		}
	}
}

// must ends the test when there is an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// need returns a function that returns the value, and ends the test when there is an error.
func need[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		must(t, err)
		return value
	}
}

// hold reports a condition that does not hold, and the test goes on. The text says the fault.
func hold(t testing.TB, holds bool, fault string, arguments ...any) {
	t.Helper()
	if !holds {
		t.Errorf(fault, arguments...)
	}
}
