package drift

import (
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Stages of a conversation about an export.
const (
	stageCreate   = "create"
	stageStatus   = "status"
	stageList     = "list"
	stageDownload = "download"
	stageFile     = "file"
)

// route is an endpoint that the schema files list.
type route struct {
	name, stage  string
	its          exports.Interface
	method, path string
	status       int // of success
	response     string
	failure      string // the schema of errors
	exports      []schemas.Export
	query        []schemas.Parameter
}

// routesOf lists the endpoints of a library.
func routesOf(library *schemas.Library) []*route {
	type key struct{}
	return schemas.Derived(library, key{}, func() (made []*route) {
		spoken := exports.DialectOf(library)
		for _, export := range library.Exports() {
			at := slices.IndexFunc(made, func(r *route) bool { return r.method == export.Method && r.path == export.Path })
			if at < 0 {
				its, _ := spoken.Named(export.Interface)
				made = append(made, &route{name: export.Kind, stage: stageCreate, its: its, method: export.Method, path: export.Path,
					status: export.Status, response: export.Response, failure: export.Error})
				at = len(made) - 1
			} else {
				made[at].name = export.Interface + ".create"
			}
			made[at].exports = append(made[at].exports, export)
		}
		for _, endpoint := range library.Endpoints() {
			its, _ := spoken.Named(endpoint.Interface)
			made = append(made, &route{name: endpoint.Name, stage: endpoint.Role, its: its, method: endpoint.Method, path: endpoint.Path,
				status: endpoint.Status, response: endpoint.Response, failure: endpoint.Error, query: endpoint.Query})
		}
		return made
	})
}

// routeThat is the first endpoint that fits; nil for none.
func routeThat(library *schemas.Library, fits func(*route) bool) *route {
	for _, each := range routesOf(library) {
		if fits(each) {
			return each
		}
	}
	return nil
}

// match finds the endpoint of a request, and the variables of its path.
func match(routes []*route, method, path string) (*route, map[string]string) {
	segments := strings.Split(path, "/")
	for _, each := range routes {
		pattern := strings.Split(each.path, "/")
		if len(pattern) != len(segments) || method != each.method && (method != "HEAD" || each.method != "GET") {
			continue
		}
		variables, fits := map[string]string{}, true
		for i, part := range pattern {
			if strings.HasPrefix(part, "{") && segments[i] != "" {
				variables[strings.Trim(part, "{}")] = segments[i]
			} else if part != segments[i] {
				fits = false
				break
			}
		}
		if fits {
			return each, variables
		}
	}
	return nil, nil
}

// interfaceOf is the interface whose version begins a path; "" for none.
func interfaceOf(library *schemas.Library, path string) string {
	version, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	for _, its := range exports.DialectOf(library) {
		if its.Version == version {
			return its.Name
		}
	}
	return ""
}
