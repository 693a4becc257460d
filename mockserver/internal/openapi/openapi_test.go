package openapi_test

import (
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/openapi"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pages"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// open makes a service with an overlay of schema files.
func open(overlay fs.FS) (*schemas.Library, *mockserver.Server, error) {
	service, err := mockserver.New(mockserver.Options{Schemas: overlay, StartAt: time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC), Profiles: 50})
	if err != nil {
		return nil, nil, err
	}
	return service.Schemas(), service, nil
}

// build writes the document of a service with an overlay of schema files.
func build(t *testing.T, overlay fs.FS) (*mockserver.Server, []byte, map[string]any) {
	t.Helper()
	library, service, err := open(overlay)
	if err != nil {
		t.Fatal(err)
	}
	document := must.Get(openapi.Build(library, service.Routes(), pages.Edition{}))(t)
	var decoded map[string]any
	must.Do(t, json.Unmarshal(document, &decoded))
	return service, document, decoded
}

// at follows member names.
func at(value any, path ...string) any {
	for _, name := range path {
		object, _ := value.(map[string]any)
		value = object[name]
	}
	return value
}

// each calls visit for every object of the document.
func each(value any, visit func(map[string]any)) {
	switch value := value.(type) {
	case map[string]any:
		visit(value)
		for _, inner := range value {
			each(inner, visit)
		}
	case []any:
		for _, inner := range value {
			each(inner, visit)
		}
	}
}

// TestReferencesStayInside follows every reference and every link.
func TestReferencesStayInside(t *testing.T) {
	_, _, document := build(t, nil)
	operations := map[string]bool{}
	each(document["paths"], func(object map[string]any) {
		if id, is := object["operationId"].(string); is && object["responses"] != nil {
			must.Hold(t, !operations[id], "two operations are called %s", id)
			operations[id] = true
		}
	})
	references, steps := 0, 0
	each(document, func(object map[string]any) {
		if reference, is := object["$ref"].(string); is {
			references++
			path, inside := strings.CutPrefix(reference, "#/")
			must.Hold(t, inside && at(document, strings.Split(path, "/")...) != nil, "the reference %s leads nowhere", reference)
		}
		if id, is := object["operationId"].(string); is && object["responses"] == nil {
			steps++
			must.Hold(t, operations[id], "a link leads to %s, which is no operation", id)
		}
		for name := range object {
			must.Hold(t, name != "$id" && name != "$defs" && name != "x-source" && name != "x-journey", "a schema has kept its %s", name)
		}
	})
	must.Hold(t, references >= 100 && steps >= 10, "only %d references and %d links", references, steps)
}

// TestEveryAnswerHasAnExample: every success that is JSON of a schema has one,
// and so has every request with a body, every file and every error.
func TestEveryAnswerHasAnExample(t *testing.T) {
	service, _, document := build(t, nil)
	for _, route := range service.Routes() {
		operation := at(document, "paths", route.Path, strings.ToLower(route.Method))
		if extension, _ := at(operation, "x-extension").(bool); extension != route.Extension {
			t.Errorf("%s: x-extension is %v", route.Name, extension)
		}
		if len(route.Exports) > 0 || route.Request != "" {
			found := 0
			each(at(operation, "requestBody"), func(object map[string]any) {
				examples, _ := object["examples"].(map[string]any)
				found += len(examples)
			})
			must.Hold(t, found >= max(len(route.Exports), 1), "%s: %d examples of a body", route.Name, found)
		}
		if route.Response == "" {
			continue
		}
		responses, _ := at(operation, "responses").(map[string]any)
		for status, response := range responses {
			if strings.HasPrefix(status, "2") && at(response, "content", "application/json", "examples") == nil && status != "206" {
				t.Errorf("%s: the answer %s has no example", route.Name, status)
			}
		}
	}
	library := must.Get(schemas.Embedded())(t)
	for name, response := range at(document, "components", "responses").(map[string]any) {
		errors, _ := at(response, "x-errors").([]any)
		for _, each := range errors {
			if at(response, "content", "application/json", "examples", each.(string)) == nil {
				t.Errorf("%s has no example of %s", name, each)
			}
		}
	}
	for _, export := range library.Exports() {
		found := false
		each(at(document, "paths", "/files/{name}", "get", "responses", "200"), func(object map[string]any) {
			summary, _ := object["summary"].(string)
			found = found || strings.HasSuffix(summary, " "+export.Kind+".")
		})
		must.Hold(t, found, "there is no example of a file of %s", export.Kind)
	}
}

// anyPath is the schema of a record whose export may have been created at any path.
func anyPath(t *testing.T) *fstest.MapFile {
	t.Helper()
	source := must.Get(schemas.Embedded())(t).Source("legacy/export.record.json")
	return &fstest.MapFile{Data: regexp.MustCompile(`"pattern": "\^/1\[[^"]*"`).ReplaceAll(source, []byte(`"pattern": "^/1[.]0/"`))}
}

// TestOverlayChangesTheDocument adds a column and moves an endpoint to a path with a placeholder that nobody knows.
func TestOverlayChangesTheDocument(t *testing.T) {
	source := must.Get(schemas.Embedded())(t)
	row := string(source.Source("legacy/userbase.row.json"))
	row = strings.Replace(row, `/export/userbase"`, `/export/userbase/{region}"`, 1)
	row = strings.Replace(row, `"properties": {`, `"properties": {"loyalty": {"enum": ["gold", "none"]},`, 1)
	_, _, decoded := build(t, fstest.MapFS{"legacy/userbase.row.json": {Data: []byte(row)}, "legacy/export.record.json": anyPath(t)})
	operation := at(decoded, "paths", "/1.0/{api_key}/export/userbase/{region}", "post")
	if operation == nil {
		t.Fatal("the document has not the new path")
	}
	exports, _ := at(operation, "x-exports").([]any)
	columns, _ := at(exports[0], "columns").([]any)
	must.Equal(t, columns[len(columns)-1], "loyalty", "the last of the columns %v", columns)
	must.Hold(t, at(decoded, "components", "parameters", "PathRegion") != nil, "the placeholder is not described")
}

// TestExamplesFollowTheSchemas gives a kind of export another file, another answer and another path.
func TestExamplesFollowTheSchemas(t *testing.T) {
	source := must.Get(schemas.Embedded())(t)
	row := string(source.Source("legacy/userbase.row.json"))
	row = strings.Replace(row, `/export/userbase"`, `/export/people"`, 1)
	row = strings.Replace(row, `"required": [`, `"required": ["loyalty", `, 1)
	row = strings.Replace(row, `"properties": {`, `"properties": {"loyalty": {"enum": ["gold", "none"]},`, 1)
	created := string(source.Source("legacy/created.response.json"))
	created = strings.Replace(created, `"requestId"`, `"request"`, -1)
	_, _, document := build(t, fstest.MapFS{"legacy/userbase.row.json": {Data: []byte(row)},
		"legacy/created.response.json": {Data: []byte(created)},
		"legacy/export.record.json":    anyPath(t)})
	files := at(document, "paths", "/files/{name}", "get", "responses", "200", "content", "text/csv", "examples")
	if rows, _ := at(files, "userbase", "value").(string); !strings.HasSuffix(rows, ";gold\n") {
		t.Errorf("the examples of files are %v", files)
	}
	answer := at(document, "paths", "/1.0/{api_key}/export/people", "post", "responses", "202", "content", "application/json", "examples")
	if at(answer, "example", "value", "request") == nil || at(answer, "created") != nil {
		t.Errorf("the examples of an answer with another schema are %v", answer)
	}
}

// TestDocumentSpeaksTheDialect: nothing in the document of a server with a dialect is a word of the specification that this dialect lacks.
func TestDocumentSpeaksTheDialect(t *testing.T) {
	_, document, decoded := build(t, os.DirFS("../../e2e/testdata/dialect"))
	for _, word := range []string{
		"/1.0/", "/2.7/", "X-Authorization", "Bearer <", "bearer token (", "X-Service-Project", `\"export_unknown`, "id=file_",
		".1.csv?expires", // the link of another interface
	} {
		if found := bytes.Index(document, []byte(word)); found >= 0 {
			t.Errorf("the document says %s: ...%s...", word, document[max(0, found-100):min(len(document), found+100)])
		}
	}
	for _, want := range []string{"Token token_demo", "Key rest_demo", "/v1/live_demo/export/request/Req-", "rows-job-"} {
		must.Hold(t, bytes.Contains(document, []byte(want)), "the document does not say %s", want)
	}
	headers := at(decoded, "components", "responses", "FileError", "headers")
	if at(headers, "X-Retry-In") == nil || at(headers, "Retry-After") != nil {
		t.Errorf("a file that is refused says when to come again in %v", headers)
	}
}

// TestNamesThatCollide refuses schema files that would share a component.
func TestNamesThatCollide(t *testing.T) {
	source := must.Get(schemas.Embedded())(t)
	request := strings.Replace(string(source.Source("legacy/userbase.request.json")), "legacy/userbase.request.json",
		"legacy/campaign-request.json", 1)
	row := strings.Replace(string(source.Source("legacy/userbase.row.json")), "legacy/userbase.request.json", "legacy/campaign-request.json",
		1)
	library, service, err := open(fstest.MapFS{"legacy/campaign-request.json": {Data: []byte(request)},
		"legacy/userbase.row.json": {Data: []byte(row)}})
	if err != nil {
		t.Fatal(err)
	}
	if _, err := openapi.Build(library, service.Routes(), pages.Edition{}); err == nil ||
		!strings.Contains(err.Error(), "LegacyCampaignRequest") {
		t.Errorf("two schemas with one name: %v", err)
	}
}

// TestRequiredParametersHaveExamples: readers that fill a request in look at the parameter, not into its schema.
func TestRequiredParametersHaveExamples(t *testing.T) {
	_, _, document := build(t, nil)
	required := 0
	each(at(document, "paths"), func(parameter map[string]any) {
		if parameter["in"] != "query" || parameter["required"] != true {
			return
		}
		required++
		if example, _ := parameter["example"].(string); len(example) < 8 {
			t.Errorf("the parameter %v has the example %q", parameter["name"], example)
		}
	})
	must.Hold(t, required >= 5, "%d parameters are required, want those of two lookups and of a link", required)
}
