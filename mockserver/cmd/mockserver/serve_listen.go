package main

import (
	"context"
	"log/slog"
	"net/http"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
)

// Limits of the server. Writes are limited one by one, by the handler.
const (
	headerLimit   = 10 * time.Second
	bodyLimit     = 60 * time.Second
	idleLimit     = 2 * time.Minute
	headerBytes   = 64 << 10
	shutdownLimit = 10 * time.Second // unless told otherwise
)

// listen answers requests until the context ends, then lets running ones
// finish for a while.
func listen(ctx context.Context, t terminal, place *place, handler *mockserver.Server, secret bool, limit time.Duration, logger *slog.Logger) error {
	server := &http.Server{
		Handler: limitBody(place.handle(handler, secret), t.now), ReadHeaderTimeout: headerLimit, IdleTimeout: idleLimit,
		MaxHeaderBytes: headerBytes, BaseContext: mockserver.Listener, ErrorLog: slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
	}
	logRefused(server, logger, t.now)
	server.RegisterOnShutdown(handler.Drain)
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(place.listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	logger.Info("shutting down", "limit", limit.String())
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), limit)
	defer cancel()
	if err := server.Shutdown(grace); err != nil {
		logger.Warn("some downloads were cut off; they can be resumed with Range", "error", err)
		server.Close()
	}
	<-ended // http.ErrServerClosed
	return nil
}
