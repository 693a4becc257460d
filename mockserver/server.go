package mockserver

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/arrival"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/auth"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exportapi"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/openapi"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pages"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/server"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/memory"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// State opens what a Server must not forget; [New] calls it, and [Server.Close]
// closes what it opened. It comes from package mockserver/state.
type State func(context.Context) (store.Store, error)

// DataDisk opens where a dataset keeps what it derives from its rows; [New]
// calls it when there is much of it, with the room that it may take, and
// [Server.Close] closes what it opened. It comes from package mockserver/state.
type DataDisk func(context.Context, blocks.Room) (blocks.Store, error)

// Server is the mock export service. It is safe for concurrent use.
type Server struct {
	service     *server.Server
	handler     http.Handler // the service, as other origins may use it
	store       store.Store
	connections *httpd.Connections
	blocks      blocks.Store
	library     *schemas.Library
}

// New opens the state and compiles the schemas. Errors name the option at
// fault. Close the server when it is no longer needed.
func New(options Options) (*Server, error) {
	options, err := options.withDefaults()
	if err != nil {
		return nil, err
	}
	progress, err := exports.ParseProgress(options.Progress)
	if err != nil {
		return nil, err
	}
	scenario, err := exports.ParseScenario(options.Scenario)
	if err != nil {
		return nil, fmt.Errorf("scenario: %w", err)
	}
	arrives := arrival.Arrival{}
	if options.Arrival != "" {
		if arrives, err = arrival.Parse(options.Arrival); err != nil {
			return nil, fmt.Errorf("arrival: %w", err)
		}
	}
	keys, err := options.Credentials.keys()
	if err != nil {
		return nil, fmt.Errorf("credentials: %w", err)
	}
	library, err := openLibrary(options.Schemas)
	if err != nil {
		return nil, err
	}
	if _, err := dataset.ParseMode(options.DataMode); err != nil {
		return nil, err
	}
	if err := rows.CheckSettings(library, options.World); err != nil {
		return nil, err
	}
	origins, err := auth.NewOrigins(options.CORS, options.PublicURL, options.ControlToken != "")
	if err != nil {
		return nil, err
	}
	limits, err := options.Limits.Limits()
	if err != nil {
		return nil, fmt.Errorf("limits: %w", err)
	}
	budgets, err := budget.New(limits)
	if err != nil {
		return nil, err
	}
	// Opening is quick and must not be given up halfway, so it has no deadline.
	ctx := context.Background()
	kept := blocks.Memory()
	if options.DataDisk != nil {
		kept = blocks.Spill(func() (blocks.Store, error) { return options.DataDisk(ctx, budgets.Of(budget.Disk)) })
	}
	var state store.Store = memory.NewWith(kept)
	if options.State != nil {
		if state, err = options.State(ctx); err != nil {
			return nil, fmt.Errorf("state: %w", err)
		}
	}
	service, err := server.New(server.Options{
		Library: library, Store: state, Keys: keys, Progress: progress, Scenario: scenario,
		Planner: exports.Planner{Seed: options.Seed, Profiles: options.Profiles, Settings: options.World, Arrival: arrives, PartSize: options.PartSize},
		Data:    options.Data, DataMode: dataset.Mode(options.DataMode), Blocks: kept, Random: options.Random, Now: options.Now, StartAt: options.StartAt,
		Sleep: options.Sleep, JournalSize: options.JournalSize, Logger: options.Logger, ControlToken: options.ControlToken,
		Hosts: options.hosts(), Origins: origins, Budgets: budgets, Retention: options.Retention,
		Downloads: exportapi.Downloads{PublicURL: options.PublicURL, FilesURL: options.FilesURL, Gzip: options.Gzip, RefuseAuthorization: options.RefuseAuthorization},
		Replay:    options.Replay, Web: options.Web, Version: options.Version, Document: openapi.Build,
	})
	if err != nil {
		return nil, errors.Join(err, state.Close(), kept.Close())
	}
	return &Server{blocks: kept, library: library, service: service, handler: allowOrigins(service, library, options.CORS, options.ControlToken != ""), store: state, connections: httpd.NewConnections(budgets.Of(budget.Connections))}, nil
}

// Now is what the clock of the server shows (see POST /_mock/clock), in UTC; over
// a state that several servers share, what it showed at the last request.
func (s *Server) Now() time.Time { return s.service.Now() }

// Listener tells requests which listener they come from; it is for
// [http.Server.BaseContext]. Without it the local address of each connection
// decides whether the listener is a loopback one (see Options.Hosts): that
// differs where a server listens on all addresses and is asked over loopback.
func Listener(listener net.Listener) context.Context {
	return auth.OnListener(context.Background(), listener.Addr())
}

// FilesListener is the context of requests that come to a listener at the
// origin of Options.FilesURL. Use it as [http.Server.BaseContext].
func FilesListener(listener net.Listener) context.Context {
	return auth.OnFilesOrigin(Listener(listener))
}

// openLibrary compiles the schemas, with an overlay if there is one.
func openLibrary(overlay fs.FS) (*schemas.Library, error) {
	if overlay == nil {
		return schemas.Embedded()
	}
	library, err := schemas.Open(overlay)
	if err != nil {
		return nil, fmt.Errorf("schemas: %w", err)
	}
	return library, nil
}

// Dataset is how many rows the dataset of a server has, and whether exports show
// nothing else.
type Dataset struct {
	Profiles, Installations, Events int
	Only                            bool
}

// Dataset is the dataset of the server, which keys show that have none of their own.
func (s *Server) Dataset(ctx context.Context) (Dataset, error) {
	status, err := s.service.Live().Data(ctx, "")
	return Dataset{status.Profiles, status.Installations, status.Events, status.Mode == dataset.Only}, err
}

// Schemas are the schema files that the server works with, those of
// Options.Schemas included. They say how its interfaces speak.
func (s *Server) Schemas() *schemas.Library { return s.library }

// OpenAPI is the API document of a server at an address: OpenAPI 3.1 as JSON,
// made from the routes and the schema files of this one. It is what
// /openapi.json answers. The same schemas give the same bytes.
func (s *Server) OpenAPI(address string) ([]byte, error) {
	return s.service.OpenAPI(pages.Editions()[0], address)
}

// OpenAPIDocuments are the names of the API documents: of everything as OpenAPI
// 3.1, and of the export API alone as OpenAPI 3.0.
func OpenAPIDocuments() []string {
	var names []string
	for _, edition := range pages.Editions() {
		names = append(names, edition.Name)
	}
	return names
}

// OpenAPINamed is the API document of a name. It is what /openapi/<name>.json
// answers.
func (s *Server) OpenAPINamed(name, address string) ([]byte, error) {
	edition, err := pages.EditionNamed(name)
	if err != nil {
		return nil, err
	}
	return s.service.OpenAPI(edition, address)
}

// Drain ends what would otherwise go on: streams of events, and requests that
// wait for others. /_mock/ready answers 503 from then on. It is for
// [http.Server.RegisterOnShutdown].
func (s *Server) Drain() { s.service.Drain() }

// LimitConnections keeps the connections of HTTP servers together within the budget:
// further ones are answered 503 and closed, but for /_mock/health. Call it when
// the server has its handler and hooks, before it serves.
func (s *Server) LimitConnections(server *http.Server) {
	s.connections.Limit(server)
}

// Close finishes what the state has to write. Requests after it fail.
func (s *Server) Close() error {
	s.service.Drain()
	s.service.Stop()
	return errors.Join(s.store.Close(), s.blocks.Close())
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

var _ http.Handler = (*Server)(nil)
