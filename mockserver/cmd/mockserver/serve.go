package main

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/files"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/imports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/listen"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/machine"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/settings"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/demo"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/report"
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

// serveCommand is the command serve.
func serveCommand(t terminal) *cobra.Command {
	var f serveFlags
	command := newCommand("serve [flags]", "answer the export API over HTTP", serveHelp)
	f.define(command.Flags())
	command.PreRunE = func(command *cobra.Command, arguments []string) error {
		where := f.where // what is printed is what was set
		if err := where.Join(command.Flags()); err != nil {
			return err
		}
		if err := f.read(command); err != nil {
			return err
		}
		return f.check(arguments)
	}
	command.RunE = func(command *cobra.Command, _ []string) error {
		if err := f.where.Join(command.Flags()); err != nil {
			return err
		}
		if !command.Flags().Changed("part-size") {
			f.partSize = 0 // as the interfaces say, those of an overlay too
		}
		return serve(command.Context(), f, t)
	}
	return command
}

// serve runs the server until the context ends.
func serve(ctx context.Context, f serveFlags, t terminal) error {
	credentials, err := readCredentials(f)
	if err != nil {
		return err
	}
	overlay, err := f.schemas.Open()
	if err != nil {
		return err
	}
	web, err := openWeb(f.web)
	if err != nil {
		return err
	}
	data, err := imports.OpenData(ctx, f.data, f.schemas, f.pseudonymise)
	if err != nil {
		return err
	}
	defer data.Close()
	replay, err := openReplay(f.replay)
	if err != nil {
		return err
	}
	if f.untilStdinCloses {
		var done context.CancelFunc
		ctx, done = untilClosed(ctx, t.in)
		defer done()
	}
	defer machine.CollectLess(t.environment)()
	if f.data != "" {
		defer machine.CollectRows(t.environment)()
	}
	defer machine.KeepAnswering(t.environment)()
	memory := machine.ContainerMemory
	if f.limits.Memory > 0 {
		memory = func() (uint64, error) { return uint64(f.limits.Memory), nil }
	} else if all, err := memory(); err == nil && all > 0 && all < 4<<30 {
		f.limits.Memory = max(int64(all), 32<<20)
	}
	memoryNote, unlimited := machine.LimitMemory(t.environment, memory)
	defer unlimited()
	defer machine.WatchHeap(t.environment)()
	logger := report.Log(t.err, f.logFormat, f.logLevel)
	data.Log(logger)
	ready, err := listen.OpenReadyFile(f.readyFile)
	if err != nil {
		return err
	}
	endpoint, err := f.where.Open(ctx)
	if err != nil {
		return err
	}
	defer endpoint.Close()
	if err := endpoint.Secure(f.tls, f.publicURL, f.hosts, t.now()); err != nil {
		return err
	}
	apart, err := f.openFiles(ctx, t)
	if err != nil {
		return err
	}
	defer apart.Close()
	token, tokenNote := listen.ControlToken(f.controlToken.Reveal(), endpoint.Address())
	kept := state.At
	if f.durable {
		kept = state.Durable
	}
	server, err := mockserver.New(mockserver.Options{
		ControlToken: mockserver.Secret(token), Version: versionNow().version,
		State: kept(f.state), Seed: f.world.seed, Profiles: f.world.profiles, World: f.world.settings, Arrival: f.world.arrival, Schemas: overlay, Progress: f.progress, Scenario: f.scenario,
		Credentials: credentials, PartSize: f.partSize, PublicURL: f.publicURL, FilesURL: f.filesURL, Gzip: f.gzip,
		RefuseAuthorization: f.refuseAuthorization, Web: web, StartAt: f.now, Now: t.now, Logger: logger, JournalSize: f.journal,
		Data: data.Files, DataDisk: state.Disk(""), DataMode: f.dataMode, Replay: replay, CORS: settings.List(f.cors), Hosts: f.hosts, Limits: f.limits, Retention: f.retention,
	})
	if err != nil {
		return f.schemas.Fault(explained(f.data, worldMisuse(scenarioMisuse(err))))
	}
	if err := ready.Write(endpoint, f.publicURL, token, versionNow().version); err != nil {
		return errors.Join(err, server.Close())
	}
	defer ready.Remove(logger)
	announce(t, endpoint, f, credentials, server, data, memoryNote, tokenNote)
	err = listen.Server{Endpoint: endpoint, Files: apart, Handler: server, Guarded: token != "", Grace: f.shutdown, Now: t.now, Logger: logger}.Run(ctx)
	err = errors.Join(err, server.Close())
	if ctx.Err() != nil {
		left := "it is kept"
		if f.state == "memory" {
			left = "it is gone, since it was in memory"
		}
		logger.Info("stopped", "because", context.Cause(ctx), "state", state.Name(f.state), "left", left)
	}
	return err
}

// untilClosed ends a context when a reader ends too. A pipe ends with the last
// process that holds its other end, also one that was killed and on every
// system, so that a test runner leaves no server behind.
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

// readCredentials reads the credentials that the flags ask for.
func readCredentials(f serveFlags) (mockserver.Credentials, error) {
	credentials := mockserver.DemoCredentials()
	credentials.Any = f.credentials == anyCredentials
	if f.credentials != "" && !credentials.Any {
		data, err := files.ReadBounded("--credentials", f.credentials, credentialsLimit)
		if err != nil {
			return credentials, err
		}
		if credentials, err = mockserver.ParseCredentials(data); err != nil {
			return credentials, fmt.Errorf("--credentials %s: %w", f.credentials, err)
		}
	}
	return credentials, nil
}
