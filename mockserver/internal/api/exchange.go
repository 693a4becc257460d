package api

import (
	"hash/maphash"
	"log/slog"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
)

// exchange is one request on its way through the server: what the journal, the
// log and the metrics say of it.
//
// An entry is written to the journal before the first byte of its answer is
// sent: a client that has its answer finds it in the journal.
type exchange struct {
	*http.Request
	route *Route    // nil: none fits
	now   time.Time // by the clock of the caller's key; it is read once

	decision decision

	began    time.Time // by the clock of the machine
	id       [1]string // the value of X-Request-Id
	values   [4]string // of the headers that every answer has
	redactor journal.Redactor
	entry    journal.Entry
	sequence uint64 // in the journal; 0 before it is there, or when it never will be
	ended    bool
}

const requestIDHeader = "X-Request-Id"

// begin notes everything about a request that is known before it is answered.
func (s *Service) begin(x *exchange, r *http.Request, route *Route) {
	x.Request, x.route = r, route
	x.began = s.realNow()
	x.id[0] = s.requestID(r)
	entry := &x.entry
	entry.RequestID, entry.RealTime, entry.Method = x.id[0], x.began.UTC().Round(0), r.Method
	if !s.journals(x) {
		return
	}
	company, authorization := first(r.Header["X-Authorization"]), first(r.Header["Authorization"])
	x.redactor = journal.NewRedactor(company, authorization)
	entry.Credentials = x.redactor.Names()
	entry.SetTarget(r.URL.EscapedPath(), r.URL.RawQuery, x.redactor)
	entry.SetAgent(first(r.Header["User-Agent"]), x.redactor)
	if route == nil {
		entry.SetKey(x.redactor.Text(first(r.Header["X-Service-Project"])))
		return
	}
	entry.Route = route.Name
	if route.Interface != interfaceOwn {
		entry.Interface = route.Interface
	}
	if route.Interface == interfaceProfiles {
		entry.SetKey(x.redactor.Text(first(r.Header["X-Service-Project"])))
	}
}

// journals tells whether a request goes into the journal: those of clients of
// the export API do, those of whoever controls or watches the server do not.
func (s *Service) journals(x *exchange) bool {
	if x.route == nil {
		return firstSegment(x.URL.Path) != controlSegment
	}
	return x.route.readsScenario()
}

// controlSegment begins the paths of the control plane.
const controlSegment = "_mock"

func first(values []string) string {
	if len(values) == 0 {
		return ""
	}
	return values[0]
}

// requestID is the identifier that a request brings along, if that is plain
// and short, or a new one.
func (s *Service) requestID(r *http.Request) string {
	if given := first(r.Header[requestIDHeader]); plainID(given) {
		return given
	}
	return s.idPrefix + strconv.FormatUint(s.idCount.Add(1), 36)
}

func plainID(text string) bool {
	if text == "" || len(text) > 128 {
		return false
	}
	for i := range len(text) {
		if c := text[i]; (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') && c != '-' && c != '_' && c != '.' && c != ':' {
			return false
		}
	}
	return true
}

// noteUnknown notes the application key of a caller that nobody knows. A
// company key that was put in its place is a secret.
func (s *Service) noteUnknown(r *request) {
	key := r.variables["api_key"]
	r.entry.SetKey(r.redactor.Text(key))
	if s.keys.isCompany(key) {
		r.entry.Key = journal.Redacted
		r.entry.Path = strings.ReplaceAll(r.entry.Path, key, journal.Redacted)
	}
}

// noteUnworked notes the payload, or the export, of a request that was not worked
// on. What is wrong with a payload does not matter then.
func (s *Service) noteUnworked(r *request) {
	if r.route.creates() {
		if data, err := r.readBody(); err == nil {
			r.body(data, s.bodySeed)
		}
	}
	if record := s.about(r); record != nil {
		r.decision.export, r.entry.Kind = record.ID, record.Kind
		r.entry.SetKey(record.Owner)
	}
}

// body notes the payload of a request.
func (x *exchange) body(data []byte, seed maphash.Seed) {
	x.entry.SetBody(data, x.redactor, seed)
}

// decided writes the entry, once, right before the answer is sent. More is
// true when its end has to be told later.
func (s *Service) decided(x *exchange, answer response, status int, bytes int64, more bool) {
	entry := &x.entry
	clock := s.clocks.Of(entry.Key)
	if x.now.IsZero() { // refused before anybody asked
		x.now = clock.Now()
	}
	entry.Time, entry.ClockFrozen = x.now, clock.State().Frozen
	if entry.Export == "" {
		entry.Export = x.decision.export
	}
	for _, source := range x.decision.sources {
		entry.Applied = append(entry.Applied, journal.Applied{Source: source.Kind, Rule: source.Rule, Scenario: source.Scenario})
	}
	entry.Status, entry.ResponseBytes, entry.Open = status, bytes, more
	entry.Duration = s.realNow().Sub(x.began).Seconds()
	entry.SetError(answer.refused, x.redactor)
	if after := answer.headers["Retry-After"]; after != "" {
		entry.RetryAfter, _ = strconv.Atoi(after)
	}
	if s.journals(x) {
		x.sequence = s.journal.Record(entry)
	}
	if !more {
		s.finished(x)
	}
}

// end tells how a download ended that was decided on before. The first word
// counts, unless a later one tells of a break: the last bytes are known not to
// have been sent only after they were.
func (s *Service) end(x *exchange, bytes int64, broken bool) {
	entry := &x.entry
	if x.ended && (!broken || entry.Broken) {
		return
	}
	entry.ResponseBytes, entry.Duration, entry.Broken, entry.Open = bytes, s.realNow().Sub(x.began).Seconds(), broken, false
	if x.sequence != 0 {
		s.journal.End(x.sequence, bytes, entry.Duration, broken)
	}
	if !x.ended {
		s.finished(x)
	}
}

// finished logs a request that is answered.
func (s *Service) finished(x *exchange) {
	x.ended = true
	s.count(x)
	if s.logsRequests {
		s.logRequest(x)
	}
}

// count counts a request that is answered.
func (s *Service) count(x *exchange) {
	entry := &x.entry
	counted := &s.metricsNone
	switch {
	case x.route == nil:
	case x.route.Name == s.metricsWeb.Name:
		counted = &s.metricsWeb
	default:
		counted = &x.route.metrics
	}
	counted.Count(entry.Status, entry.Duration)
	if entry.Error != nil {
		s.metrics.Errors.Add(entry.Error.Name, 1)
	} else if entry.Kind != "" && entry.Status == http.StatusAccepted {
		s.metrics.Exports.Add(entry.Kind, 1)
	} else if entry.Part > 0 && entry.Status < 300 {
		s.metrics.Downloaded.Add(uint64(entry.ResponseBytes))
		if entry.Broken {
			s.metrics.Broken.Add(1)
		}
	}
	for _, applied := range entry.Applied {
		s.metrics.Scenarios.Add(applied.Source, 1)
	}
}

func (s *Service) logRequest(x *exchange) {
	entry := &x.entry
	attributes := []slog.Attr{
		slog.String("request_id", entry.RequestID), slog.String("method", entry.Method), slog.String("path", entry.Path),
		slog.Int("status", entry.Status), slog.Int64("bytes", entry.ResponseBytes), slog.Float64("seconds", entry.Duration),
	}
	if entry.Path == "" { // not for the journal
		attributes[2] = slog.String("path", shortened(x.URL.Path))
	}
	for name, value := range map[string]string{"route": entry.Route, "key": entry.Key, "export": entry.Export} {
		if value != "" {
			attributes = append(attributes, slog.String(name, value))
		}
	}
	if entry.Error != nil {
		attributes = append(attributes, slog.String("error", entry.Error.Name))
	}
	s.logger.LogAttrs(x.Context(), slog.LevelDebug, "request", attributes...)
}
