package drift

import (
	"bytes"
	"context"
	"encoding/base64"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Mock opens a mock server under an overlay, whose clock is a function; close ends it. Its keys are those of Keys.
type Mock func(overlay fs.FS, now func() time.Time) (mock http.Handler, end func(), err error)

// Shows is said of a finding that a mock shows.
const Shows = "shows it"

// Keys are the credentials that a mock takes.
type Keys struct{ Company, Application, Token, Project string }

// Rehearse asks a mock under the suggested overlay the same as the client has asked the service, and notes with each finding
// whether the mock shows it. Call it after Finish.
func (o *Observer) Rehearse(ctx context.Context, open Mock, keys Keys, directory string) error {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	if len(o.order) == 0 {
		return nil
	}
	shown, err := New(o.given)
	if err != nil {
		return err
	}
	clock := o.beginning() // of a mock, whose files are checked at its start
	mock, end, err := open(o.bench.Overlay(), func() time.Time { return clock })
	if err == nil {
		defer end()
		m := &rehearsal{of: o, shown: shown, mock: mock, keys: keys, clock: &clock, exports: map[string]string{}, loaded: map[string]int{}}
		m.all(ctx)
		if ctx.Err() != nil { // of the others nothing is known
			return context.Cause(ctx)
		}
		if err := shown.Finish(ctx, directory); err != nil {
			return err
		}
	}
	for _, id := range o.order {
		f := o.findings[id]
		switch {
		case shown.findings[id] != nil:
			f.Mock = Shows
		case err != nil:
			f.Mock = "cannot show it: it does not start under the overlay: " + err.Error()
		case len(f.Overlay) == 0:
			f.Mock = "cannot show it: no schema file says this"
		default:
			f.Mock = "cannot show it: " + o.why(f)
		}
	}
	return nil
}

// beginning is when the client asked for the first time, by the clock of the service as far as it is known.
func (o *Observer) beginning() (first time.Time) {
	for i, each := range o.past.asked {
		at := each.began
		if of := o.past.exports[each.export]; of != nil && !of.asked.IsZero() && of.asked.Before(at) {
			at = of.asked
		}
		if i == 0 || at.Before(first) {
			first = at
		}
	}
	return first
}

// why says why a mock does not show a finding although its overlay allows it.
func (o *Observer) why(f *Finding) string {
	if f.Where.Side != File {
		return "the mock was asked the same, and answered as before"
	}
	export, _ := o.exportOf(f.Where.Route)
	if source := o.bench.Source(export.Output, strings.ReplaceAll(f.Where.Pointer, "*", "0")); source != "" {
		return "the world gives the value (x-source " + source + "), and has no such"
	}
	return "the files of the mock do not have it"
}

// rehearsal is a client of a mock.
type rehearsal struct {
	of, shown *Observer
	mock      http.Handler
	keys      Keys
	clock     *time.Time
	number    uint64
	exports   map[string]string // identifiers at the mock, by those of the service
	loaded    map[string]int    // files of a payload
}

// all asks everything.
func (m *rehearsal) all(ctx context.Context) {
	for _, each := range m.of.past.asked {
		if ctx.Err() != nil {
			return
		}
		switch of := m.of.past.exports[each.export]; {
		case of == nil:
		case each.route.stage == stageCreate && !of.asked.IsZero():
			each.began = of.asked
		case each.status == http.StatusNotFound: // dates have whole seconds: the mock may have made the export within that second
			each.began = each.began.Add(time.Second)
		}
		if each.began.After(*m.clock) {
			*m.clock = each.began
		}
		m.request(ctx, each)
	}
}

// request sends one request of the client to the mock, and goes on with an export that was made.
func (m *rehearsal) request(ctx context.Context, each asked) {
	route := m.routeOf(each)
	if route == nil {
		return
	}
	path, query, header := m.words(route, each)
	if m.has("unknown-error:" + each.refused) { // no request of the mock deserves it
		header.Set("X-Mock-Scenario", "error="+each.refused)
	}
	status, value := m.send(ctx, each.method, path, query, header, each.body)
	object, _ := value.(map[string]any)
	if each.route.stage != stageCreate || status >= 300 || object == nil {
		return
	}
	id := route.its.Identifiers.In(object)
	if id == "" {
		return
	}
	m.exports[each.export] = id
	const most = 4
	if name := each.path + string(each.body); m.loaded[name] < most {
		m.loaded[name]++
		m.follow(ctx, route, each, id)
	}
}

// routeOf is the route of a request as the mock has it.
func (m *rehearsal) routeOf(each asked) *route {
	return routeThat(m.of.bench.Library(), func(r *route) bool { return r.name == each.route.name })
}

// words are a request with the credentials of the mock, in its dialect.
func (m *rehearsal) words(route *route, each asked) (path, query string, header http.Header) {
	header = http.Header{}
	for _, name := range []string{"Accept", "Accept-Encoding", "Content-Type"} {
		if values := each.header[name]; values != nil {
			header[name] = values
		}
	}
	headers := route.its.Headers
	credential := m.keys.Token
	switch {
	case route.its.KeyVariable != "":
		credential = m.keys.Company
	case headers.Basic():
		credential = base64.StdEncoding.EncodeToString([]byte(m.keys.Project + ":" + m.keys.Token))
	}
	if each.status == http.StatusUnauthorized || each.status == http.StatusForbidden {
		credential = "wrong"
	}
	header.Set(headers.Credential, headers.Value(credential))
	if headers.Project != "" {
		header.Set(headers.Project, m.keys.Project)
	}
	path, query = each.path, each.query
	if variables := segmentsOf(each.route, each.path); route.its.KeyVariable != "" {
		path = strings.Replace(path, "/"+variables[each.route.its.KeyVariable]+"/", "/"+m.keys.Application+"/", 1)
	}
	if here := m.exports[each.export]; here != "" {
		path, query = strings.Replace(path, each.export, here, 1), strings.Replace(query, each.export, here, 1)
	}
	return path, query, header
}

func segmentsOf(of *route, path string) map[string]string {
	_, variables := match([]*route{of}, of.method, path)
	return variables
}

// follow looks an export up until it has links, and downloads the files.
func (m *rehearsal) follow(ctx context.Context, created *route, each asked, id string) {
	lookup := m.of.lookupOf(created.its.Name)
	if lookup == nil {
		return
	}
	path, _, header := m.words(created, each)
	variables := segmentsOf(created, path)
	path, query := lookup.path, ""
	for name, value := range variables {
		path = strings.ReplaceAll(path, "{"+name+"}", value)
	}
	if at := strings.IndexByte(path, '{'); at >= 0 {
		path = path[:at] + id + path[at+strings.IndexByte(path[at:], '}')+1:]
	}
	for _, parameter := range lookup.query {
		if parameter.Required {
			query = url.Values{parameter.Name: {id}}.Encode()
		}
	}
	const most = 12
	for range most {
		if ctx.Err() != nil {
			return
		}
		_, value := m.send(ctx, "GET", path, query, header, nil)
		record, _ := value.(map[string]any)
		if links := linksIn(record); len(links) > 0 {
			for _, link := range links {
				m.download(ctx, link, header)
			}
			return
		}
	}
}

// download follows a link. Only the service's own address is sent the credentials.
func (m *rehearsal) download(ctx context.Context, link string, sent http.Header) {
	const most = 4
	for hop := range most {
		to, err := url.Parse(link)
		if err != nil || to.Host != mockHost {
			return
		}
		if hop > 0 {
			sent = http.Header{}
		}
		if hop == 0 && m.has("link-credentials") {
			m.exchange(ctx, "GET", to.EscapedPath(), to.RawQuery, http.Header{}, nil)
		}
		answer := m.exchange(ctx, "GET", to.EscapedPath(), to.RawQuery, sent, nil)
		link = header(answer.Received.Header, "Location")
		if answer.Status < 300 || answer.Status >= 400 || link == "" {
			known := m.shown.past.links[to.Scheme+"://"+to.Host+to.EscapedPath()]
			if lives := m.of.speaks(known.its).Files.LinkLifetime; lives > 0 && m.has("link-lifetime") {
				*m.clock = m.clock.Add(time.Duration(lives))
				m.exchange(ctx, "GET", to.EscapedPath(), to.RawQuery, sent, nil)
			}
			return
		}
		if next, err := to.Parse(link); err == nil {
			link = next.String()
		}
	}
}

// has reports whether the service has a drift of a kind.
func (m *rehearsal) has(kind string) bool {
	for _, f := range m.of.findings {
		if f.Kind == kind {
			return true
		}
	}
	return false
}

// mockHost is the host of the mock in requests.
const mockHost = "mock.localhost"

// send asks the mock, and returns the status and the JSON of the answer.
func (m *rehearsal) send(ctx context.Context, method, path, query string, header http.Header, body []byte) (int, any) {
	x := m.exchange(ctx, method, path, query, header, body)
	value, _ := schemas.Decode(text(x.Received.Body)) // a file is none
	return x.Status, value
}

// exchange asks the mock, and lets the observer see it.
func (m *rehearsal) exchange(ctx context.Context, method, path, query string, header http.Header, body []byte) *Exchange {
	m.number++
	x := &Exchange{Number: m.number, Began: *m.clock, Answered: *m.clock, Ended: *m.clock,
		To: Target{Method: method, Origin: "http://" + mockHost, Path: path, Query: query}}
	target := x.To.Origin + path
	if query != "" {
		target += "?" + query
	}
	request, err := http.NewRequestWithContext(ctx, method, target, bytes.NewReader(body))
	if err != nil {
		return x
	}
	request.Header, request.RequestURI = header.Clone(), request.URL.RequestURI()
	request.RemoteAddr = "127.0.0.1:1"
	x.Sent = Message{Header: request.Header, Body: &bytesBody{body}}
	answer := &answering{header: http.Header{}}
	m.mock.ServeHTTP(answer, request)
	answer.WriteHeader(http.StatusOK)
	x.Status, x.Received = answer.status, Message{Header: answer.header, Body: &bytesBody{answer.body.Bytes()}}
	m.shown.Observe(x)
	return x
}

// answering keeps an answer.
type answering struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (a *answering) Header() http.Header { return a.header }

func (a *answering) WriteHeader(status int) {
	if a.status == 0 && status >= http.StatusOK {
		a.status, a.header = status, a.header.Clone()
	}
}

func (a *answering) Write(data []byte) (int, error) {
	a.WriteHeader(http.StatusOK)
	return a.body.Write(data)
}

// bytesBody is a body in memory.
type bytesBody struct{ text []byte }

func (b *bytesBody) Size() int64                  { return int64(len(b.text)) }
func (b *bytesBody) Whole() bool                  { return true }
func (b *bytesBody) Open() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(b.text)), nil }
func (b *bytesBody) Discard()                     {}
