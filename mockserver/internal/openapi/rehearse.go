package openapi

import (
	"bytes"
	"context"
	"encoding/json"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/auth"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/clock"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exportapi"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pages"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/server"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/memory"
)

// The demo credentials, the same everywhere.
const (
	demoCompany, demoApplication = "rest_demo", "live_demo"
	demoProject, demoToken       = "project_demo", "token_demo"
	// smallCompany is not on the enterprise plan.
	smallCompany, smallApplication = "rest_small", "live_small"
	smallProject, smallToken       = "project_small", "token_small"
)

// exampleNow is a week after the dates that the schemas have as examples.
var exampleNow = time.Date(2026, 2, 7, 8, 30, 0, 0, time.UTC)

// mostPeople is the population of the examples: a file of a few rows is enough.
const mostPeople = 300

// player is a client that plays to a server of its own, and keeps what it sees.
type player struct {
	*builder
	ctx    context.Context
	server *server.Server
	clock  *clock.Clock
}

// rehearse plays a client to a server with the same schemas and the same
// population, and keeps what was asked and answered as examples.
func (d *builder) rehearse(ctx context.Context, planner exports.Planner) error {
	planner.Profiles = min(planner.Profiles, mostPeople)
	kept := memory.New()
	defer kept.Close()
	server, err := server.New(server.Options{
		Library: d.library, Store: kept, Keys: demoKeys(), Planner: planner,
		Random: rand.NewChaCha8([32]byte{1}), Logger: slog.New(slog.DiscardHandler),
		Now: func() time.Time { return exampleNow }, Downloads: exportapi.Downloads{PublicURL: pages.DocumentBase},
		Progress: exports.Progress{Mode: exports.ModeNow},
		Sleep:    func(context.Context, time.Duration) error { return nil },
	})
	if err != nil {
		return err
	}
	clock := server.Clocks().Global()
	clock.Freeze(true)
	p := &player{builder: d, ctx: ctx, server: server, clock: clock}
	p.exports()
	p.refusals()
	p.control()
	p.ends()
	return ctx.Err()
}

func demoKeys() *auth.Keys {
	keys := auth.NewKeys()
	keys.Printed = demoApplication
	company := keys.AddCompany(demoCompany, true)
	company.AddApplication(demoApplication, true)
	keys.AddProject(company, demoProject, []string{demoToken})
	small := keys.AddCompany(smallCompany, false)
	small.AddApplication(smallApplication, true)
	keys.AddProject(small, smallProject, []string{smallToken})
	return keys
}

// asked is one request; the zero value of a field means the usual thing.
type asked struct {
	route    *httpd.Route
	path     map[string]string // placeholders
	query    url.Values
	target   string // a whole link instead
	body     []byte
	media    string // of the body; empty is JSON
	scenario string
	accept   string
	bare     bool // without credentials
	small    bool // not on the enterprise plan
	header   [2]string
	far      bool // from another machine
}

// answered is what came back.
type answered struct {
	status int
	header http.Header
	body   []byte
}

func (a *answered) Header() http.Header { return a.header }
func (a *answered) WriteHeader(status int) {
	if a.status == 0 {
		a.status = status
	}
}
func (a *answered) Write(data []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	a.body = append(a.body, data...)
	return len(data), nil
}

func (a *answered) media() string { return a.header.Get("Content-Type") }

// value is the body as JSON; nil if it is none.
func (a *answered) value() any {
	value, err := parse(a.body)
	if err != nil {
		return nil
	}
	return value
}

// member is a text of a JSON answer.
func (a *answered) member(name string) string {
	body, _ := a.value().(object)
	return body.text(name)
}

// ask sends a request. One that cannot be made is answered by nothing: then
// there is one example less.
func (p *player) ask(q asked) *answered {
	got := &answered{header: http.Header{}}
	target := q.target
	if target == "" {
		target = p.fill(q.route.Path, q.path)
		if len(q.query) > 0 {
			target += "?" + q.query.Encode()
		}
	}
	r, err := http.NewRequestWithContext(p.ctx, q.route.Method, target, bytes.NewReader(q.body))
	if err != nil {
		return got
	}
	r.Host, r.RemoteAddr = "localhost:8080", "127.0.0.1:40000"
	if q.far {
		r.RemoteAddr = "192.0.2.7:40000"
	}
	if q.body != nil {
		r.Header.Set("Content-Type", orElse(q.media, "application/json"))
	}
	if !q.bare {
		p.sign(r, q)
	}
	for name, value := range map[string]string{"X-Mock-Scenario": q.scenario, "Accept": q.accept, q.header[0]: q.header[1]} {
		if value != "" {
			r.Header.Set(name, value)
		}
	}
	p.server.ServeHTTP(got, r)
	return got
}

// sign adds the credentials of a route.
func (p *player) sign(r *http.Request, q asked) {
	switch q.route.Credential {
	case httpd.CompanyKey:
		r.Header.Set("X-Authorization", choose(q.small, smallCompany, demoCompany))
	case httpd.ProjectToken:
		r.Header.Set("Authorization", "Bearer "+choose(q.small, smallToken, demoToken))
		r.Header.Set("X-Service-Project", choose(q.small, smallProject, demoProject))
	}
}

// fill puts values in the place of the placeholders of a path: those that are
// given, and examples of the others.
func (p *player) fill(path string, given map[string]string) string {
	for _, name := range exports.Placeholders(path) {
		value, is := given[name]
		if !is {
			schema, err := p.placeholderSchema(name)
			if err != nil {
				continue
			}
			value, _ = p.sample(schema).(string)
		}
		path = strings.Replace(path, "{"+name+"}", url.PathEscape(value), 1)
	}
	return path
}

func choose(first bool, a, b string) string {
	if first {
		return a
	}
	return b
}

func orElse(text, other string) string { return choose(text != "", text, other) }

// route finds a route by its name; nil if there is none.
func (p *player) route(name string) *httpd.Route {
	for _, route := range p.routes {
		if route.Name == name {
			return route
		}
	}
	return nil
}

// keep notes an answer as an example of its route, if it is one of success.
func (p *player) keep(q asked, got *answered, name, summary string) {
	if got.status != q.route.Status {
		return
	}
	if value := got.value(); value != nil {
		p.examples.add(q.route.Name, got.status, got.media(), name, summary, value)
	} else if len(got.body) > 0 {
		p.examples.add(q.route.Name, got.status, got.media(), name, summary, string(got.body))
	}
}

// payload is a body that asks for an export: the examples of its schema, with a
// window that ends now.
func (p *player) payload(file string) ([]byte, object) {
	schema, err := p.bundle.refer(file)
	if err != nil {
		return nil, nil
	}
	value, _ := p.sample(schema).(object)
	if value.get("from") != nil && value.get("to") != nil {
		value.set("to", "now")
	}
	return compact(value), value
}

func compact(value any) []byte {
	var text, short bytes.Buffer
	if encode(&text, value, "") != nil || json.Compact(&short, text.Bytes()) != nil {
		return nil
	}
	return short.Bytes()
}
