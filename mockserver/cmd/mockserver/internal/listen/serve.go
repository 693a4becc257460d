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

// ShutdownLimit is how long running requests may take to finish, unless told
// otherwise.
const ShutdownLimit = 10 * time.Second

// Server answers at an endpoint.
type Server struct {
	Endpoint *Endpoint
	Files    *Endpoint // of files that are served apart; nil: there are none
	Handler  *mockserver.Server
	Guarded  bool          // whether there is a control token
	Grace    time.Duration // for running requests to finish
	Now      func() time.Time
	Logger   *slog.Logger
}

// Run answers requests until the context ends, then lets running ones
// finish for a while.
func (s Server) Run(ctx context.Context) error {
	group, running := errgroup.WithContext(ctx)
	server := s.server(s.Endpoint.owned(s.Handler, s.Guarded), mockserver.Listener)
	server.RegisterOnShutdown(s.Handler.Drain)
	group.Go(func() error { return s.until(running, server, s.Endpoint.listener) })
	if s.Files != nil {
		apart := s.server(s.Handler, mockserver.FilesListener)
		group.Go(func() error { return s.until(running, apart, s.Files.listener) })
	}
	return group.Wait()
}

func (s Server) server(handler http.Handler, origin func(net.Listener) context.Context) *http.Server {
	server := &http.Server{
		Handler: limitBody(handler, s.Now), ReadHeaderTimeout: headerLimit, IdleTimeout: idleLimit,
		MaxHeaderBytes: headerBytes, BaseContext: origin, ErrorLog: slog.NewLogLogger(s.Logger.Handler(), slog.LevelWarn),
	}
	logRefused(server, s.Logger, s.Now)
	s.Handler.LimitConnections(server)
	return server
}

// until answers at a listener until the context ends.
func (s Server) until(ctx context.Context, server *http.Server, listener net.Listener) error {
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	s.Logger.Info("shutting down", "limit", s.Grace.String())
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), s.Grace)
	defer cancel()
	if err := server.Shutdown(grace); err != nil {
		s.Logger.Warn("some downloads were cut off; they can be resumed with Range", "error", err)
		server.Close()
	}
	<-ended // http.ErrServerClosed
	return nil
}

// Answer lets any handler answer until the context ends, then lets running requests finish for a while. Bodies
// may take as long as they like: they are those of somebody else.
func (e *Endpoint) Answer(ctx context.Context, handler http.Handler, grace time.Duration, logger *slog.Logger) error {
	server := &http.Server{
		Handler: handler, ReadHeaderTimeout: headerLimit, IdleTimeout: idleLimit,
		ErrorLog: slog.NewLogLogger(logger.Handler(), slog.LevelDebug),
	}
	return Server{Grace: grace, Logger: logger}.until(ctx, server, e.listener)
}
