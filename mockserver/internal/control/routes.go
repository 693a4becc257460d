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
	joining, err := a.hostRoutes()
	if err != nil {
		return nil, err
	}
	routes := httpd.MockRoutes(slices.Concat(a.clockRoutes(), a.scenarioRoutes(), a.exportRoutes(), a.checkRoutes(), a.dataRoutes(), watching,
		a.watchRoutes(), a.stateRoutes(), joining))
	for _, route := range routes {
		route.Handle, route.ListedQueryOnly = withQuery(route.Handle), true
		if route.Credential == httpd.Control {
			route.Handle = a.controlled(route.Handle)
		}
	}
	return routes, nil
}

// clockRoutes are the routes of the clock.
func (a *API) clockRoutes() []*httpd.Route {
	return httpd.Group{Name: "Clock", Description: "The time of the server: links, lookbacks, lifetimes and rate limits follow it."}.Of(
		&httpd.Route{Name: "clock.get", Method: http.MethodGet, Path: "/_mock/clock", Credential: httpd.Control, Handle: a.clockGet,
			Description: httpd.Description{Summary: "Gets the clock of the server, or of one key."},
			Input: httpd.Input{Query: a.ofKey(false,
				"An application key or a project key. Without it, the common clock, of all keys that have none of their own.")},
			Output: httpd.Output{Response: "mock/clock.response.json"}},
		&httpd.Route{Name: "clock.set", Method: http.MethodPost, Path: "/_mock/clock", Credential: httpd.Control, Handle: a.clockSet,
			Description: httpd.Description{Summary: "Sets, advances, freezes or speeds up the clock."},
			Input: httpd.Input{Request: "mock/clock.request.json", Sample: `{"advance":"21m"}`,
				Query: a.ofKey(false, "An application key or a project key, which gets a clock of its own. Without it, the common clock.")},
			Output: httpd.Output{Response: "mock/clock.response.json", Refusals: []string{exports.Conflict}}},
		&httpd.Route{Name: "clock.return", Method: http.MethodDelete, Path: "/_mock/clock", Credential: httpd.Control, Handle: a.clockReturn,
			Description: httpd.Description{Summary: "Lets the clock show the real time again, or gives a key back to the common clock."},
			Input: httpd.Input{Query: a.ofKey(false,
				"The application key or project key whose own clock ends. Without it, the common clock shows the real time, and runs.")},
			Output: httpd.Output{Response: "mock/clock.response.json"}},
	)
}

// scenarioRoutes are the routes of the scenarios.
func (a *API) scenarioRoutes() []*httpd.Route {
	return httpd.Group{Name: "Scenarios", Description: "What happens to requests that would otherwise go well."}.Of(
		&httpd.Route{Name: "scenarios.list", Method: http.MethodGet, Path: "/_mock/scenarios", Credential: httpd.Control, Handle: a.scenariosList,
			Description: httpd.Description{Summary: "The scenarios that are set, in the order in which they were added."},
			Input: httpd.Input{Query: a.ofKey(false,
				"An application key or a project key: only scenarios that match this key alone. Without it, all.")},
			Output: httpd.Output{Response: "mock/scenario.list.json"}},
		&httpd.Route{Name: "scenarios.add", Method: http.MethodPost, Path: "/_mock/scenarios", Credential: httpd.Control, Handle: a.scenariosAdd,
			Description: httpd.Description{Summary: "Sets a scenario for all requests that it matches, or for the next few.", Next: []httpd.Next{
				{Name: "delete", Route: "scenarios.delete", Description: "Deletes the scenario.",
					Parameters: []httpd.NextParameter{{Name: "id", Value: "$response.body#/id"}}}}},
			Input: httpd.Input{Request: "mock/scenario.request.json",
				Sample: `{"match":{"stage":"create","kind":"campaign.events"},"times":3,"scenario":"error=TOO_MANY_REQUESTS;retry-after=5s"}`},
			Output: httpd.Output{Response: "mock/scenario.record.json", Status: http.StatusCreated, Refusals: []string{exports.Conflict}}},
		&httpd.Route{Name: "scenarios.clear", Method: http.MethodDelete, Path: "/_mock/scenarios", Credential: httpd.Control,
			Handle:      a.scenariosClear,
			Description: httpd.Description{Summary: "Deletes all scenarios, or those of one key."},
			Input: httpd.Input{Query: a.ofKey(false,
				"An application key or a project key: only scenarios that match this key alone. Without it, all.")},
			Output: httpd.Output{Status: http.StatusNoContent}},
		&httpd.Route{Name: "scenarios.delete", Method: http.MethodDelete, Path: "/_mock/scenarios/{id}", Credential: httpd.Control,
			Handle:      a.scenariosDelete,
			Description: httpd.Description{Summary: "Deletes a scenario."},
			Output:      httpd.Output{Status: http.StatusNoContent}},
	)
}

// exportRoutes are the routes that show and move the exports of all clients.
func (a *API) exportRoutes() []*httpd.Route {
	return httpd.Group{Name: "Mock exports", Description: "All exports, and how to move them."}.Of(
		&httpd.Route{Name: "exports.list", Method: http.MethodGet, Path: "/_mock/exports", Credential: httpd.Control, Handle: a.exportsList,
			Description: httpd.Description{Summary: "All export requests, or those of one key, newest first.", Next: []httpd.Next{
				{Name: "export", Route: "exports.get", Description: "Shows one export.",
					Parameters: []httpd.NextParameter{{Name: "id", Value: "$response.body#/exports/0/id"}}}}},
			Input: httpd.Input{Query: []schemas.Parameter{
				a.parameter("key", false, "An application key or a project key: only exports that were requested with it. Without it, all."),
				a.parameter("from", false, ""), a.parameter("limit", false, ""),
			}},
			Output: httpd.Output{Response: "mock/export.list.json"}},
		&httpd.Route{Name: "exports.get", Method: http.MethodGet, Path: "/_mock/exports/{id}", Credential: httpd.Control, Handle: a.exportsGet,
			Description: httpd.Description{Summary: "One export request, with everything its file depends on.", Next: []httpd.Next{
				{Name: "index", Route: "exports.index", Description: "Shows where its rows are.",
					Parameters: []httpd.NextParameter{{Name: "id", Value: "$response.body#/id"}}}}},
			Output: httpd.Output{Response: "mock/export.record.json"}},
		&httpd.Route{Name: "exports.move", Method: http.MethodPost, Path: "/_mock/exports/{id}", Credential: httpd.Control, Handle: a.exportsMove,
			Description: httpd.Description{Summary: "Steps, finishes or fails an export manually."},
			Input:       httpd.Input{Request: "mock/move.request.json", Sample: `{"action":"step"}`},
			Output:      httpd.Output{Response: "mock/export.record.json", Refusals: []string{exports.Conflict}}},
		&httpd.Route{Name: "exports.index", Method: http.MethodGet, Path: "/_mock/exports/{id}/index", Credential: httpd.Control,
			Handle:      a.exportsIndex,
			Description: httpd.Description{Summary: "How many rows the file of an export has, and where they begin."},
			Output:      httpd.Output{Response: "mock/file.index.json", Refusals: []string{exports.Conflict}}},
		&httpd.Route{Name: "exports.arrivals", Method: http.MethodGet, Path: "/_mock/exports/{id}/arrivals", Credential: httpd.Control,
			Handle:      a.exportsArrivals,
			Description: httpd.Description{Summary: "Which rows of the file of an export are late, come twice or have a wrong date."},
			Input: httpd.Input{Query: []schemas.Parameter{a.parameter("from", false, ""),
				a.parameter("limit", false, "A number from 1 to 1000: the most rows of each kind that a page shows.")}},
			Output: httpd.Output{Response: "mock/file.arrivals.json", Refusals: []string{exports.Conflict}}},
	)
}

// checkRoutes are the routes that check files and payloads.
func (a *API) checkRoutes() []*httpd.Route {
	return httpd.Group{Name: "Checks",
		Description: "Payloads and files, validated against their schemas; files, checked against each other."}.Of(
		&httpd.Route{Name: "check", Method: http.MethodPost, Path: "/_mock/check", Credential: httpd.Control, Handle: a.checkFiles,
			Description: httpd.Description{Summary: "Checks export files against each other: the files of a form."},
			Input:       httpd.Input{Request: "mock/check.form.json", RequestMedia: []string{"multipart/form-data"}, Sample: checkSample},
			Output:      httpd.Output{Response: "mock/check.json"}},
		&httpd.Route{Name: "validate", Method: http.MethodPost, Path: "/_mock/validate", Credential: httpd.Control, Handle: a.validate,
			Description: httpd.Description{Summary: "Checks a payload or a file, the body, against a schema."},
			Input: httpd.Input{RequestMedia: []string{httpd.MediaTypeJSON, httpd.MediaTypeCSV}, BodyOptional: true, Sample: `{"ids":["install_id"]}`,
				Query: []schemas.Parameter{
					a.parameter("schema", true, ""), a.parameter("max_faults", false, ""),
				}},
			Output: httpd.Output{Response: "mock/validation.json"}},
	)
}
