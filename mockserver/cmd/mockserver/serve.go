package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"

	"github.com/spf13/cobra"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/files"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/listen"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/machine"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/auth"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/demo"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/report"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/secret"
	"github.com/rehearsal-sdk/rehearsal/mockserver/state"
)

const serveHelp = `usage: mockserver serve [flags]

Answers the export API, by default on http://localhost:8080 (127.0.0.1, port 8080),
which no other machine can reach. It prints a first request to try.
Stop it with Ctrl-C: running downloads get ten seconds to finish (--shutdown-timeout),
and the state is kept. A second Ctrl-C ends it at once.

A file of keys for --credentials looks like this; a plan other than enterprise may
not create exports:
  {"companies": [{
     "key": "` + demo.CompanyKey + `", "plan": "enterprise",
     "applications": [{"key": "` + demo.LiveKey + `", "environment": "live"}],
     "projects": [{"key": "` + demo.ProjectKey + `", "tokens": ["` + demo.Token + `"]}]}]}
`

// serveCommand is the command serve; run does what its flags say, and again reads the command line again.
func serveCommand(t terminal, run func(context.Context, serveFlags, terminal) error, again func(context.Context, func(serveFlags)) error) *cobra.Command {
	f := serveFlags{again: again}
	command := newCommand("serve [flags]", "answer the export API over HTTP", serveHelp)
	f.define(command.Flags())
	command.PreRunE = func(command *cobra.Command, _ []string) error {
		if err := errors.Join(f.where.Join(command.Flags()), f.reachNetwork(), f.read(command)); err != nil {
			return err
		}
		configs, _ := command.Flags().GetStringArray("config")
		f.watched = slices.Concat(configs, f.schemas, f.world.Files(), []string{t.environment("REHEARSAL_CONFIG"), f.data, f.replay, f.credentials})
		f.watched = slices.DeleteFunc(f.watched, func(name string) bool { return name == "" || name == anyCredentials })
		return f.check()
	}
	command.RunE = func(command *cobra.Command, _ []string) error {
		if !command.Flags().Changed("part-size") {
			f.PartSize = 0 // as the interfaces say, those of an overlay too
		}
		return run(command.Context(), f, t)
	}
	return command
}

// open opens the files that the flags name.
func (f *serveFlags) open() (o mockserver.Options, err error) {
	o = f.Options
	if o.Credentials, err = readCredentials(f.credentials); err != nil {
		return o, err
	}
	if o.Schemas, err = f.schemas.Open(); err != nil {
		return o, err
	}
	if o.Web, err = openWeb(f.web); err != nil {
		return o, err
	}
	if f.replay != "" {
		if o.Replay, err = files.OpenRoot("--replay", f.replay); err != nil {
			return o, err
		}
	}
	o.Data, err = openData(f.data)
	return o, err
}

// explain says which file or flag is at fault when there is no server.
func (f *serveFlags) explain(err error) error {
	return f.schemas.Fault(explained(f.data, misuse(err)))
}

// serve runs the server until the context ends.
func serve(ctx context.Context, f serveFlags, t terminal) error {
	f.Logger, f.Now, f.Version = report.Log(t.err, f.logForm, f.logLevel), t.now, versionNow().version
	f.State, f.DataDisk = state.At(f.state), state.Disk("")
	if f.durable {
		f.State = state.Durable(f.state)
	}
	seen := ""
	if f.watch {
		seen = fingerprint(f.watched)
	}
	options, err := f.open()
	if err != nil {
		return err
	}
	if f.untilStdinCloses {
		var done context.CancelFunc
		ctx, done = untilClosed(ctx, t.in)
		defer done()
	}
	memoryNote, undo := f.useMachine(t.environment)
	defer undo()
	options.Limits = f.Limits
	ready, err := listen.OpenReadyFile(f.readyFile)
	if err != nil {
		return err
	}
	endpoint, err := f.where.Open(ctx)
	if err != nil {
		return err
	}
	defer endpoint.Close()
	if f.lan {
		endpoint.Context = auth.OnAppListener
	}
	if err := endpoint.Secure(f.tls, f.PublicURL, f.Hosts, t.now()); err != nil {
		return err
	}
	apart, err := f.openFiles(ctx, t)
	if err != nil {
		return err
	}
	defer apart.Close()
	token, tokenNote := listen.ControlToken(f.ControlToken.Reveal(), endpoint.Address())
	f.ControlToken = secret.Text(token)
	options.ControlToken, options.FilesURL = f.ControlToken, f.FilesURL
	server, err := mockserver.New(options)
	if err != nil {
		return f.explain(err)
	}
	if err := ready.Write(endpoint, f.PublicURL, token, f.Version); err != nil {
		return errors.Join(err, server.Close())
	}
	defer ready.Remove(f.Logger)
	announce(t, endpoint, f, options, server, memoryNote, tokenNote)
	if f.watch {
		watcher := watcher{terminal: t, flags: f, server: server, seen: seen}
		defer watcher.start(ctx)()
	}
	err = listen.Server{
		Handler: server, Limit: server.LimitConnections, Guarded: token != "", Grace: f.shutdown, Now: t.now, Logger: f.Logger,
		Drain: sync.OnceFunc(func() {
			f.Logger.Info("shutting down", "limit", f.shutdown.String())
			server.Drain()
		}),
	}.Run(ctx, endpoint, apart)
	err = errors.Join(err, server.Close())
	if ctx.Err() != nil {
		left := "it is kept"
		if f.state == "memory" {
			left = "it is gone, since it was in memory"
		}
		f.Logger.Info("stopped", "because", context.Cause(ctx), "state", state.Name(f.state), "left", left)
	}
	return err
}

// useMachine fits memory and processors to the machine, and says which limit of memory there is.
func (f *serveFlags) useMachine(environment machine.Environment) (note string, undo func()) {
	percent := 200 // the heap is small, and requests leave much behind for a short time
	if f.data != "" {
		percent = 50 // reading rows leaves much behind
	}
	undone := []func(){machine.Collect(environment, percent), machine.KeepAnswering(environment)}
	memory := machine.ContainerMemory
	if f.Limits.Memory > 0 {
		memory = func() (uint64, error) { return uint64(f.Limits.Memory), nil }
	} else if all, err := memory(); err == nil && all > 0 && all < 4<<30 {
		f.Limits.Memory = max(int64(all), 32<<20)
	}
	note, unlimited := machine.LimitMemory(environment, memory)
	undone = append(undone, unlimited, machine.WatchHeap(environment))
	return note, func() {
		for _, each := range slices.Backward(undone) {
			each()
		}
	}
}

// untilClosed ends a context when a reader ends too. A pipe ends with the last process that holds its other end, also one that was killed
// and on every system, so that a test runner leaves no server behind.
func untilClosed(ctx context.Context, in io.Reader) (context.Context, context.CancelFunc) {
	ctx, end := context.WithCancelCause(ctx)
	go func() {
		io.Copy(io.Discard, in) // an error ends it as well
		end(errors.New("standard input is closed"))
	}()
	return ctx, func() { end(nil) }
}

// credentialsLimit is the size of the largest file of credentials, in bytes.
const credentialsLimit = 16 << 20

// readCredentials reads the credentials of a file; none are those of the demo.
func readCredentials(name string) (mockserver.Credentials, error) {
	if name == "" || name == anyCredentials {
		credentials := mockserver.DemoCredentials()
		credentials.Any = name == anyCredentials
		return credentials, nil
	}
	data, err := files.ReadBounded("--credentials", name, credentialsLimit)
	if err != nil {
		return mockserver.Credentials{}, err
	}
	credentials, err := mockserver.ParseCredentials(data)
	if err != nil {
		err = fmt.Errorf("--credentials %s: %w", name, err)
	}
	return credentials, err
}
