package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// document is as much of the API document as the recorder reads.
type document struct {
	Paths      map[string]map[string]*operation
	Components struct {
		Parameters map[string]parameter
		Responses  map[string]struct {
			Errors []string `json:"x-errors"`
		}
	}
}

type operation struct {
	method, path string

	OperationID string
	Security    []map[string][]string
	Parameters  []parameter
	RequestBody struct {
		Content map[string]struct {
			Examples map[string]struct{ Value json.RawMessage }
		}
	}
	Responses map[string]json.RawMessage
	Exports   []struct{ Kind string } `json:"x-exports"`
}

type parameter struct {
	Ref      string `json:"$ref"`
	Name, In string
	Example  string
}

// readDocument asks the server for its document and lists its operations, but
// for HEAD, by path.
func (r *recorder) readDocument() error {
	answer, err := r.send(request{link: "/openapi.json"})
	if err != nil {
		return err
	}
	if err := json.Unmarshal(answer.Body.Bytes(), &r.document); err != nil {
		return fmt.Errorf("reading the API document: %w", err)
	}
	for path, methods := range r.document.Paths {
		for method, operation := range methods {
			if operation.method, operation.path = strings.ToUpper(method), path; method != "head" {
				r.operations = append(r.operations, operation)
			}
		}
	}
	slices.SortFunc(r.operations, func(a, b *operation) int { return strings.Compare(a.path+" "+a.method, b.path+" "+b.method) })
	return nil
}

// operation finds an operation by its identifier.
func (r *recorder) operation(id string) (*operation, error) {
	for _, operation := range r.operations {
		if operation.OperationID == id {
			return operation, nil
		}
	}
	return nil, fmt.Errorf("the API document has no operation %s", id)
}

// address is the path of an operation with values in place of the placeholders:
// those that are given, and the examples of the others.
func (r *recorder) address(o *operation, given map[string]string) string {
	path := o.path
	for _, p := range o.Parameters {
		if _, component, is := strings.Cut(p.Ref, "#/components/parameters/"); is {
			p = r.document.Components.Parameters[component]
		}
		if p.In != "path" {
			continue
		}
		value, is := given[p.Name]
		if !is {
			value = p.Example
		}
		path = strings.Replace(path, "{"+p.Name+"}", value, 1)
	}
	return path
}

// body is an example of what an operation takes, and its media type; the first
// of its name, of several media types.
func (o *operation) body(name string) (body json.RawMessage, media string) {
	for media, content := range o.RequestBody.Content {
		if example, is := content.Examples[name]; is {
			var short bytes.Buffer
			_ = json.Compact(&short, example.Value) // JSON that was just read
			return short.Bytes(), media
		}
	}
	return nil, ""
}

// errorNames are the errors of a family, such as Legacy, by status.
func (d *document) errorNames(family string) map[string][]string {
	made := map[string][]string{}
	for name, response := range d.Components.Responses {
		if status, is := strings.CutPrefix(name, family+"Error"); is && !strings.HasSuffix(name, "Head") {
			made[status] = response.Errors
		}
	}
	return made
}
