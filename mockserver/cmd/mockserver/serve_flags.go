package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"net"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/files"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/listen"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/settings"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/auth"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/clock"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
)

// serveFlags are the flags of serve: the options of the server, and what they are made from.
type serveFlags struct {
	mockserver.Options
	world, limit                     *settings.Block
	schemas                          files.Overlays
	cors, credentials                string
	data, replay, web, state         string // names of files and directories
	test, durable, watch, lan        bool
	where                            listen.Flags
	tls                              listen.TLS
	readyFile, filesAddress, logForm string
	logLevel                         slog.Level
	shutdown                         time.Duration
	untilStdinCloses                 bool
	watched                          []string                                              // files and directories of --watch
	again                            func(ctx context.Context, use func(serveFlags)) error // reads the command line again
}

// define adds the flags to a command.
func (f *serveFlags) define(flags *pflag.FlagSet) {
	f.where.Define(flags)
	f.tls.Define(flags)
	flags.BoolVar(&f.lan, "lan", false,
		"listen on the network, for apps on phones, and print its addresses and the code with which they join; nothing else opens")
	flags.StringVar(&f.readyFile, "ready-file", "",
		"write the address and all else that a client needs to `FILE`, as JSON, once the server listens")
	flags.StringVar(&f.cors, "cors", "",
		"let pages of the origins in `LIST`, or * for all, use the API; the paths under /_mock/ only with a control token")
	defineHosts(flags, &f.Hosts)
	settings.RepeatedFunc(flags, "callback-host",
		"let callbacks at the end of an export go to `NAME` as well; repeatable. This machine is always one",
		func(text string) error {
			f.CallbackHosts = append(f.CallbackHosts, text)
			return auth.CheckHostName(text)
		})
	flags.StringVar(&f.PublicURL, "public-url", "",
		"put `URL` into links, for a server behind a proxy (default the address that the client used)")
	flags.StringVar(&f.filesAddress, "files-addr", "",
		"serve files alone at `HOST:PORT`, as object stores do (default at the address of the API)")
	flags.StringVar(&f.FilesURL, "files-url", "",
		"put `URL` into links to files of --files-addr (default http://127.0.0.1:PORT; localhost is another host)")
	flags.StringVar(&f.state, "state", "rehearsal.db",
		"keep exports in `STATE`: memory, the path of a file, or postgres://user:password@host/database")
	flags.BoolVar(&f.durable, "durable", false,
		"wait for the disk before a request is acknowledged: it survives a power failure, and takes longer")
	f.world = defineWorld(flags, &f.Options)
	settings.RepeatedFunc(flags, "schemas", files.OverlaysUsage, f.schemas.Add)
	flags.StringVar(&f.data, "data", "", dataUsage)
	flags.StringVar(&f.DataMode, "data-mode", "", dataModeUsage)
	flags.StringVar(&f.replay, "replay", "",
		"answer with the recording in `DIR` where a request matches, and out of the world where none does")
	flags.BoolVar(&f.ReplayStrict, "replay-strict", false, "refuse requests that --replay has no answer to")
	settings.Func(flags, "replay-ignore", "match requests to --replay without the members in `LIST`, such as /from,/to", f.setReplayIgnore)
	settings.Func(flags, "web", "serve the built web page in `DIR` at / (default the page of a release, otherwise a list of routes)", f.setWeb)
	settings.Secret(flags, &f.ControlToken, "control-token",
		"require `TOKEN` as a bearer token under /_mock/ (default none on loopback, otherwise a new one)", notEmpty)
	settings.Func(flags, "now", "set the clock to `DATE` (RFC 3339) at start (default the real time, or the clock of the state)", f.setNow)
	flags.StringVar(&f.Progress, "progress", mockserver.DefaultProgress,
		"let exports proceed by `PROGRESS`: now, time:2s, polls:3, manual or stuck")
	flags.StringVar(&f.Scenario, "scenario", "", "apply `SCENARIO`, such as latency=200ms, to every request that no other scenario overrides")
	flags.StringVar(&f.credentials, "credentials", "",
		"accept the keys in the JSON file `FILE` instead of the demo keys; the word any accepts all")
	flags.BoolVar(&f.watch, "watch", false, "read schemas, world, dataset, credentials and settings again when their files change")
	flags.BoolVar(&f.test, "test", false,
		"serve a test: --credentials any --state memory --progress polls:3 --profiles 500, unless set otherwise")
	flags.Int64Var(&f.PartSize, "part-size", exports.Profiles().Files.PartSize,
		"split the files of profile exports into parts of at most `BYTES`")
	flags.BoolVar(&f.Gzip, "gzip", false, "compress downloads for clients that accept gzip: they have no Content-Length and no ranges")
	flags.BoolVar(&f.RefuseAuthorization, "refuse-authorization", false, "refuse downloads with a header of credentials, as object stores do")
	flags.IntVar(&f.JournalSize, "journal", mockserver.DefaultJournalSize, "keep the last `N` client requests in the journal")
	flags.DurationVar(&f.Retention, "retention", 0,
		"forget export requests of the age `DURATION`, such as 744h (default as their interface says)")
	f.limit = settings.AddBlock(flags, "limit", "mock/limits.json",
		"limit memory, disk, body, connections or rows by `KEY=VALUE`, such as memory=512MiB. Repeatable", false)
	flags.StringVar(&f.logForm, "log-format", "text", "write the log, on standard error, in `FORMAT`: text or json")
	flags.TextVar((*level)(&f.logLevel), "log-level", level(slog.LevelInfo),
		"log messages of `LEVEL` and above: debug (every request), info, warn or error")
	flags.DurationVar(&f.shutdown, "shutdown-timeout", listen.ShutdownLimit,
		"wait up to `DURATION` for running downloads after the first signal to end")
	flags.BoolVar(&f.untilStdinCloses, "until-stdin-closes", false,
		"end when standard input ends, as it does when the program that started this one is gone")
	settings.Between(flags, "journal", 1, mockserver.MaxJournalSize)
	settings.Between(flags, "part-size", 1, mockserver.MaxPartSize)
	settings.OneOf(flags, "log-format", "text", "json")
	settings.OneOf(flags, "log-level", "debug", "info", "warn", "error")
	settings.OneOf(flags, "data-mode", "", "mixed", "only")
}

// reachNetwork lets --lan listen on all addresses in the place of loopback.
func (f *serveFlags) reachNetwork() error {
	if !f.lan {
		return nil
	}
	if _, is := f.where.Socket(); is {
		return usage.Errorf("--lan listens on the network, and --addr %s is a Unix socket, which no phone reaches; leave one of them out",
			f.where.Address)
	}
	if host, port, err := net.SplitHostPort(f.where.Address); err == nil && (host == "localhost" || net.ParseIP(host).IsLoopback()) {
		f.where.Address = ":" + port
	}
	return nil
}

// defineHosts adds the flag of names.
func defineHosts(flags *pflag.FlagSet, hosts *[]string) {
	const usage = "answer under `NAME` as well; repeatable. On loopback only known names are answered, elsewhere any unless one is given"
	settings.RepeatedFunc(flags, "host", usage, func(text string) error {
		*hosts = append(*hosts, text)
		return auth.CheckHostName(text)
	})
}

// testPreset is what --test sets where nothing else does.
var testPreset = map[string]string{"credentials": anyCredentials, "state": "memory", "progress": "polls:3", "profiles": "500"}

// anyCredentials is the word of --credentials that accepts all.
const anyCredentials = "any"

// read takes the values out of the flags that others follow from.
func (f *serveFlags) read(command *cobra.Command) error {
	if f.test {
		preset := maps.Clone(testPreset)
		if f.world.Has("profiles") {
			delete(preset, "profiles")
		}
		if err := settings.Preset(command, "--test", preset); err != nil {
			return err
		}
	}
	limits := map[string]json.RawMessage{}
	if err := f.limit.Decode(&limits); err != nil {
		return usage.Errorf("--limit: %v", err)
	}
	for key, value := range limits {
		if err := f.Limits.Set(key, strings.Trim(string(value), `"`)); err != nil {
			return usage.Errorf("--limit %v", err)
		}
	}
	return readWorld(command, f.world, &f.Options)
}

// check refuses values that no flag can have alone or together with the others.
func (f *serveFlags) check() error {
	if err := f.tls.Check(); err != nil {
		return err
	}
	switch {
	case strings.TrimSpace(f.state) == "": // a variable that a script forgot to set is no place to keep anything
		return usage.Errorf("--state is %q; use memory, the path of a file or postgres://user:password@host/database", f.state)
	case f.durable && f.state == "memory":
		return usage.Errorf("--durable has no meaning with --state memory, which ends with the process; name a file or a database")
	case f.FilesURL != "" && f.filesAddress == "":
		return usage.Errorf("--files-url is the address of what --files-addr serves, which is not given; say where with --files-addr HOST:PORT")
	case f.shutdown < 0:
		return usage.Errorf("--shutdown-timeout is %s; it must not be negative", f.shutdown)
	}
	if f.watch {
		if err := checkWatched(f.watched); err != nil {
			return err
		}
	}
	f.CORS = settings.List(f.cors)
	return misuse(f.Check())
}

// misuse makes what is wrong with an option a mistake of the command line, which names the flag.
func misuse(err error) error {
	wrong := new(mockserver.OptionError)
	switch {
	case !errors.As(err, &wrong):
		return err
	case wrong.Option == "world": // of which a key is at fault
		return usage.Errorf("--world %v", wrong.Err)
	}
	return usage.Errorf("--%v", wrong)
}

// level is a level of the log in the small letters in which the flag lists them.
type level slog.Level

func (l *level) UnmarshalText(text []byte) error { return (*slog.Level)(l).UnmarshalText(text) }

func (l level) MarshalText() ([]byte, error) {
	return []byte(strings.ToLower(slog.Level(l).String())), nil
}

// setWeb reads the flag --web. An empty name is no way to leave it out: it is a variable that a script forgot to set.
func (f *serveFlags) setWeb(text string) error {
	if text == "" {
		return errors.New("must name a directory")
	}
	f.web = text
	return nil
}

// setNow reads the flag --now. setReplayIgnore reads --replay-ignore.
func (f *serveFlags) setReplayIgnore(text string) error {
	f.ReplayIgnore = settings.List(text)
	for _, pointer := range f.ReplayIgnore {
		if !strings.HasPrefix(pointer, "/") && !strings.HasPrefix(pointer, "?") {
			return fmt.Errorf("must be members of payloads that begin with /, or parameters that begin with ?, not %q", pointer)
		}
	}
	return nil
}

func (f *serveFlags) setNow(text string) error {
	instant, err := time.Parse(time.RFC3339Nano, text)
	if err != nil || instant.Before(clock.Earliest) || instant.After(clock.Latest) {
		return fmt.Errorf("must be an RFC 3339 date-time from %s to %s", clock.Earliest.Format(time.RFC3339), clock.Latest.Format(time.RFC3339))
	}
	f.StartAt = instant.UTC()
	return nil
}

// openFiles listens where files are served apart, and completes their address; nil when they are served at the address of the API.
func (f *serveFlags) openFiles(ctx context.Context, t terminal) (*listen.Endpoint, error) {
	if f.filesAddress == "" {
		return nil, nil
	}
	where := listen.Flags{Address: f.filesAddress, Name: "--files-addr"}
	if _, is := where.Socket(); is {
		return nil, usage.Errorf("--files-addr is %s; files need an origin that links can name: HOST:PORT", f.filesAddress)
	}
	endpoint, err := where.Open(ctx)
	if err != nil {
		return nil, err
	}
	if err := endpoint.Secure(f.tls, f.FilesURL, f.Hosts, t.now()); err != nil {
		endpoint.Close()
		return nil, err
	}
	endpoint.Context = mockserver.FilesListener
	if f.FilesURL == "" {
		f.FilesURL = endpoint.Base("127.0.0.1")
	}
	return endpoint, nil
}

// notEmpty refuses an empty control token, which would open the paths to clients that send nothing.
func notEmpty(text string) error {
	if text == "" {
		return errors.New("must not be empty")
	}
	return nil
}
