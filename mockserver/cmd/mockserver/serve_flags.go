package main

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/spf13/pflag"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/clock"
)

// serveFlags are the flags of serve.
type serveFlags struct {
	where                                                 placeFlags
	tls, tlsCertificate, tlsKey, tlsSave, readyFile, cors string
	publicURL, state, schemas, web, progress, credentials string
	seed                                                  uint64
	profiles, partSize                                    int64
	anyCredentials, gzip, refuseAuthorization             bool
	now                                                   time.Time // zero unless given
	world                                                 mockserver.World
	controlToken, scenario                                string
	data, dataMode                                        string
	shutdown                                              time.Duration
	logFormat                                             string
	logLevel                                              slog.Level
	journal                                               int
}

// define adds the flags to a command.
func (f *serveFlags) define(flags *pflag.FlagSet) {
	f.where.define(flags)
	tlsFlags(flags, f)
	flags.StringVar(&f.readyFile, "ready-file", "", "when the server listens, write its address and what else a client needs to `FILE` as JSON; it is removed at the end")
	flags.StringVar(&f.cors, "cors", "", "let the web pages of the origins in `LIST`, such as http://localhost:5173, or * for all, use the API; the paths under /_mock/ only with a control token")
	flags.StringVar(&f.publicURL, "public-url", "", "give out links under `URL`, such as https://mock.example (default the address that the client asked)")
	flags.StringVar(&f.state, "state", "rehearsal.db", "keep export requests in `STATE`: memory, the path of an SQLite file for one server, or postgres://user:password@host/database for several")
	flags.Uint64Var(&f.seed, "seed", 0, "make the synthetic population of seed `N`")
	flags.Int64Var(&f.profiles, "profiles", mockserver.DefaultProfiles, "make a population of `N` profiles")
	worldFlags(flags, &f.world)
	flags.StringVar(&f.schemas, "schemas", "", "let the schema files in `DIR` replace or add to the built-in ones")
	flags.StringVar(&f.data, "data", "", dataUsage)
	flags.StringVar(&f.dataMode, "data-mode", "", dataModeUsage)
	readBy(flags, "web", "show the built web page in `DIR` (default a plain page with commands to try)", f.setWeb)
	readBy(flags, "control-token", "let whoever sends `TOKEN` use the paths under /_mock/, from any machine (default none on this machine's own addresses, a new one that is printed on others)", f.setControlToken)
	readBy(flags, "now", "set the clock to `DATE` (RFC 3339, such as 2026-01-31T08:00:00Z) and let it go on from there (default the real time, or what the clock of the state shows)", f.setNow)
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
}

// check refuses values that no flag can have alone or beside the others.
func (f *serveFlags) check(arguments []string) error {
	if len(arguments) > 0 {
		return misuse("unexpected argument %q; serve takes only flags", arguments[0])
	}
	if err := f.checkTLS(); err != nil {
		return err
	}
	if err := checkDataMode(f.dataMode); err != nil {
		return err
	}
	if f.profiles < 1 || f.profiles > mockserver.MaxProfiles {
		return misuse("--profiles is %d; it must be from 1 to %d", f.profiles, mockserver.MaxProfiles)
	}
	if err := checkWorld(f.world); err != nil {
		return err
	}
	if f.journal < 1 || f.journal > mockserver.MaxJournalSize {
		return misuse("--journal is %d; it must be from 1 to %d", f.journal, mockserver.MaxJournalSize)
	}
	if f.logFormat != "text" && f.logFormat != "json" {
		return misuse("--log-format is %q; it must be text or json", f.logFormat)
	}
	if f.shutdown < 0 {
		return misuse("--shutdown-timeout is %s; it must not be negative", f.shutdown)
	}
	if f.partSize < 1 {
		return misuse("--part-size is %d; it must be at least 1 byte", f.partSize)
	}
	return nil
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
