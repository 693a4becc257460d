package control

import (
	"net/http"
	"slices"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Routes are the routes under /_mock/.
func (a *API) Routes() ([]*httpd.Route, error) {
	watching, err := a.journalRoutes()
	if err != nil {
		return nil, err
	}
	routes := httpd.MockRoutes(slices.Concat(a.controlRoutes(), a.dataRoutes(), watching, a.watchRoutes(), a.stateRoutes()))
	for _, route := range routes {
		if route.Credential == httpd.Control {
			route.Handle = a.controlled(route.Handle)
		}
	}
	return routes, nil
}

// controlRoutes are the routes of the clock, the scenarios and the exports, and
// the checks of files.
func (a *API) controlRoutes() []*httpd.Route {
	ofKey := func(required bool, description string) []schemas.Parameter {
		return []schemas.Parameter{a.parameter("key", required, description)}
	}
	return []*httpd.Route{
		{Name: "clock.get", Method: http.MethodGet, Path: "/_mock/clock", Credential: httpd.Control, Handle: a.clockGet,
			Response: "mock/clock.response.json", Summary: "What time it is for the server, or for one key.",
			Query: ofKey(false, "An application key or a project key. Without it, the clock of all keys that have none of their own.")},
		{Name: "clock.set", Method: http.MethodPost, Path: "/_mock/clock", Credential: httpd.Control, Handle: a.clockSet,
			Request: "mock/clock.request.json", Response: "mock/clock.response.json", Summary: "Sets, advances, freezes or speeds up the clock.",
			Sample: `{"advance":"21m"}`, Refusals: []string{exports.Conflict},
			Query: ofKey(false, "An application key or a project key, which gets a clock of its own. Without it, the clock of all keys that have none.")},
		{Name: "clock.return", Method: http.MethodDelete, Path: "/_mock/clock", Credential: httpd.Control, Handle: a.clockReturn,
			Response: "mock/clock.response.json", Summary: "Gives a key back to the clock of all keys.",
			Query: ofKey(true, "The application key or project key whose own clock ends.")},
		{Name: "scenarios.list", Method: http.MethodGet, Path: "/_mock/scenarios", Credential: httpd.Control, Handle: a.scenariosList,
			Response: "mock/scenario.list.json", Summary: "The scenarios that are set, in the order in which they were added.",
			Query: ofKey(false, "An application key or a project key: only scenarios that match this key alone. Without it, all.")},
		{Name: "scenarios.add", Method: http.MethodPost, Path: "/_mock/scenarios", Credential: httpd.Control, Handle: a.scenariosAdd,
			Request: "mock/scenario.request.json", Response: "mock/scenario.record.json", Status: http.StatusCreated,
			Refusals: []string{exports.Conflict}, Sample: `{"match":{"stage":"create","kind":"campaign.events"},"times":3,"scenario":"error=TOO_MANY_REQUESTS;retry-after=5s"}`,
			Summary: "Sets a scenario for all requests that it matches, or for the next few."},
		{Name: "scenarios.clear", Method: http.MethodDelete, Path: "/_mock/scenarios", Credential: httpd.Control, Handle: a.scenariosClear,
			Status: http.StatusNoContent, Summary: "Deletes all scenarios, or those of one key.",
			Query: ofKey(false, "An application key or a project key: only scenarios that match this key alone. Without it, all.")},
		{Name: "scenarios.delete", Method: http.MethodDelete, Path: "/_mock/scenarios/{id}", Credential: httpd.Control, Handle: a.scenariosDelete,
			Status: http.StatusNoContent, Summary: "Deletes a scenario."},
		{Name: "exports.list", Method: http.MethodGet, Path: "/_mock/exports", Credential: httpd.Control, Handle: a.controlList,
			Response: "mock/export.list.json", Summary: "All export requests, newest first.", Query: []schemas.Parameter{
				a.parameter("from", false, ""), a.parameter("limit", false, ""),
			}},
		{Name: "exports.get", Method: http.MethodGet, Path: "/_mock/exports/{id}", Credential: httpd.Control, Handle: a.controlGet,
			Response: "mock/export.record.json", Summary: "One export request, with everything its file depends on."},
		{Name: "exports.move", Method: http.MethodPost, Path: "/_mock/exports/{id}", Credential: httpd.Control, Handle: a.controlMove,
			Request: "mock/move.request.json", Response: "mock/export.record.json", Summary: "Steps, finishes or fails an export by hand.",
			Sample: `{"action":"step"}`, Refusals: []string{exports.Conflict}},
		{Name: "exports.index", Method: http.MethodGet, Path: "/_mock/exports/{id}/index", Credential: httpd.Control, Handle: a.controlIndex,
			Response: "mock/file.index.json", Summary: "How many rows the file of an export has, and where they begin.",
			Refusals: []string{exports.Conflict}},
		{Name: "check", Method: http.MethodPost, Path: "/_mock/check", Credential: httpd.Control, Handle: a.controlCheck,
			Response: "mock/check.json", Summary: "Checks export files against each other: the files of a form.",
			Request: "mock/check.form.json", RequestMedia: []string{"multipart/form-data"}, Sample: checkSample},
		{Name: "validate", Method: http.MethodPost, Path: "/_mock/validate", Credential: httpd.Control, Handle: a.controlValidate,
			Response: "mock/validation.json", Summary: "Checks a payload or a file, the body, against a schema.",
			RequestMedia: []string{httpd.MediaTypeJSON, httpd.MediaTypeCSV}, BodyOptional: true, Sample: `{"ids":["install_id"]}`, Query: []schemas.Parameter{
				a.parameter("schema", true, ""), a.parameter("max_faults", false, ""),
			}},
	}
}
