package httpd

import (
	"hash/maphash"
	"log/slog"
	"net/http"
	"regexp"
	"strconv"
	"sync/atomic"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/metrics"
)

// observer tells the journal, the metrics and the log of every request.
type observer struct {
	Config
	outages      *Outages
	logsRequests bool
	idCount      atomic.Uint64 // of the identifiers of requests that are made here
	headers
	bodySeed maphash.Seed
	unrouted metrics.Route // requests that no route fits
}

// headers are those by which clients are told apart.
type headers struct {
	credentials *journal.Headers
	projects    []string
	// secret tells the credentials of all clients from other texts; nil knows none.
	secret func(string) bool
}

func headersOf(dialect exports.Dialect, secret func(string) bool) headers {
	known := []journal.Header{{Name: "Authorization", Scheme: true}} // the control token, wherever it is sent
	made := headers{secret: secret}
	for _, each := range dialect {
		known = append(known, journal.Header{Name: http.CanonicalHeaderKey(each.Headers.Credential), Scheme: each.Headers.Scheme != ""})
		if each.Headers.Project != "" {
			made.projects = append(made.projects, http.CanonicalHeaderKey(each.Headers.Project))
		}
	}
	made.credentials = journal.NewHeaders(known...)
	return made
}

// redactor knows the secrets that a request was sent with: those in their headers,
// and those of others in a place that the journal or the log shows.
func (h headers) redactor(received *http.Request, path string) journal.Redactor {
	redactor := h.credentials.Redactor(received.Header)
	if h.secret != nil {
		redactor.Find(h.secret, path, received.URL.RawQuery,
			first(received.Header["User-Agent"]), first(received.Header[requestIDHeader]), h.project(received.Header))
	}
	return redactor
}

// project is the project that a request names; empty if it names none.
func (h headers) project(of http.Header) string {
	for _, name := range h.projects {
		if values := of[name]; len(values) > 0 {
			return values[0]
		}
	}
	return ""
}

const (
	requestIDHeader = "X-Request-Id"
	// lintHeader, with the value off, keeps a request out of the lints: what a person tries out, as in the viewer of the API document,
	// says nothing about a client.
	lintHeader = "X-Mock-Lint"
)

// begin notes everything about a request that is known before it is answered.
func (o *observer) begin(r *Request, received *http.Request, route *Route) {
	r.Request, r.Route, r.trace.path = received, route, received.URL.EscapedPath()
	r.follow()
	r.trace.began, r.trace.seed, r.trace.largestBody = o.Now(), o.bodySeed, o.LargestBody
	r.trace.redactor = o.redactor(received, r.trace.path)
	r.trace.id = o.requestID(r)
	entry := &r.Entry
	entry.RequestID, entry.RealTime, entry.Method = r.trace.id, r.trace.began.UTC().Round(0), received.Method
	if !o.journals(r) {
		return
	}
	entry.Unjudged = first(received.Header[lintHeader]) == "off"
	entry.Credentials = r.trace.redactor.Names()
	entry.SetTarget(r.trace.path, received.URL.RawQuery, r.trace.redactor)
	entry.SetAgent(first(received.Header["User-Agent"]), r.trace.redactor)
	if route == nil {
		entry.SetKey(r.trace.redactor.Text(o.project(received.Header)))
		return
	}
	entry.Route, entry.Stage, entry.Interface = route.Name, string(route.Stage), route.Interface.Name
	if route.Credential == ProjectToken {
		entry.SetKey(r.trace.redactor.Text(received.Header.Get(route.Interface.Headers.Project)))
	}
}

// IsPreflight reports whether a browser asks for the permissions of a page of another origin (CORS).
func IsPreflight(r *http.Request) bool {
	return r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != ""
}

// journals tells whether a request goes into the journal: those of clients of
// the export API do, those that control or watch the server do not.
func (o *observer) journals(r *Request) bool {
	if r.Route == nil {
		return firstSegment(r.URL.Path) != controlSegment && !IsPreflight(r.Request)
	}
	return r.Route.Journaled()
}

// controlSegment begins the paths of the control API.
const controlSegment = "_mock"

func first(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return values[0]
}

// requestID is the identifier that a request brings along, if that is plain, short and no secret, or a new one.
func (o *observer) requestID(r *Request) string {
	if given := first(r.Header[requestIDHeader]); plainID.MatchString(given) && r.Redact(given) == given {
		return given
	}
	return o.IDPrefix + strconv.FormatUint(o.idCount.Add(1), 36)
}

// plainID is an identifier that may be printed and logged.
var plainID = regexp.MustCompile(`^[0-9A-Za-z._:-]{1,128}$`)

// recordStart writes the entry, once, right before the answer is sent. More is true when its end has to be told later.
func (o *observer) recordStart(r *Request, answer Response, status int, bytes int64, more bool) {
	entry := &r.Entry
	now, frozen := o.Clock(entry.Key)
	if r.Now.IsZero() { // refused before anybody asked
		r.Now = now
	}
	entry.Time, entry.ClockFrozen = r.Now, frozen
	entry.Status, entry.ResponseBytes, entry.Open = status, bytes, more
	entry.Duration = o.Now().Sub(r.trace.began).Seconds()
	entry.SetError(answer.refused, r.trace.redactor)
	if answer.retryAfter > 0 {
		entry.RetryAfter = answer.retryAfter
	}
	if o.journals(r) {
		r.trace.sequence = o.Journal.Record(entry)
	}
	if !more {
		o.logAnswered(r)
	}
}

// recordEnd tells how a download ended that was decided on before. The first word counts, unless a later one tells of a break, or of one
// with fewer bytes: the last bytes are known not to have been sent only after they were.
func (o *observer) recordEnd(r *Request, bytes int64, broken bool) {
	entry := &r.Entry
	if r.trace.ended && (!broken || entry.Broken && bytes >= entry.ResponseBytes) {
		return
	}
	entry.ResponseBytes, entry.Duration, entry.Broken, entry.Open = bytes, o.Now().Sub(r.trace.began).Seconds(), broken, false
	if r.trace.sequence != 0 {
		o.Journal.End(r.trace.sequence, bytes, entry.Duration, broken)
	}
	if !r.trace.ended {
		o.logAnswered(r)
	}
}

// logAnswered logs a request that is answered.
func (o *observer) logAnswered(r *Request) {
	r.trace.ended = true
	o.count(r)
	if o.logsRequests {
		o.logRequest(r)
	}
}

// count counts a request that is answered.
func (o *observer) count(r *Request) {
	entry := &r.Entry
	counted := &o.unrouted
	if r.Route != nil {
		counted = &r.Route.metrics
	}
	counted.Count(entry.Status, entry.Duration)
	if entry.Error != nil {
		o.Metrics.Errors.Add(entry.Error.Name, 1)
	} else if entry.Export != "" && entry.Status/100 == 2 && r.Route.Creates() {
		o.Metrics.Exports.Add(entry.Kind, 1)
	} else if entry.Part > 0 && entry.Status < 300 {
		o.Metrics.Downloaded.Add(uint64(entry.ResponseBytes))
		if entry.Broken {
			o.Metrics.Broken.Add(1)
		}
	}
	for _, applied := range entry.Applied {
		o.Metrics.Scenarios.Add(applied.Source, 1)
	}
}

func (o *observer) logRequest(r *Request) {
	entry := &r.Entry
	attributes := []slog.Attr{
		slog.String("request_id", entry.RequestID), slog.String("method", entry.Method), slog.String("path", entry.Path),
		slog.Int("status", entry.Status), slog.Int64("bytes", entry.ResponseBytes), slog.Float64("seconds", entry.Duration),
	}
	if entry.Path == "" { // not for the journal
		attributes[2] = slog.String("path", r.path())
	}
	for name, value := range map[string]string{"route": entry.Route, "key": entry.Key, "export": entry.Export} {
		if value != "" {
			attributes = append(attributes, slog.String(name, value))
		}
	}
	if entry.Error != nil {
		attributes = append(attributes, slog.String("error", entry.Error.Name))
	}
	o.Logger.LogAttrs(r.Context(), slog.LevelDebug, "request", attributes...)
}
