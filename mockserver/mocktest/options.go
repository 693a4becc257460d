package mocktest

import (
	"io/fs"
	"log/slog"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/demo"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/texture"
)

// The demo credentials, which a mock accepts unless Options say otherwise.
const (
	// CompanyKey is the company REST API key, of the header X-Authorization.
	CompanyKey = demo.CompanyKey
	// LiveKey and DevKey are application API keys, of legacy paths.
	LiveKey = demo.LiveKey
	DevKey  = demo.DevKey
	// ProjectKey is the project key, of the header X-Service-Project, and Token
	// the bearer token that opens it.
	ProjectKey = demo.ProjectKey
	Token      = demo.Token
)

// Defaults of Options.
const (
	// DefaultProgress ends an export with its third lookup: a client sees
	// CREATED, PENDING and the end, and no test waits.
	DefaultProgress = "polls:3"
	// DefaultProfiles is a population that is quick to write.
	DefaultProfiles = 500
)

// Lints says what becomes of findings when the test ends.
type Lints int

const (
	// Fail fails the test for errors, and logs warnings. It is the default.
	Fail Lints = iota
	// FailOnWarnings fails the test for warnings, too.
	FailOnWarnings
	// Log only logs.
	Log
	// Ignore does nothing.
	Ignore
)

// Options say what the mock is like. The zero value is ready to use, at the real
// time: see Now.
type Options struct {
	// Now is what the clock of the mock shows. It stands still there until the
	// test moves it, and every run of the test sees the same files. The zero
	// time lets it show the real time, and run, as the program does without
	// --now: a test that then expects certain rows or dates fails on some days.
	// One line makes all days the same:
	//
	//	Now: time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC),
	Now time.Time
	// Progress says how exports go from CREATED to their end: "now",
	// "time:2s", "polls:3" or "manual"; empty means DefaultProgress.
	Progress string
	// Scenarios are set from the start.
	Scenarios []Scenario
	// Lints says what becomes of findings about the client when the test ends;
	// the zero value is Fail.
	Lints Lints
	// Allow lists codes of lints that the test provokes, such as
	// "dead_link_used".
	Allow []string
	// PollInterval is how far apart lookups of an unfinished export should be;
	// 0 means a second, a negative one allows any.
	PollInterval time.Duration

	// Seed chooses the synthetic population, Profiles is its size; 0 means
	// DefaultProfiles.
	Seed     uint64
	Profiles int64
	// Texture is how awkward values are: "tidy", "realistic" or "hostile"; empty
	// means realistic. Arrival is how rows arrive (see [mockserver.Options]).
	Texture, Arrival string
	// Data is the dataset (see [mockserver.Options]), DataMode "mixed" or "only".
	Data     fs.FS
	DataMode string
	// Replay is a recording (see [mockserver.Options]). A test that moves the clock begins with Now
	// at the time of the recording, or leaves Now alone.
	Replay fs.FS
	// Schemas replaces or adds schema files.
	Schemas fs.FS
	// Credentials are the accepted keys; the zero value means the demo keys.
	Credentials mockserver.Credentials
	// PartSize is the largest part of a profile export in bytes.
	PartSize int64
	// Gzip compresses downloads for clients that accept it.
	Gzip bool
	// RefuseAuthorization refuses downloads that carry credentials.
	RefuseAuthorization bool
	// State is where exports are kept; nil means in memory. Package
	// mockserver/state has the others: state.At("rehearsal.db").
	State mockserver.State
	// Logger gets what an operator should know; nil discards it.
	Logger *slog.Logger
}

func (o Options) server() mockserver.Options {
	if o.Progress == "" {
		o.Progress = DefaultProgress
	}
	if o.Profiles == 0 {
		o.Profiles = DefaultProfiles
	}
	return mockserver.Options{
		World: mockserver.World{Texture: texture.Level(o.Texture)}, Arrival: o.Arrival,
		State: o.State, Seed: o.Seed, Profiles: o.Profiles, Data: o.Data, DataMode: o.DataMode, Replay: o.Replay, Schemas: o.Schemas,
		Progress:    o.Progress,
		Credentials: o.Credentials, PartSize: o.PartSize, Gzip: o.Gzip, RefuseAuthorization: o.RefuseAuthorization, StartAt: o.Now,
		Logger: o.Logger,
	}
}
