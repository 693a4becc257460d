package main

import (
	"context"
	"errors"
	"flag"
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

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/clock"
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

// defaultAddress is where the server listens unless told otherwise.
const defaultAddress = "127.0.0.1:8080"

// serveFlags are the flags of serve.
type serveFlags struct {
	address, publicURL, state, schemas, web, progress, credentials string
	seed                                                           uint64
	profiles, partSize                                             int64
	anyCredentials, gzip, refuseAuthorization                      bool
	now                                                            time.Time // zero unless given
	world                                                          mockserver.World
	controlToken, scenario                                         string
	data, dataMode                                                 string
	shutdown                                                       time.Duration
	logFormat                                                      string
	logLevel                                                       slog.Level
	journal                                                        int
}

func parseServe(arguments []string, t terminal) (serveFlags, error) {
	var f serveFlags
	flags := flag.NewFlagSet("serve", flag.ContinueOnError)
	address := defaultAddress
	if fromEnvironment := t.environment("REHEARSAL_ADDR"); fromEnvironment != "" {
		address = fromEnvironment
	}
	flags.StringVar(&f.address, "addr", address, "listen on `HOST:PORT`; port 0 takes a free one; also set by REHEARSAL_ADDR")
	flags.StringVar(&f.publicURL, "public-url", "", "give out links under `URL`, such as https://mock.example (default the address that the client asked)")
	flags.StringVar(&f.state, "state", "rehearsal.db", "keep export requests in `STATE`: memory, the path of an SQLite file for one server, or postgres://user:password@host/database for several")
	flags.Uint64Var(&f.seed, "seed", 0, "make the synthetic population of seed `N`")
	flags.Int64Var(&f.profiles, "profiles", mockserver.DefaultProfiles, "make a population of `N` profiles")
	worldFlags(flags, &f.world)
	flags.StringVar(&f.schemas, "schemas", "", "let the schema files in `DIR` replace or add to the built-in ones")
	flags.StringVar(&f.data, "data", "", dataUsage)
	flags.StringVar(&f.dataMode, "data-mode", "", dataModeUsage)
	flags.Func("web", "show the built web page in `DIR` (default a plain page with commands to try)", f.setWeb)
	f.controlToken = t.environment("REHEARSAL_CONTROL_TOKEN")
	flags.Func("control-token", "let whoever sends `TOKEN` use the paths under /_mock/, from any machine; also set by REHEARSAL_CONTROL_TOKEN (default none on this machine's own addresses, a new one that is printed on others)", f.setControlToken)
	flags.Func("now", "set the clock to `DATE` (RFC 3339, such as 2026-01-31T08:00:00Z) and let it go on from there (default the real time, or what the clock of the state shows)", f.setNow)
	flags.StringVar(&f.progress, "progress", mockserver.DefaultProgress, "let exports finish by `PROGRESS`: now, time:2s, polls:3, manual or stuck")
	flags.StringVar(&f.scenario, "scenario", "", "let `SCENARIO` happen to every request, such as latency=200ms, unless another one says something else")
	flags.StringVar(&f.credentials, "credentials", "", "accept the keys in the JSON file `FILE` instead of the demo keys")
	flags.BoolVar(&f.anyCredentials, "any-credentials", false, "accept every credential that is not empty")
	flags.Int64Var(&f.partSize, "part-size", mockserver.DefaultPartSize, "split JSON files in parts of at most `BYTES`")
	flags.BoolVar(&f.gzip, "gzip", false, "compress downloads for clients that accept it; a compressed file has no length and no ranges")
	flags.BoolVar(&f.refuseAuthorization, "refuse-authorization", false, "refuse downloads that carry Authorization or X-Authorization, as object stores do")
	flags.IntVar(&f.journal, "journal", mockserver.DefaultJournalSize, "remember the last `N` requests of clients")
	flags.StringVar(&f.logFormat, "log-format", "text", "write the log as `FORMAT`: text or json")
	flags.TextVar(&f.logLevel, "log-level", slog.LevelInfo, "log from `LEVEL` on: debug, which logs every request, info, warn or error")
	flags.DurationVar(&f.shutdown, "shutdown-timeout", shutdownLimit, "let running downloads finish for up to `DURATION` when the server is stopped; 0 cuts them off")
	others, err := parseFlags(flags, arguments, serveHelp, t)
	if err != nil {
		return f, err
	}
	if len(others) > 0 {
		return f, misuse("unexpected argument %q; serve takes only flags", others[0])
	}
	if err := checkDataMode(f.dataMode); err != nil {
		return f, err
	}
	if f.profiles < 1 || f.profiles > mockserver.MaxProfiles {
		return f, misuse("--profiles is %d; it must be from 1 to %d", f.profiles, mockserver.MaxProfiles)
	}
	if err := checkWorld(f.world); err != nil {
		return f, err
	}
	if f.journal < 1 || f.journal > mockserver.MaxJournalSize {
		return f, misuse("--journal is %d; it must be from 1 to %d", f.journal, mockserver.MaxJournalSize)
	}
	if f.logFormat != "text" && f.logFormat != "json" {
		return f, misuse("--log-format is %q; it must be text or json", f.logFormat)
	}
	if f.shutdown < 0 {
		return f, misuse("--shutdown-timeout is %s; it must not be negative", f.shutdown)
	}
	if f.partSize < 1 {
		return f, misuse("--part-size is %d; it must be at least 1 byte", f.partSize)
	}
	return f, nil
}

// setWeb reads the flag --web. An empty name is no way to leave it out: it is a
// variable that a script forgot to set.
func (f *serveFlags) setWeb(text string) error {
	if text == "" {
		return errors.New("must name a directory")
	}
	f.web = text
	return nil
}

// setNow reads the flag --now.
func (f *serveFlags) setNow(text string) error {
	instant, err := time.Parse(time.RFC3339Nano, text)
	if err != nil || instant.Before(clock.Earliest) || instant.After(clock.Latest) {
		return fmt.Errorf("must be an RFC 3339 date-time from %s to %s", clock.Earliest.Format(time.RFC3339), clock.Latest.Format(time.RFC3339))
	}
	f.now = instant.UTC()
	return nil
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
func serve(ctx context.Context, arguments []string, t terminal) error {
	f, err := parseServe(arguments, t)
	if err != nil {
		return err
	}
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
