package openapi

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// refusals are the names of the errors that a route has of itself, without a scenario.
func (d *builder) refusals(route *httpd.Route) []string {
	names := []string{exports.ServerError, exports.APIMisuse} // the latter for a host that is not known
	if route.Credential != httpd.Public {
		names = append(names, exports.MaintenanceError)
	}
	switch route.Credential {
	case httpd.CompanyKey, httpd.ProjectToken:
		names = append(names, exports.AuthenticationInvalid)
	case httpd.Control, httpd.PairingCode, httpd.HostToken:
		names = append(names, exports.AuthenticationInvalid)
	}
	placeholders := len(exports.Placeholders(route.Path)) > 0
	if placeholders || len(route.Query) > 0 || route.Stage != "" || route.ListedQueryOnly {
		names = append(names, exports.MalformedParameter)
	}
	if route.Creates() && route.Method == http.MethodGet {
		names = append(names, exports.MissingParameter)
	} else if len(route.Exports) > 0 || route.Request != "" || len(route.RequestMedia) > 0 {
		names = append(names, exports.MissingParameter, exports.MalformedParameter, exports.MalformedJSONBody)
	}
	if slices.ContainsFunc(route.Query, func(p schemas.Parameter) bool { return p.Required }) && route.Credential != httpd.SignedLink {
		names = append(names, exports.MissingParameter)
	}
	if len(route.Exports) == 0 && (placeholders || route.Stage == exports.StageStatus || route.Stage == exports.StageDownload) {
		names = append(names, exports.RouteNotFound)
	}
	if route.Stage == exports.StageDownload {
		names = append(names, exports.FileExpired)
	}
	for _, export := range route.Exports {
		if export.RateLimit != nil {
			names = append(names, exports.TooManyRequests)
		}
	}
	if route.Validators {
		names = append(names, exports.PreconditionFailed, exports.RangeNotSatisfiable)
	}
	return append(names, route.Refusals...)
}

// family is a group of routes that refuse in the same shapes.
type family struct {
	name       string // begins the names of its components
	schemas    []string
	challenged bool // a 401 asks for a bearer token
	retryAfter []string
	answered   []header
}

func (d *builder) familyOf(route *httpd.Route) family {
	switch own := route.InterfaceFor(nil); {
	case route.Interface.Name != "":
		return family{route.Interface.Title, []string{route.Error}, route.Credential == httpd.ProjectToken &&
			route.Interface.Headers.Scheme != "", []string{route.Interface.Headers.RetryAfter}, d.answered(route)}
	case route.InterfaceOf != nil: // in the shape of the interface that made the file
		made := family{name: "File", answered: d.answered(route)}
		for _, each := range d.dialect {
			made.schemas = append(made.schemas, each.Errors.Schema)
			if !slices.Contains(made.retryAfter, each.Headers.RetryAfter) {
				made.retryAfter = append(made.retryAfter, each.Headers.RetryAfter)
			}
		}
		return made
	case route.Credential == httpd.Control && !slices.Contains(route.Refusals, exports.TooManyRequests):
		return family{"Control", []string{own.Errors.Schema}, true, []string{own.Headers.RetryAfter}, nil}
	case route.Credential != httpd.Public:
		return family{"Host", []string{own.Errors.Schema}, true, []string{own.Headers.RetryAfter}, nil}
	default:
		return family{"Server", []string{own.Errors.Schema}, false, []string{own.Headers.RetryAfter}, nil}
	}
}

// refusalResponses describes every refusal of a route. The document for clients has one response with the errors of the route, so that
// generators write one type of them. The other has one for each status, and one for the errors that a scenario forces.
func (d *builder) refusalResponses(route *httpd.Route, responses *object) error {
	natural := d.refusals(route)
	group := d.familyOf(route)
	byStatus := map[int][]schemas.ErrorBranch{}
	for _, branch := range d.library.ErrorBranches(group.schemas[0]) {
		if slices.Contains(natural, branch.Name) {
			byStatus[branch.Status] = append(byStatus[branch.Status], branch)
		}
	}
	statuses := slices.Sorted(maps.Keys(byStatus))
	if d.client {
		return d.defaultResponse(group, statuses, byStatus, responses)
	}
	for _, status := range statuses {
		reference, err := d.refusalComponent(group, status)
		if err != nil {
			return err
		}
		var described []string
		for _, branch := range byStatus[status] {
			described = append(described, "`"+branch.Name+"`: "+branch.Description)
			if branch.Name == exports.APIMisuse {
				described = append(described, "Or the header Host has a name that the server does not answer to (`--host`).")
			}
		}
		reference.set("description", strings.Join(described, " "))
		responses.set(strconv.Itoa(status), reference)
	}
	if route.Stage == "" {
		return nil
	}
	forced, err := d.refusalComponent(group, 0)
	if err == nil {
		responses.set("default", forced)
	}
	return err
}

// defaultResponse describes the refusals of a route as one response, with an example of each error.
func (d *builder) defaultResponse(group family, statuses []int, byStatus map[int][]schemas.ErrorBranch, responses *object) error {
	var names, lines []string
	for _, status := range statuses {
		for _, branch := range byStatus[status] {
			names = append(names, branch.Name)
			lines = append(lines, fmt.Sprintf("%d `%s`: %s", status, branch.Name, branch.Description))
		}
	}
	result := d.answer(strings.Join(lines, "\n\n"), refusalHeaders(group, 0))
	result.set("x-errors", texts(names))
	content, err := d.refusalContent(group, func(branch schemas.ErrorBranch) bool { return slices.Contains(names, branch.Name) })
	result.set("content", content)
	responses.set("default", result)
	return err
}

// refusalComponent is the response that routes of a family share for a status;
// for status 0, the response with any error, which a scenario forces.
func (d *builder) refusalComponent(group family, status int) (object, error) {
	name := group.name + "Error"
	if status != 0 {
		name += strconv.Itoa(status)
	}
	reference := object{{"$ref", "#/components/responses/" + name}}
	if d.has("responses", name) {
		return reference, nil
	}
	var names, lines []string
	for _, file := range group.schemas {
		for _, branch := range d.library.ErrorBranches(file) {
			if branch.Status == status && !slices.Contains(names, branch.Name) {
				names = append(names, branch.Name)
				lines = append(lines, "`"+branch.Name+"`: "+branch.Description)
			}
		}
	}
	if status == 0 {
		lines = []string{"Any error of the interface, which a scenario may force."}
	}
	result := d.answer(strings.Join(lines, " "), refusalHeaders(group, status))
	if status != 0 {
		result.set("x-errors", texts(names))
	}
	content, err := d.refusalContent(group, func(branch schemas.ErrorBranch) bool { return branch.Status == status })
	if err != nil {
		return nil, err
	}
	result.set("content", content)
	return d.component("responses", name, result), nil
}

// refusalContent describes the bodies of refusals of a family, with an example of each error that shown selects.
func (d *builder) refusalContent(group family, shown func(schemas.ErrorBranch) bool) (object, error) {
	var native []any
	for _, file := range group.schemas {
		schema, err := d.bundle.refer(file)
		if err != nil {
			return nil, err
		}
		native = append(native, schema)
	}
	schema := native[0]
	if len(native) > 1 {
		name := group.name + "Error"
		if d.bundle.made.get(name) == nil {
			if err := d.bundle.take(name, "the errors of "+group.name); err != nil {
				return nil, err
			}
			d.bundle.made.set(name, object{{"description", "The body of a refusal, in the shape of the interface that made the export."}, {"anyOf",
				native}})
		}
		schema = object{{"$ref", componentPrefix + name}}
	}
	described := object{{"schema", schema}}
	given, err := d.refusalExamples(group.schemas, shown)
	if err != nil {
		return nil, err
	}
	addExamples(&described, given)
	return object{{mediaJSON, described}}, nil
}

// refusalHeaders are the headers of a refusal; with status 0, of one with any status.
func refusalHeaders(group family, status int) []header {
	sent := append(append(alwaysSent(), group.answered...), header{"Content-Length", true})
	switch {
	case status == http.StatusUnauthorized && group.challenged:
		sent = append(sent, header{"WWW-Authenticate", true})
	case status == http.StatusNotFound:
		sent = append(sent, header{"Allow", false})
	case status == http.StatusRequestedRangeNotSatisfiable:
		// A file that a scenario refuses so has none.
		sent = append(sent, header{"Content-Range", group.name != "File"})
	}
	if status == http.StatusServiceUnavailable || group.name != "Control" && group.name != "Server" {
		for _, name := range group.retryAfter {
			sent = append(sent, header{name, status == http.StatusTooManyRequests && len(group.retryAfter) == 1})
		}
	}
	return sent
}
