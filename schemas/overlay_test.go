package schemas_test

import (
	"cmp"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// edited returns an overlay with embedded files changed by replacing texts: file, old, new and so on.
func edited(t *testing.T, changes ...string) fstest.MapFS {
	t.Helper()
	return changed(t, library(t), changes)
}

// editedOwn is edited for the files of testdata/own.
func editedOwn(t *testing.T, changes ...string) fstest.MapFS {
	t.Helper()
	return changed(t, own(t), changes)
}

func changed(t *testing.T, l *schemas.Library, changes []string) fstest.MapFS {
	t.Helper()
	overlay := fstest.MapFS{}
	for i := 0; i < len(changes); i += 3 {
		file, old, new := changes[i], changes[i+1], changes[i+2]
		text := string(l.Source(file))
		if overlay[file] != nil {
			text = string(overlay[file].Data)
		}
		if strings.Count(text, old) == 0 {
			t.Fatalf("%s does not hold %q", file, old)
		}
		overlay[file] = &fstest.MapFile{Data: []byte(strings.Replace(text, old, new, 1))}
	}
	return overlay
}

// some returns a sixth of the cases with -short, another sixth in each run, and otherwise all.
func some[Case any](t *testing.T, all []Case) (drawn []Case) {
	t.Helper()
	if !testing.Short() {
		return all
	}
	seed := need(strconv.Atoi(cmp.Or(os.Getenv("TEST_SEED"), strconv.Itoa(rand.IntN(6)))))(t)
	first := seed % 6
	t.Logf("every sixth case, drawn by TEST_SEED=%d", seed)
	for i := first; i < len(all); i += 6 {
		drawn = append(drawn, all[i])
	}
	return drawn
}

// An overlay adds a column with an enum to userbase, an event kind to campaigns and a property to profile events.
func TestOverlay(t *testing.T) {
	l, err := schemas.Open(editedOwn(t,
		"legacy/userbase.row.json", `"required": ["is_optin_push"`, `"required": ["loyalty", "is_optin_push"`,
		"legacy/userbase.row.json", `    "smart_segment": {`,
		`    "loyalty": {"enum": ["gold", "silver", "none"], "x-weights": {"gold": 1, "silver": 3, "none": 16}},
    "smart_segment": {`,
		"legacy/campaign.request.json", `"push_sent", "push_open", "push_error"`, `"push_sent", "push_open", "push_error", "push_dismissed"`,
		"common/events.json", `"push_sent", "push_opened", "push_error"`, `"push_sent", "push_opened", "push_error", "push_dismissed"`,
		"profiles/events.output.json", `"required": ["api_key"`, `"required": ["tenant", "api_key"`,
		"profiles/events.output.json", `"api_key": {`, `"tenant": {"type": "string", "enum": ["north", "south"]}, "api_key": {`,
	))
	if err != nil {
		t.Fatal(err)
	}
	hold(t, l.Digest() != library(t).Digest(), "the digest does not tell the overlay from the embedded files")
	columns := l.Columns(l.Schema("legacy/userbase.row.json"))
	if want := append(own(t).Columns(own(t).Schema("legacy/userbase.row.json")), "loyalty"); !slices.Equal(columns, want) {
		t.Errorf("got the columns %v, want %v", columns, want)
	}
	request := map[string]any{"from": "now", "to": "now", "ids": []any{"custom_id"}, "events": []any{"push_dismissed"}}
	if err := l.Validate("legacy/campaign.request", request); err != nil {
		t.Error(err)
	}
	if err := schemas.Validate("legacy/campaign.request", request); err == nil {
		t.Error("the embedded files accept what only the overlay allows")
	}
	if err := l.Validate("legacy/transactional.request", request); err == nil {
		t.Error("a kind that was added to campaigns is accepted for transactional exports")
	}
	row := map[string]any{
		"is_optin_push": "true", "install_date": "2026-01-01T00:00:00", "last_start_date": "2026-01-01T00:00:00", "smart_segment": "",
		"loyalty": "gold",
	}
	if err := l.Validate("userbase", row); err != nil {
		t.Error(err)
	}
	row["loyalty"] = "golden"
	if err := l.Validate("userbase", row); err == nil || !strings.Contains(err.Error(), "loyalty must be one of gold, silver or none") {
		t.Errorf("got %v", err)
	}
	event := map[string]any{
		"api_key": "k", "event_date": "2026-01-01T00:00:00Z", "event_type": "push_sent", "platform": "IOS",
		"identifiers": map[string]any{"profile_id": "profile_1"},
	}
	if err := l.Validate("profiles.events", []any{event}); err == nil || !strings.Contains(err.Error(), "tenant is missing") {
		t.Errorf("got %v", err)
	}
	event["tenant"] = "north"
	if err := l.Validate("profiles.events", []any{event}); err != nil {
		t.Error(err)
	}
}

// An overlay may bring an export of its own.
func TestOverlayAddsAnExport(t *testing.T) {
	text := string(library(t).Source("legacy/userbase.row.json"))
	text = strings.ReplaceAll(text, "userbase", "installbase")
	text = strings.Replace(text, `"legacy/installbase.request.json"`, `"legacy/userbase.request.json"`, 1)
	text = strings.Replace(text, `"order": 8`, `"order": 12`, 1)
	l, err := schemas.Open(fstest.MapFS{
		"legacy/installbase.row.json": {Data: []byte(text)},
		"README.md":                   {Data: []byte("not a schema")},
		".git/config.json":            {Data: []byte("not a schema")},
	})
	if err != nil {
		t.Fatal(err)
	}
	exports := l.Exports()
	if last := exports[len(exports)-1]; last.Kind != "installbase" || last.Path != "/1.0/{api_key}/export/installbase" {
		t.Errorf("got %+v", last)
	}
	if name, err := l.Resolve("installbase"); err != nil || name != "legacy/installbase.row.json" {
		t.Errorf("got %s, %v", name, err)
	}
}

// doubled are definitions, each of which has the one before twice.
func doubled(levels int) string {
	text := `"$defs": {"level0": {"type": "string"}`
	for level := range levels {
		text += fmt.Sprintf(`, "level%d": {"allOf": [{"$ref": "#/$defs/level%d"}, {"$ref": "#/$defs/level%d"}]}`, level+1, level, level)
	}
	return text + `}, `
}

// TestHeavyOverlays: a schema that would take all time or memory is refused at once, and one below the limits is not.
func TestHeavyOverlays(t *testing.T) {
	const row, title = "legacy/userbase.row.json", `"title": "Userbase row"`
	values := func(count int) string {
		return `"$defs": {"x": {"enum": [0` + strings.Repeat(",0", count-1) + `]}}, ` + title
	}
	for text, want := range map[string]string{
		`"$defs": {"x": {"minLength": 2000000000}}, ` + title:                             "more than 50000 parts",
		`"$defs": {"x": {"minItems": 1e300}}, ` + title:                                   "more than 50000 parts",
		`"$defs": {"x": {"items": {"minLength": 1000}, "minItems": 1000}}, ` + title:      "more than 50000 parts",
		`"$defs": {"x": {"contains": {"minItems": 1000}, "minContains": 1000}}, ` + title: "more than 50000 parts",
		doubled(26) + title: "more than 50000 parts",
		doubled(63) + title: "more than 50000 parts",
		values(2_001):       "enum: has 2001 values; at most 2000 are allowed",
		doubled(10) + title: "",
		values(2_000):       "",
		`"$defs": {"x": {"minLength": 10000, "properties": {"again": {"$ref": "#/$defs/x"}}}}, ` + title: "",
	} {
		_, err := schemas.Open(editedOwn(t, row, title, text))
		if said := fmt.Sprint(err); (err == nil) != (want == "") || !strings.Contains(said, want) {
			t.Errorf("%.90s: %v, want %q", text, err, want)
		}
	}
}

// A bad overlay is refused with the file and the place in it.
func TestBadOverlays(t *testing.T) {
	const row, request = "legacy/userbase.row.json", "legacy/userbase.request.json"
	whole := func(text string) fstest.MapFS { return fstest.MapFS{row: {Data: []byte(text)}} }
	type bad struct {
		about   string
		overlay fstest.MapFS
		want    string
	}
	for _, test := range some(t, []bad{
		{"a folder misspelt", fstest.MapFS{"legcy/userbase.row.json": {Data: []byte("{}")}},
			"legcy/userbase.row.json#: replaces no file: did you mean " + row},
		{"a folder too many", fstest.MapFS{"mine/common/events.json": {Data: []byte("{}")}},
			"mine/common/events.json#: replaces no file: did you mean common/events.json"},
		{"a folder too few", fstest.MapFS{"userbase.row.json": {Data: []byte("{}")}},
			"userbase.row.json#: replaces no file: did you mean " + row},
		{"no JSON", whole("{"), row + "#: line 1, column 2: the JSON value ends too early"},
		{"an empty file", whole(""), row + "#: line 1, column 1: there is nothing here"},
		{"a list", whole("[]"), row + "#: a schema file must hold an object"},
		{"another address", whole(`{"$id": "https://example.com/x.json"}`),
			row + "#/$id: must be https://rehearsal.example/schemas/legacy/userbase.row.json"},
		{"another draft", whole(`{"$schema": "http://json-schema.org/draft-07/schema#"}`),
			row + "#/$schema: must be https://json-schema.org/draft/2020-12/schema"},
		{"a wrong type of a keyword", editedOwn(t, row, `"title": "Userbase row"`, `"title": 5`), row + "#/title: expected string"},
		{"a type that does not exist", editedOwn(t, row, `"type": "object"`, `"type": "map"`), row + "#/type: "},
		{"a misspelt keyword", editedOwn(t, row, `"enum": [`, `"enums": [`),
			row + "#/properties/is_optin_push/enums: enums is not a keyword of JSON Schema; did you mean enum?"},
		{"a property in the wrong place", editedOwn(t, row, `"required": [`, `"loyalty": {}, "required": [`),
			row + "#/loyalty: loyalty is not a keyword"},
		{"what the program itself answers", fstest.MapFS{"mock/health.json": {Data: []byte(`{"type": "object"}`)}},
			"mock/health.json#: describes what this program itself takes"},
		{"a misspelt keyword of ours", editedOwn(t, row, `"x-source": "installation.is_optin"`, `"x-sorce": "installation.is_optin"`),
			row + "#/properties/is_optin_push/x-sorce: x-sorce is not known here: allowed are x-export"},
		{"a source that does not exist", editedOwn(t, row, `"x-source": "installation.is_optin"`, `"x-source": "installation.optin"`),
			row + "#/properties/is_optin_push/x-source: x-source must be one of"},
		{"a pattern that cannot be used", editedOwn(t, row, `"type": "string",`, `"type": "string", "pattern": "(?=x)",`),
			row + "#/properties/is_optin_push/pattern: the pattern cannot be used"},
		{"a pattern that is no text", editedOwn(t, row, `"type": "string",`, `"type": "string", "pattern": 5,`),
			row + "#/properties/is_optin_push/pattern: a pattern must be a string"},
		{"a format that does not exist", editedOwn(t, row, `"type": "string",`, `"type": "string", "format": "datetime",`),
			row + "#/properties/is_optin_push/format: there is no format \"datetime\"; did you mean date-time?"},
		{"a reference to no file", editedOwn(t, row, `../common/dates.json`, `../common/date.json`),
			row + "#/properties/install_date/$ref: there is no schema file common/date.json; did you mean common/dates.json?"},
		{"a reference to nowhere", editedOwn(t, row, `$defs/installationCell`, `$defs/install`),
			row + "#/properties/install_id/$ref: there is nothing at /$defs/install in common/identifiers.json"},
		{"a reference to the web", editedOwn(t, row, `"../common/dates.json#/$defs/legacyDateTime"`, `"https://example.com/x.json"`),
			row + "#/properties/install_date/$ref: there is no schema file https://example.com/x.json"},
		{"a reference that is an anchor", editedOwn(t, row, `dates.json#/$defs/legacyDateTime`, `dates.json#legacyDateTime`),
			row + "#/properties/install_date/$ref: a reference must lead to a file"},
		{"a reference that is no text", editedOwn(t, row, `"../common/dates.json#/$defs/legacyDateTime"`, `5`),
			row + "#/properties/install_date/$ref: a $ref must be a string"},
		{"a schema that is no schema", editedOwn(t, row, `"smart_segment": {`, `"x": "y", "smart_segment": {`),
			row + "#/properties/x: a schema must be an object, true or false"},
		{"properties that are a list", editedOwn(t, request, `"properties": {`, `"$defs": [], "properties": {`),
			request + "#/$defs: must be an object of schemas"},
		{"an anyOf that is no list", editedOwn(t, request, `"properties": {`, `"anyOf": {}, "properties": {`),
			request + "#/anyOf: must be an array of schemas"},
		{"a request schema that does not exist", editedOwn(t, row, `legacy/userbase.request.json`, `legacy/user.request.json`),
			row + "#/x-export/request: there is no schema file legacy/user.request.json"},
		{"a kind that is taken", editedOwn(t, row, `"kind": "userbase"`, `"kind": "campaign.ids"`),
			row + "#/x-export/kind: campaign.ids is already the kind of legacy/campaign.ids.row.json"},
		{"a column that is no property", editedOwn(t, row, `"columns": ["install_id"`, `"columns": ["instal_id"`),
			row + "#/x-csv/columns/0: there is no property instal_id; did you mean install_id?"},
		{"rows without a layout",
			editedOwn(t, row,
				`"x-csv": {"separator": ";", "columns": ["install_id", "custom_id", "advertising_id", "is_optin_push", "install_date", "last_start_date", "smart_segment"]},`, ``), row + "#/x-csv: is missing"},
		{"a lookback without a unit", editedOwn(t, "profiles/events.output.json", `"P90D"`, `"P90"`),
			"profiles/events.output.json#/x-export/lookback: x-export.lookback must be an ISO 8601 duration"},
		{"a lookback without an end", editedOwn(t, "profiles/events.output.json", `"P90D"`, `"P99999999999999D"`),
			"profiles/events.output.json#"},
		{"an unasked event that is none", editedOwn(t, "common/events.json", `"x-journey": [`, `"x-unasked": ["push_send"], "x-journey": [`),
			"common/events.json#/$defs/campaign/x-unasked/0: push_send is not in the enum"},
		{"a step that is no event", editedOwn(t, "common/events.json", `{"event": "push_sent", "channel"`, `{"event": "push_send", "channel"`),
			"common/events.json#/$defs/campaign/x-journey/0/event: push_send is not in the enum"},
		{"a step after one that does not exist", editedOwn(t, "common/events.json", `"after": "push_sent"`, `"after": "push_queued"`),
			"common/events.json#/$defs/campaign/x-journey/1: the step push_queued must come before push_error"},
		{"a burst in the middle", editedOwn(t, "common/events.json", `"delay": "PT2S"}`, `"delay": "PT2S", "burst": true}`),
			"common/events.json#/$defs/campaign/x-journey/1/burst: push_error follows push_sent: only a first step goes out in bursts"},
		{"a step twice", editedOwn(t, "common/events.json", `{"event": "push_error", "after"`, `{"event": "push_sent", "after"`),
			"common/events.json#/$defs/campaign/x-journey/1/event: push_sent comes twice"},
		{"a weight of no value", editedOwn(t, row, `"enum": ["true", "false"]`, `"enum": ["true", "false"], "x-weights": {"yes": 1}`),
			row + "#/properties/is_optin_push/x-weights/yes: yes is not a value of this property"},
		{"weights of nothing", editedOwn(t, row, `"enum": ["true", "false"]`, `"enum": ["true", "false"], "x-weights": {"true": 0}`),
			row + "#/properties/is_optin_push/x-weights: at least one weight must be above 0"},
		{"weights without an enum", editedOwn(t, row, `"smart_segment": {`,
			`"plan": {"type": "string", "x-weights": {"a": 1}}, "smart_segment": {`),
			row + "#/properties/plan/x-weights/a: a is not a value of this property: weights are for the values of an enum"},
		{"a type that is none", editedOwn(t, row, `"smart_segment": {`, `"plan": {"type": ["strnig", "null"]}, "smart_segment": {`),
			row +
				"#/properties/plan/type: \"strnig\" is no type: write string, number, integer, boolean, array, object, null, or an " +
				"array of them; did " +
				"you mean string?"},
		{"a required column that is no property", editedOwn(t, row, `"required": [`, `"required": ["is_optin_psuh", `),
			row + "#/required/0: is_optin_psuh is no property; did you mean is_optin_push?"},
		{"a bound of no date", editedOwn(t, row, `"smart_segment": {`,
			`"plan": {"type": "string", "x-earliest": "2026-01-01"}, "smart_segment": {`), row + "#/properties/plan/x-earliest: is for dates"},
		{"a bound of a value of the world", editedOwn(t, row, `"x-source": "installation.is_optin"`,
			`"x-source": "installation.is_optin", "x-latest": "2026-01-01"`),
			row + "#/properties/is_optin_push/x-latest: says nothing of a value of the world"},
		{"a value of the world that is to be unique", editedOwn(t, row, `"x-source": "installation.is_optin"`,
			`"x-source": "installation.is_optin", "x-unique": true`),
			row + "#/properties/is_optin_push/x-unique: says nothing of a value of the world"},
		{"a reference from the root", editedOwn(t, row, `"../common/dates.json#/$defs/legacyDateTime"`,
			`"common/dates.json#/$defs/legacyDateTime"`),
			row +
				"#/properties/install_date/$ref: there is no schema file legacy/common/dates.json: references are relative to the file; write " +
				"../common/dates.json#/$defs/legacyDateTime"},
		{"a reference in other letters", editedOwn(t, row, `dates.json#/$defs/legacyDateTime`, `dates.json#/$defs/legacydatetime`),
			row + "#/properties/install_date/$ref: there is nothing at /$defs/legacydatetime in common/dates.json; did you mean legacyDateTime?"},
		{"an endpoint without an error", editedOwn(t, "legacy/export.record.json", `"error": "legacy/error.json"`,
			`"error": "legacy/errors.json"`), "legacy/export.record.json#/x-endpoints/0/error: there is no schema file legacy/errors.json"},
		{"a variable that nothing reads", editedOwn(t, "legacy/export.record.json", `request/{request_id}"`, `{account}/request/{request_id}"`),
			"legacy/export.record.json#/x-endpoints/0/path: has the variable account, which nothing reads"},
		{"a name twice", editedOwn(t, request, `"type": "object"`, `"type": "object", "type": "array"`),
			request + "#: line 6, column 21: the name \"type\" comes twice"},
	}) {
		t.Run(test.about, func(t *testing.T) {
			_, err := schemas.Open(test.overlay)
			var file *schemas.FileError
			if !errors.As(err, &file) {
				t.Fatalf("got %v", err)
			}
			hold(t, strings.HasPrefix(err.Error(), "schema file "+test.want), "got  %v\nwant schema file %s", err, test.want)
		})
	}
}

// A schema that leads back to itself without end is an error, not a crash.
func TestOverlayWithALoop(t *testing.T) {
	_, err := schemas.Open(edited(t, "legacy/userbase.request.json", `"type": "object"`, `"type": "object", "$ref": "#"`))
	hold(t, err != nil && strings.Contains(err.Error(), "legacy/userbase.request.json"), "got %v", err)
}

func TestDigestIsThatOfTheFiles(t *testing.T) {
	again, err := schemas.Open(fstest.MapFS{})
	hold(t, err == nil && again.Digest() == library(t).Digest() && len(again.Digest()) == 64, "got %v, %v", again, err)
	hold(t, slices.IsSorted(again.Names()), "the names are not sorted: %v", again.Names())
}

// Whatever text takes the place of a file, Open answers and does not panic.
func FuzzOverlay(f *testing.F) {
	l, err := schemas.Embedded()
	if err != nil {
		f.Fatal(err)
	}
	f.Add(string(l.Source("legacy/userbase.row.json")))
	f.Add(`{"x-journey":[{"event":"a"}],"properties":{"a":{"$ref":"#/properties/b"},"b":{"$ref":"#/properties/a"}}}`)
	f.Add(`{"if":5,"required":{},"pattern":"(","items":[{}],"$dynamicRef":"#x"}`)
	f.Fuzz(func(t *testing.T, text string) {
		library, err := schemas.Open(fstest.MapFS{"legacy/userbase.row.json": {Data: []byte(text)}})
		if err == nil {
			_ = library.Validate("legacy/userbase.row.json", map[string]any{"a": "b"})
		}
	})
}
