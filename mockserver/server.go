package mockserver

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/arrival"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/auth"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exportapi"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/openapi"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pages"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/server"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/memory"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Defaults of Options.
const (
	DefaultProfiles = 10_000
	DefaultProgress = "time:2s"
	DefaultPartSize = 100 << 20
	// DefaultJournalSize is the size of the journal, in requests.
	DefaultJournalSize = journal.DefaultSize
)

// MaxProfiles is the largest population. Beyond 34,500 profiles some share a
// telephone number; nothing else repeats.
const MaxProfiles = 1_000_000_000

// MinRetention is the shortest retention: shorter ones would forget an export
// before its link has expired.
const MinRetention = time.Hour

// MaxPartSize is the largest part of a profile export, in bytes.
const MaxPartSize = 1 << 40

// MaxJournalSize is the largest journal, in requests.
const MaxJournalSize = 1_000_000

// Options configure a Server. The zero value is ready to use.
type Options struct {
	// State is where export requests are kept; nil means in memory. Package
	// mockserver/state has the others: state.At of the path of an SQLite file, or
	// of the address of a PostgreSQL database. Servers with one database are one
	// service: they share exports, clocks, scenarios, rate limits, the dataset
	// and the key for links. Their other options should be the same. The journal and
	// the metrics stay with each.
	State State
	// Seed chooses the synthetic population. 0 is a seed like any other.
	Seed uint64
	// Profiles is the size of the population when all have come, up to
	// MaxProfiles; 0 means DefaultProfiles. Nine in ten of them were there at the
	// end of 2025, and half of the rest come in each two years.
	Profiles int64
	// World shapes the population and what is sent to it.
	World World
	// Arrival is how the events that devices tell arrive: "none", all on time, or
	// "late:SHARE,UP-TO", such as "late:0.03,72h", a share of them up to so much
	// later, so that the file of a window that is asked for again has more rows.
	// Empty means none.
	Arrival string
	// Data is the directory of a dataset, rows shown in addition to the synthetic ones: profiles.csv, installations.ndjson,
	// events.json and the like (see docs/how-to/load-a-dataset.md). nil means none. A State that
	// has loaded the same files before keeps what was loaded since; with other
	// files, it begins again with these.
	Data fs.FS
	// Replay is the directory of a recording, as proxy --record writes it: requests that it
	// has an answer to get that, byte for byte, and only the others are answered out of the
	// world. Without StartAt the clock begins with the recording. nil means none. See
	// docs/how-to/record-and-replay.md
	Replay fs.FS
	// DataDisk is where a dataset keeps what does not fit into a few megabytes of
	// memory; nil is in memory too. Package mockserver/state has one: state.Disk.
	DataDisk DataDisk
	// DataMode is "mixed", for the dataset together with the synthetic rows, or "only", for
	// the dataset alone; empty means what the State remembers, or else "mixed".
	DataMode string
	// Schemas replaces or adds schema files (export API payloads and outputs);
	// nil means the embedded ones alone.
	Schemas fs.FS
	// Progress says how exports go from CREATED to their end: "now",
	// "time:2s", "polls:3", "manual" or "stuck"; empty means DefaultProgress.
	Progress string
	// Scenario is in force wherever no other scenario says something else, in
	// the form of the header X-Mock-Scenario, such as "latency=200ms"; empty
	// forces nothing.
	Scenario string
	// Sleep waits for the latencies and slow answers of scenarios; nil waits in
	// real time. It returns early with the error of the context.
	Sleep func(context.Context, time.Duration) error
	// Credentials are the accepted keys; the zero value means
	// DemoCredentials().
	Credentials Credentials
	// PartSize is the largest part of a profile export in bytes; 0 means
	// DefaultPartSize.
	PartSize int64
	// ControlToken is the bearer token that the paths under /_mock/ ask for:
	// visible ASCII characters without blanks. With one they answer from any
	// machine; empty means that they ask for none and answer to clients on the
	// same machine only.
	ControlToken string
	// Hosts are further names, such as "mock.test", under which the server
	// answers. On a loopback listener it answers to known names only, so that no
	// web page reads it by DNS rebinding: IP addresses, localhost, names under
	// .localhost and .internal, the name of the machine, the host of PublicURL and
	// these. On other listeners, and where a request came over none, empty means
	// any name; otherwise these limit the server to known names there as well.
	// See [Listener].
	Hosts []string
	// CORS are the origins, such as "http://localhost:5173", whose web pages may
	// use the server, or "*" alone for all. Without a ControlToken the paths under
	// /_mock/ stay closed to them. Empty allows none.
	CORS []string
	// PublicURL is the address that links carry, such as
	// "https://mock.example"; empty means the address the client used.
	PublicURL string
	// Gzip compresses downloads for clients that accept it. A compressed file
	// has no Content-Length and no ranges.
	Gzip bool
	// FilesURL is the origin that links to files name and that serves files
	// alone, such as "https://files.example", as object stores do. Its listener
	// needs the context of [FilesListener]. Empty serves files beside the API.
	FilesURL string
	// RefuseAuthorization refuses downloads that carry a header with credentials,
	// such as Authorization or X-Authorization, as object stores do: it finds clients
	// that send their credentials on when a redirect leads to a file.
	RefuseAuthorization bool
	// Web is a built web page, shown at "/": index.html and what it needs.
	// Files under assets/ may be kept forever by browsers, so their names have
	// to change with their content. nil shows a plain page with commands to try.
	Web fs.FS
	// StartAt is what the clock shows at first, as if it were set to it (see
	// POST /_mock/clock): from 2000 to 9989. The zero time means the real
	// time, or what the clock of a State shows that was used before.
	StartAt time.Time
	// Now is the clock under the virtual clock; nil means time.Now.
	Now func() time.Time
	// Random makes identifiers and the key that signs links; nil means
	// crypto/rand.
	Random io.Reader
	// JournalSize is how many requests of clients the journal holds (see GET
	// /_mock/journal), about a kilobyte each; 0 means DefaultJournalSize.
	JournalSize int
	// Retention is the age, by the clock of its key, at which an export request is
	// forgotten: it answers as one that never was, and its record is deleted. 0
	// keeps all, unless their interface says otherwise; otherwise it is at least
	// MinRetention.
	Retention time.Duration
	// Budgets limit what the server may use: memory, processors, disk,
	// connections. 0 is the default of each.
	Budgets Budgets
	// Version is what /_mock/health says of the version of the program, such as "v1.2.3", so that clients can tell whether
	// they speak with a server of theirs. Empty says nothing.
	Version string
	// Logger gets what an operator should know; nil discards it.
	Logger *slog.Logger
}

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
	budgets, err := budget.New(options.Budgets)
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
		Replay:    options.Replay, Web: options.Web, Example: options.Credentials.example(), Version: options.Version, Document: openapi.Build,
	})
	if err != nil {
		return nil, errors.Join(err, state.Close(), kept.Close())
	}
	return &Server{blocks: kept, library: library, service: service, handler: allowOrigins(service, library, options.CORS, options.ControlToken != ""), store: state, connections: httpd.NewConnections(budgets.Of(budget.Connections))}, nil
}

// Now is what the clock of the server shows (see POST /_mock/clock), in UTC; over
// a state that several servers share, what it showed at the last request.
func (s *Server) Now() time.Time { return s.service.Now() }

// Check says what is wrong with options of the server that need neither its schemas nor its state.
func (o Options) Check() error {
	_, err := o.withDefaults()
	return err
}

func (o Options) withDefaults() (Options, error) {
	if o.Progress == "" {
		o.Progress = DefaultProgress
	}
	if o.Profiles < 0 || o.PartSize < 0 {
		return o, fmt.Errorf("profiles (%d) and part size (%d) must not be negative", o.Profiles, o.PartSize)
	}
	if o.JournalSize < 0 || o.JournalSize > MaxJournalSize {
		return o, fmt.Errorf("journal size is %d; it must be from 0, which means %d, to %d", o.JournalSize, DefaultJournalSize, MaxJournalSize)
	}
	if o.PartSize > MaxPartSize {
		return o, fmt.Errorf("part size is %d; a part has at most %d bytes", o.PartSize, int64(MaxPartSize))
	}
	if o.Retention != 0 && o.Retention < MinRetention {
		return o, fmt.Errorf("retention is %s; it must be 0, which keeps all, or at least %s", o.Retention, MinRetention)
	}
	if o.Profiles > MaxProfiles {
		return o, fmt.Errorf("profiles is %d; a population has at most %d", o.Profiles, MaxProfiles)
	}
	if o.Profiles == 0 {
		o.Profiles = DefaultProfiles
	}
	if o.PartSize == 0 {
		o.PartSize = DefaultPartSize
	}
	if strings.ContainsFunc(o.ControlToken, func(char rune) bool { return char <= ' ' || char > '~' }) {
		return o, errors.New("the control token must have visible ASCII characters only, no blanks")
	}
	for name, text := range map[string]string{"public": o.PublicURL, "files": o.FilesURL} {
		if address, err := url.Parse(text); text != "" && (err != nil || address.Host == "" || address.Scheme != "http" && address.Scheme != "https") {
			return o, fmt.Errorf("%s URL %q must be an address such as https://%s.example", name, text, name)
		}
	}
	for _, name := range o.Hosts {
		if err := auth.CheckHostName(name); err != nil {
			return o, fmt.Errorf("host %w", err)
		}
	}
	if err := checkOrigins(o.CORS); err != nil {
		return o, err
	}
	if len(o.Credentials.Companies) == 0 && !o.Credentials.Any {
		o.Credentials = DemoCredentials()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	return o, nil
}

// hosts are the names under which the server answers.
func (o Options) hosts() auth.Hosts {
	var machines []string
	if machine, err := os.Hostname(); err == nil {
		machines = append(machines, machine)
	}
	if public, err := url.Parse(o.PublicURL); err == nil {
		machines = append(machines, public.Hostname())
	}
	return auth.NewHosts(o.Hosts, machines)
}

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

// Schemas are the schema files that the server works with, those of
// Options.Schemas included. They say how its interfaces speak.
func (s *Server) Schemas() *schemas.Library { return s.library }

// OpenAPI is the API document of a server at an address: OpenAPI 3.1 as JSON,
// made from the routes and the schema files of this one. It is what
// /openapi.json answers. The same schemas give the same bytes.
func (s *Server) OpenAPI(address string) ([]byte, error) {
	return s.service.OpenAPI(pages.Editions()[0], address)
}

// OpenAPIDocuments are the names of the API documents: of everything and of the
// export API alone, as OpenAPI 3.1 and 3.0.
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
