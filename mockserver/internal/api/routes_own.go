package api

import (
	"net/http"
	"slices"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/links"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// ownRoutes are the additions of the mock server: they never stand on a path
// of the export API.
func (s *Service) ownRoutes() []*Route {
	own := []*Route{
		{Name: "file", Method: http.MethodGet, Path: filesPath + "{name}", Credential: SignedLink, handle: s.file, Stage: exports.StageFile,
			Summary: "Sends a generated file, behind a signed link.", Query: fileQuery(), Validators: true,
			Refusals: []string{LinkInvalid, LinkExpired, FileExpired, AuthorizationForwarded}},
		{Name: "page", Method: http.MethodGet, Path: "/", Credential: Nobody, handle: s.page, ResponseMedia: []string{mediaTypeHTML}, Validators: s.web != nil, Refusals: pageRefusals(s.web != nil),
			Summary: "The web page, or the landing page where there is none."},
		{Name: "favicon", Method: http.MethodGet, Path: "/favicon.ico", Credential: Nobody, handle: s.icon,
			Status: http.StatusNoContent, Summary: "The icon of the web page, or none, and no 404 in the log either.",
			ResponseMedia: iconMedia(s.web != nil), Validators: s.web != nil},
	}
	own = append(own, s.controlRoutes()...)
	own = append(own, s.dataRoutes()...)
	return madeOwn(own)
}

// fileQuery are the parts of a signed link.
func fileQuery() []schemas.Parameter {
	return []schemas.Parameter{
		{Name: links.ParameterExpires, Required: true, Description: "When the link ends, as an RFC 3339 date-time."},
		{Name: links.ParameterNonce, Required: true, Description: "What makes every link another one."},
		{Name: links.ParameterSignature, Required: true, Description: "The signature of the file, the end and the nonce."},
	}
}

// pageRefusals are those of a web page, whose files may go away.
func pageRefusals(web bool) []string {
	if !web {
		return nil
	}
	return []string{RouteNotFound}
}

// iconMedia is what the icon is, where the page has one.
func iconMedia(web bool) []string {
	if !web {
		return nil
	}
	return []string{"image/x-icon"}
}

// madeOwn fills in what all of the server's own routes have in common.
func madeOwn(own []*Route) []*Route {
	for _, route := range own {
		route.Interface, route.Extension = interfaceOwn, true
		if route.Status == 0 {
			route.Status = http.StatusOK
		}
		if route.Credential == Control {
			route.Error = "legacy/error.json"
		}
	}
	return own
}

// controlQuery is the schema of the query parameters of the control plane.
const controlQuery = "mock/control.query.json"

// controlParameter is a query parameter as its schema describes it, with a
// description of its own where the route has one.
func (s *Service) controlParameter(name string, required bool, description string) schemas.Parameter {
	parameter := s.controlParameters[slices.IndexFunc(s.controlParameters, func(p schemas.Parameter) bool { return p.Name == name })]
	parameter.Required = required
	if description != "" {
		parameter.Description = description
	}
	return parameter
}

// controlRoutes are the routes under /_mock/.
func (s *Service) controlRoutes() []*Route {
	ofKey := func(required bool, description string) []schemas.Parameter {
		return []schemas.Parameter{s.controlParameter("key", required, description)}
	}
	return []*Route{
		{Name: "clock.get", Method: http.MethodGet, Path: "/_mock/clock", Credential: Control, handle: s.clockGet,
			Response: "mock/clock.response.json", Summary: "What time it is for the server, or for one key.",
			Query: ofKey(false, "An application key or a project key. Without it, the clock of all keys that have none of their own.")},
		{Name: "clock.set", Method: http.MethodPost, Path: "/_mock/clock", Credential: Control, handle: s.clockSet,
			Request: "mock/clock.request.json", Response: "mock/clock.response.json", Summary: "Sets, advances, freezes or speeds up the clock.",
			Sample: `{"advance":"21m"}`, Refusals: []string{Conflict},
			Query: ofKey(false, "An application key or a project key, which gets a clock of its own. Without it, the clock of all keys that have none.")},
		{Name: "clock.return", Method: http.MethodDelete, Path: "/_mock/clock", Credential: Control, handle: s.clockReturn,
			Response: "mock/clock.response.json", Summary: "Gives a key back to the clock of all keys.",
			Query: ofKey(true, "The application key or project key whose own clock ends.")},
		{Name: "scenarios.list", Method: http.MethodGet, Path: "/_mock/scenarios", Credential: Control, handle: s.scenariosList,
			Response: "mock/scenario.list.json", Summary: "The scenarios that are set, in the order in which they were added.",
			Query: ofKey(false, "An application key or a project key: only scenarios that match this key alone. Without it, all.")},
		{Name: "scenarios.add", Method: http.MethodPost, Path: "/_mock/scenarios", Credential: Control, handle: s.scenariosAdd,
			Request: "mock/scenario.request.json", Response: "mock/scenario.record.json", Status: http.StatusCreated,
			Refusals: []string{Conflict}, Sample: `{"match":{"stage":"create","kind":"campaign.events"},"times":3,"scenario":"error=TOO_MANY_REQUESTS;retry-after=5s"}`,
			Summary: "Sets a scenario for all requests that it matches, or for the next few."},
		{Name: "scenarios.clear", Method: http.MethodDelete, Path: "/_mock/scenarios", Credential: Control, handle: s.scenariosClear,
			Status: http.StatusNoContent, Summary: "Deletes all scenarios, or those of one key.",
			Query: ofKey(false, "An application key or a project key: only scenarios that match this key alone. Without it, all.")},
		{Name: "scenarios.delete", Method: http.MethodDelete, Path: "/_mock/scenarios/{id}", Credential: Control, handle: s.scenariosDelete,
			Status: http.StatusNoContent, Summary: "Deletes a scenario."},
		{Name: "exports.list", Method: http.MethodGet, Path: "/_mock/exports", Credential: Control, handle: s.controlList,
			Response: "mock/export.list.json", Summary: "All export requests, newest first.", Query: []schemas.Parameter{
				s.controlParameter("from", false, ""), s.controlParameter("limit", false, ""),
			}},
		{Name: "exports.get", Method: http.MethodGet, Path: "/_mock/exports/{id}", Credential: Control, handle: s.controlGet,
			Response: "mock/export.record.json", Summary: "One export request, with everything its file depends on."},
		{Name: "exports.move", Method: http.MethodPost, Path: "/_mock/exports/{id}", Credential: Control, handle: s.controlMove,
			Request: "mock/move.request.json", Response: "mock/export.record.json", Summary: "Steps, finishes or fails an export by hand.",
			Sample: `{"action":"step"}`, Refusals: []string{Conflict}},
		{Name: "exports.index", Method: http.MethodGet, Path: "/_mock/exports/{id}/index", Credential: Control, handle: s.controlIndex,
			Response: "mock/file.index.json", Summary: "How many rows the file of an export has, and where they begin.",
			Refusals: []string{Conflict}},
		{Name: "check", Method: http.MethodPost, Path: "/_mock/check", Credential: Control, handle: s.controlCheck,
			Response: "mock/check.json", Summary: "Checks export files against each other: the files of a form.",
			Request: "mock/check.form.json", RequestMedia: []string{"multipart/form-data"}, Sample: checkSample},
		{Name: "validate", Method: http.MethodPost, Path: "/_mock/validate", Credential: Control, handle: s.controlValidate,
			Response: "mock/validation.json", Summary: "Checks a payload or a file, the body, against a schema.",
			RequestMedia: []string{mediaTypeJSON, mediaTypeCSV}, BodyOptional: true, Sample: `{"ids":["install_id"]}`, Query: []schemas.Parameter{
				s.controlParameter("schema", true, ""), s.controlParameter("max_faults", false, ""),
			}},
	}
}
