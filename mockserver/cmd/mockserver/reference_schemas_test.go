package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// properties adds a table of the members that a schema file describes. Words are those that files use for neutral ones.
func (d *document) properties(library *schemas.Library, name string, hidden []string) {
	d.propertiesOf(library, library.Schema(name), hidden)
}

func (d *document) propertiesOf(library *schemas.Library, s *jsonschema.Schema, hidden []string) {
	var rows [][]string
	for _, name := range library.PropertyOrder(s) {
		if slices.Contains(hidden, name) {
			continue
		}
		required := ""
		if slices.Contains(s.Required, name) {
			required = "yes"
		}
		property := s.Properties[name]
		rows = append(rows, []string{code(name), required, valuesOf(property), about(property)})
	}
	d.table([]string{"member", "required", "values", "meaning"}, rows)
}

// about is the description of a value, its own before that of a definition.
func about(s *jsonschema.Schema) string {
	for ; s != nil; s = s.Ref {
		if s.Description != "" {
			return s.Description
		}
	}
	return ""
}

// valuesOf says in short what a value may be.
func valuesOf(s *jsonschema.Schema) string {
	for ; s != nil; s = s.Ref {
		switch {
		case len(s.Constant) > 0:
			return code(fmt.Sprint(s.Constant[0]))
		case len(s.Enum) > 0:
			var texts []string
			for _, value := range s.Enum {
				texts = append(texts, fmt.Sprint(value))
			}
			return codes(texts)
		case len(s.Types) > 0:
			return strings.Join(s.Types, " or ")
		}
	}
	return "any"
}

// exportsPage lists the kinds of exports with what their files hold.
func exportsPage(library *schemas.Library) string {
	d := newDocument("Exports", "the request and output schemas")
	d.text("This page lists the kinds of exports with their creation, request and file, and the errors. Paths, statuses and examples are in the API document, `/openapi/full.json`, which a running server also shows at `/docs`; " +
		"request bodies are in [schemas](../../schemas/README.md).")
	var rows [][]string
	for _, export := range library.Exports() {
		lookback := "snapshot"
		if export.Lookback > 0 {
			lookback = fmt.Sprintf("%d days, older: %s", int(export.Lookback.Hours()/24), map[string]string{"clip": "left out", "refuse": "refused"}[export.LookbackPolicy])
		}
		rows = append(rows, []string{fmt.Sprintf("[`%s`](#%s)", export.Kind, strings.ReplaceAll(export.Kind, ".", "")), code(export.Method + " " + export.Path), export.Format, lookback})
	}
	d.table([]string{"kind", "creation", "format", "lookback"}, rows)
	d.heading(2, "Lookups")
	rows = nil
	for _, endpoint := range library.Endpoints() {
		extension := ""
		if endpoint.Extension {
			extension = "extension"
		}
		path := endpoint.Path
		for i, parameter := range endpoint.Query {
			path += map[bool]string{true: "?", false: "&"}[i == 0] + parameter.Name + "="
		}
		rows = append(rows, []string{code(endpoint.Method + " " + path), endpoint.Summary, extension})
	}
	d.table([]string{"endpoint", "what it does", ""}, rows)
	for _, export := range library.Exports() {
		d.heading(2, code(export.Kind))
		d.text("%s Request: [%s](../../schemas/%s), output: [%s](../../schemas/%s).", export.Summary, code(export.Request), export.Request, code(export.Output), export.Output)
		d.request(library, export.Kind, export.Request)
		output := library.Schema(export.Output)
		if export.Format == "csv" {
			d.heading(3, "Columns of "+export.Kind)
			rows = nil
			for _, column := range library.Columns(output) {
				rows = append(rows, []string{code(column), valuesOf(output.Properties[column]), about(output.Properties[column])})
			}
			d.table([]string{"column", "values", "meaning"}, rows)
			continue
		}
		item := output
		if items := output.Items2020; items != nil {
			item = items
		}
		for item.Ref != nil && len(item.Properties) == 0 {
			item = item.Ref
		}
		d.heading(3, "Members of "+export.Kind)
		rows = nil
		for _, name := range library.PropertyOrder(item) {
			rows = append(rows, []string{code(name), valuesOf(item.Properties[name]), about(item.Properties[name])})
		}
		d.table([]string{"member", "values", "meaning"}, rows)
	}
	d.errors(library)
	return d.String()
}

// dataPage describes the rows of --data.
func dataPage(library *schemas.Library) string {
	d := newDocument("Data files", "the schemas of a dataset")
	d.text("This page lists the members of the rows for `--data DIR` and `POST /_mock/data/...`, see [Load a dataset](../how-to/load-a-dataset.md). The directory holds any of `profiles`, `installations` and `events`, as `.csv` " +
		"(a header, then rows; separated by commas, semicolons or tabs; list items separated by `|`), `.ndjson` (one object per line) or `.json`.")
	for _, kind := range []string{"profile", "installation", "event"} {
		name := "data/" + kind + ".json"
		d.heading(2, strings.ToUpper(kind[:1])+kind[1:]+"s")
		d.text("%s Schema: [%s](../../schemas/%s).", library.Schema(name).Description, code(name), name)
		d.properties(library, name, nil)
	}
	return d.String()
}

// readyFile describes the file of --ready-file.
func (d *document) readyFile(library *schemas.Library) {
	d.heading(2, "Ready file")
	d.text("%s Each member has a line of its own, so that `sed` can read it. The file appears complete, with mode 0600. Schema: [`mock/ready.json`](../../schemas/mock/ready.json).",
		library.Schema("mock/ready.json").Description)
	d.properties(library, "mock/ready.json", nil)
}

// dialectPage describes x-interface.
func dialectPage(library *schemas.Library) string {
	const file = "common/interface.json"
	d := newDocument("Dialect", "its schema")
	root := library.Schema(file)
	d.text("This page lists the members of `x-interface`. %s An overlay of such a file changes the whole server: [Speak another dialect](../how-to/overlays.md#speak-another-dialect). Schema: [`%s`](../../schemas/%[2]s).", root.Description, file)
	d.properties(library, file, nil)
	for _, name := range library.PropertyOrder(root) {
		member := root.Properties[name]
		if member.Items2020 != nil {
			member = member.Items2020
		}
		if len(member.Properties) > 0 {
			d.heading(2, code(name))
			d.propertiesOf(library, member, nil)
		}
	}
	return d.String()
}

// apiDocument is what the page of the control API reads of the API document.
type apiDocument struct {
	Tags  []struct{ Name, Description string }
	Paths map[string]map[string]json.RawMessage
}

type apiOperation struct {
	Summary, Description string
	Tags                 []string
	Parameters           []struct{ Name, In, Description string }
	RequestBody          struct {
		Content map[string]struct {
			Schema struct {
				Ref string `json:"$ref"`
			}
		}
	}
	Responses map[string]json.RawMessage
}

// controlPage lists what the server adds to the export API.
func controlPage(t *testing.T) string {
	server := must.Get(mockserver.New(mockserver.Options{StartAt: noon}))(t)
	defer server.Close()
	data := must.Get(server.OpenAPINamed("full", "http://localhost:8080"))(t)
	var document apiDocument
	must.Do(t, json.Unmarshal(data, &document))
	d := newDocument("Control API", "the API document")
	d.text("This page lists the requests that the mock server adds to the export API, under `/_mock/` and `/schemas`. Only clients on the same machine may use what is under `/_mock/`, unless the server has a control token (`--control-token`); " +
		"then every client sends `Authorization: Bearer TOKEN`. `/openapi/full.json` describes every body and status, and `/docs` shows it as a page.")
	for _, tag := range document.Tags {
		var rows [][]string
		for _, path := range sortedPaths(document.Paths) {
			if !strings.HasPrefix(path, "/_mock/") && !strings.HasPrefix(path, "/schemas") {
				continue
			}
			for _, method := range []string{"get", "post", "put", "delete"} {
				source, has := document.Paths[path][method]
				if !has {
					continue
				}
				var operation apiOperation
				must.Do(t, json.Unmarshal(source, &operation))
				if operation.Tags[0] == tag.Name {
					rows = append(rows, []string{code(strings.ToUpper(method) + " " + path), sentence(operation.Summary), queryOf(operation)})
				}
			}
		}
		if len(rows) > 0 {
			d.heading(2, tag.Name)
			d.text("%s", tag.Description)
			d.table([]string{"request", "what it does", "query parameters"}, rows)
		}
	}
	library := must.Get(schemas.Embedded())(t)
	d.heading(2, "Bodies")
	for _, body := range [][2]string{{"POST /_mock/clock", "mock/clock.request.json"}, {"POST /_mock/exports/{id}", "mock/move.request.json"}, {"POST /_mock/data", "mock/data.request.json"}} {
		d.heading(3, code(body[0]))
		d.properties(library, body[1], nil)
	}
	d.text("The body of `POST /_mock/scenarios` is described under [Scenarios](scenarios.md#body-of-post-_mockscenarios), rows of data under [Data files](data-files.md).")
	d.heading(2, "Query parameters of the journal")
	d.properties(library, "mock/journal.query.json", nil)
	d.heading(3, "Query parameters of the lints")
	d.properties(library, "mock/lints.query.json", nil)
	d.metrics(t)
	d.readyFile(library)
	return d.String()
}

// queryOf are the query parameters of an operation.
func queryOf(operation apiOperation) string {
	var names []string
	for _, parameter := range operation.Parameters {
		if parameter.In == "query" {
			names = append(names, parameter.Name)
		}
	}
	return codes(names)
}

func sortedPaths(paths map[string]map[string]json.RawMessage) (names []string) {
	for path := range paths {
		names = append(names, path)
	}
	slices.Sort(names)
	return names
}
