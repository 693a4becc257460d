package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/rehearsal-sdk/rehearsal/mockserver"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/files"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/listen"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/settings"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/auth"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/conversation"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/proxy"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/recording/recorder"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/report"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

const proxyHelp = `usage: mockserver proxy --upstream URL [flags]

Stands between a client and a service, by default on http://localhost:8080, and passes
everything on as it came, streaming: nothing is added, decoded or renamed. Meanwhile it
holds every request, answer, header and file against the schema files, and notes what the
client does. Stop it with Ctrl-C: the report follows, when files are checked. Another
Ctrl-C ends that, and the report has the drifts so far.

Every drift is one line, however often it was seen: ID SEVERITY: ENDPOINT STATUS SIDE
MEMBER: allowed ...; came ... [KIND]. Values appear by their shape only, credentials not
at all. --suggest-overlay writes schema files that say what the service does, for
--schemas of this and the other commands; read them before you use them. A mock server
under them is then asked the same, and the report says which drifts it shows, and which
it cannot show, and why. A file of --report has every drift as soon as it is found.

--play asks the service itself, in the words of the dialect, and ends when everything is
asked: nobody else is served. Two services are compared by their two reports.

The exit code is 0 without drifts that --fail-on counts, 1 with one, 2 when the command
line is wrong, and 3 when the proxy could not run or nothing was seen.
`

func proxyCommand(t terminal) *cobra.Command {
	var f proxyFlags
	command := newCommand("proxy --upstream URL [flags]", "pass requests on to a service, and report how it differs", proxyHelp)
	judge(command)
	f.define(command.Flags())
	command.PreRunE = func(command *cobra.Command, _ []string) error {
		return errors.Join(f.where.Join(command.Flags()), f.check())
	}
	command.RunE = func(command *cobra.Command, _ []string) error {
		return runProxy(command.Context(), f, t)
	}
	return command
}

// runProxy passes requests on until the context ends, and reports then.
func runProxy(ctx context.Context, f proxyFlags, t terminal) error {
	known, err := files.ReadKnown("--known-drifts", f.known)
	if err != nil {
		return err
	}
	observer, err := f.schemas.Observer()
	if err != nil {
		return err
	}
	directory, err := os.MkdirTemp("", "mockserver-proxy-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(directory)
	kept, err := keepReport(f.out.file, t.out)
	if err != nil {
		return err
	}
	if err := files.Writable("--suggest-overlay", f.out.suggest); err != nil {
		return err
	}
	ended, err := f.record(observer, t)
	if err != nil {
		return err
	}
	observer.OnFound(func() { kept.soFar(observer, f, known) })
	pass := f.pass
	if f.play.from != "" {
		f.rewrite, pass = true, f.converse
	}
	if err := pass(ctx, t, observer, directory); err != nil {
		return err
	}
	// Whatever cannot be written, the report is.
	var failed []error
	if err := ended(); err != nil {
		failed = append(failed, fmt.Errorf("--record: %w", err))
	}
	ctx = untilNext(ctx)
	err = observer.Finish(ctx, directory)
	if err == nil && f.out.suggest != "" {
		err = rehearse(ctx, observer, directory)
	}
	failed = append(failed, interrupted(ctx, err, "not every file was checked and asked of a mock; the report has the drifts so far"))
	lints := observer.Lints()
	if f.play.from != "" {
		lints = nil // the client is the proxy itself, and does on purpose what no client should
	}
	found := printDrifts(report.New(kept, f.out.format, "mockserver proxy", versionNow().version), observer, lints, known, f.failOn)
	written := errors.Join(kept.End(), f.suggest(observer))
	if written == nil {
		printWritten(t.err, len(observer.Findings()), f.out.file, f.out.suggest)
	}
	failed = append(failed, written)
	return cmp.Or(errors.Join(failed...), found)
}

// rehearse sends the requests of the client to a mock under the suggested overlay, so that the report says which drifts it shows.
func rehearse(ctx context.Context, observer *drift.Observer, directory string) error {
	values := conversation.DemoValues()
	keys := drift.Keys{Company: values["company_key"], Application: values["api_key"], Token: values["token"], Project: values["project_key"]}
	return observer.Rehearse(ctx, func(overlay fs.FS, now func() time.Time) (http.Handler, func(), error) {
		const people = 1000
		server, err := mockserver.New(mockserver.Options{Schemas: overlay, Now: now, Profiles: people, Progress: "polls:6"})
		if err != nil {
			return nil, nil, err
		}
		return server, func() { _ = server.Close() }, nil
	}, keys, directory)
}

// record keeps what is observed, if it is to be kept; ended says what is there.
func (f *proxyFlags) record(observer *drift.Observer, t terminal) (ended func() error, err error) {
	if f.out.record == "" {
		return func() error { return nil }, nil
	}
	key, err := pseudonymKey(f.out.pseudonymise)
	if err != nil {
		return nil, err
	}
	var change recorder.Change
	if key != nil {
		change = pseudonymised(key, func() *schemas.Library { return observer.Bench().Library() })
	}
	service, err := f.service()
	if err != nil {
		return nil, err
	}
	into, err := recorder.New(f.out.record, service.Host, t.now(), change)
	if err != nil {
		return nil, fmt.Errorf("--record: %w", err)
	}
	into.Know(observer.Bench().Library())
	observer.OnObserved(into.Add)
	f.rewrite = true
	return func() error {
		summary, err := into.Close()
		observer.Seen.NotRecorded = into.Left()
		fmt.Fprintln(t.err, summary)
		printKey(t.err, key)
		return err
	}, nil
}

// mostBody is the size of the largest file that is checked and recorded; larger ones pass, and the report counts them.
const mostBody = 10 << 30

// serve lets the proxy answer at an endpoint until the context ends, and beside it for each other origin that links lead to; wait
// waits for the end.
func (f *proxyFlags) serve(
	ctx context.Context, t terminal, observer *drift.Observer, directory string, endpoint *listen.Endpoint, token string,
) (wait func() error, err error) {
	upstream, err := f.service()
	if err != nil {
		return nil, err
	}
	trust, err := listen.Trust("--upstream-ca", f.authority)
	if err != nil {
		return nil, err
	}
	origins, err := auth.NewOrigins(settings.List(f.cors), "", false)
	if err != nil {
		return nil, usage.Errorf("--cors %v", err)
	}
	budgets, err := budget.New(budget.Limits{})
	if err != nil {
		return nil, err
	}
	machine, _ := os.Hostname()
	edge := auth.Edge{Hosts: auth.NewHosts(f.hosts, []string{machine}), Origins: origins}
	server := listen.Server{
		Limit: httpd.NewConnections(budgets.Of(budget.Connections)).Limit, Guarded: token != "", Grace: listen.ShutdownLimit, Now: t.now,
		Logger: report.Log(t.err, "text", slog.LevelInfo),
	}
	group, running := errgroup.WithContext(ctx)
	answer := func(handler http.Handler, at *listen.Endpoint) {
		server := server
		server.Handler = edge.Guard(handler, token)
		group.Go(func() error { return server.Run(running, at) })
	}
	options := proxy.Options{
		Upstream: upstream, Transport: proxy.Transport(&http.Transport{TLSClientConfig: trust, Proxy: http.ProxyFromEnvironment}),
		Directory: directory, MostBody: mostBody, Now: t.now, Log: server.Logger,
		Observe:   func(x *drift.Exchange) { observer.Observe(x) },
		TokenPath: auth.TokenPath(token), Foreign: proxy.Foreign{Credentials: observer.Credentials},
	}
	options.Foreign.Listen = func(handler http.Handler) (port string, err error) {
		beside, err := endpoint.Beside(running)
		if err != nil {
			return "", err
		}
		answer(handler, beside)
		_, port, err = net.SplitHostPort(beside.Address().String())
		return port, err
	}
	if f.rewrite {
		options.Links = observer.ListsLinks
	}
	passing := proxy.New(options)
	answer(passing, endpoint)
	return func() error {
		defer passing.Close()
		return group.Wait()
	}, nil
}

// pass answers until the context ends.
func (f *proxyFlags) pass(ctx context.Context, t terminal, observer *drift.Observer, directory string) error {
	ready, err := listen.OpenReadyFile(f.out.ready)
	if err != nil {
		return err
	}
	endpoint, err := f.where.Open(ctx)
	if err != nil {
		return err
	}
	defer endpoint.Close()
	if err := endpoint.Secure(f.tls, "", f.hosts, t.now()); err != nil {
		return err
	}
	token, _ := listen.ControlToken(f.token.Reveal(), endpoint.Address())
	address := ""
	if token != "" {
		address = endpoint.Base("localhost") + auth.TokenPath(token)
	}
	wait, err := f.serve(ctx, t, observer, directory, endpoint, token)
	if err != nil {
		return err
	}
	if err := ready.Write(endpoint, address, "", versionNow().version); err != nil {
		return err
	}
	defer ready.Remove(report.Log(t.err, "text", slog.LevelInfo))
	fmt.Fprintf(t.out, "listening on %s\n  upstream     %s\n", endpoint, report.PrintableLines(f.upstream))
	if note := endpoint.CertificateNote(f.tls.Save); note != "" {
		fmt.Fprintf(t.out, "  certificate  %s\n", note)
	}
	if !f.rewrite {
		fmt.Fprintln(t.out, "  links        lead past the proxy as they came; --rewrite-links lets files be seen and checked")
	}
	if address != "" {
		fmt.Fprintf(t.out, "  clients      %s (--proxy-token sets one)\n", address)
	}
	return wait()
}

// suggest writes the schema files that say what was found.
func (f *proxyFlags) suggest(observer *drift.Observer) error {
	if f.out.suggest == "" {
		return nil
	}
	if err := files.WriteTree(f.out.suggest, observer.Bench().Files()); err != nil {
		return fmt.Errorf("--suggest-overlay: %w", err)
	}
	return nil
}
