package drift

import (
	"fmt"
	"io/fs"
	"maps"
	"net/textproto"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift/amend"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
	"github.com/rehearsal-sdk/rehearsal/schemas"
	"github.com/rehearsal-sdk/rehearsal/schemas/dialect"
)

type problem = schemas.Problem

// Observer holds what passes against the schema files. It is safe for concurrent use.
type Observer struct {
	mutex    sync.Mutex
	library  atomic.Pointer[schemas.Library] // that of the bench, for those who must not wait
	bench    *amend.Bench
	given    fs.FS // the overlay that it began with
	journal  *journal.Journal
	findings map[string]*Finding
	order    []string
	number   uint64
	past     memory
	observed func(*Observed)
	fresh    func()
	Seen     Seen
}

// Seen counts what was looked at.
type Seen struct {
	Exchanges int64 `json:"exchanges"`
	// Known are exchanges with an endpoint of the schema files or a file that a link led to.
	Known int64 `json:"known"`
	// Files were checked, UncheckedFiles were not kept; Faults are exchanges without a whole answer.
	Files          int64 `json:"files"`
	UncheckedFiles int64 `json:"unchecked_files"`
	Faults         int64 `json:"faults"`
	// NotAsked are requests that no mock is asked again: there are too many, or they are too long.
	NotAsked int64 `json:"not_asked,omitempty"`
	// NotRecorded counts exchanges and bodies that a recording is without, by the reason.
	NotRecorded map[string]int `json:"not_recorded,omitempty"`
	// Routes counts exchanges by the name of their endpoint.
	Routes map[string]int64 `json:"routes"`
}

// memory is what exchanges have in common.
type memory struct {
	exports map[string]*export // by identifier
	links   map[string]link    // by address without query
	used    map[string]*used   // links, by address
	issued  []string           // addresses of these links, the oldest first
	files   []file
	labels  map[string]string   // of keys
	newest  time.Time           // the latest moment that the service has named
	limited map[string]*limited // what counts against a rate limit, by key and kind
	others  map[string][]any    // values that were seen, by schema file
	// newestAt is when newest was named; asked are requests that a mock is sent again.
	newestAt time.Time
	asked    []asked
}

// export is what is known of an export.
type export struct {
	id, key string
	kind    schemas.Export
	target  string
	payload exports.Members
	role    string // of the last state
	state   string
	shown   time.Time // when the first answer came that showed that role
	since   time.Time // when the first answer came that named it
	asked   time.Time // when the service says it was requested
	window  exports.Window
	told    bool // what the lookback says of the window
}

// link leads to a part of a file.
type link struct {
	export *export
	its    string // the interface
	part   int
	hop    int // so many redirects led to it
}

// file is a downloaded one.
type file struct {
	link
	name   string
	body   Body
	number uint64
}

// New makes an observer of what an overlay of the schema files says; nil is none.
func New(overlay fs.FS) (*Observer, error) {
	bench, err := amend.New(overlay)
	if err != nil {
		return nil, err
	}
	const journalBytes = 64 << 20
	o := &Observer{
		bench: bench, given: overlay, findings: map[string]*Finding{}, journal: journal.New(0, journalBytes),
		Seen: Seen{Routes: map[string]int64{}},
		past: memory{exports: map[string]*export{}, links: map[string]link{}, used: map[string]*used{}, labels: map[string]string{},
			limited: map[string]*limited{}, others: map[string][]any{}},
	}
	o.library.Store(bench.Library())
	return o, nil
}

// Bench is what the findings have changed.
func (o *Observer) Bench() *amend.Bench { return o.bench }

// put sets a member of a schema file, if the files are in order with it.
func (o *Observer) put(file, pointer, name, value string) []amend.Change {
	return o.bench.Apply(amend.Put(file, pointer, name, value))
}

// Journal holds the requests.
func (o *Observer) Journal() *journal.Journal { return o.journal }

// Lints are what the client should not do. It is judged by the order in which it asked; exchanges are observed when they end.
func (o *Observer) Lints() []journal.Finding {
	spoken := exports.DialectOf(o.bench.Library())
	entries := slices.Clone(o.journal.List(journal.Filter{}, 0).Entries)
	slices.SortStableFunc(entries, func(a, b journal.Entry) int { return a.RealTime.Compare(b.RealTime) })
	return journal.Judge(entries, journal.Judgement{Dialect: func(e *journal.Entry) journal.Dialect {
		its, known := spoken.Named(e.Interface)
		if !known {
			its = spoken.OfExport(e.Export)
		}
		kind, _ := o.exportOf(e.Kind)
		_, specified := exports.Specified().Named(its.Name)
		return journal.Dialect{Severities: its.Lints, Done: its.States.Done(), Failed: its.States.Failed(), RetryAfter: its.Headers.RetryAfter,
			Credentials: its.Headers.Credential, Added: !specified, File: its.File, Title: its.Title, Output: kind.Output, Request: kind.Request}
	}})
}

// ListsLinks tells whether the answer to a request names links to files. It never waits for what is being observed.
func (o *Observer) ListsLinks(method, path string) bool {
	found, _ := match(routesOf(o.library.Load()), method, path)
	return found != nil && (found.stage == stageStatus || found.stage == stageList)
}

// Credentials are the headers that identify clients and projects.
func (o *Observer) Credentials() (names []string) {
	for _, its := range exports.DialectOf(o.library.Load()) {
		names = append(names, its.Headers.Credential, its.Headers.Project)
	}
	return names
}

// Observe looks at an exchange, and returns its entry in the journal. It owns the bodies.
func (o *Observer) Observe(x *Exchange) journal.Entry {
	o.mutex.Lock()
	defer o.mutex.Unlock()
	o.number = x.Number
	o.Seen.Exchanges++
	if x.Fault != "" {
		o.Seen.Faults++
	}
	keep := false
	defer func() {
		o.library.Store(o.bench.Library())
		for _, body := range []Body{x.Sent.Body, x.Received.Body} {
			if body != nil && (body != x.Received.Body || !keep) {
				body.Discard()
			}
		}
	}()
	c := &conversation{o: o, x: x}
	c.begin()
	switch {
	case x.Status == 0 || x.Fault != "":
	case c.route != nil:
		o.Seen.Known++
		o.Seen.Routes[c.route.name]++
		c.headers()
		keep = c.endpoint()
		c.keep()
	case c.isLink:
		o.Seen.Known++
		o.Seen.Routes[stageFile]++
		keep = c.download()
	case c.entry.Interface != "" && x.Status < 400:
		o.found(Finding{
			Where: Place{Interface: c.entry.Interface, Route: c.unknownRoute(), Status: x.Status, Side: Answer}, Kind: "unknown-endpoint",
			Severity: Medium,
			Allowed:  "the endpoints of the schema files", Came: fmt.Sprintf("%d for %s %s", x.Status, x.To.Method, c.unknownRoute()),
		})
	}
	entry := c.record()
	if o.observed != nil {
		o.observed(&Observed{Exchange: x, Entry: &entry, Redactor: c.redactor, Key: c.key, Hop: c.to.hop,
			File: c.isLink || c.sendsFile(), observer: o})
	}
	return entry
}

// conversation is one exchange while it is looked at.
type conversation struct {
	o         *Observer
	x         *Exchange
	route     *route
	variables map[string]string
	to        link
	isLink    bool
	entry     journal.Entry
	key       string // as it was sent
	redactor  journal.Redactor
	sent      []byte // the body of a creation
}

// begin finds out what a request is for, and notes it without its secrets.
func (c *conversation) begin() {
	library := c.o.bench.Library()
	x := c.x
	c.route, c.variables = match(routesOf(library), x.To.Method, x.To.Path)
	c.to, c.isLink = c.o.past.links[x.To.Origin+x.To.Path]
	if c.route != nil {
		c.isLink = false
	}
	c.redactor = credentials(library).Redactor(x.Sent.Header)
	e := &c.entry
	e.RequestID = fmt.Sprint(x.Number)
	e.Time, e.RealTime, e.Duration = x.Began.UTC(), x.Began.UTC(), x.Ended.Sub(x.Began).Seconds()
	e.Method, e.Status, e.Broken, e.Credentials = x.To.Method, x.Status, x.Broken, c.redactor.Names()
	if x.Received.Body != nil {
		e.ResponseBytes = x.Received.Body.Size()
	}
	path, query := x.To.Path, x.To.Query
	switch {
	case c.route != nil:
		e.Route, e.Stage, e.Interface = c.route.name, c.route.stage, c.route.its.Name
		c.nameKey()
		query = shapeQuery(query)
		if variable := c.route.its.KeyVariable; variable != "" {
			path = strings.Replace(path, "/"+c.variables[variable], "/"+e.Key, 1)
		}
	case c.isLink:
		e.Route, e.Stage, e.Redirected = stageFile, stageFile, x.To.SameHost
		e.Export, e.Part, e.Key = c.to.export.id, c.to.part, c.to.export.key
		if query != "" {
			query = journal.Redacted // a link carries its own credential
		}
	default:
		parts := strings.Split(path, "/")
		e.Interface = interfaceOf(library, path)
		if its := c.o.speaks(e.Interface); its.KeyVariable != "" && len(parts) > 3 {
			c.key = parts[2]
		}
		path, query = shapePath(path), journal.Redacted
	}
	e.SetTarget(path, query, c.redactor)
	e.SetAgent(header(x.Sent.Header, "User-Agent"), c.redactor)
}

// nameKey notes which application or project a request is for, by a label: the key itself may open something.
func (c *conversation) nameKey() {
	key := c.variables[c.route.its.KeyVariable]
	if c.route.its.KeyVariable == "" {
		key = header(c.x.Sent.Header, c.route.its.Headers.Project)
	}
	if key == "" {
		return
	}
	c.key = key
	if c.o.past.labels[key] == "" {
		c.o.past.labels[key] = fmt.Sprintf("key#%d", len(c.o.past.labels)+1)
	}
	c.entry.Key = c.o.past.labels[key]
}

// record writes the entry.
func (c *conversation) record() journal.Entry {
	c.entry.Sequence = c.o.journal.Record(&c.entry)
	return c.entry
}

// unknownRoute is a path that no schema file lists, without what may be a key.
func (c *conversation) unknownRoute() string { return shapePath(c.x.To.Path) }

// shapeQuery is a query with the names of its parameters, and the shapes of their values.
func shapeQuery(query string) string {
	parts := strings.Split(query, "&")
	for i, part := range parts {
		if name, value, valued := strings.Cut(part, "="); valued {
			parts[i] = memberName(name) + "=" + shape(value)
		} else {
			parts[i] = shape(part)
		}
	}
	return strings.Join(parts, "&")
}

func shapePath(path string) string {
	parts := strings.Split(path, "/")
	for i, part := range parts {
		if parts[i] = memberName(part); i == 2 {
			parts[i] = shape(part)
		}
	}
	return strings.Join(parts, "/")
}

// credentials are the headers that carry them.
func credentials(library *schemas.Library) *journal.Headers {
	type key struct{}
	return schemas.Derived(library, key{}, func() *journal.Headers {
		known := []journal.Header{{Name: "Authorization", Scheme: true}}
		for _, its := range exports.DialectOf(library) {
			name := textproto.CanonicalMIMEHeaderKey(its.Headers.Credential)
			if !slices.ContainsFunc(known, func(h journal.Header) bool { return h.Name == name }) {
				known = append(known, journal.Header{Name: name, Scheme: its.Headers.Scheme != ""})
			}
		}
		return journal.NewHeaders(known...)
	})
}

// speaks is what the schema files say of an interface.
func (o *Observer) speaks(name string) dialect.Interface {
	its, _ := exports.DialectOf(o.bench.Library()).Named(name)
	return its.Interface
}

// Unseen lists the endpoints that nobody asked for.
func (o *Observer) Unseen() []string {
	names := map[string]bool{}
	for _, each := range routesOf(o.bench.Library()) {
		if o.Seen.Routes[each.name] == 0 {
			names[each.name] = true
		}
	}
	return slices.Sorted(maps.Keys(names))
}
