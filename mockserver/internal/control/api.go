// Package control answers the control API under /_mock/: what a test or a person asks of the mock server itself, beyond the export API.
package control

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"sync/atomic"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/auth"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/files"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/hub"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/live"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/metrics"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Config is what an API works with. All fields are needed unless they say otherwise.
type Config struct {
	Library *schemas.Library
	Errors  httpd.ErrorTables
	Store   store.Store
	Live    *live.State
	Keys    *auth.Keys
	Access  auth.Access
	Edge    auth.Edge
	Hub     *hub.Hub
	Files   *files.Files
	Watched Watched
	// PublicURL is the address that links carry; empty means the address the client used.
	PublicURL string
	Logger    *slog.Logger
	Budgets   *budget.Set
}

// Watched is what the control API shows of the running server.
type Watched struct {
	Journal *journal.Journal
	Metrics *metrics.Server
	// Server counts requests by route.
	Server *httpd.Server
	// Started is when the server began, by the clock of the machine.
	Started time.Time
	// Version is that of the program; empty where it is not known.
	Version string
	// Reloads are what became of changed options.
	Reloads *Reloads
}

// Reloads count how often options were replaced. They are safe for concurrent use.
type Reloads struct{ last atomic.Pointer[reloads] }

type reloads struct {
	Count  int  `json:"count"`
	Failed bool `json:"failed"`
}

// Note notes a reload, or that it failed.
func (r *Reloads) Note(err error) {
	next := reloads{Count: 1, Failed: err != nil}
	if before := r.last.Load(); before != nil {
		next.Count += before.Count
	}
	r.last.Store(&next)
}

// API answers the control API. It is safe for concurrent use.
type API struct {
	Config
	parameters []schemas.Parameter // the query parameters that several routes share
	drained    context.Context     // ends when the server is about to stop
	drain      context.CancelFunc
	outages    *httpd.Outages
	dialect    exports.Dialect
	kinds      map[string]schemas.Export
}

// New checks what the schemas say of the query parameters.
func New(config Config) (*API, error) {
	a := &API{
		Config: config, outages: config.Watched.Server.Outages(), dialect: exports.DialectOf(config.Library), kinds: map[string]schemas.Export{}}
	for _, export := range config.Library.Exports() {
		a.kinds[export.Kind] = export
	}
	a.drained, a.drain = context.WithCancel(context.Background())
	var err error
	a.parameters, err = httpd.QueryOf(config.Library, "mock/control.query.json", "key", "from", "limit", "schema", "max_faults")
	return a, err
}

// Drain ends what would go on for ever: event streams, and requests that wait for others. New ones end at once.
func (a *API) Drain() { a.drain() }

// controlled is a handler for clients that may use the control API.
func (a *API) controlled(handle httpd.Handler) httpd.Handler {
	return func(r *httpd.Request) (httpd.Response, error) {
		if err := a.Access.Check(r.Request); err != nil {
			return httpd.Response{}, err
		}
		if err := a.Live.Refresh(r.Context()); err != nil {
			return httpd.Response{}, err
		}
		r.Now = a.Live.Now()
		if r.Malformed != nil {
			return httpd.Response{}, r.Malformed
		}
		return handle(r)
	}
}

// withQuery is a handler that gets the query parameters of its route, and no request with others: one that is misspelt, or meant for
// another route, must not widen what the request does.
func withQuery(handle httpd.Handler) httpd.Handler {
	return func(r *httpd.Request) (response httpd.Response, err error) {
		if r.Query, err = httpd.ReadQuery(r.URL.RawQuery, r.Route.Query); err != nil {
			return httpd.Response{}, err
		}
		return handle(r)
	}
}

// parameter is a query parameter as its schema describes it, with a description of its own where the route has one.
func (a *API) parameter(name string, required bool, description string) schemas.Parameter {
	parameter := a.parameters[slices.IndexFunc(a.parameters, func(p schemas.Parameter) bool { return p.Name == name })]
	parameter.Required = required
	if description != "" {
		parameter.Description = description
	}
	return parameter
}

// ofKey are the query parameters of a route that may be about one key.
func (a *API) ofKey(required bool, description string) []schemas.Parameter {
	return []schemas.Parameter{a.parameter("key", required, description)}
}

// readMembers reads the body of a route and checks it against its schema.
func (a *API) readMembers(r *httpd.Request) (exports.Members, error) {
	value, err := r.ReadValue()
	if err != nil {
		return nil, err
	}
	schema := r.Route.Request
	if err := a.Library.Validate(schema, value); err != nil {
		return nil, httpd.RefuseInvalid(err)
	}
	members, is := value.(map[string]any)
	if !is {
		return nil, fmt.Errorf("schema %s accepts a payload that is no object", schema)
	}
	return exports.Members(members), nil
}
