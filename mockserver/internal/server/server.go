// Package server puts the parts of the mock server together: what it remembers,
// how it delivers files, and the three groups of handlers over one transport.
package server

import (
	"cmp"
	"context"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/simulation"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/auth"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/control"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exportapi"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/files"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/live"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/metrics"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pages"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/secret"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Options are what a Server works with. All fields are needed unless they say
// otherwise.
type Options struct {
	Library *schemas.Library
	Store   store.Store
	Keys    *auth.Keys
	Planner exports.Planner
	// Progress is that of exports whose request says nothing else.
	Progress exports.Progress
	// Scenario is in force wherever no other one says something else; the zero
	// value forces nothing.
	Scenario exports.Scenario
	// Data is the directory of a dataset, and DataMode how it is shown; nil and
	// empty are what the store remembers.
	Data     fs.FS
	DataMode dataset.Mode
	// Replay is a recording that is answered with where it has an answer; nil is none.
	Replay fs.FS
	// Blocks are where the dataset keeps what it derives; nil is in memory.
	Blocks blocks.Store
	// Free is how many bytes the disk of a directory has room for; nil asks the
	// operating system.
	Free func(directory string) (bytes int64, known bool)
	// Random makes identifiers and the key that signs links.
	Random io.Reader
	// Now is the clock of the machine, under the virtual clocks and for
	// durations; nil means time.Now.
	Now func() time.Time
	// StartAt is what the clock shows at first and after a reset; the zero time
	// is what the store remembers, and else the time of the machine.
	StartAt time.Time
	// Sleep waits for latencies and slow bodies, in real time; nil is a timer.
	Sleep func(context.Context, time.Duration) error
	// JournalSize is how many requests the journal holds; 0 means
	// journal.DefaultSize.
	JournalSize int
	Logger      *slog.Logger
	// Retention is the age at which an export request is forgotten; 0 means when its
	// interface says, or never.
	Retention time.Duration
	// Budgets are what the server may use; nil means the defaults.
	Budgets *budget.Set
	// ControlToken is what /_mock/ asks for; empty lets clients on the same
	// machine in, and nobody else.
	ControlToken secret.Text
	// Hosts are the names under which the server answers.
	Hosts auth.Hosts
	// Origins are the web pages that may use the server.
	Origins   auth.Origins
	Downloads exportapi.Downloads
	// Web is the built web page, index.html and what it needs; nil shows the
	// routes.
	Web fs.FS
	// Version is what the server says of its version; empty says nothing.
	Version string
	// Document writes an API document, when somebody first asks for it; nil
	// leaves them out, and their routes with them.
	Document func(*schemas.Library, []*httpd.Route, pages.Edition) ([]byte, error)
}

// Server answers the export API, the control API and the pages. It is safe for
// concurrent use.
type Server struct {
	live      *live.State
	transport *httpd.Server
	control   *control.API
	pages     *pages.Pages
	files     *files.Files
}

// New builds the routes and checks that the schemas say everything they need.
func New(o Options) (*Server, error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	if o.Budgets == nil {
		var err error
		if o.Budgets, err = budget.New(budget.Limits{}); err != nil {
			return nil, err
		}
	}
	o.Random = &lockedReader{reader: o.Random}
	tables, err := httpd.ReadErrorTables(o.Library)
	if err != nil {
		return nil, err
	}
	recorded, err := openReplay(o.Replay)
	if err != nil {
		return nil, err
	}
	o.StartAt = startAt(o.StartAt, recorded)
	s := &Server{}
	room := newRoom(o)
	if bounded, is := o.Store.(interface{ Limit(*budget.Budget) }); is {
		bounded.Limit(o.Budgets.Of(budget.Exports))
	}
	dialect := exports.DialectOf(o.Library)
	retention := map[string]time.Duration{} // by interface
	for _, its := range dialect {
		if kept := cmp.Or(o.Retention, its.Retention); kept > 0 {
			retention[its.Name] = kept
		}
	}
	if len(retention) > 0 {
		o.Store = store.Retain(o.Store, func(record *exports.Record) bool {
			kept, ends := retention[record.Interface]
			// Nothing is old before there are clocks.
			old := ends && s.live != nil && s.live.NowOf(record.Owner).Sub(record.CreatedAt) >= kept
			if old && s.files != nil {
				s.files.Forget(record.ID)
			}
			return old
		})
	}
	if s.live, err = openState(o, room); err != nil {
		return nil, err
	}
	prefix, err := idPrefix(o.Random)
	if err != nil {
		return nil, err
	}
	watched := control.Watched{Journal: journal.New(o.JournalSize, o.Budgets.Of(budget.Journal).Limit()), Metrics: new(metrics.Server), Started: o.Now(), Version: o.Version}
	watched.Server = httpd.New(httpd.Config{

		Errors: tables, Journal: watched.Journal, Metrics: watched.Metrics, Logger: o.Logger, Now: o.Now, Sleep: o.Sleep,
		IDPrefix: prefix, Explain: room.explain, Secret: o.Keys.IsSecret, LargestBody: int(o.Budgets.Of(budget.Body).Limit()),
		Admit: func(r *http.Request, route *httpd.Route) error {
			if err := o.Hosts.Check(r); err != nil {
				return err
			}
			if err := httpd.Beyond(r.Context()); err != nil && (route == nil || !route.Reserve) {
				return err
			}
			if err := auth.CheckFilesOrigin(o.Downloads.FilesURL, r, route); err != nil {
				return err
			}
			return o.Origins.Check(r, route)
		},
		Clock: func(key string) (time.Time, bool) {
			shown := s.live.Clock(key)
			return shown.Now, shown.Frozen
		},
	})
	s.transport = watched.Server
	played := newReplay(recorded, s.live, &o)
	kept := files.New(o.Library, o.Budgets, directoryOf(o.Store), o.Logger)
	kept.UseData(func(generation int64) (*dataset.Snapshot, error) {
		return s.live.DataAt(context.Background(), generation)
	})
	s.files = kept
	o.Budgets.Of(budget.Journal).Measure(watched.Journal.Bytes)
	o.Budgets.Of(budget.DataRows).Measure(func() int64 {
		limited, cancel := context.WithTimeout(context.Background(), askPatience)
		defer cancel()
		return s.live.DataRows(limited)
	})
	s.live.OnReplaced(func() { kept.ForgetAll(); played.forget("") })
	s.live.OnEmptied(func(key string) {
		kept.ForgetOwned(key)
		watched.Journal.Clear(journal.Filter{Key: key})
		played.forget(key)
	})
	exportAPI, err := exportapi.New(exportapi.Config{
		Library: o.Library, Errors: tables, Store: o.Store, Live: s.live, Keys: o.Keys, Files: kept, Planner: o.Planner,
		Progress: o.Progress, Scenario: o.Scenario, Random: o.Random, Sleep: o.Sleep, Downloads: o.Downloads,
	})
	if err != nil {
		return nil, err
	}
	access := auth.NewAccess(o.ControlToken.Reveal(), o.Hosts)
	s.control, err = control.New(control.Config{
		Library: o.Library, Errors: tables, Store: o.Store, Live: s.live, Keys: o.Keys, Access: access, Files: kept,
		Watched: watched, PublicURL: o.Downloads.PublicURL, Room: control.Room{Lacking: room.lacking, Holds: room.holds}, Logger: o.Logger, Budgets: o.Budgets,
	})
	if err != nil {
		return nil, err
	}
	config := pages.Config{
		Library: o.Library, Server: s.transport, Web: o.Web,
		PublicURL: o.Downloads.PublicURL, Started: watched.Started,
	}
	if o.Document != nil {
		config.Document = func(edition pages.Edition) ([]byte, error) { return o.Document(o.Library, s.Routes(), edition) }
	}
	if s.pages, err = pages.New(config); err != nil {
		return nil, err
	}
	exporting, err := exportAPI.Routes()
	if err != nil {
		return nil, err
	}
	controlling, err := s.control.Routes()
	if err != nil {
		return nil, err
	}
	if err := kept.SelfCheck(o.Library, o.Planner, s.Now()); err != nil {
		return nil, err
	}
	behind := s.pages.Files()
	behind.Unrouted = exportAPI.NoteUnrouted
	s.transport.Serve(slices.Concat(played.before(exporting), []*httpd.Route{exportAPI.FileRoute()}, s.pages.Routes(), controlling, s.pages.DocumentRoutes(), s.pages.SchemaRoutes()), behind)
	return s, nil
}

// openState opens what the server remembers.
func openState(o Options, room *room) (*live.State, error) {
	random := make([]byte, 40)
	if _, err := io.ReadFull(o.Random, random); err != nil {
		return nil, fmt.Errorf("drawing the key for links: %w", err)
	}
	settings := o.Planner.Settings
	settings.Texture = settings.Texture.OrDefault()
	people, err := simulation.New(o.Planner.Seed, o.Planner.Profiles, settings)
	if err != nil {
		return nil, err
	}
	// Opening is quick and must not be given up halfway, so it has no deadline.
	return live.Open(context.Background(), live.Options{
		Store: o.Store, People: people, Secret: random[:32], Nonce: binary.BigEndian.Uint64(random[32:]),
		Now: o.Now, StartAt: o.StartAt, Budgets: o.Budgets, Data: o.Data, Blocks: o.Blocks, Mode: o.DataMode, Library: o.Library, Logger: o.Logger,
		Holds: func(bytes int64) error { return room.holds("the dataset is not read", 0, control.RowFactor*bytes) },
	})
}

// askPatience is how long the store may take to say how large the dataset is.
const askPatience = 2 * time.Second

// idPrefix begins the identifiers of requests, so that those of two servers, or
// of two runs of one, differ.
func idPrefix(random io.Reader) (string, error) {
	var bits [5]byte
	if _, err := io.ReadFull(random, bits[:]); err != nil {
		return "", fmt.Errorf("drawing identifiers for requests: %w", err)
	}
	return hex.EncodeToString(bits[:]) + "-", nil
}

// lockedReader lets several requests read from one source of randomness.
type lockedReader struct {
	lock   sync.Mutex
	reader io.Reader
}

func (r *lockedReader) Read(into []byte) (int, error) {
	r.lock.Lock()
	defer r.lock.Unlock()
	return r.reader.Read(into)
}

// sleep waits in real time.
func sleep(ctx context.Context, duration time.Duration) error {
	timer := time.NewTimer(duration)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Routes returns the table of routes. It must not be changed.
func (s *Server) Routes() []*httpd.Route { return s.transport.Routes() }

// Live is what the server remembers.
func (s *Server) Live() *live.State { return s.live }

// Now is what the common clock shows.
func (s *Server) Now() time.Time { return s.live.Now() }

// OpenAPI is an API document of the server at an address, as JSON.
func (s *Server) OpenAPI(edition pages.Edition, address string) ([]byte, error) {
	return s.pages.OpenAPI(edition, address)
}

// Drain ends what would go on for ever: event streams, and requests that wait
// for others. New ones end at once.
func (s *Server) Drain() { s.control.Drain() }

// Stop ends what goes on for no request, before the store is closed.
func (s *Server) Stop() {
	s.files.Close()
	s.live.Stop()
}

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.transport.ServeHTTP(w, r) }
