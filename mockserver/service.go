package mockserver

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
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
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/hub"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/live"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/metrics"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/openapi"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pages"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/recording"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/memory"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// service answers by one set of options, until a reload puts another in its place.
type service struct {
	*settings
	library   *schemas.Library
	errors    httpd.ErrorTables
	retention map[string]time.Duration // by interface
	dataset   live.Dataset
	recorded  *recording.Replay
	replay    *exportapi.Replay

	files     *files.Files
	transport *httpd.Server
	control   *control.API
	exporting *exportapi.API
	pages     *pages.Pages
	handler   http.Handler
	running   sync.WaitGroup // requests
}

// compile reads the files that options name, and checks what they say together.
func (o *settings) compile() (s *service, err error) {
	s = &service{settings: o, retention: map[string]time.Duration{}}
	if s.library, err = openLibrary(o.Schemas); err != nil {
		return nil, err
	}
	if err := rows.CheckSettings(s.library, o.World); err != nil {
		return nil, &OptionError{"world", err}
	}
	if s.errors, err = httpd.ReadErrorTables(s.library); err != nil {
		return nil, err
	}
	for _, its := range exports.DialectOf(s.library) {
		if err := o.keys.Check(its); err != nil {
			return nil, &OptionError{"credentials", err}
		}
		if kept := cmp.Or(o.Retention, its.Retention); kept > 0 {
			s.retention[its.Name] = kept
		}
	}
	if o.Replay != nil {
		if s.recorded, err = recording.Open(o.Replay, recording.Moving{Windows: windowsOf(s.library), Ignore: o.ReplayIgnore}); err != nil {
			return nil, fmt.Errorf("replay: %w", err)
		}
		if o.StartAt.IsZero() {
			o.StartAt = s.recorded.Began()
		}
	}
	settings := o.World
	settings.Texture = settings.Texture.OrDefault()
	people, err := world.New(o.Seed, o.Profiles, settings)
	if err != nil {
		return nil, err
	}
	s.dataset = live.Dataset{People: people, Library: s.library, Files: o.Data, Mode: dataset.Mode(o.DataMode)}
	return s, nil
}

// windowsOf lists the members of payloads that begin or end a window, as JSON Pointers.
func windowsOf(library *schemas.Library) (pointers []string) {
	for _, export := range library.Exports() {
		for _, role := range []string{"from", "to"} {
			if path := export.Roles[role]; path != nil {
				pointers = append(pointers, "/"+strings.Join(path, "/"))
			}
		}
	}
	slices.Sort(pointers)
	return slices.Compact(pointers)
}

// end waits for the requests that are running, and ends what goes on for none.
func (o *service) end() {
	o.control.Drain()
	o.running.Wait()
	o.files.Close()
}

// open opens what outlives a reload.
func (s *Server) open(o *settings) (err error) {
	if s.budgets, err = budget.New(o.limits); err != nil {
		return err
	}
	// Opening is quick and must not be given up halfway, so it has no deadline.
	ctx := context.Background()
	s.blocks = blocks.Memory()
	if o.DataDisk != nil {
		s.blocks = o.DataDisk(s.budgets.Of(budget.Disk))
	}
	s.store = memory.NewWith(s.blocks)
	if o.State != nil {
		if s.store, err = o.State(ctx); err != nil {
			return fmt.Errorf("state: %w", err)
		}
	}
	if bounded, is := s.store.(interface{ Limit(*budget.Budget) }); is {
		bounded.Limit(s.budgets.Of(budget.Exports))
	}
	s.connections = httpd.NewConnections(s.budgets.Of(budget.Connections))
	s.watched = control.Watched{
		Journal: journal.New(o.JournalSize, s.budgets.Of(budget.Journal).Limit()), Metrics: new(metrics.Server),
		Started: o.Now(), Version: o.Version, Reloads: new(control.Reloads),
	}
	s.callbacks = exportapi.NewCallbacks(s.watched.Journal, o.Now, func() (*exportapi.API, func()) {
		service := s.current()
		return service.exporting, service.running.Done
	})
	s.budgets.Of(budget.Journal).Measure(s.watched.Journal.Bytes)
	return nil
}

// remember reads what the state holds, for the first service.
func (s *Server) remember(first *service) (err error) {
	if s.retains = len(first.retention) > 0; s.retains {
		s.store = store.Retain(s.store, s.isOld)
	}
	s.live, err = live.Open(context.Background(), live.Options{
		Store: s.store, Dataset: first.dataset, Random: first.Random, Now: first.Now, StartAt: first.StartAt,
		Blocks: s.blocks, Logger: first.Logger, Budgets: s.budgets,
	})
	if err != nil {
		return err
	}
	s.live.OnReplaced(func() {
		s.forget(func(s *service) { s.files.ForgetAll(); s.replay.Forget("") })
		s.callbacks.Resume()
	})
	s.live.OnEmptied(func(key string) {
		s.watched.Journal.Clear(journal.Filter{Key: key})
		s.forget(func(s *service) { s.files.ForgetOwned(key); s.replay.Forget(key) })
	})
	s.budgets.Of(budget.DataRows).Measure(func() int64 {
		limited, cancel := context.WithTimeout(context.Background(), askPatience)
		defer cancel()
		return s.live.DataRows(limited)
	})
	var bits [5]byte
	if _, err := io.ReadFull(first.Random, bits[:]); err != nil {
		return fmt.Errorf("drawing identifiers for requests: %w", err)
	}
	s.prefix = hex.EncodeToString(bits[:]) + "-"
	s.hub, err = hub.New(hub.Config{Now: first.Now, Random: first.Random})
	return err
}

// askPatience is how long the store may take to say how large the dataset is.
const askPatience = 2 * time.Second

// forget lets the service forget something.
func (s *Server) forget(what func(*service)) {
	service := s.current()
	defer service.running.Done()
	what(service)
}

// isOld reports whether an export is forgotten, by the clock of its key.
func (s *Server) isOld(record *exports.Record) bool {
	s.lock.RLock()
	service := s.service
	s.lock.RUnlock()
	if service == nil { // nothing is old before there are clocks
		return false
	}
	kept, ends := service.retention[record.Interface]
	old := ends && s.live.NowOf(record.Owner).Sub(record.CreatedAt) >= kept
	if old {
		service.files.Forget(record.ID)
	}
	return old
}

// assemble builds the handlers of a service and checks that the schemas say everything they need.
func (s *Server) assemble(o *service) error {
	most := s.budgets.Of(budget.Body).Limit()
	o.transport = httpd.New(httpd.Config{
		Errors: o.errors, Journal: s.watched.Journal, Metrics: s.watched.Metrics, Logger: o.Logger, Now: o.Now, Sleep: o.Sleep,
		IDPrefix: s.prefix, Explain: s.live.Explain, Ended: s.live.Ended, Secret: o.keys.IsSecret, LargestBody: int(most), Admit: o.edge.Check,
		Clock: func(key string) (time.Time, bool) { shown := s.live.Clock(key); return shown.Now, shown.Frozen },
	})
	replaying := exportapi.Replaying{PublicURL: o.PublicURL, Largest: most, Strict: o.ReplayStrict, Now: o.Now}
	o.replay = exportapi.NewReplay(o.recorded, s.live, replaying)
	o.files = files.New(o.library, s.budgets, s.live.Directory, o.Logger)
	o.files.UseData(func(generation int64) (*dataset.Snapshot, error) {
		return s.live.DataAt(context.Background(), generation)
	})
	exporting, err := exportapi.New(exportapi.Config{
		Callbacks: s.callbacks, CallbackHosts: o.CallbackHosts,
		Library: o.library, Errors: o.errors, Store: s.store, Live: s.live, Keys: o.keys, Files: o.files, Planner: o.planner,
		Progress: o.progress, Scenario: o.scenario, Random: o.Random, Logger: o.Logger, Sleep: o.Sleep,
		Downloads: exportapi.Downloads{PublicURL: o.PublicURL, FilesURL: o.FilesURL, Gzip: o.Gzip, RefuseAuthorization: o.RefuseAuthorization},
	})
	if err != nil {
		if errors.As(err, new(*schemas.FileError)) {
			return err
		}
		return &OptionError{"scenario", err}
	}
	o.exporting = exporting
	watched := s.watched
	watched.Server = o.transport
	if o.control, err = control.New(control.Config{
		Library: o.library, Errors: o.errors, Store: s.store, Live: s.live, Keys: o.keys,
		Access: auth.NewAccess(o.ControlToken.Reveal(), o.edge.Hosts), Edge: o.edge, Hub: s.hub,
		Files: o.files, Watched: watched, PublicURL: o.PublicURL, Logger: o.Logger, Budgets: s.budgets,
	}); err != nil {
		return err
	}
	if o.pages, err = pages.New(pages.Config{
		Library: o.library, Server: o.transport, Web: o.Web, PublicURL: o.PublicURL, Started: s.watched.Started,
		Document: func(edition pages.Edition) ([]byte, error) {
			return openapi.Build(o.library, o.transport.Routes(), edition)
		},
	}); err != nil {
		return err
	}
	if err := o.serve(exporting); err != nil {
		return err
	}
	return o.files.SelfCheck(o.library, o.planner, s.Now())
}

// serve puts the routes together.
func (o *service) serve(exporting *exportapi.API) error {
	routes, err := exporting.Routes()
	if err != nil {
		return err
	}
	controlling, err := o.control.Routes()
	if err != nil {
		return err
	}
	behind := o.pages.Files()
	behind.Unrouted = exporting.NoteUnrouted
	o.transport.Serve(slices.Concat(o.replay.Before(routes), []*httpd.Route{exporting.FileRoute()}, o.pages.Routes(), controlling,
		o.pages.DocumentRoutes(), o.pages.SchemaRoutes()), behind)
	o.handler = below(o.PublicURL, o.edge.Origins.Share(o.transport, exports.DialectOf(o.library)))
	return nil
}

// below answers under the path of the public address as well: a proxy before the server may take it off, or leave it.
func below(publicURL string, handler http.Handler) http.Handler {
	base := httpd.BasePath(publicURL)
	if base == "" {
		return handler
	}
	within := http.StripPrefix(base, handler)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if strings.HasPrefix(r.URL.Path, base+"/") {
			within.ServeHTTP(w, r)
			return
		}
		handler.ServeHTTP(w, r)
	})
}
