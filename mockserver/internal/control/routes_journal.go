package control

import (
	"net/http"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
)

// journalRoutes are the routes that show what the server was asked.
func (a *API) journalRoutes() ([]*httpd.Route, error) {
	routes := []*httpd.Route{
		{Name: "journal.list", Method: http.MethodGet, Path: "/_mock/journal", Handle: a.journalList,
			Description: httpd.Description{Summary: "The requests of clients, oldest first: what was decided about each, and why."},
			Output:      httpd.Output{Response: "mock/journal.json"}},
		{Name: "journal.clear", Method: http.MethodDelete, Path: "/_mock/journal", Handle: a.journalClear,
			Description: httpd.Description{Summary: "Forgets requests."},
			Output:      httpd.Output{Response: "mock/journal.cleared.json"}},
		{Name: "journal.count", Method: http.MethodGet, Path: "/_mock/journal/count", Handle: a.journalCount,
			Description: httpd.Description{Summary: "How many requests there were."},
			Output:      httpd.Output{Response: "mock/journal.count.json"}},
		{Name: "journal.wait", Method: http.MethodGet, Path: "/_mock/journal/wait", Handle: a.journalWait,
			Description: httpd.Description{Summary: "Answers once there were enough requests, or when the time is over."},
			Output:      httpd.Output{Response: "mock/journal.wait.json"}},
		{Name: "journal.events", Method: http.MethodGet, Path: "/_mock/journal/events", Handle: a.journalEvents,
			Description: httpd.Description{Summary: "Requests as they come, as server-sent events."},
			Output:      httpd.Output{ResponseMedia: []string{"text/event-stream"}, Stream: true}},
		{Name: "lints", Method: http.MethodGet, Path: "/_mock/lints", Handle: a.lints,
			Description: httpd.Description{Summary: "What clients do that the specification forbids, or that will cost them."},
			Output:      httpd.Output{Response: "mock/lints.json"}},
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
	return httpd.Group{Name: "Journal", Description: "What clients asked, and what was decided about it."}.Of(routes...), nil
}
