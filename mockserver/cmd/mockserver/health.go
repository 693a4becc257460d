package main

import (
	"context"
	"crypto/tls"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"time"

	"github.com/spf13/cobra"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/listen"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
)

const healthHelp = `usage: mockserver health [flags]

Asks the server on this machine whether it can do its work, for the health check of a
container or a unit. It finds the server by the same flags, variables and file as
"mockserver serve". The exit code is 0 when the server is ready and 1 when it is not.
`

// healthFlags are the flags of health.
type healthFlags struct {
	where   listen.Flags
	tls     string
	timeout time.Duration
}

func healthCommand(t terminal) *cobra.Command {
	var f healthFlags
	command := newCommand("health [flags]", "ask a running server whether it is ready", healthHelp)
	flags := command.Flags()
	f.where.Define(flags)
	flags.Lookup("addr").Usage = "the server listens on `HOST:PORT`, or on the Unix socket unix:PATH"
	flags.Lookup("port").Usage = "the server listens on `PORT` instead of the port of --addr (default that of --addr)"
	flags.StringVar(&f.tls, "tls", "", "use HTTPS, as the server does with --tls `TLS`; the certificate is not verified")
	flags.DurationVar(&f.timeout, "timeout", 5*time.Second, "wait up to `DURATION` for an answer")
	command.PreRunE = func(*cobra.Command, []string) error {
		if f.timeout <= 0 {
			return usage.Errorf("--timeout is %s; it must be above zero", f.timeout)
		}
		return nil
	}
	command.RunE = func(command *cobra.Command, _ []string) error {
		if err := f.where.Join(flags); err != nil {
			return err
		}
		if err := f.ask(command.Context()); err != nil {
			return err
		}
		_, err := fmt.Fprintln(t.out, "ready")
		return err
	}
	return command
}

// ask asks the server. See docs/decisions/server.md#why-does-mockserver-health-not-look-at-the-certificate
func (f *healthFlags) ask(ctx context.Context) error {
	network, address := "tcp", f.where.Address
	if path, is := f.where.Socket(); is {
		network, address = "unix", path
	} else if host, port, err := net.SplitHostPort(address); err != nil {
		return usage.Errorf("--addr %s: %v", address, err)
	} else if port == "0" {
		return usage.Errorf("--addr %s: a server on port 0 has chosen a port of its own; say which", address)
	} else if host == "" || host == "0.0.0.0" { // by number: an image from scratch knows no localhost
		address = net.JoinHostPort("127.0.0.1", port)
	} else if host == "::" {
		address = net.JoinHostPort("::1", port)
	}
	scheme := "http"
	if f.tls != "" {
		scheme = "https"
	}
	ctx, cancel := context.WithTimeout(ctx, f.timeout)
	defer cancel()
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, scheme+"://localhost/_mock/ready", nil)
	if err != nil {
		return err
	}
	client := http.Client{Transport: &http.Transport{
		DialContext: func(ctx context.Context, _, _ string) (net.Conn, error) {
			return new(net.Dialer).DialContext(ctx, network, address)
		},
		// Nothing secret is sent, and the answer is only whether there is one.
		TLSClientConfig: &tls.Config{InsecureSkipVerify: true},
	}}
	defer client.CloseIdleConnections()
	response, err := client.Do(request)
	if err != nil {
		return fmt.Errorf("%s: %w", f.where.Address, err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(io.LimitReader(response.Body, 1<<12))
	if err != nil {
		return fmt.Errorf("%s: %w", f.where.Address, err)
	}
	var answer struct{ Status string }
	if err := json.Unmarshal(body, &answer); response.StatusCode != http.StatusOK || err != nil || answer.Status != "ready" {
		return fmt.Errorf("%s answers %s: %.200q", f.where.Address, response.Status, body)
	}
	return nil
}
