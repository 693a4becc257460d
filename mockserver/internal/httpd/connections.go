package httpd

import (
	"container/list"
	"context"
	"net"
	"net/http"
	"sync"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
)

// Connections counts the connections of HTTP servers that share a budget.
type Connections struct {
	budget *budget.Budget

	lock    sync.Mutex
	counted map[net.Conn]*list.Element // nil: within the limit
	beyond  *list.List                 // of net.Conn, the oldest first
}

// NewConnections keeps connections within a budget.
func NewConnections(limit *budget.Budget) *Connections {
	g := &Connections{budget: limit, counted: map[net.Conn]*list.Element{}, beyond: list.New()}
	limit.Measure(g.open)
	return g
}

// Limit lets a server have a number of connections, with the others, as the budget has. What comes over a further one finds that in its
// context, see Beyond, and the connection is closed after it. It adds to the hooks ConnContext and ConnState, and wraps the handler.
func (g *Connections) Limit(server *http.Server) {
	accepted, changed, handler := server.ConnContext, server.ConnState, server.Handler
	server.ConnContext = func(ctx context.Context, connection net.Conn) context.Context {
		if accepted != nil {
			ctx = accepted(ctx, connection)
		}
		return g.accepted(ctx, connection)
	}
	server.ConnState = func(connection net.Conn, state http.ConnState) {
		if state == http.StateClosed || state == http.StateHijacked {
			g.closed(connection)
		}
		if changed != nil {
			changed(connection, state)
		}
	}
	server.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if Beyond(r.Context()) != nil {
			w.Header().Set("Connection", "close")
		}
		handler.ServeHTTP(w, r)
	})
}

type beyondKey struct{}

// Beyond is the *budget.ExceededError of a request that came over a connection beyond the limit; nil for all others.
func Beyond(ctx context.Context) error {
	err, _ := ctx.Value(beyondKey{}).(error)
	return err
}

func (g *Connections) open() int64 {
	g.lock.Lock()
	defer g.lock.Unlock()
	return int64(len(g.counted) - g.beyond.Len())
}

// accepted comes before the first request of a connection.
func (g *Connections) accepted(ctx context.Context, connection net.Conn) context.Context {
	err := g.budget.Admit(1)
	g.lock.Lock()
	defer g.lock.Unlock()
	g.counted[connection] = nil
	if err == nil {
		return ctx
	}
	g.counted[connection] = g.beyond.PushBack(connection)
	if g.beyond.Len() > budget.ConnectionsBeyond {
		oldest := g.beyond.Front().Value.(net.Conn)
		// It may wait for its client; its end is told to closed.
		go oldest.Close()
		g.forget(oldest)
	}
	return context.WithValue(ctx, beyondKey{}, err)
}

func (g *Connections) closed(connection net.Conn) {
	g.lock.Lock()
	defer g.lock.Unlock()
	g.forget(connection)
}

// forget takes a connection out of the count. The lock is held.
func (g *Connections) forget(connection net.Conn) {
	if place := g.counted[connection]; place != nil {
		g.beyond.Remove(place)
	}
	delete(g.counted, connection)
}
