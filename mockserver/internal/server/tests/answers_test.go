package server_test

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// answerFiles are the schema files of all answers of the export API, and of what they list.
func answerFiles(l *schemas.Library) (files []string) {
	for _, export := range l.Exports() {
		files = append(files, export.Response, export.Error)
	}
	for _, endpoint := range l.Endpoints() {
		files = append(files, endpoint.Response)
	}
	files = append(files, "common/problem.json")
	slices.Sort(files)
	return slices.Compact(files)
}

// renamed gives a member of a schema and of its conditions another name.
func renamed(node any, from, to string) {
	switch node := node.(type) {
	case map[string]any:
		if properties, is := node["properties"].(map[string]any); is && properties[from] != nil {
			properties[to] = properties[from]
			delete(properties, from)
		}
		if required, is := node["required"].([]any); is {
			if at := slices.Index(required, any(from)); at >= 0 {
				required[at] = to
			}
		}
		for _, inner := range node {
			renamed(inner, from, to)
		}
	case []any:
		for _, inner := range node {
			renamed(inner, from, to)
		}
	}
}

// documentedBody returns a check of the body of an answer against the one that the API document of a server describes.
func documentedBody(s *harness) func(method, path string, a answer) {
	const address = "mem:///document.json"
	text, document, compiler := s.get("/openapi/full.json").text, apiDocument{}, jsonschema.NewCompiler()
	must.Do(s, json.Unmarshal([]byte(text), &document))
	must.Do(s, compiler.AddResource(address, strings.NewReader(text)))
	return func(method, path string, a answer) {
		s.Helper()
		path, _, _ = strings.Cut(path, "?")
		for template, operations := range document.Paths {
			operation, known := operations[strings.ToLower(method)]
			if !known || !samePath(template, path) {
				continue
			}
			place := fmt.Sprintf("#/paths/%s/%s/responses/%d", strings.ReplaceAll(template, "/", "~1"), strings.ToLower(method), a.StatusCode)
			if declared := operation.Responses[fmt.Sprint(a.StatusCode)]; declared.Ref != "" {
				place = declared.Ref
			}
			schema, err := compiler.Compile(address + place + "/content/application~1json/schema")
			if err != nil {
				s.Fatalf("%s: %v", place, err)
			}
			if err := schema.Validate(must.Get(schemas.Decode([]byte(a.text)))(s)); err != nil {
				s.Errorf("%s: the API document describes another answer: %v\n%s", place, err, a.text)
			}
			return
		}
		s.Errorf("%s %s is not in the API document", method, path)
	}
}

// TestAnswersFollowTheirSchemas renames one member after the other of every schema of an answer, and adds one that is required: the
// validator takes the answers, which the harness checks, and the API document of the server describes them.
func TestAnswersFollowTheirSchemas(t *testing.T) {
	embedded := must.Get(schemas.Embedded())(t)
	rounds := 0
	for _, file := range answerFiles(embedded) {
		rounds = max(rounds, len(embedded.PropertyOrder(embedded.Schema(file))))
	}
	for round := range testlevel.Count(3, rounds, rounds) {
		t.Run(fmt.Sprint(round), func(t *testing.T) {
			overlay, wanted := fstest.MapFS{}, []string{}
			for _, file := range answerFiles(embedded) {
				var root map[string]any
				must.Do(t, json.Unmarshal(embedded.Source(file), &root))
				names := embedded.PropertyOrder(embedded.Schema(file))
				name := names[round%len(names)]
				renamed(root, name, name+"_too")
				properties, required := root["properties"].(map[string]any), root["required"].([]any)
				properties["added"], root["required"] = map[string]any{"enum": []string{"eu", "us"}}, append(required, "added")
				text := must.Get(json.Marshal(root))(t)
				overlay[file] = &fstest.MapFile{Data: text}
				if slices.Contains(required, any(name+"_too")) {
					wanted = append(wanted, file+" "+name+"_too")
				}
			}
			s := newServer(t, withOverlay(t, overlay))
			seen := map[string]bool{}
			describes := documentedBody(s)
			saw := func(file string, c call) answer {
				a := s.do(c)
				describes(cmp.Or(c.method, "POST"), c.path, a)
				for name := range a.body {
					seen[file+" "+name] = true
				}
				if a.body["added"] != "eu" && a.body["added"] != "us" {
					t.Errorf("%s: no added member: %s", file, a.text)
				}
				return a
			}
			for _, side := range []struct{ name, path, body, lookup string }{
				{"legacy", userbasePath, userbaseBody, statusPath}, {"profiles", profilesPath, filteredBody, "/2.7/exports/view?id="},
			} {
				created := s.library.MemberOf(side.name+"/created.response.json", "record.id")
				for _, scenario := range []string{"progress=stuck", "outcome=error", "progress=now", "progress=manual"} {
					made := saw(side.name+"/created.response.json", call{path: side.path, body: side.body, scenario: scenario})
					id, _ := made.body[created].(string)
					saw(side.name+"/export.record.json", call{method: "GET", path: side.lookup + id})
				}
				refused := saw(side.name+"/error.json", call{path: side.path, body: `{}`})
				problems, _ := refused.body[s.library.MemberOf(side.name+"/error.json", "error.problems")].([]any)
				for _, problem := range problems {
					for name := range problem.(map[string]any) {
						seen["common/problem.json "+name] = true
					}
				}
				saw(side.name+"/error.json", call{method: "GET", path: side.lookup + "nobody"})
			}
			list := "profiles/export.list.json"
			page := saw(list, call{method: "GET", path: "/2.7/exports/list?limit=2"})
			saw(list, call{method: "GET", path: "/2.7/exports/list?from=" + page.body[s.library.MemberOf(list, "page.next")].(string)})
			for _, record := range page.body[s.library.MemberOf(list, "page.records")].([]any) {
				files, _ := record.(map[string]any)[s.library.MemberOf("profiles/export.record.json", "record.files")].([]any)
				for _, file := range files {
					part := file.(map[string]any)[s.library.MemberOf("profiles/export.file.json", "file.id")]
					saw("profiles/export.file.json", call{method: "GET", path: fmt.Sprint("/2.7/exports/download?id=", part)})
				}
			}
			document := s.get("/openapi.json").text
			for _, member := range wanted {
				file, name, _ := strings.Cut(member, " ")
				if !seen[member] && file != "legacy/export.file.json" { // legacy links are signed: nothing redirects
					t.Errorf("%s was never in an answer", member)
				}
				if !strings.Contains(document, `"`+name+`":`) {
					t.Errorf("%s is not in the API document", member)
				}
			}
		})
	}
}

// TestAnswersThatNothingWrites: a server whose answers would not fit their schemas does not start.
func TestAnswersThatNothingWrites(t *testing.T) {
	embedded := must.Get(schemas.Embedded())(t)
	for _, c := range []struct{ file, old, new, at string }{
		{"legacy/export.record.json", `"required": ["id"`, `"required": ["file_url", "id"`,
			"legacy/export.record.json#/properties/file_url"},
		{"profiles/export.record.json", `"record.started_at"`, `"event.date"`, "profiles/export.record.json#/properties/start_date"},
		{"profiles/export.list.json", `"type": "integer", "minimum": 0`, `"type": "boolean"`,
			"profiles/export.list.json#/properties/count"},
		{"profiles/created.response.json", `"required": ["id"]`, `"required": ["id", "at"]`,
			"profiles/created.response.json#/required"},
		{"legacy/error.json", `"type": "string", "minLength": 1`, `"type": "boolean"`, "legacy/error.json#/properties/message"},
		{"profiles/error.json", `"required": ["error_code", "error_message"]`, `"required": ["error_code", "error_message", "errors"]`,
			"profiles/error.json#/properties/errors"},
		{"legacy/error.json", `"type": "string", "minLength": 1`, `"type": "string", "maxLength": 80`,
			"legacy/error.json#/properties/message"},
		{"profiles/error.json", `"type": "string", "minLength": 1`, `"type": "string", "maxLength": 20`,
			"profiles/error.json#/properties/error_message"},
		{"profiles/error.json", `{"const": "CONFLICT"}`, `{"const": "CONFLICT"}, "error_message": {"maxLength": 399}`,
			"profiles/error.json#/properties/error_message"},
		{"common/problem.json", `"description": "The fault in a sentence.",`, `"description": "A fault.", "maxLength": 40,`,
			"common/problem.json#/properties/message"},
		{"common/problem.json", `"required": ["pointer",`, `"required": ["line", "pointer",`, "legacy/error.json#/properties/errors"},
		{"legacy/export.record.json", `"description": "What went wrong. Present on error.",`,
			`"description": "A fault.", "maxLength": 60,`, "legacy/export.record.json#/properties/error_msg"},
		{"profiles/export.record.json", `"type": "string", "minLength": 1`, `"type": "string", "maxLength": 60`,
			"profiles/export.record.json#/properties/error_message"},
	} {
		t.Run(c.file+c.new, func(t *testing.T) {
			text := strings.Replace(string(embedded.Source(c.file)), c.old, c.new, 1)
			options := usualConfig()
			options.Schemas = fstest.MapFS{c.file: {Data: []byte(text)}}
			if text == string(embedded.Source(c.file)) {
				t.Fatalf("there is no %s", c.old)
			}
			server, err := mockserver.New(options)
			if err == nil {
				server.Close()
			}
			var fault *schemas.FileError
			if !errors.As(err, &fault) || fault.File+"#"+fault.Pointer != c.at {
				t.Errorf("the start was refused with %v", err)
			}
		})
	}
}

// TestRolesOfRequests: a window is read by the roles of its members, whatever they are called, and a member that nothing reads is refused.
func TestRolesOfRequests(t *testing.T) {
	const file, path = "legacy/reachability.request.json", "/1.0/live_demo/export/reachability/events"
	specified := newServer(t)
	text := string(specified.library.Source(file))
	named := strings.NewReplacer(`"from": {`, `"since": {"x-role": "from", `, `"to": {`, `"until": {"x-role": "to", `, `["from", "to"`, `["since", "until"`)
	overlaid := func(text string) func(*mockserver.Options) {
		return withOverlay(t, fstest.MapFS{file: {Data: []byte(text)}})
	}
	spoken := newServer(t, overlaid(named.Replace(text)))
	const day = `{"from":"2026-03-10T12:00:00","to":"2026-03-14T12:00:00",` + ids + `}`
	download := func(s *harness, body string) string {
		return s.get(s.links(s.create(path, body, "progress=now"))[0]).text
	}
	want := download(specified, day)
	if got := download(spoken, strings.NewReplacer("from", "since", "to\"", "until\"").Replace(day)); got != want || strings.Count(want, "\n") < 2 {
		t.Errorf("the window of other names has\n%s\nwant\n%s", got, want)
	}
	a := spoken.do(call{path: path, body: `{"since":"2026-03-14T12:00:00","until":"2026-03-10T12:00:00",` + ids + `}`})
	spoken.refused(a, 400, "MALFORMED_PARAMETER", "since (2026-03-14T12:00:00) is after until")
	must.Equal(t, a.problems(), []string{"/since window"}, "the fault is at")
	for _, role := range []string{`"x-role": "from", `, `"x-role": "to", `} {
		options := usualConfig()
		overlaid(strings.Replace(named.Replace(text), role, "", 1))(&options)
		server, err := mockserver.New(options)
		if err == nil {
			server.Close()
		}
		var fault *schemas.FileError
		if !errors.As(err, &fault) || fault.File != file || !strings.Contains(fault.Message, "nothing reads this member") {
			t.Errorf("without %s: %v", role, err)
		}
	}
}
