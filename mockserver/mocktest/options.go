package mocktest

import (
	"cmp"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/demo"
)

// The demo credentials, which a mock accepts unless Options say otherwise.
const (
	// CompanyKey is the company REST API key, of the header X-Authorization.
	CompanyKey = demo.CompanyKey
	// LiveKey and DevKey are application API keys, of legacy paths.
	LiveKey = demo.LiveKey
	DevKey  = demo.DevKey
	// ProjectKey is the project key, of the header X-Service-Project, and Token the bearer token that opens it.
	ProjectKey = demo.ProjectKey
	Token      = demo.Token
)

// Defaults of Options.
const (
	// DefaultProgress ends an export with its third lookup: a client sees CREATED, PENDING and the end, and no test waits.
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

// Options say what the mock is like. The zero value is ready to use, at the real time: see Now.
type Options struct {
	// Now is what the clock of the mock shows. It stands still there until the test moves it, and every run of the test sees the same
	// files. The zero time lets it show the real time, and run, as the program does without
	// --now: a test that then expects certain rows or dates fails on some days.
	// One line makes all days the same:
	//
	//	Now: time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC),
	Now time.Time
	// Scenarios are set from the start.
	Scenarios []Scenario
	// Lints says what becomes of findings about the client when the test ends; the zero value is Fail.
	Lints Lints
	// Allow lists codes of lints that the test provokes, such as "dead_link_used".
	Allow []string
	// PollInterval is how far apart lookups of an unfinished export should be; 0 means a second, a negative one allows any.
	PollInterval time.Duration

	// Server are the options of the server, such as a dataset, schemas and credentials. StartAt is Now. An
	// empty Progress is DefaultProgress, and 0 Profiles are DefaultProfiles.
	Server mockserver.Options
}

// server returns the options of the server.
func (o Options) server() mockserver.Options {
	s := o.Server
	s.StartAt, s.Progress, s.Profiles = o.Now, cmp.Or(s.Progress, DefaultProgress), cmp.Or(s.Profiles, DefaultProfiles)
	return s
}
