package httpd

import (
	"hash/maphash"
	"net/http"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
)

// Request is one request on its way through the server, with what the journal, the log and the metrics say of it.
//
// Its entry is written to the journal before the first byte of its answer is sent: a client that has its answer finds it in the journal.
type Request struct {
	*http.Request
	Route *Route // nil: none fits
	// Variables are those of the path, decoded; Malformed is what is wrong with
	// one of them, nil if nothing is. A route says it when its turn has come.
	Variables map[string]string
	Malformed error
	// Query has the query parameters of a route of the control API, as ReadQuery found them in order.
	Query map[string]string
	// Now is what the clock of the caller's key shows; it is read once.
	Now time.Time
	// Fault is what a scenario does to the answer on its way to the client.
	Fault exports.Answer
	// Entry is what the journal will say of the request.
	Entry journal.Entry

	trace trace
}

// trace is what the transport itself remembers of a request.
type trace struct {
	began    time.Time // by the clock of the machine
	id       string    // the value of X-Request-Id
	path     string    // as it was sent
	body     received
	redactor journal.Redactor
	seed     maphash.Seed // of digests of bodies in the journal
	sequence uint64       // in the journal; 0 before it is there, or when it never will be
	ended    bool

	largestBody int // the most a payload may have, in bytes
}

// SentPath is the path as it was sent.
func (r *Request) SentPath() string { return r.trace.path }

// path is what the log says of the path.
func (r *Request) path() string { return r.trace.redactor.Path(r.trace.path) }

// Redact replaces the credentials of the request in a text.
func (r *Request) Redact(text string) string { return r.trace.redactor.Text(text) }

// Credentials are the names of the headers with credentials that were sent.
func (r *Request) Credentials() []string { return r.trace.redactor.Names() }

// NoteBody tells the journal what the payload was.
func (r *Request) NoteBody(data []byte) { r.Entry.SetBody(data, r.trace.redactor, r.trace.seed) }
