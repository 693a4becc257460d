package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
)

const serveHelp = `usage: mockserver serve [flags]

Answers the export API, by default on http://localhost:8080. The page at / shows
the first commands to try. Stop it with Ctrl-C: running downloads get ten seconds
to finish, and the state is kept.

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
	shutdownLimit = 10 * time.Second
)

// defaultAddress is where the server listens unless told otherwise.
const defaultAddress = "127.0.0.1:8080"

// serveFlags are the flags of serve.
type serveFlags struct {
	address, state, schemas, progress, credentials string
	seed                                           uint64
	profiles, partSize                             int64
	anyCredentials                                 bool
}

func parseServe(arguments []string, t terminal) (serveFlags, error) {
	var f serveFlags
	flags := flag.NewFlagSet("serve", flag.ContinueOnError)
	address := defaultAddress
	if fromEnvironment := t.environment("REHEARSAL_ADDR"); fromEnvironment != "" {
		address = fromEnvironment
	}
	flags.StringVar(&f.address, "addr", address, "listen on `HOST:PORT`; port 0 takes a free one; also set by REHEARSAL_ADDR")
	flags.StringVar(&f.state, "state", "rehearsal.db", "keep export requests in `STATE`: memory, or the path of an SQLite file")
	flags.Uint64Var(&f.seed, "seed", 0, "make the synthetic population of seed `N`")
	flags.Int64Var(&f.profiles, "profiles", mockserver.DefaultProfiles, "make a population of `N` profiles")
	flags.StringVar(&f.schemas, "schemas", "", "let the schema files in `DIR` replace or add to the built-in ones")
	flags.StringVar(&f.progress, "progress", mockserver.DefaultProgress, "let exports finish by `PROGRESS`: now, time:2s, polls:3 or manual")
	flags.StringVar(&f.credentials, "credentials", "", "accept the keys in the JSON file `FILE` instead of the demo keys")
	flags.BoolVar(&f.anyCredentials, "any-credentials", false, "accept every credential that is not empty")
	flags.Int64Var(&f.partSize, "part-size", mockserver.DefaultPartSize, "split JSON files in parts of at most `BYTES`")
	others, err := parseFlags(flags, arguments, serveHelp, t)
	if err != nil {
		return f, err
	}
	if len(others) > 0 {
		return f, misuse("unexpected argument %q; serve takes only flags", others[0])
	}
	if f.profiles < 1 {
		return f, misuse("--profiles is %d; it must be at least 1", f.profiles)
	}
	if f.partSize < 1 {
		return f, misuse("--part-size is %d; it must be at least 1 byte", f.partSize)
	}
	return f, nil
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
	logger := slog.New(slog.NewTextHandler(t.err, nil))
	server, err := mockserver.New(mockserver.Options{
		State: f.state, Seed: f.seed, Profiles: f.profiles, Schemas: overlay, Progress: f.progress,
		Credentials: credentials, PartSize: f.partSize, Now: t.now, Logger: logger,
	})
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", f.address)
	if err != nil {
		server.Close()
		return fmt.Errorf("--addr %s: %w", f.address, err)
	}
	announce(t, listener.Addr().String(), f, credentials)
	err = listen(ctx, t, listener, server, logger)
	return errors.Join(err, server.Close())
}

// listen answers requests until the context ends, then lets running ones
// finish for a while.
func listen(ctx context.Context, t terminal, listener net.Listener, handler http.Handler, logger *slog.Logger) error {
	server := &http.Server{
		Handler: limitBody(handler, t.now), ReadHeaderTimeout: headerLimit, IdleTimeout: idleLimit,
		MaxHeaderBytes: headerBytes, ErrorLog: slog.NewLogLogger(logger.Handler(), slog.LevelWarn),
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	logger.Info("shutting down", "limit", shutdownLimit.String())
	grace, cancel := context.WithTimeout(context.WithoutCancel(ctx), shutdownLimit)
	defer cancel()
	if err := server.Shutdown(grace); err != nil {
		logger.Warn("some downloads were cut off; they can be resumed with Range", "error", err)
		server.Close()
	}
	<-ended // http.ErrServerClosed
	return nil
}

// limitBody limits the time a client may take to send a body. The server's own
// limit would also end requests without a body that are answered slowly, such
// as for a large file.
func limitBody(handler http.Handler, now func() time.Time) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.ContentLength != 0 {
			// Every connection of this server knows deadlines.
			_ = http.NewResponseController(w).SetReadDeadline(now().Add(bodyLimit))
		}
		handler.ServeHTTP(w, r)
	})
}

// announce prints where the server is and how to begin. The first line is for
// programs: "listening on http://HOST:PORT".
func announce(t terminal, address string, f serveFlags, credentials mockserver.Credentials) {
	fmt.Fprintf(t.out, "listening on http://%s\n", address)
	base := "http://" + address
	if host, port, err := net.SplitHostPort(address); err == nil && host == "127.0.0.1" {
		base = "http://localhost:" + port
	}
	fmt.Fprintf(t.out, "  page         %s/\n  state        %s\n  world        seed %d, %d profiles\n", base, f.state, f.seed, f.profiles)
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
		base, application, company)
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
