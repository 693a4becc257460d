// Package server puts the parts of the mock server together: what it remembers,
// how it delivers files, and the three groups of handlers over one transport.
package server

import (
	"context"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/auth"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/control"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/delivery"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exportapi"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/live"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/metrics"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pages"
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
	// Blocks are where the dataset keeps what it derives; nil is in memory.
	Blocks blocks.Store
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
	// Retention is the age at which an export request is forgotten; 0 means never.
	Retention time.Duration
	// Budgets are what the server may use; nil means the defaults.
	Budgets *budget.Set
	// ControlToken is what /_mock/ asks for; empty lets clients on the same
	// machine in, and nobody else.
	ControlToken string
	// Hosts are the names under which the server answers.
	Hosts auth.Hosts
	// Origins are the web pages that may use the server.
	Origins   auth.Origins
	Downloads exportapi.Downloads
	// Web is the built web page, index.html and what it needs; nil shows the
	// landing page.
	Web fs.FS
	// Example is shown on the landing page.
	Example pages.Example
	// Document writes the API document, when somebody first asks for it; nil
	// leaves it out, and its two routes with it.
	Document func(*schemas.Library, []*httpd.Route) ([]byte, error)
}

// Server answers the export API, the control API and the pages. It is safe for
// concurrent use.
type Server struct {
	live      *live.State
	transport *httpd.Server
	control   *control.API
	pages     *pages.Pages
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
	s := &Server{}
	if bounded, is := o.Store.(interface{ Limit(*budget.Budget) }); is {
		bounded.Limit(o.Budgets.Of(budget.Exports))
	}
	if o.Retention > 0 {
		o.Store = store.Retain(o.Store, func(record *exports.Record) bool {
			// Nothing is old before there are clocks.
			return s.live != nil && s.live.NowOf(record.Owner).Sub(record.CreatedAt) >= o.Retention
		})
	}
	if s.live, err = openState(o); err != nil {
		return nil, err
	}
	prefix, err := idPrefix(o.Random)
	if err != nil {
		return nil, err
	}
	room := &shortage{now: o.Now}
	watched := control.Watched{Journal: journal.New(o.JournalSize, o.Budgets.Of(budget.Journal).Limit()), Metrics: new(metrics.Server), Started: o.Now()}
	watched.Server = httpd.New(httpd.Config{
		Errors: tables, Journal: watched.Journal, Metrics: watched.Metrics, Logger: o.Logger, Now: o.Now, Sleep: o.Sleep,
		IDPrefix: prefix, Explain: room.explain, LargestBody: int(o.Budgets.Of(budget.Body).Limit()),
		Admit: func(r *http.Request, route *httpd.Route) error {
			if err := o.Hosts.Check(r); err != nil {
				return err
			}
			if err := httpd.Beyond(r.Context()); err != nil && (route == nil || route.Name != "health") {
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
	files := delivery.NewFiles(o.Library, o.Budgets, o.Logger)
	files.UseData(func(generation int64) (*dataset.Snapshot, error) {
		return s.live.Data().At(context.Background(), generation)
	})
	o.Budgets.Of(budget.Journal).Measure(watched.Journal.Bytes)
	o.Budgets.Of(budget.DataRows).Measure(func() int64 {
		limited, cancel := context.WithTimeout(context.Background(), askPatience)
		defer cancel()
		return s.live.DataRows(limited)
	})
	s.live.OnReplaced(files.ForgetAll)
	s.live.OnEmptied(func(key string) { watched.Journal.Clear(journal.Filter{Key: key}) })
	exportAPI, err := exportapi.New(exportapi.Config{
		Library: o.Library, Errors: tables, Store: o.Store, Live: s.live, Keys: o.Keys, Files: files, Planner: o.Planner,
		Progress: o.Progress, Scenario: o.Scenario, Random: o.Random, Sleep: o.Sleep, Downloads: o.Downloads,
	})
	if err != nil {
		return nil, err
	}
	access := auth.NewAccess(o.ControlToken, o.Hosts)
	s.control, err = control.New(control.Config{
		Library: o.Library, Errors: tables, Store: o.Store, Live: s.live, Keys: o.Keys, Access: access, Files: files,
		Watched: watched, PublicURL: o.Downloads.PublicURL, Full: room.lacking, Logger: o.Logger, Budgets: o.Budgets,
	})
	if err != nil {
		return nil, err
	}
	config := pages.Config{
		Library: o.Library, Live: s.live, Server: s.transport, Web: o.Web, Example: o.Example, ControlToken: access.AsksForToken(),
		PublicURL: o.Downloads.PublicURL, Random: o.Random, Started: watched.Started,
	}
	if o.Document != nil {
		config.Document = func() ([]byte, error) { return o.Document(o.Library, s.Routes()) }
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
	if err := files.SelfCheck(o.Library, o.Planner, s.Now()); err != nil {
		return nil, err
	}
	s.transport.Serve(slices.Concat(exporting, []*httpd.Route{exportAPI.FileRoute()}, s.pages.Routes(), controlling, s.pages.DocumentRoutes(), s.pages.SchemaRoutes()), s.pages.Files())
	return s, nil
}

// openState opens what the server remembers.
func openState(o Options) (*live.State, error) {
	random := make([]byte, 40)
	if _, err := io.ReadFull(o.Random, random); err != nil {
		return nil, fmt.Errorf("drawing the key for links: %w", err)
	}
	people, err := o.Planner.World()
	if err != nil {
		return nil, err
	}
	// Opening is quick and must not be given up halfway, so it has no deadline.
	return live.Open(context.Background(), live.Options{
		Store: o.Store, People: people, Secret: random[:32], Nonce: binary.BigEndian.Uint64(random[32:]),
		Now: o.Now, StartAt: o.StartAt, Budgets: o.Budgets, Data: o.Data, Blocks: o.Blocks, Mode: o.DataMode, Library: o.Library, Logger: o.Logger,
	})
}

// shortage remembers when a write last found no room. A full disk may have room
// for the small write of a readiness probe, and none for an export.
type shortage struct {
	now  func() time.Time
	last atomic.Pointer[time.Time]
}

// shortageDoubt is for how long a server is not ready after a write found no
// room: if it still has none, the next write says so.
const shortageDoubt = 5 * time.Second

// lacking tells whether a write has found no room a moment ago.
func (s *shortage) lacking() bool {
	last := s.last.Load()
	return last != nil && s.now().Sub(*last) < shortageDoubt
}

// explain is what a client is told of an error, and notes a lack of room.
func (s *shortage) explain(err error) *exports.Refusal {
	if errors.Is(err, store.ErrFull) {
		now := s.now()
		s.last.Store(&now)
	}
	return explain(err)
}

// explain is what a client is told of a store that cannot do its work.
func explain(err error) *exports.Refusal {
	var exceeded *budget.ExceededError
	switch {
	case errors.As(err, &exceeded) && exceeded.Budget.Sent && !exceeded.Busy:
		return exports.Refuse(exports.MalformedParameter, "%v", exceeded)
	case errors.As(err, &exceeded) && exceeded.Busy:
		return exports.RefuseOutage("%v; send the request again", exceeded)
	case errors.As(err, &exceeded):
		return exports.Refuse(exports.MaintenanceError, "%v", exceeded)
	case errors.Is(err, budget.ErrDeadline):
		return exports.Refuse(exports.MaintenanceError, "%v", err)
	case errors.Is(err, store.ErrFull):
		return exports.RefuseOutage("the state of the server cannot grow, because its disk is full; nothing was changed, and nothing is lost: make room and send the request again")
	case errors.Is(err, store.ErrReadOnly):
		return exports.RefuseOutage("the state of the server can only be read at present; nothing was changed: send the request again when it can be written; the reason is in the log of the server")
	case errors.Is(err, store.ErrAway):
		return exports.RefuseOutage("the database of the server does not answer; send the request again when it does; the reason is in the log of the server")
	}
	return nil
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

// Now is what the global clock shows.
func (s *Server) Now() time.Time { return s.live.Now() }

// OpenAPI is the API document of the server at an address, as JSON.
func (s *Server) OpenAPI(address string) ([]byte, error) {
	return s.pages.OpenAPI(address)
}

// Drain ends what would go on for ever: event streams, and requests that wait
// for others. New ones end at once.
func (s *Server) Drain() { s.control.Drain() }

// ServeHTTP answers one request.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.transport.ServeHTTP(w, r) }
