package exportapi

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/auth"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/files"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/live"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/schemas"
	"github.com/rehearsal-sdk/rehearsal/schemas/acceptor"
)

// Config is what an API works with. All fields are needed unless they say otherwise.
type Config struct {
	Library *schemas.Library
	Errors  httpd.ErrorTables
	Store   store.Store
	Live    *live.State
	Keys    *auth.Keys
	Files   *files.Files
	Planner exports.Planner
	// Progress is that of exports whose request says nothing else.
	Progress exports.Progress
	// Scenario is in force wherever no other one says something else; the zero value forces nothing.
	Scenario exports.Scenario
	// Random makes identifiers. It is safe for concurrent use.
	Random io.Reader
	Logger *slog.Logger
	// Sleep waits for latencies, in real time.
	Sleep     func(context.Context, time.Duration) error
	Downloads Downloads
	Callbacks *Callbacks
	// CallbackHosts are hosts beside this machine that callbacks may go to.
	CallbackHosts []string
}

// Downloads say how files are sent. The zero value sends them as they are, under the address that the client used.
type Downloads struct {
	// PublicURL is the address that links carry, such as "https://mock.example"; empty means the address the client used.
	PublicURL string
	// FilesURL is the origin that serves files, and nothing else, such as "https://files.example"; empty means that of the API.
	FilesURL string
	// Gzip compresses files for clients that ask for it.
	Gzip bool
	// RefuseAuthorization refuses requests for files that carry a header with credentials, as object stores do.
	RefuseAuthorization bool
}

// API answers the export API. It is safe for concurrent use.
type API struct {
	Config
	acceptors map[string]func() *acceptor.Acceptor // by request schema
	documents sync.Pool                            // of *acceptor.Document
	latencies latencies
	spoken
	writers
}

// spoken is how the interfaces speak, and their routes.
type spoken struct {
	dialect exports.Dialect
	// lookups are the routes that look one export up, downloads those that redirect to a file, by interface.
	lookups, downloads map[string]*httpd.Route
	// credentials are the headers that carry credentials.
	credentials []string
}

// New checks what the schemas and the default scenario say.
func New(config Config) (*API, error) {
	a := &API{
		Config: config, acceptors: acceptorsOf(config.Library),
		documents: sync.Pool{New: func() any { return new(acceptor.Document) }},
		latencies: latencies{seed: config.Planner.Seed},
		spoken:    spoken{dialect: exports.DialectOf(config.Library), lookups: map[string]*httpd.Route{}, downloads: map[string]*httpd.Route{}},
	}
	for _, its := range a.dialect {
		if fault := a.callbackFault(its.Callback); its.Callback != "" && fault != "" {
			return nil, &schemas.FileError{File: its.File, Pointer: "/x-interface/callback", Message: fault}
		}
		if !slices.Contains(a.credentials, its.Headers.Credential) {
			a.credentials = append(a.credentials, its.Headers.Credential)
		}
	}
	slices.Sort(a.credentials)
	for _, table := range config.Errors {
		if err := table.CheckScenario("the default scenario", config.Scenario); err != nil {
			return nil, err
		}
	}
	return a, nil
}

// handler answers a request that has passed the checks that all routes share.
type handler func(*request) (httpd.Response, error)

// endpoint is a handler behind these checks, in their order.
func (a *API) endpoint(handle handler) httpd.Handler {
	return func(received *httpd.Request) (answer httpd.Response, err error) {
		r := &request{Request: received}
		defer a.release(r)
		r.Entry.Doubts.Placeholders = r.placeholders()
		if err := a.authenticate(r); err != nil {
			if r.Route.Credential == httpd.CompanyKey {
				noteUnknown(r)
			}
			return httpd.Response{}, err
		}
		if r.caller.Owner != "" {
			r.Entry.SetKey(r.caller.Owner)
		}
		if r.Route.Creates() && !r.caller.Enterprise {
			return httpd.Response{}, exports.Refuse(exports.APIMisuse,
				"exports are available only on the enterprise plan, and this key is not on it")
		}
		if err := a.Live.Refresh(r.Context()); err != nil {
			return httpd.Response{}, err
		}
		entry := r.Entry
		for range mostRaces {
			r.found, r.made, r.Fault, r.Entry = found{}, made{epoch: a.Live.Epoch(), emptied: a.Live.Emptied()}, exports.Answer{}, entry
			var refused *exports.Refusal
			if answer, err = a.inState(r, handle); err == nil || errors.As(err, &refused) && refused.Name != exports.MaintenanceError {
				break
			}
			if replaced, fault := a.Live.Replaced(r.Context(), r.made.epoch, r.made.emptied); !replaced || fault != nil {
				break
			}
		}
		return answer, err
	}
}

// mostRaces is how often a request begins anew because the whole state was replaced, or its key emptied, meanwhile.
const mostRaces = 100

// inState answers a request in the present state. An error that no request caused may be due to the replacement of the state by another.
func (a *API) inState(r *request, handle handler) (httpd.Response, error) {
	a.readClock(r)
	if err := a.resolve(r); err != nil {
		return httpd.Response{}, err
	}
	if done, err := a.applyForced(r); done {
		a.noteForced(r)
		return httpd.Response{}, err
	}
	if r.Malformed != nil {
		return httpd.Response{}, r.Malformed
	}
	return handle(r)
}

// authenticate finds out who calls, by the credential the route asks for. A signed link is its own credential: its handler checks it.
func (a *API) authenticate(r *request) (err error) {
	its := &r.Route.Interface
	switch r.Route.Credential {
	case httpd.CompanyKey:
		r.caller, err = a.Keys.Application(r.Header, its.Headers, r.Variables[its.KeyVariable])
	case httpd.ProjectToken:
		r.caller, err = a.Keys.Project(r.Header, its.Headers)
	}
	return err
}

// readClock reads the clock of the key of a request, or, behind a link, of the key that made the export.
func (a *API) readClock(r *request) {
	key := r.caller.Owner
	if r.Route.Credential == httpd.SignedLink {
		if record := a.about(r); record != nil {
			key = record.Owner
		}
	}
	r.Now = a.Live.NowOf(key)
}

// baseURL is the address under which a client finds the server.
func (a *API) baseURL(r *request) string {
	return httpd.BaseURL(r.Request.Request, a.Downloads.PublicURL)
}

// link is a new link to a file.
func (a *API) link(r *request, name string) string {
	base := cmp.Or(strings.TrimSuffix(a.Downloads.FilesURL, "/"), a.baseURL(r))
	return files.Link(base, name, a.Live.SignLink(name, r.Now.Add(time.Duration(r.Route.Interface.Files.LinkLifetime))))
}
