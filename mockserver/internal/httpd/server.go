package httpd

import (
	"context"
	"hash/maphash"
	"log/slog"
	"net/http"
	"runtime/debug"
	"slices"
	"time"

	"github.com/gorilla/mux"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/metrics"
)

// Config is what a Server works with. All fields are needed unless they say otherwise.
type Config struct {
	Errors  ErrorTables
	Journal *journal.Journal
	Metrics *metrics.Server
	Logger  *slog.Logger
	// Clock is what the clock of a key shows, and whether it stands still.
	Clock func(key string) (now time.Time, frozen bool)
	// Now is the clock of the machine, for durations.
	Now func() time.Time
	// Sleep waits for slow bodies, in real time.
	Sleep func(context.Context, time.Duration) error
	// IDPrefix begins the identifiers of requests that bring none along.
	IDPrefix string
	// Admit refuses requests before any route is asked; the route is nil where none fits. nil admits all.
	Admit func(*http.Request, *Route) error
	// Explain says what a client is told of an error that is not its fault; nil for one that only the log may have.
	Explain func(error) *exports.Refusal
	// Ended is told how each kind of work ends; nil is told nothing.
	Ended func(kind string, err error)
	// Secret tells whether a text is a credential; nil knows none.
	Secret func(string) bool
	// LargestBody is the most a payload may have, in bytes.
	LargestBody int
}

// Server answers requests by a table of routes. It is safe for concurrent use once it has its routes.
type Server struct {
	observer
	routes []*Route
	files  Files
	router *mux.Router
	own    *exports.Interface // in whose shape requests without a route are refused
}

// Files are files that stand behind all routes, so that none of them ever hides one.
type Files struct {
	Route *Route // nil: there are none
	// Has tells whether a request asks for one of them.
	Has func(*http.Request) bool
	// Unrouted notes whose request it is that no route fits, by the variables that its path could tell; nil notes nothing.
	Unrouted func(*Request)
}

// New makes a server without routes.
func New(config Config) *Server {
	return &Server{observer: observer{
		Config: config, outages: NewOutages(config.Logger, config.Now), bodySeed: maphash.MakeSeed(),
		logsRequests: config.Logger.Enabled(context.Background(), slog.LevelDebug), unrouted: metrics.Route{Name: journal.NoRoute},
	}}
}

// Serve gives the server its routes, once, before the first request.
func (s *Server) Serve(routes []*Route, files Files) {
	s.routes, s.files = routes, files
	dialect := spokenBy(routes)
	own := dialect.Legacy()
	s.own, s.headers = &own, headersOf(dialect, s.Secret)
	for _, route := range routes {
		route.prepare(s.own)
	}
	if files.Route != nil {
		files.Route.prepare(s.own)
	}
	s.router = s.newRouter()
}

// spokenBy is how the interfaces of routes speak; those that have none speak as the specification does.
func spokenBy(routes []*Route) exports.Dialect {
	dialect := slices.Clone(exports.Specified())
	for _, route := range routes {
		if at := slices.IndexFunc(dialect, func(its exports.Interface) bool { return its.Name == route.Interface.Name }); at >= 0 {
			dialect[at] = route.Interface
		} else if route.Interface.Name != "" {
			dialect = append(dialect, route.Interface)
		}
	}
	return dialect
}

// Routes returns the table of routes. It must not be changed.
func (s *Server) Routes() []*Route { return s.routes }

// Outages tells the log of errors that every request meets.
func (s *Server) Outages() *Outages { return s.outages }

// Counted lists the counts of all routes, for the metrics.
func (s *Server) Counted() []*metrics.Route {
	counted := make([]*metrics.Route, 0, len(s.routes)+2)
	for _, route := range s.routes {
		counted = append(counted, &route.metrics)
	}
	if s.files.Route != nil {
		counted = append(counted, &s.files.Route.metrics)
	}
	return append(counted, &s.unrouted)
}

// ServeHTTP answers one request. What goes wrong while a response is being
// sent is logged, and ends the connection: half a file must not look whole.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.Metrics.InFlight.Add(1)
	defer func() {
		s.Metrics.InFlight.Add(-1)
		cause := recover()
		if cause == nil {
			return
		}
		if cause != http.ErrAbortHandler {
			s.Logger.Error("sending a response panicked", "request_id", w.Header().Get(requestIDHeader), "path",
				s.redactor(r, r.URL.EscapedPath()).Path(r.URL.EscapedPath()), "panic", cause, "stack", string(debug.Stack()))
		}
		panic(http.ErrAbortHandler) // net/http closes the connection, silently
	}()
	s.dispatch(w, r)
}
