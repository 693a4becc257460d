package httpd

import (
	"hash/maphash"
	"net/http"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
)

// Request is one request on its way through the server, with what the journal,
// the log and the metrics say of it.
//
// Its entry is written to the journal before the first byte of its answer is
// sent: a client that has its answer finds it in the journal.
type Request struct {
	*http.Request
	Route *Route // nil: none fits
	// Variables are those of the path, decoded; Malformed is what is wrong with
	// one of them, nil if nothing is. A route says it when its turn has come.
	Variables map[string]string
	Malformed error
	// Query has the query parameters of a route of the control API, as ReadQuery
	// found them in order.
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
	panicked bool // its handler has, which may have left anything behind

	largestBody int // the most a payload may have, in bytes

	kept any    // see Kept
	room []byte // see Append
}

// mostRoom is how many bytes of room are kept for a later request.
const mostRoom = 4 << 10

// reset makes the request ready for another one. The journal has a copy of its entry.
func (r *Request) reset() {
	kept, room, variables := r.trace.kept, r.trace.room[:0], r.Variables
	if cap(room) > mostRoom {
		room = nil
	}
	clear(variables)
	if followed := r.trace.body.ReadCloser; followed != nil {
		r.Request.Body = followed
	}
	*r = Request{Variables: variables, trace: trace{kept: kept, room: room}}
}

// Kept is what a handler needs for each request and has kept with an earlier one, which
// it may use again; nil if it has not.
func (r *Request) Kept() any { return r.trace.kept }

// Keep keeps something for later requests.
func (r *Request) Keep(something any) { r.trace.kept = something }

// Append makes the body of the response, in memory that an earlier request has used.
func (r *Request) Append(body func(into []byte) []byte) []byte {
	r.trace.room = body(r.trace.room[:0])
	return r.trace.room
}

// SentPath is the path as it was sent.
func (r *Request) SentPath() string { return r.trace.path }

// path is what the log says of the path.
func (r *Request) path() string { return r.trace.redactor.Path(r.trace.path) }

// Redact replaces the credentials of the request in a text.
func (r *Request) Redact(text string) string { return r.trace.redactor.Text(text) }

// NoteBody tells the journal what the payload was.
func (r *Request) NoteBody(data []byte) { r.Entry.SetBody(data, r.trace.redactor, r.trace.seed) }
