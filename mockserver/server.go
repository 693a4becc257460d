package mockserver

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"net/http"
	"sync"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/auth"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/control"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exportapi"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/hub"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/live"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pages"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// State opens what a Server must not forget; [New] calls it, and [Server.Close]
// closes what it opened. It comes from package mockserver/state.
type State func(context.Context) (store.Store, error)

// DataDisk opens where a dataset keeps what it derives from its rows; [New]
// calls it with the room that it may take, and [Server.Close] closes it. It comes from package mockserver/state.
type DataDisk func(blocks.Room) blocks.Store

// Server is the mock export service. It is safe for concurrent use.
type Server struct {
	store       store.Store
	blocks      blocks.Store
	budgets     *budget.Set
	connections *httpd.Connections
	callbacks   *exportapi.Callbacks
	hub         *hub.Hub
	live        *live.State
	watched     control.Watched
	prefix      string // of the identifiers of requests
	retains     bool   // some exports are forgotten when they are old

	reloads sync.Mutex   // one at a time
	lock    sync.RWMutex // for the service, which a reload replaces
	service *service
}

// New opens the state and compiles the schemas. Errors name the option at fault. Close the server when it is no longer needed.
func New(options Options) (*Server, error) {
	o, err := options.read()
	if err != nil {
		return nil, err
	}
	o.Random = &lockedReader{reader: o.Random}
	first, err := o.compile()
	if err != nil {
		return nil, err
	}
	s := &Server{}
	if err := s.open(o); err != nil {
		return nil, err
	}
	if err = s.remember(first); err == nil {
		err = s.assemble(first)
	}
	if err != nil {
		return nil, errors.Join(err, s.store.Close(), s.blocks.Close())
	}
	s.service = first
	s.callbacks.Resume()
	return s, nil
}

// Reload reads options, and replaces the schemas, the world, the dataset, the credentials and the scenario by those of the options, and
// all else that answers depend on. What stays are the state with its clocks, the journal, and the options State, DataDisk, StartAt, Now,
// Random, JournalSize and Limits. Exports keep the world that they were requested in. After an error the server goes on as before;
// /_mock/health counts reloads, and says whether the last one failed.
func (s *Server) Reload(read func() (Options, error)) error {
	s.reloads.Lock()
	defer s.reloads.Unlock()
	options, err := read()
	if err == nil {
		err = s.reload(options)
	}
	s.watched.Reloads.Note(err)
	return err
}

func (s *Server) reload(options Options) error {
	before := s.current()
	defer before.running.Done()
	options.State, options.DataDisk, options.Random, options.Now = before.State, before.DataDisk, before.Random, before.Now
	o, err := options.read()
	if err != nil {
		return err
	}
	next, err := o.compile()
	if err != nil {
		return err
	}
	if len(next.retention) > 0 && !s.retains {
		return wrong("retention", "begins with a start, if nothing was forgotten before")
	}
	if err = s.assemble(next); err == nil {
		err = s.live.BeginData(context.Background(), next.dataset)
	}
	if err != nil {
		before.files.Account()
		return err
	}
	s.lock.Lock()
	s.service = next
	s.lock.Unlock()
	go before.end()
	return nil
}

// current is the service of the moment; the caller ends what runs on it.
func (s *Server) current() *service {
	s.lock.RLock()
	defer s.lock.RUnlock()
	s.service.running.Add(1)
	return s.service
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	service := s.current()
	defer service.running.Done()
	service.handler.ServeHTTP(w, r)
}

var _ http.Handler = (*Server)(nil)

// Now is what the clock of the server shows (see POST /_mock/clock), in UTC; over
// a state that several servers share, what it showed at the last request.
func (s *Server) Now() time.Time { return s.live.Now() }

// Listener tells requests which listener they come from; it is for [http.Server.BaseContext]. Without it the local address of each
// connection decides whether the listener is a loopback one (see Options.Hosts): that differs where a server listens on all addresses and
// is asked over loopback.
func Listener(listener net.Listener) context.Context {
	return auth.OnListener(context.Background(), listener.Addr())
}

// FilesListener is the context of requests that come to a listener at the
// origin of Options.FilesURL. Use it as [http.Server.BaseContext].
func FilesListener(listener net.Listener) context.Context {
	return auth.OnFilesOrigin(Listener(listener))
}

// Dataset is how many rows the dataset of a server has, and whether exports show nothing else.
type Dataset struct {
	Profiles, Installations, Events int
	Only                            bool
}

// Dataset is the dataset of the server, which keys show that have none of their own.
func (s *Server) Dataset(ctx context.Context) (Dataset, error) {
	status, err := s.live.Data(ctx, "")
	return Dataset{status.Profiles, status.Installations, status.Events, status.Mode == dataset.Only}, err
}

// JoinCode is the code of six letters with which apps on other machines join; POST /_mock/host-code makes another.
func (s *Server) JoinCode() string { return s.hub.Code() }

// Schemas are the schema files that the server works with, those of Options.Schemas included. They say how its interfaces speak.
func (s *Server) Schemas() *schemas.Library {
	service := s.current()
	defer service.running.Done()
	return service.library
}

// OpenAPI returns the API document of the export API at an address: OpenAPI 3.0 as JSON, made from the routes and the schema files of
// this server, for generators of clients. /openapi.json answers with it. The same schemas give the same bytes.
func (s *Server) OpenAPI(address string) ([]byte, error) {
	return s.OpenAPINamed(pages.Editions()[0].Name, address)
}

// OpenAPIDocuments returns the names of the API documents: client is the export
// API alone as OpenAPI 3.0, full is everything as OpenAPI 3.1.
func OpenAPIDocuments() []string {
	var names []string
	for _, edition := range pages.Editions() {
		names = append(names, edition.Name)
	}
	return names
}

// OpenAPINamed returns the API document of a name. /openapi/<name>.json answers with it.
func (s *Server) OpenAPINamed(name, address string) ([]byte, error) {
	edition, err := pages.EditionNamed(name)
	if err != nil {
		return nil, err
	}
	service := s.current()
	defer service.running.Done()
	return service.pages.OpenAPI(edition, address)
}

// Live is what the server remembers, and Routes its table of routes, for the tests of this module.
func (s *Server) Live() *live.State { return s.live }

// Routes is the table of routes, for the tests of this module. It must not be changed.
func (s *Server) Routes() []*httpd.Route {
	service := s.current()
	defer service.running.Done()
	return service.transport.Routes()
}

// Drain ends what would otherwise go on: streams of events, and requests that wait for others. /_mock/ready answers 503 from then on. It
// is for [http.Server.RegisterOnShutdown].
func (s *Server) Drain() {
	service := s.current()
	defer service.running.Done()
	service.control.Drain()
}

// LimitConnections keeps the connections of HTTP servers together within the budget: further ones are answered 503 and closed, but for
// /_mock/health. Call it when the server has its handler and hooks, before it serves.
func (s *Server) LimitConnections(server *http.Server) {
	s.connections.Limit(server)
}

// Close finishes what the state has to write. Requests after it fail.
func (s *Server) Close() error {
	s.Drain()
	s.callbacks.Close()
	s.hub.Close()
	service := s.current()
	service.running.Done()
	service.files.Close()
	s.live.Stop()
	return errors.Join(s.store.Close(), s.blocks.Close())
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
