package schemas_test

import (
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// TestDialectMistakes: a mistake in what an overlay says of an interface is refused with its file, its place, and what to write.
func TestDialectMistakes(t *testing.T) {
	const legacy, profiles = "legacy/interface.json", "profiles/interface.json"
	for about, c := range map[string]struct {
		file, old, new string
		at             string // file#pointer
		says           []string
	}{
		"a header with a blank": {legacy, `"X-Authorization"`, `"X Key"`, legacy + "#/x-interface/headers/credential",
			[]string{"such as X-Authorization", `"X Key"`}},
		"a header of every request": {legacy, `"X-Authorization"`, `"content-type"`, legacy + "#/x-interface/headers/credential",
			[]string{"content-type", "such as X-Authorization"}},
		"no credential": {legacy, `"credential": "X-Authorization"`, ``, legacy + "#/x-interface/headers/credential",
			[]string{"is missing"}},
		"a word with a blank": {profiles, `"Bearer"`, `"My Bearer"`, profiles + "#/x-interface/headers/scheme",
			[]string{"such as Bearer"}},
		"two uses of a header": {profiles, `"X-Service-Project"`, `"authorization"`, profiles + "#/x-interface/headers/project",
			[]string{"carries the credential already"}},
		"a basic credential and a project": {profiles, `"Bearer"`, `"Basic"`, profiles + "#/x-interface/headers/scheme",
			[]string{"says who asks", "leave out headers.project"}},
		"two that say who asks": {profiles, `"version": "2.7",`, `"version": "2.7", "keyVariable": "api_key",`,
			profiles + "#/x-interface/headers/project", []string{"leave one of them out"}},
		"a wait in the place of a link": {legacy, `"headers": {"credential": "X-Authorization"`,
			`"headers": {"retryAfter": "location", "credential": "X-Authorization"`, legacy + "#/x-interface/headers/retryAfter",
			[]string{"such as Retry-After"}},
		"a version with a slash": {legacy, `"version": "1.0"`, `"version": "v1/"`, legacy + "#/x-interface/version",
			[]string{"such as 1.0"}},
		"a path without the version": {"legacy/userbase.row.json", `"/1.0/{api_key}/export/userbase"`, `"/{api_key}/export/userbase"`,
			"legacy/userbase.row.json#/x-export/path", []string{"/1.0/{api_key}/export/userbase", legacy}},
		"a lookup without the version": {"profiles/export.record.json", `"/2.7/exports/view"`, `"/exports/view"`,
			"profiles/export.record.json#/x-endpoints/0/path", []string{"/2.7/exports/view", profiles}},
		"a path without the application": {"legacy/userbase.row.json", `"/1.0/{api_key}/export/userbase"`, `"/1.0/export/userbase"`,
			"legacy/userbase.row.json#/x-export/path", []string{"{api_key}"}},
		"an unknown role": {legacy, `"role": "running"`, `"role": "runing"`, legacy + "#/x-interface/states/1/role",
			[]string{"waiting, running, done, failed or expired", "did you mean running?"}},
		"two states with one name": {legacy, `"PENDING"`, `"CREATED"`, legacy + "#/x-interface/states/1/name",
			[]string{"CREATED is already the name of the state 1", "a name of its own"}},
		"two ends that are good": {legacy, `"role": "failed"`, `"role": "done"`, legacy + "#/x-interface/states/3/role",
			[]string{"only running"}},
		"states out of order": {legacy, `{"name": "CREATED", "role": "waiting"},`,
			`{"name": "BUSY", "role": "running"}, {"name": "CREATED", "role": "waiting"},`, legacy + "#/x-interface/states/1/role",
			[]string{"waiting, running, done, failed, expired"}},
		"no state that failed": {legacy, `{"name": "ERROR", "role": "failed"}`, `{"name": "GONE", "role": "expired"}`,
			legacy + "#/x-interface/states", []string{"no state is failed", `{"name": "ERROR", "role": "failed"}`}},
		"too short to be known": {legacy, `"actionPrefix"`, `"retention": "PT10M", "actionPrefix"`,
			legacy + "#/x-interface/retention", []string{"write PT1H or longer"}},
		"a duration in words": {legacy, `"actionPrefix"`, `"retention": "six months", "actionPrefix"`,
			legacy + "#/x-interface/retention", []string{"such as P180D"}},
		"an unknown kind of link": {legacy, `"link": "signed"`, `"link": "302"`, legacy + "#/x-interface/files/link",
			[]string{"signed or redirect"}},
		"a redirect by nobody": {"profiles/export.file.json", `"role": "download"`, `"role": "list"`,
			profiles + "#/x-interface/files/link", []string{"profiles has the role download", "or write signed"}},
		"a link that never works": {legacy, `"PT20M"`, `"PT0S"`, legacy + "#/x-interface/files/linkLifetime", []string{"such as PT20M"}},
		"an unknown kind of JSON": {profiles, `"json": "array"`, `"json": "ndjson"`, profiles + "#/x-interface/files/json",
			[]string{"array or lines"}},
		"names that tell nothing apart": {profiles, `"{export}.{part}.{format}"`, `"file.{part}.{format}"`,
			profiles + "#/x-interface/files/urlName", []string{"write {export}"}},
		"parts that nothing tells apart": {profiles, `"{export}.{part}.{format}"`, `"{export}.{format}"`,
			profiles + "#/x-interface/files/urlName", []string{"write {part}"}},
		"an identifier without an end": {profiles, `"{export}.{part}.{format}"`, `"{export}{part}.{format}"`,
			profiles + "#/x-interface/files/urlName", []string{"write a dot"}},
		"an unknown placeholder": {profiles, `"{kind}.{format}"`, `"{date}.{format}"`, profiles + "#/x-interface/files/name",
			[]string{"{export}, {part}, {kind}", "{date}"}},
		"saved parts with one name": {profiles, `"{kind}-{part}.{format}"`, `"{kind}.{format}"`,
			profiles + "#/x-interface/files/partName", []string{"write {part}"}},
		"a prefix with a blank": {legacy, `"service."`, `"my service."`, legacy + "#/x-interface/actionPrefix",
			[]string{"such as service."}},
		"an unknown lint": {legacy, `"credentials_sent_to_link"`, `"credentials_sent_to_links"`,
			legacy + "#/x-interface/lints/credentials_sent_to_links", []string{"did you mean credentials_sent_to_link?"}},
		"an unknown severity": {legacy, `"credentials_sent_to_link": "warning"`, `"credentials_sent_to_link": "fatal"`,
			legacy + "#/x-interface/lints/credentials_sent_to_link", []string{"error, warning or off"}},
		"errors of another file": {legacy, `"legacy/error.json"`, `"legacy/eror.json"`, legacy + "#/x-interface/errors/schema",
			[]string{"did you mean legacy/error.json?"}},
		"a creation without identifier": {"legacy/created.response.json", `"x-source": "record.id"`, `"x-source": "record.uri"`,
			"legacy/created.response.json#/properties", []string{"record.id"}},
		"parts without identifiers": {profiles, `, "file": "file_"`, ``, profiles + "#/x-interface/identifiers/file",
			[]string{"such as file_"}},
		"an interface that is not there": {legacy, `"name": "legacy"`, `"name": "profiles"`, profiles + "#/x-interface/name",
			[]string{"is already the interface of " + legacy}},
		"nothing said at all": {legacy, `"x-interface"`, `"x-interfaces"`, legacy + "#/x-interfaces",
			[]string{"did you mean x-interface?"}},
		"states that stand beside no enum": {"legacy/export.record.json", `"enum": ["CREATED", "PENDING", "ERROR", "SUCCESS"],`, ``,
			"legacy/export.record.json#/properties/status/x-states", []string{"stands beside no enum"}},
	} {
		t.Run(about, func(t *testing.T) {
			overlay := edited(t, c.file, c.old, c.new)
			if c.new == `` { // a member that was taken out may leave its comma
				text := strings.NewReplacer("{, ", "{", ", }", "}").Replace(string(overlay[c.file].Data))
				overlay[c.file].Data = []byte(text)
			}
			_, err := schemas.Open(overlay)
			var fault *schemas.FileError
			if !errors.As(err, &fault) {
				t.Fatalf("the overlay was taken: %v", err)
			}
			if at := fault.File + "#" + fault.Pointer; at != c.at {
				t.Errorf("the fault is at %s, want %s: %s", at, c.at, fault.Message)
			}
			for _, words := range c.says {
				hold(t, strings.Contains(fault.Message, words), "the message does not say %q: %s", words, fault.Message)
			}
		})
	}
}

// TestDialectReachesOtherFiles: where an interface speaks otherwise, all files do.
func TestDialectReachesOtherFiles(t *testing.T) {
	l, err := schemas.Open(edited(t,
		"legacy/interface.json", `"1.0"`, `"v1"`,
		"legacy/interface.json", `{"name": "PENDING", "role": "running"},`,
		`{"name": "QUEUED", "role": "running"}, {"name": "RUNNING", "role": "running"},`,
		"legacy/interface.json", `{"name": "ERROR", "role": "failed"}`,
		`{"name": "ERROR", "role": "failed"}, {"name": "EXPIRED", "role": "expired"}`,
		// Written before the dialect, with the version of the specification.
		"legacy/userbase.row.json", `"summary": "`, `"summary": "Of old: `,
	))
	if err != nil {
		t.Fatal(err)
	}
	for _, export := range l.Exports() {
		if version := map[string]string{"legacy": "/v1/", "profiles": "/2.7/"}[export.Interface]; !strings.HasPrefix(export.Path, version) {
			t.Errorf("%s is at %s, want it below %s", export.Kind, export.Path, version)
		}
	}
	record := func(status string, more ...string) map[string]any {
		made := map[string]any{
			"id": "5b1c6e0e-4b52-4d7e-9d0b-0c8d6d3b7f10", "uri": "/v1/live_demo/export/userbase", "request_date": "2026-01-01T00:00:00",
			"status":  status,
			"request": map[string]any{"ids": []any{"custom_id"}},
		}
		for i := 0; i < len(more); i += 2 {
			made[more[i]] = more[i+1]
		}
		return made
	}
	const end, reason = "2026-01-01T00:00:01", "it went wrong"
	for about, c := range map[string]struct {
		record map[string]any
		valid  bool
	}{
		"under way":                      {record("RUNNING"), true},
		"under way with an end":          {record("RUNNING", "completion_date", end), false},
		"expired":                        {record("EXPIRED", "completion_date", end), true},
		"expired without an end":         {record("EXPIRED"), false},
		"failed":                         {record("ERROR", "completion_date", end, "error_msg", reason), true},
		"the state of the specification": {record("PENDING"), false},
		"the path of the specification":  {record("CREATED", "uri", "/1.0/live_demo/export/userbase"), false},
	} {
		if err := l.Validate("legacy/export.record.json", c.record); (err == nil) != c.valid {
			t.Errorf("%s: %v", about, err)
		}
	}
	var status struct{ Enum []string }
	var source struct {
		Properties struct{ Status json.RawMessage }
	}
	if err := errors.Join(json.Unmarshal(l.Source("mock/export.record.json"), &source),
		json.Unmarshal(source.Properties.Status, &status)); err != nil {
		t.Fatal(err)
	}
	if want := []string{"CREATED", "QUEUED", "RUNNING", "SUCCESS", "ERROR", "EXPIRED", "PENDING"}; !slices.Equal(status.Enum, want) {
		t.Errorf("mock/export.record.json has the states %v, want %v", status.Enum, want)
	}
	for _, name := range []string{"profiles/export.record.json", "profiles/interface.json", "legacy/error.json"} {
		if string(l.Source(name)) != string(library(t).Source(name)) {
			t.Errorf("%s is another one, and nothing in it is a word of the legacy interface", name)
		}
	}
}

// TestDialectInOneFile: what an interface file says needs no other file.
func TestDialectInOneFile(t *testing.T) {
	const link = `http://localhost:8080/v1/live_demo/export/request/5b1c6e0e-4b52-4d7e-9d0b-0c8d6d3b7f10/file`
	l, err := schemas.Open(edited(t,
		"legacy/interface.json", `"1.0"`, `"v1"`,
		"legacy/interface.json", `"keyVariable": "api_key"`, `"keyVariable": "app"`,
		"legacy/interface.json", `{"name": "PENDING", "role": "running"},`, ``,
		"legacy/interface.json", `"link": "signed"`, `"link": "redirect"`,
	))
	if err != nil {
		t.Fatal(err)
	}
	for _, export := range l.Exports() {
		if export.Interface == "legacy" && !strings.HasPrefix(export.Path, "/v1/{app}/") {
			t.Errorf("%s is at %s, want it below /v1/{app}/", export.Kind, export.Path)
		}
	}
	var paths []string
	for _, endpoint := range l.Endpoints() {
		if endpoint.Interface == "legacy" {
			paths = append(paths, endpoint.Path)
		}
	}
	if want := []string{"/v1/{app}/export/request/{request_id}/file", "/v1/{app}/export/request/{request_id}"}; !slices.Equal(paths, want) {
		t.Errorf("the endpoints are %q, want %q", paths, want)
	}
	if embedded := library(t).Endpoints(); slices.ContainsFunc(embedded,
		func(e schemas.Endpoint) bool { return e.Name == "legacy.download" }) {
		t.Error("an interface with signed links has an endpoint that redirects to files")
	}
	for _, file := range []string{"legacy/export.record.json", "legacy/export.file.json"} {
		hold(t, strings.Contains(string(l.Source(file)), link), "%s does not have the example %s", file, link)
	}
	if text := string(l.Source("common/parameters.json")); !strings.Contains(text, `"app":`) || strings.Contains(text, `"api_key":`) {
		t.Errorf("the variable of the paths is not described: %s", text)
	}
	if text := string(l.Source("legacy/export.record.json")); !strings.Contains(text, `["CREATED","SUCCESS","ERROR"]`) ||
		strings.Contains(text, "PENDING") {
		t.Errorf("records have other states: %s", text)
	}
}

// TestDownloadOfAnOverlay: where an overlay has an endpoint that redirects to files, the one that is there for that gives way.
func TestDownloadOfAnOverlay(t *testing.T) {
	overlay := edited(t, "legacy/interface.json", `"link": "signed"`, `"link": "redirect"`)
	overlay["legacy/download.json"] = &fstest.MapFile{Data: []byte(`{"x-endpoints": [{"name": "legacy.download", "role": "download", "interface": "legacy", "method": "GET",
		"path": "/1.0/{api_key}/export/request/{request_id}/file", "status": 303, "error": "legacy/error.json", "extension": true, "summary": "Leads to the file."}]}`)}
	l := need(schemas.Open(overlay))(t)
	for _, endpoint := range l.Endpoints() {
		if endpoint.Name == "legacy.download" && endpoint.Status != 303 {
			t.Errorf("the endpoint answers %d, want that of the overlay", endpoint.Status)
		}
	}
}

// TestLinksOfTheSpecification: examples of links are those that dialects are compared with.
func TestLinksOfTheSpecification(t *testing.T) {
	was := `5b1c6e0e-4b52-4d7e-9d0b-0c8d6d3b7f10.1.csv?`
	for file, link := range map[string]string{"legacy/export.record.json": "/files/" + was, "legacy/export.file.json": "/files/" + was,
		"profiles/export.file.json": `/2.7/exports/download?id=file_7wq2kLmPz0_1"`} {
		if !strings.Contains(string(library(t).Source(file)), `["http://localhost:8080`+link) {
			t.Errorf("the link of %s is not %s", file, link)
		}
	}
	l, err := schemas.Open(edited(t, "profiles/interface.json", `"link": "redirect"`, `"link": "signed"`, "profiles/interface.json",
		`"json": "array"`, `"json": "lines"`))
	if err != nil {
		t.Fatal(err)
	}
	if want := `["http://localhost:8080/files/export_7wq2kLmPz0.1.ndjson?`; !strings.Contains(string(l.Source("profiles/export.file.json")),
		want) {
		t.Errorf("the link is not %s", want)
	}
}

// TestFilesHaveTheStatesOfTheirInterfaces: what x-states marks is what the interfaces say.
func TestFilesHaveTheStatesOfTheirInterfaces(t *testing.T) {
	l, marks := library(t), 0
	states := map[string]map[string]string{} // role by name, by interface
	for _, each := range l.Interfaces() {
		states[each.Name] = map[string]string{}
		for _, state := range each.States {
			states[each.Name][state.Name] = state.Role
		}
	}
	var walk func(file string, value any)
	walk = func(file string, value any) {
		switch v := value.(type) {
		case []any:
			for _, item := range v {
				walk(file, item)
			}
		case map[string]any:
			for _, name := range slices.Sorted(maps.Keys(v)) {
				walk(file, v[name])
			}
			choice, is := v["x-states"].(map[string]any)
			if _, object := v["enum"].([]any); !is || !object {
				return
			}
			marks++
			want := map[string]bool{}
			for _, name := range choice["interfaces"].([]any) {
				for state, role := range states[name.(string)] {
					roles, some := choice["roles"].([]any)
					if !some || slices.Contains(roles, any(role)) {
						want[state] = true
					}
				}
			}
			got := map[string]bool{}
			for _, state := range v["enum"].([]any) {
				got[state.(string)] = true
			}
			hold(t, maps.Equal(got, want), "%s: the states %v are marked as %v", file, v["enum"], choice)
		}
	}
	for _, name := range l.Names() {
		document := need(schemas.Decode(l.Source(name)))(t)
		walk(name, document)
	}
	hold(t, marks >= 10, "only %d enums are marked with x-states", marks)
}

// TestLines: a file with one object a line is one, and nothing else is.
func TestLines(t *testing.T) {
	l := need(schemas.Open(edited(t, "profiles/interface.json", `"json": "array"`, `"json": "lines"`)))(t)
	const one = `{"attributes":{"$language":"fr"},"identifiers":{"profile_id":"profile_1"}}`
	for about, c := range map[string]struct {
		text, says string
		rows       int64
		line       int
	}{
		"two rows":             {one + "\n" + one + "\n", "", 2, 0},
		"no end of line":       {one + "\n" + one, "", 2, 0},
		"nothing":              {"", "", 0, 0},
		"an array":             {"[\n" + one + "\n]\n", "found an array", 0, 1},
		"two on a line":        {one + one + "\n", "two on one", 2, 1},
		"one on several lines": {strings.Replace(one, ",", ",\n", 1) + "\n", "one on several", 1, 1},
		"a comma between":      {one + ",\n" + one + "\n", "invalid character ','", 1, 1},
		"a row that is none":   {one + "\n{}\n", "attributes is missing", 2, 2},
		"half a row":           {one + "\n" + one[:20], "ends too early", 1, 2},
	} {
		t.Run(about, func(t *testing.T) {
			var faults []schemas.Fault
			summary, err := l.CheckFile("profiles.attributes", strings.NewReader(c.text), func(f schemas.Fault) bool {
				faults = append(faults, f)
				return true
			})
			hold(t, err == nil && summary.Rows == c.rows, "%d rows, %v; want %d", summary.Rows, err, c.rows)
			if c.says == "" && len(faults) > 0 || c.says != "" && (len(faults) == 0 || !strings.Contains(faults[0].Message, c.says) ||
				faults[0].Line != c.line) {
				t.Errorf("the faults are %v, want %q in line %d", faults, c.says, c.line)
			}
		})
	}
}

// TestDialectIdentifiers: records and parameters take the identifiers that an interface gives out, and no others.
func TestDialectIdentifiers(t *testing.T) {
	const file, specified = "profiles/interface.json", `"export": "export_", "file": "file_"`
	const uuid = "5b1c6e0e-4b52-4d7e-9d0b-0c8d6d3b7f10"
	for about, c := range map[string]struct {
		file, old, new, schema, member string
		good, bad, foreign             []string
	}{
		"other beginnings": {file, specified, `"export": "job-", "file": "job-f_"`, "profiles/created.response.json", "id",
			[]string{"job-x", "job-7wq2kLmPz0"}, []string{"export_x", uuid, "job-"}, []string{"export_", `"^file_`, `"file_`, " file_"}},
		"UUIDs": {file, specified, `"file": "file_"`, "profiles/created.response.json", "id", []string{uuid}, []string{"export_x"},
			[]string{"export_"}},
		"legacy exports": {"legacy/interface.json", `"errors": {`, `"identifiers": {"export": "job-"}, "errors": {`,
			"legacy/created.response.json", "requestId", []string{"job-x"}, []string{uuid}, nil},
	} {
		t.Run(about, func(t *testing.T) {
			l := need(schemas.Open(edited(t, c.file, c.old, c.new)))(t)
			for _, id := range c.good {
				if err := l.Validate(c.schema, map[string]any{c.member: id}); err != nil {
					t.Errorf("%s: %v", id, err)
				}
			}
			for _, id := range c.bad {
				hold(t, l.Validate(c.schema, map[string]any{c.member: id}) != nil, "%s was taken", id)
			}
			for _, foreign := range c.foreign {
				if strings.Contains(string(l.Source("common/identifiers.json")), foreign) {
					t.Errorf("common/identifiers.json speaks of %s", foreign)
				}
			}
		})
	}
}

// TestDialectNamesItsHeader: errors that say how long to wait name the header that does.
func TestDialectNamesItsHeader(t *testing.T) {
	l, err := schemas.Open(edited(t, "legacy/interface.json", `"credential": "X-Authorization"`,
		`"credential": "X-Authorization", "retryAfter": "X-Retry-In"`))
	if err != nil {
		t.Fatal(err)
	}
	for file, want := range map[string]string{"legacy/error.json": "as long as X-Retry-In says",
		"profiles/error.json": "as long as Retry-After says"} {
		found := false
		for _, branch := range l.ErrorBranches(file) {
			found = found || branch.Status == 429 && strings.Contains(branch.Description, want)
		}
		hold(t, found && strings.Contains(string(l.Source(file)), want), "%s does not say %q", file, want)
	}
}

// TestDialectActions: schemas of actions take the identifiers of built-ins with the prefix of the dialect, in any
// letter case, and hold those of the specification for actions of the application.
func TestDialectActions(t *testing.T) {
	for _, prefix := range []string{"acme.", "Kiosk/+", "do:\\"} {
		t.Run(prefix, func(t *testing.T) {
			written := need(json.Marshal(prefix))(t)
			l := need(schemas.Open(edited(t, "legacy/interface.json", `"actionPrefix": "service."`, `"actionPrefix": `+string(written))))(t)
			for about, c := range map[string]struct {
				identifier string
				arguments  map[string]any
				valid      bool
			}{
				"a built-in":                               {prefix + "clipboard", map[string]any{"t": "WELCOME10"}, true},
				"one whose argument is no text":            {prefix + "clipboard", map[string]any{"t": true}, false},
				"the same in capitals":                     {strings.ToUpper(prefix) + "CLIPBOARD", map[string]any{"t": true}, false},
				"the same in small letters":                {strings.ToLower(prefix) + "clipboard", map[string]any{"t": true}, false},
				"a built-in that does not exist":           {prefix + "clipbord", map[string]any{"t": "WELCOME10"}, false},
				"the prefix of the specification":          {"service.clipboard", map[string]any{"t": true}, true},
				"none at all in that of the specification": {"service.clipbord", map[string]any{}, true},
			} {
				if err := l.Validate("actions/call.json", map[string]any{"identifier": c.identifier,
					"arguments": c.arguments}); (err == nil) != c.valid {
					t.Errorf("%s: %s: %v", about, c.identifier, err)
				}
			}
			for _, file := range []string{"actions/call.json", "actions/service.group.arguments.json"} {
				for line := range strings.Lines(string(l.Source(file))) {
					rest := strings.NewReplacer(`"$ref": "service.`, "", `/actions/service.`, "").Replace(line)
					if strings.Contains(rest, "service.") || strings.Contains(rest, `service\\`) || strings.Contains(rest, "[sS][eE][rR][vV]") {
						t.Errorf("%s has the prefix of the specification: %.120s", file, line)
					}
				}
			}
		})
	}
}

// TestPathsOfOneInterface: an export takes no request that already creates another one, or asks for something else.
func TestPathsOfOneInterface(t *testing.T) {
	row := string(library(t).Source("legacy/userbase.row.json"))
	row = strings.NewReplacer(`"kind": "userbase"`, `"kind": "dd"`, "legacy/userbase.row.json", "legacy/dd.row.json").Replace(row)
	for path, want := range map[string]string{
		"/1.0/{api_key}/export/userbase":     "creates userbase (legacy/userbase.row.json) as well: write another path, or require a member",
		"/1.1/{api_key}/export/dd":           "write /1.0/{api_key}/export/dd",
		"/{api_key}/export/dd":               "write /1.0/{api_key}/export/dd",
		"/1.0/{api_key}/export/request/{dd}": "",
		"/1.0/{api_key}/export/dd":           "",
	} {
		_,
			err := schemas.Open(fstest.MapFS{"legacy/dd.row.json": {Data: []byte(strings.Replace(row, "/1.0/{api_key}/export/userbase", path, 1))}})
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error(), want) ||
			!strings.Contains(err.Error(), "legacy/dd.row.json#/x-export/path")) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
}

// TestDialectOfOneVersion: both interfaces may have one version, and a path that would be one of both is refused.
func TestDialectOfOneVersion(t *testing.T) {
	const profiles = "profiles/interface.json"
	same := []string{profiles, `"version": "2.7"`, `"version": "1.0"`}
	if _, err := schemas.Open(edited(t, same...)); err != nil {
		t.Errorf("one version, and no path of both: %v", err)
	}
	for about, c := range map[string]struct{ file, old, new, pointer string }{
		"a creation": {"profiles/events.output.json", `"/2.7/profiles/export"`, `"/2.7/profiles/export/userbase"`, "/x-export/path"},
		"a lookup":   {"profiles/export.record.json", `"/2.7/exports/view"`, `"/2.7/exports/export/request/view"`, "/x-endpoints/0/path"},
	} {
		if _, err := schemas.Open(edited(t, c.file, c.old, c.new)); err != nil && strings.Contains(err.Error(), "may be one to") {
			t.Errorf("%s of another version: %v", about, err)
		}
		_, err := schemas.Open(edited(t, append(slices.Clone(same), c.file, c.old, c.new)...))
		var fault *schemas.FileError
		if !errors.As(err, &fault) || fault.File != c.file || fault.Pointer != c.pointer ||
			!strings.Contains(fault.Message, "of the interface legacy") || !strings.Contains(fault.Message, profiles) {
			t.Errorf("%s: %v, want it refused at %s#%s", about, err, c.file, c.pointer)
		}
	}
}
