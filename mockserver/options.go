package mockserver

import (
	"cmp"
	"context"
	"crypto/rand"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"net/url"
	"os"
	"strings"
	"sync"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/arrival"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/auth"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/secret"
)

// Defaults of Options.
const (
	DefaultProfiles = 10_000
	DefaultProgress = "time:2s"
	// DefaultJournalSize is the size of the journal, in requests.
	DefaultJournalSize = journal.DefaultSize
)

// MaxProfiles is the largest population. Beyond 34,500 profiles some share a telephone number; nothing else repeats.
const MaxProfiles = 1_000_000_000

// MinRetention is the shortest retention: shorter ones would forget an export before its link has expired.
const MinRetention = time.Hour

// MaxPartSize is the largest part of a profile export, in bytes.
const MaxPartSize = 1 << 40

// MaxJournalSize is the largest journal, in requests.
const MaxJournalSize = 1_000_000

// Secret is a text that never prints itself, in no log and no format.
type Secret = secret.Text

// Limits are what a server may use: Memory, Disk, Body, Connections and Rows, each of type int64. 0 means the default. What exceeds a
// limit is refused before the work, by name and number, and /_mock/metrics shows what is used.
type Limits = budget.Main

// Options configure a Server. The zero value is ready to use.
type Options struct {
	// State is where export requests are kept; nil means in memory. Package mockserver/state has the others: state.At of the path of a
	// file, or of the address of a PostgreSQL database. Servers with one database are one service: they share exports, clocks, scenarios,
	// rate limits, the dataset and the key for links. Their other options should be the same. The journal and the metrics stay with each.
	State State
	// Seed chooses the synthetic population. 0 is a seed like any other.
	Seed uint64
	// Profiles is the size of the population when all have come, up to MaxProfiles; 0 means DefaultProfiles. How many are there at a date
	// is in docs/explanation/world.md.
	Profiles int64
	// World shapes the population and what is sent to it.
	World World
	// Arrival is how rows arrive: "none", on time, once and in order, or parts of a scenario, separated by semicolons: "late:0.03,72h", a
	// share of the events that devices tell up to so much later, so that the file of a window that is asked for again has more rows;
	// "duplicates:0.003", "skew:0.005,12h" and "unordered". Empty means none.
	Arrival string
	// Data is the directory of a dataset, rows shown in addition to the synthetic ones: profiles.csv, installations.ndjson, events.json
	// and the like (see docs/how-to/load-a-dataset.md). nil means none. A State that has loaded the same files before keeps what was
	// loaded since; with other files, it begins again with these.
	Data fs.FS
	// Replay is the directory of a recording, as proxy --record writes it: requests that it has an answer to get that, byte for byte, and
	// only the others are answered out of the world. Without StartAt the clock begins with the recording. nil means none. See
	// docs/how-to/record-and-replay.md
	Replay fs.FS
	// ReplayStrict refuses a request that the recording has no answer to, instead of answering it out of the world.
	ReplayStrict bool
	// ReplayIgnore are members of payloads ("/from") and parameters ("?limit") that may differ from the recording.
	ReplayIgnore []string
	// DataDisk is where a dataset keeps what it derives; nil is in memory. Package mockserver/state has one: state.Disk.
	DataDisk DataDisk
	// DataMode is "mixed", for the dataset together with the synthetic rows, or "only", for
	// the dataset alone; empty means what the State remembers, or else "mixed".
	DataMode string
	// Schemas replaces or adds schema files (export API payloads and outputs); nil means the embedded ones alone.
	Schemas fs.FS
	// Progress says how exports go from CREATED to their end: "now",
	// "time:2s", "polls:3", "manual" or "stuck"; empty means DefaultProgress.
	Progress string
	// Scenario is in force wherever no other scenario says something else, in the form of the header X-Mock-Scenario, such as
	// "latency=200ms"; empty forces nothing.
	Scenario string
	// Sleep waits for the latencies and slow answers of scenarios; nil waits in
	// real time. It returns early with the error of the context.
	Sleep func(context.Context, time.Duration) error
	// Credentials are the accepted keys; the zero value means DemoCredentials().
	Credentials Credentials
	// PartSize is the largest part of a profile export in bytes; 0 means as the schema files say.
	PartSize int64
	// ControlToken is the bearer token that the paths under /_mock/ ask for: visible ASCII characters without blanks. With one they
	// answer from any machine; empty means that they ask for none and answer to clients on the same machine only.
	ControlToken Secret
	// Hosts are further names, such as "mock.test", under which the server answers. On a loopback listener it answers to known names
	// only, so that no web page reads it by DNS rebinding: IP addresses, localhost, names under .localhost, the name of the machine, the
	// host of PublicURL and these. On other listeners, and where a request came over none, empty means any name; otherwise these limit
	// the server to known names there as well. See [Listener].
	Hosts []string
	// CallbackHosts are further hosts that callbacks at the end of an export may go to. This machine is always one.
	CallbackHosts []string
	// CORS are the origins, such as "http://localhost:5173", whose web pages may use the server, or "*" alone for all. Without a
	// ControlToken the paths under /_mock/ stay closed to them. Empty allows none.
	CORS []string
	// PublicURL is the address that links carry, such as "https://mock.example"; empty means the address the client used.
	PublicURL string
	// Gzip compresses downloads for clients that accept it. A compressed file has no Content-Length and no ranges.
	Gzip bool
	// FilesURL is the origin that links to files name and that serves files alone, such as "https://files.example", as object stores do.
	// Its listener needs the context of [FilesListener]. Empty serves files beside the API.
	FilesURL string
	// RefuseAuthorization refuses downloads that carry a header with credentials, such as Authorization or X-Authorization, as object
	// stores do: it finds clients that send their credentials on when a redirect leads to a file.
	RefuseAuthorization bool
	// Web is a built web page, shown at "/": index.html and what it needs. Files under assets/ may be kept forever by browsers, so their
	// names have to change with their content. While it is empty, the page is waited for. nil shows a list of the routes.
	Web fs.FS
	// StartAt is what the clock shows at first, as if it were set to it (see POST /_mock/clock): from 2000 to 9989. The zero time means
	// the real time, or what the clock of a State shows that was used before.
	StartAt time.Time
	// Now is the clock under the virtual clock; nil means time.Now.
	Now func() time.Time
	// Random makes identifiers and the key that signs links; nil means crypto/rand.
	Random io.Reader
	// JournalSize is how many requests of clients the journal holds (see GET
	// /_mock/journal), about a kilobyte each; 0 means DefaultJournalSize.
	JournalSize int
	// Retention is the age, by the clock of its key, at which an export request is forgotten: it answers as one that never was, and its
	// record is deleted. 0 keeps all, unless their interface says otherwise; otherwise it is at least MinRetention.
	Retention time.Duration
	// Limits are what the server may use: memory, disk, connections. 0 is the default of each.
	Limits Limits
	// Version is what /_mock/health says of the version of the program, such as "v1.2.3", so that clients can tell whether
	// they speak with a server of theirs. Empty says nothing.
	Version string
	// Logger gets what an operator should know; nil discards it.
	Logger *slog.Logger
}

// OptionError says what is wrong with an option.
type OptionError struct {
	// Option is its name as a flag of the program, such as "part-size".
	Option string
	Err    error
}

func (e *OptionError) Error() string { return e.Option + ": " + e.Err.Error() }
func (e *OptionError) Unwrap() error { return e.Err }

func wrong(option, format string, arguments ...any) error {
	return &OptionError{option, fmt.Errorf(format, arguments...)}
}

// Check says what is wrong with options that can be told without schemas, files or state: an *OptionError.
func (o Options) Check() error {
	_, err := o.read()
	return err
}

// settings are options as they are used: with defaults, checked and read.
type settings struct {
	Options
	planner  exports.Planner
	progress exports.Progress
	scenario exports.Scenario
	keys     *auth.Keys
	edge     auth.Edge
	limits   budget.Limits
}

func (o Options) read() (*settings, error) {
	o.Progress, o.Profiles = cmp.Or(o.Progress, DefaultProgress), cmp.Or(o.Profiles, DefaultProfiles)
	if len(o.Credentials.Companies) == 0 && !o.Credentials.Any {
		o.Credentials = DemoCredentials()
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Sleep == nil {
		o.Sleep = sleep
	}
	if o.Random == nil {
		o.Random = rand.Reader
	}
	if o.Logger == nil {
		o.Logger = slog.New(slog.DiscardHandler)
	}
	switch {
	case o.Profiles < 0 || o.Profiles > MaxProfiles:
		return nil, wrong("profiles", "%d is not from 1 to %d", o.Profiles, MaxProfiles)
	case o.PartSize < 0 || o.PartSize > MaxPartSize:
		return nil, wrong("part-size", "%d bytes are not from 1 to %d", o.PartSize, int64(MaxPartSize))
	case o.JournalSize < 0 || o.JournalSize > MaxJournalSize:
		return nil, wrong("journal", "%d is not from 1 to %d", o.JournalSize, MaxJournalSize)
	case o.Retention != 0 && o.Retention < MinRetention:
		return nil, wrong("retention", "%s is neither 0, which keeps all, nor at least %s", o.Retention, MinRetention)
	case strings.ContainsFunc(o.ControlToken.Reveal(), func(char rune) bool { return char <= ' ' || char > '~' }):
		return nil, wrong("control-token", "must have visible ASCII characters only, no blanks")
	}
	for name, text := range map[string]string{"public-url": o.PublicURL, "files-url": o.FilesURL} {
		if address, err := url.Parse(text); text != "" && (err != nil || address.Host == "" || address.Scheme != "http" &&
			address.Scheme != "https") {
			return nil, wrong(name, "%q must be an address such as https://%s.example", text, strings.TrimSuffix(name, "-url"))
		}
	}
	for option, names := range map[string][]string{"host": o.Hosts, "callback-host": o.CallbackHosts} {
		for _, name := range names {
			if err := auth.CheckHostName(name); err != nil {
				return nil, &OptionError{option, err}
			}
		}
	}
	return o.parse()
}

// parse reads what options say in texts.
func (o Options) parse() (*settings, error) {
	s := &settings{Options: o, planner: exports.Planner{Seed: o.Seed, Profiles: o.Profiles, Settings: o.World, PartSize: o.PartSize},
		edge: auth.Edge{Hosts: o.hosts(), FilesURL: o.FilesURL, Public: o.PublicURL != ""}}
	for _, each := range []struct {
		option string
		read   func() error
	}{
		{"progress", func() (err error) { s.progress, err = exports.ParseProgress(o.Progress); return }},
		{"scenario", func() (err error) { s.scenario, err = exports.ParseScenario(o.Scenario); return }},
		{"world", func() (err error) {
			if o.Arrival == "" {
				return nil
			}
			if s.planner.Arrival, err = arrival.Parse(o.Arrival); err != nil {
				err = fmt.Errorf("arrival: %w", err)
			}
			return err
		}},
		{"credentials", func() (err error) { s.keys, err = o.Credentials.keys(); return }},
		{"data-mode", func() error { _, err := dataset.ParseMode(o.DataMode); return err }},
		{"cors", func() (err error) {
			s.edge.Origins, err = auth.NewOrigins(o.CORS, o.PublicURL, o.ControlToken != "")
			return
		}},
		{"limit", func() (err error) { s.limits, err = o.Limits.Limits(); return }},
	} {
		if err := each.read(); err != nil {
			return nil, &OptionError{each.option, err}
		}
	}
	return s, nil
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
