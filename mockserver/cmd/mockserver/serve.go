package main

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"runtime/debug"
	"strings"
	"syscall"
	"time"

	"github.com/spf13/cobra"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
)

const serveHelp = `usage: mockserver serve [flags]

Answers the export API, by default on http://localhost:8080 (127.0.0.1, port 8080),
which no other machine can reach. The page at / shows the first commands to try.
Stop it with Ctrl-C: running downloads get ten seconds to finish (--shutdown-timeout),
and the state is kept. A second Ctrl-C ends it at once.

A file of keys for --credentials looks like this; a plan other than enterprise may
not create exports:
  {"companies": [{
     "key": "rest_demo", "plan": "enterprise",
     "applications": [{"key": "live_demo", "environment": "live"}],
     "projects": [{"key": "project_demo", "tokens": ["token_demo"]}]}]}
`

// Limits of the server. Writes are limited one by one, by the handler.
const (
	headerLimit   = 10 * time.Second
	bodyLimit     = 60 * time.Second
	idleLimit     = 2 * time.Minute
	headerBytes   = 64 << 10
	shutdownLimit = 10 * time.Second // unless told otherwise
)

// serveCommand is the command serve.
func serveCommand(t terminal) *cobra.Command {
	var f serveFlags
	command := newCommand("serve [flags]", "answer the export API over HTTP", serveHelp)
	f.define(command.Flags())
	command.RunE = func(command *cobra.Command, arguments []string) error {
		if err := f.check(arguments); err != nil {
			return err
		}
		return serve(command.Context(), f, t)
	}
	return command
}

// logger writes the log as the flags ask for it.
func (f *serveFlags) logger(t terminal) *slog.Logger {
	options := &slog.HandlerOptions{Level: f.logLevel}
	if f.logFormat == "json" {
		return slog.New(slog.NewJSONHandler(t.err, options))
	}
	return slog.New(slog.NewTextHandler(t.err, options))
}

// serve runs the server until the context ends.
func serve(ctx context.Context, f serveFlags, t terminal) error {
	credentials, err := readCredentials(f)
	if err != nil {
		return err
	}
	overlay, err := openSchemas(f.schemas)
	if err != nil {
		return err
	}
	web, err := openWeb(f.web)
	if err != nil {
		return err
	}
	own, err := openData(f.data)
	if err != nil {
		return err
	}
	defer collectLess(t)()
	defer keepAnswering(t)()
	logger := f.logger(t)
	listener, err := net.Listen("tcp", f.address)
	if err != nil {
		if errors.Is(err, syscall.EADDRINUSE) {
			return fmt.Errorf("--addr %s: another program listens there; choose another address with --addr or REHEARSAL_ADDR, port 0 takes a free one", f.address)
		}
		return fmt.Errorf("--addr %s: %w", f.address, err)
	}
	token, tokenNote := controlToken(f, listener.Addr())
	server, err := mockserver.New(mockserver.Options{
		ControlToken: token,
		State:        f.state, Seed: f.seed, Profiles: f.profiles, World: f.world, Schemas: overlay, Progress: f.progress, Scenario: f.scenario,
		Credentials: credentials, PartSize: f.partSize, PublicURL: f.publicURL, Gzip: f.gzip,
		RefuseAuthorization: f.refuseAuthorization, Web: web, StartAt: f.now, Now: t.now, Logger: logger, JournalSize: f.journal,
		Data: own, DataMode: f.dataMode,
	})
	if err != nil {
		listener.Close()
		return explained(f.data, worldMisuse(err))
	}
	announce(t, listener.Addr().String(), f, credentials, server.Now(), tokenNote)
	err = listen(ctx, t, listener, server, f.shutdown, logger)
	return errors.Join(err, server.Close())
}

// collectLess lets garbage grow to twice the live heap before it is collected,
// unless the environment says otherwise, and returns what undoes that. The heap
// of the server is small, a few megabytes, and what a request leaves behind
// short-lived: the default would collect many times a second, for memory that
// nobody misses. Only this command does so; a package leaves the choice to its
// program.
func collectLess(t terminal) (undo func()) {
	if t.environment("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(200)
	return func() { debug.SetGCPercent(before) }
}

// listen answers requests until the context ends, then lets running ones
// finish for a while.
func listen(ctx context.Context, t terminal, listener net.Listener, handler *mockserver.Server, limit time.Duration, logger *slog.Logger) error {
	server := &http.Server{
		Handler: limitBody(handler, t.now), ReadHeaderTimeout: headerLimit, IdleTimeout: idleLimit,
		MaxHeaderBytes: headerBytes, ErrorLog: slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
	}
	server.RegisterOnShutdown(handler.Drain)
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
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

// announce prints where the server is and how to begin. The first line is for
// programs: "listening on http://HOST:PORT".
func announce(t terminal, address string, f serveFlags, credentials mockserver.Credentials, now time.Time, control string) {
	fmt.Fprintf(t.out, "listening on http://%s\n", address)
	base := "http://" + address
	if host, port, err := net.SplitHostPort(address); err == nil && (host == "127.0.0.1" || host == "::" || host == "0.0.0.0") {
		base = "http://localhost:" + port
	}
	if f.publicURL != "" {
		base = strings.TrimSuffix(f.publicURL, "/")
	}
	fmt.Fprintf(t.out, "  page         %s/\n  state        %s\n  world        seed %d, %d profiles\n", base, mockserver.StateName(f.state), f.seed, f.profiles)
	switch {
	case !f.now.IsZero():
		fmt.Fprintf(t.out, "  clock        set to %s\n", f.now.Format(time.RFC3339Nano))
	case now.Sub(t.now()).Abs() > time.Minute:
		fmt.Fprintf(t.out, "  clock        %s, as it was left in the state\n", now.Format(time.RFC3339))
	}
	if control != "" {
		fmt.Fprintf(t.out, "  /_mock/      %s\n", control)
	}
	if credentials.Any {
		fmt.Fprintln(t.out, "  credentials  any that are not empty")
	}
	company, application := "KEY", "KEY"
	for _, holder := range credentials.Companies {
		fmt.Fprintf(t.out, "  company      X-Authorization: %s%s\n", holder.Key, planNote(holder.Plan))
		for _, key := range holder.Applications {
			fmt.Fprintf(t.out, "  application  %s (%s)\n", key.Key, orDefault(key.Environment, "live"))
		}
		for _, project := range holder.Projects {
			for _, token := range project.Tokens {
				fmt.Fprintf(t.out, "  project      X-Service-Project: %s, Authorization: Bearer %s\n", project.Key, token)
			}
		}
		if company == "KEY" && len(holder.Applications) > 0 {
			company, application = holder.Key, holder.Applications[0].Key
		}
	}
	fmt.Fprintf(t.out, "  try          curl -s %s/1.0/%s/export/userbase -H 'X-Authorization: %s' -H 'Content-Type: application/json' -d '{\"ids\":[\"install_id\",\"custom_id\"]}'\n",
		base, url.PathEscape(application), company)
}

func planNote(plan string) string {
	if plan == "" || plan == "enterprise" {
		return ""
	}
	return " (plan " + plan + ": exports are refused)"
}

func orDefault(text, other string) string {
	if text == "" {
		return other
	}
	return text
}

// readCredentials reads the credentials that the flags ask for.
func readCredentials(f serveFlags) (mockserver.Credentials, error) {
	credentials := mockserver.DemoCredentials()
	if f.credentials != "" {
		data, err := os.ReadFile(f.credentials)
		if err != nil {
			return credentials, fmt.Errorf("--credentials: %w", err)
		}
		if credentials, err = mockserver.ParseCredentials(data); err != nil {
			return credentials, fmt.Errorf("--credentials %s: %w", f.credentials, err)
		}
	}
	credentials.Any = credentials.Any || f.anyCredentials
	return credentials, nil
}
