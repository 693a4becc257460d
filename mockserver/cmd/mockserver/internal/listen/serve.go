package listen

import (
	"context"
	"log/slog"
	"net"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
)

// Limits of connections. Writes are limited one by one, by the handler.
const (
	headerLimit = 10 * time.Second
	bodyLimit   = 60 * time.Second
	idleLimit   = 2 * time.Minute
	headerBytes = 64 << 10
)

// ShutdownLimit is how long running requests may take to finish, unless told otherwise.
const ShutdownLimit = 10 * time.Second

// Server answers at endpoints. It is the only one of the program: what is no request, how long a client may take and how many
// connections there may be is the same for every handler.
type Server struct {
	Handler http.Handler
	Limit   func(*http.Server) // keeps connections within a budget
	Guarded bool               // whether there is a token
	Grace   time.Duration      // for running requests to finish
	Now     func() time.Time
	Logger  *slog.Logger
	Drain   func() // is called when the end begins; nil calls nothing
}

// Run answers requests until the context ends, then lets running ones finish for a while. Absent endpoints count for nothing.
func (s Server) Run(ctx context.Context, endpoints ...*Endpoint) error {
	group, running := errgroup.WithContext(ctx)
	for _, endpoint := range endpoints {
		if endpoint == nil {
			continue
		}
		group.Go(func() error { return s.until(running, s.server(endpoint), endpoint.listeners) })
	}
	return group.Wait()
}

func (s Server) server(endpoint *Endpoint) *http.Server {
	origin := endpoint.Context
	if origin == nil {
		origin = mockserver.Listener
	}
	server := &http.Server{
		Handler: limitBody(endpoint.owned(s.Handler, s.Guarded), s.Now), ReadHeaderTimeout: headerLimit, IdleTimeout: idleLimit,
		MaxHeaderBytes: headerBytes, BaseContext: origin, ErrorLog: slog.NewLogLogger(s.Logger.Handler(), slog.LevelWarn),
	}
	logRefused(server, s.Logger, s.Now)
	s.Limit(server)
	if s.Drain != nil {
		server.RegisterOnShutdown(s.Drain)
	}
	return server
}

// until answers at listeners until the context ends.
func (s Server) until(ctx context.Context, server *http.Server, listeners []net.Listener) error {
	ended := make(chan error, len(listeners))
	for _, each := range listeners {
		go func() { ended <- server.Serve(each) }()
	}
	select {
	case err := <-ended:
		server.Close()
		return err
	case <-ctx.Done():
	}
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.Grace)
	defer cancel()
	if err := server.Shutdown(grace); err != nil {
		s.Logger.Warn("some downloads were cut off; they can be resumed with Range", "error", err)
		server.Close()
	}
	for range listeners {
		<-ended // http.ErrServerClosed
	}
	return nil
}
