package listen

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"sync/atomic"
	"time"
)

// refusals tells the log of connections that end on something which never became a request: no HTTP, two lengths, a head that is too
// large or takes too long. net/http answers or closes them without a word, and the journal holds requests only. See
// docs/decisions/server.md#which-requests-are-refused-before-they-reach-the-api
type refusals struct {
	logger *slog.Logger
	now    func() time.Time

	lock sync.Mutex
	open map[net.Conn]*opened
}

// opened is a connection that was accepted.
type opened struct {
	at      time.Time
	pending atomic.Bool // something was sent that no handler has seen
}

type openedKey struct{}

// logRefused makes a server tell the log what it refuses before there is a
// request. It takes the hooks ConnContext and ConnState, and wraps the handler.
func logRefused(server *http.Server, logger *slog.Logger, now func() time.Time) {
	r := &refusals{logger: logger, now: now, open: map[net.Conn]*opened{}}
	server.ConnContext, server.ConnState = r.accepted, r.changed
	handler := server.Handler
	server.Handler = http.HandlerFunc(func(w http.ResponseWriter, asked *http.Request) {
		if connection, is := asked.Context().Value(openedKey{}).(*opened); is {
			connection.pending.Store(false)
		}
		handler.ServeHTTP(w, asked)
	})
}

// accepted comes before every state of a connection.
func (r *refusals) accepted(ctx context.Context, connection net.Conn) context.Context {
	known := &opened{at: r.now()}
	r.lock.Lock()
	r.open[connection] = known
	r.lock.Unlock()
	return context.WithValue(ctx, openedKey{}, known)
}

// changed follows a connection. It is active from the first byte of a request on; HTTP/2 begins active and idle, without one. What came
// in one piece with an honest request before it is not seen.
func (r *refusals) changed(connection net.Conn, state http.ConnState) {
	r.lock.Lock()
	known := r.open[connection]
	if state == http.StateClosed || state == http.StateHijacked {
		delete(r.open, connection)
	}
	r.lock.Unlock()
	switch {
	case known == nil:
	case state == http.StateActive:
		known.pending.Store(true)
	case state == http.StateIdle:
		known.pending.Store(false)
	case state == http.StateClosed && known.pending.Load():
		r.logger.Warn("refused what was no request: not HTTP, too large a head, two lengths, or too slow",
			"remote", connection.RemoteAddr().String(), "seconds", r.now().Sub(known.at).Seconds())
	}
}
