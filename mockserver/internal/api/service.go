package api

import (
	"context"
	"hash/maphash"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/gorilla/mux"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/clock"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/links"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/metrics"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/schemas"
	"github.com/rehearsal-sdk/rehearsal/schemas/acceptor"
)

// Config is what a Service works with. All fields are needed unless they say
// otherwise.
type Config struct {
	Library *schemas.Library
	Store   store.Store
	// Revision is what the store answered before Data and Clocks were read from
	// it.
	Revision store.Revision
	// Data is the own data that the store holds; nil opens it.
	Data     *dataset.Log
	Clocks   *clock.Clocks
	Links    *links.Signer
	Keys     *Keys
	Planner  Planner
	Progress exports.Progress // of exports whose request says nothing else
	Random   io.Reader        // for identifiers
	// Now is the clock of the machine, under the clocks and for durations; nil
	// means time.Now.
	Now func() time.Time
	// StartAt is what the clock shows after a reset, as it did at first; the
	// zero time is that of the machine.
	StartAt time.Time
	// JournalSize is how many requests the journal holds; 0 means
	// journal.DefaultSize.
	JournalSize int
	Logger      *slog.Logger
	// Scenario is in force wherever no other one says something else.
	Scenario exports.Scenario
	// Sleep waits for latencies and slow bodies, in real time; nil is a timer.
	Sleep func(context.Context, time.Duration) error
	// ControlToken is what /_mock/ asks for; empty lets clients on the same
	// machine in, and nobody else.
	ControlToken string
	// PublicURL is the address that links carry, such as
	// "https://mock.example". Empty: the address the client asked.
	PublicURL string
	// Gzip compresses downloads for clients that ask for it.
	Gzip bool
	// RefuseAuthorization refuses downloads that carry Authorization or
	// X-Authorization, as object stores do.
	RefuseAuthorization bool
	// Web is the built web page, index.html and what it needs; nil shows the
	// landing page.
	Web fs.FS
	// Example is shown on the landing page.
	Example Example
	// Document writes the API document, when somebody first asks for it; nil
	// leaves it out, and its two routes with it.
	Document func(context.Context, *Service) (*Document, error)
}

// Service answers the export API. It is safe for concurrent use.
type Service struct {
	library   *schemas.Library
	store     store.Store
	data      *dataset.Log
	clocks    *clock.Clocks
	links     *links.Signer
	keys      *Keys
	planner   Planner
	progress  exports.Progress
	scenario  exports.Scenario
	rules     rules
	latencies latencies
	sleep     func(context.Context, time.Duration) error
	logger    *slog.Logger
	publicURL string
	example   Example
	document  func(context.Context, *Service) (*Document, error) // made once

	controlToken digest // of no token: all zero

	gzip, refuseAuthorization bool
	web                       fs.FS // nil: the landing page

	tables map[string]errorTable // by interface
	routes []*Route
	// controlParameters are the query parameters of the control plane.
	controlParameters []schemas.Parameter
	router            *mux.Router
	// noVariables stays empty: the router does not make a map for each request.
	noVariables map[string]string
	files       *files
	// downloadPath is the path of the route profiles.download, for the
	// addresses in profile records.
	downloadPath string

	acceptors map[string]*acceptor.Acceptor // by request schema
	digests   map[string]string             // of the schemas of a file, by kind
	formats   map[string]string             // csv or json, by kind
	documents sync.Pool                     // of *acceptor.Document

	randomLock sync.Mutex
	random     io.Reader

	realNow      func() time.Time
	startAt      time.Time
	journal      *journal.Journal
	started      time.Time // by the clock of the machine
	metrics      metrics.Server
	metricsWeb   metrics.Route // files of the page
	metricsNone  metrics.Route // requests that no route fits
	bodySeed     maphash.Seed  // of digests of bodies in the journal
	idPrefix     string        // of request identifiers made here
	idCount      atomic.Uint64 // of those
	logsRequests bool
	drained      context.Context // ends when the server is about to stop
	drain        context.CancelFunc

	seen      seen
	clockLock sync.Mutex // keeps a change of a clock and its record in the store together
}

// New builds the routes and checks that the schemas say everything they need.
func New(config Config) (*Service, error) {
	s := &Service{
		library: config.Library, store: config.Store, clocks: config.Clocks, links: config.Links, keys: config.Keys,
		planner: config.Planner, progress: config.Progress, random: config.Random, logger: config.Logger,
		publicURL: config.PublicURL, example: config.Example, tables: map[string]errorTable{},
		gzip: config.Gzip, refuseAuthorization: config.RefuseAuthorization, web: config.Web, files: newFiles(config.Library, config.Logger), acceptors: newAcceptors(config.Library),
		realNow: config.Now, startAt: config.StartAt, journal: journal.New(config.JournalSize), bodySeed: maphash.MakeSeed(),
		logsRequests: config.Logger.Enabled(context.Background(), slog.LevelDebug),
		digests:      map[string]string{}, formats: map[string]string{}, documents: sync.Pool{New: func() any { return new(acceptor.Document) }},
	}
	s.seen.revision = config.Revision
	s.drained, s.drain = context.WithCancel(context.Background())
	if s.realNow == nil {
		s.realNow = time.Now
	}
	s.started, s.metricsWeb.Name, s.metricsNone.Name = s.realNow(), "web", journal.NoRoute
	var err error
	if s.idPrefix, err = s.newIDPrefix(); err != nil {
		return nil, err
	}
	s.scenario, s.sleep, s.rules.store, s.latencies.seed = config.Scenario, config.Sleep, config.Store, config.Planner.Seed
	if s.sleep == nil {
		s.sleep = sleep
	}
	// Opening is quick and must not be given up halfway.
	if err := s.rules.load(context.Background()); err != nil {
		return nil, err
	}
	if err := s.useData(config); err != nil {
		return nil, err
	}
	if config.Document != nil {
		s.document = once(config.Document)
	}
	if config.ControlToken != "" {
		s.controlToken = digestOf(config.ControlToken)
	}
	for name, schema := range map[string]string{interfaceLegacy: "legacy/error.json", interfaceProfiles: "profiles/error.json"} {
		table, err := newErrorTable(config.Library, schema)
		if err != nil {
			return nil, err
		}
		s.tables[name] = table
		if err := unknownError(table, "the default scenario", config.Scenario); err != nil {
			return nil, err
		}
	}
	for _, export := range config.Library.Exports() {
		s.digests[export.Kind], s.formats[export.Kind] = export.Digest, export.Format
	}
	routes, err := s.buildRoutes()
	if err != nil {
		return nil, err
	}
	if err := s.checkFiles(); err != nil {
		return nil, err
	}
	if s.web != nil {
		if err := checkWeb(s.web); err != nil {
			return nil, err
		}
	}
	s.routes = routes
	for _, route := range routes {
		if route.Name == "profiles.download" {
			s.downloadPath = route.Path
		}
	}
	s.router, s.noVariables = s.newRouter(), map[string]string{}
	return s, nil
}

// Routes returns the table of routes. It must not be changed.
func (s *Service) Routes() []*Route { return s.routes }

// Library returns the schemas that the routes are made from.
func (s *Service) Library() *schemas.Library { return s.library }

// Planner returns what files are made with.
func (s *Service) Planner() Planner { return s.planner }

// Now is what the global clock shows.
func (s *Service) Now() time.Time { return s.clocks.Global().Now() }

// ServeHTTP answers one request. What goes wrong while a response is being
// sent is logged, and ends the connection: half a file must not look whole.
func (s *Service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.metrics.InFlight.Add(1)
	defer func() {
		s.metrics.InFlight.Add(-1)
		cause := recover()
		if cause == nil {
			return
		}
		if cause != http.ErrAbortHandler {
			s.logger.Error("sending a response panicked", "path", r.URL.Path, "panic", cause, "stack", string(debug.Stack()))
		}
		panic(http.ErrAbortHandler) // net/http closes the connection, silently
	}()
	s.dispatch(w, r)
}

// answer runs the checks that all routes share, in their order, then the
// handler of the route.
func (s *Service) answer(r *request) (response, error) {
	variables, malformed := decodedVariables(r.route.segments, r.URL.EscapedPath())
	r.variables = variables
	var refusal *Error
	if r.caller, refusal = s.authenticate(r); refusal != nil {
		if r.route.Credential == CompanyKey {
			s.noteUnknown(r)
		}
		return response{}, refusal
	}
	if r.route.Credential != Nobody {
		if err := s.freshen(r.Context()); err != nil {
			return response{}, err
		}
	}
	s.readClock(r)
	if r.caller.owner != "" {
		r.entry.SetKey(r.caller.owner)
	}
	if r.route.creates() && !r.caller.enterprise {
		return response{}, refuse(APIMisuse, "exports are available only on the enterprise plan, and this key is not on it")
	}
	if r.route.readsScenario() {
		if err := s.decide(r); err != nil {
			return response{}, err
		}
		if done, err := s.impose(r); done {
			s.noteUnworked(r)
			return response{}, err
		}
	}
	if malformed != nil {
		return response{}, malformed
	}
	return r.route.handle(r)
}

// authenticate finds out who calls, by the credential the route asks for.
func (s *Service) authenticate(r *request) (caller, *Error) {
	switch r.route.Credential {
	case CompanyKey:
		return s.keys.legacyCaller(r.Header, r.variables["api_key"])
	case ProjectToken:
		return s.keys.profilesCaller(r.Header)
	case Control:
		return caller{}, s.controls(r.Request)
	default: // a signed link is its own credential: its handler checks it
		return caller{}, nil
	}
}
