package listen

import (
	"context"
	"log/slog"
	"net/http"
	"time"

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
	Handler  *mockserver.Server
	Guarded  bool          // whether there is a control token
	Grace    time.Duration // for running requests to finish
	Now      func() time.Time
	Logger   *slog.Logger
}

// Run answers requests until the context ends, then lets running ones
// finish for a while.
func (s Server) Run(ctx context.Context) error {
	server := &http.Server{
		Handler: limitBody(s.Endpoint.owned(s.Handler, s.Guarded), s.Now), ReadHeaderTimeout: headerLimit, IdleTimeout: idleLimit,
		MaxHeaderBytes: headerBytes, BaseContext: mockserver.Listener, ErrorLog: slog.NewLogLogger(s.Logger.Handler(), slog.LevelWarn),
	}
	logRefused(server, s.Logger, s.Now)
	server.RegisterOnShutdown(s.Handler.Drain)
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(s.Endpoint.listener) }()
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
