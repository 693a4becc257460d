package control

import (
	"net/http"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
)

// journalRoutes are the routes that show what the server was asked.
func (a *API) journalRoutes() ([]*httpd.Route, error) {
	routes := []*httpd.Route{
		{Name: "journal.list", Method: http.MethodGet, Path: "/_mock/journal", Handle: a.journalList, Response: "mock/journal.json",
			Summary: "The requests of clients, oldest first: what was decided about each, and why."},
		{Name: "journal.clear", Method: http.MethodDelete, Path: "/_mock/journal", Handle: a.journalClear, Response: "mock/journal.cleared.json",
			Summary: "Forgets requests."},
		{Name: "journal.count", Method: http.MethodGet, Path: "/_mock/journal/count", Handle: a.journalCount, Response: "mock/journal.count.json",
			Summary: "How many requests there were."},
		{Name: "journal.wait", Method: http.MethodGet, Path: "/_mock/journal/wait", Handle: a.journalWait, Response: "mock/journal.wait.json",
			Summary: "Answers once there were enough requests, or when the time is over."},
		{Name: "journal.events", Method: http.MethodGet, Path: "/_mock/journal/events", Handle: a.journalEvents, ResponseMedia: []string{"text/event-stream"},
			Summary: "Requests as they come, as server-sent events."},
		{Name: "lints", Method: http.MethodGet, Path: "/_mock/lints", Handle: a.lints, Response: "mock/lints.json",
			Summary: "What clients do that the specification forbids, or that will cost them."},
	}
	parameters := map[string][]string{
		"journal.list": journalFilters("limit"), "journal.clear": journalFilters(), "journal.count": journalFilters(),
		"journal.wait": journalFilters("count", "timeout"), "journal.events": journalFilters("limit"),
		"lints": {"key", "underway", "poll_interval"},
	}
	for _, route := range routes {
		route.Credential = httpd.Control
		schema := journalQuery
		if route.Name == "lints" {
			schema = "mock/lints.query.json"
		}
		var err error
		if route.Query, err = httpd.QueryOf(a.Library, schema, parameters[route.Name]...); err != nil {
			return nil, err
		}
	}
	return routes, nil
}
