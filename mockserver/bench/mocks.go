package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"time"
)

// mock is another mock server, that validates the same payload by the same schema and answers from a template. None of them keeps
// an export.
type mock struct {
	name         string
	aim, aimFile float64 // how many times as many creations per second as it are aimed at, with the memory store and with the file store
	command      func(port string) []string
}

// startLimit is how long a program may take to its first answer.
const startLimit = 60 * time.Second

// findMocks installs the other servers, once, and writes what they serve. What is missing on a machine is said.
func findMocks(ctx context.Context, p programs) (mocks []mock, complaints []string) {
	complain := func(what string, err error) {
		complaints = append(complaints, fmt.Sprintf("%s: not measured, %v", what, err))
	}
	root, err := exec.CommandContext(ctx, "go", "list", "-m", "-f", "{{.Dir}}").Output()
	if err != nil {
		complain("Prism, WireMock and Mockoon", err)
		return nil, complaints
	}
	folder := filepath.Join(strings.TrimSpace(string(root)), "mockserver", "bench", "peers")
	if _, err := os.Stat(filepath.Join(folder, "node_modules", ".package-lock.json")); err != nil {
		install := exec.CommandContext(ctx, "npm", "ci", "--no-audit", "--no-fund", "--silent", "--ignore-scripts")
		install.Dir = folder
		if text, err := install.CombinedOutput(); err != nil {
			complain("Prism, WireMock and Mockoon", fmt.Errorf("npm ci: %w: %s", err, lastLine(text)))
			return nil, complaints
		}
	}
	document, err := exec.CommandContext(ctx, p.served, "openapi", "full").Output()
	if err == nil {
		err = writeMocks(document, p.directory)
	}
	if err != nil {
		complain("Prism, WireMock and Mockoon", err)
		return nil, complaints
	}
	modules := filepath.Join(folder, "node_modules")
	if node, err := exec.LookPath("node"); err != nil {
		complain("Prism and Mockoon", err)
	} else {
		mocks = append(mocks, mock{"Prism", aimPrism, aimPrismFile, func(port string) []string {
			return []string{node, filepath.Join(modules, "@stoplight", "prism-cli", "dist", "index.js"), "mock", "-h", "127.0.0.1", "-p", port,
				"-v", "silent", filepath.Join(p.directory, prismFile)}
		}}, mock{"Mockoon", aimMockoon, aimMockoonFile, func(port string) []string {
			return []string{node, filepath.Join(modules, "@mockoon", "cli", "bin", "run.js"), "start", "-d",
				filepath.Join(p.directory, mockoonFile), "-p", port, "-l", "127.0.0.1",
				"-X", "--disable-admin-api", "--max-transaction-logs", "1"}
		}})
	}
	jars, _ := filepath.Glob(filepath.Join(modules, "wiremock", "build", "wiremock-standalone-*.jar"))
	java, err := exec.LookPath("java")
	if err == nil && len(jars) == 0 {
		err = errors.New("the package wiremock has no jar")
	}
	if err != nil {
		complain("WireMock", err)
		return mocks, complaints
	}
	return append(mocks, mock{"WireMock", aimWireMock, aimWireMockFile, func(port string) []string {
		return []string{java, "-jar", jars[0], "--bind-address", "127.0.0.1", "--port", port, "--root-dir",
			filepath.Join(p.directory, wireMockFolder),
			"--no-request-journal", "--disable-banner", "--async-response-enabled", "false", "--use-chunked-encoding", "never"}
	}}), complaints
}

// startMock starts a server on the first core and returns when it has accepted an export, with the time that took.
func startMock(ctx context.Context, m mock) (*running, time.Duration, error) {
	address, err := freeAddress()
	if err != nil {
		return nil, 0, err
	}
	_, port, _ := net.SplitHostPort(address)
	words := pinned(m.command(port))
	process := exec.CommandContext(ctx, words[0], words[1:]...)
	began := time.Now()
	if err := process.Start(); err != nil { // what it prints goes nowhere
		return nil, 0, err
	}
	server := &running{address: address, process: process}
	wait := time.NewTicker(2 * time.Millisecond)
	defer wait.Stop()
	for time.Since(began) < startLimit && ctx.Err() == nil {
		_, err = createOne(address)
		if err == nil {
			return server, time.Since(began), nil
		}
		<-wait.C
	}
	server.stop()
	return nil, 0, fmt.Errorf("no export was accepted within %v: %w", startLimit, err)
}

// freeAddress is an address on which nobody listens at the moment.
func freeAddress() (string, error) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return "", err
	}
	return listener.Addr().String(), listener.Close()
}

// measureMocks compares creations and the start with the other servers: the same payload, the same schema, the same load, each
// server on one core, the rounds interleaved.
func measureMocks(ctx context.Context, out io.Writer, p programs, s settings) error {
	mocks, complaints := findMocks(ctx, p)
	fmt.Fprintf(out,
		"\nbeside other mock servers, %d connections, %s\tcreations per second of processor time\ttimes as many with the memory store\ttimes as "+
			"many with the file store\tstart to first answer, ms\ttimes as long\n", s.connections, pinning())
	defer func() {
		for _, complaint := range complaints {
			fmt.Fprintln(out, complaint)
		}
	}()
	if len(mocks) == 0 {
		return nil
	}
	own := []mock{{name: "memory store", command: p.commandOf("memory")},
		{name: "file store", command: p.commandOf(filepath.Join(p.directory, "mocks.db"))}}
	// The starts are interleaved as well; the servers of the last round stay.
	all := make([]*contestant, 0, len(own)+len(mocks))
	starts, aims := map[string]samples{}, map[string]mock{}
	gone := map[string]bool{}
	for round := range s.rounds {
		for i, m := range append(own, mocks...) {
			if gone[m.name] {
				continue
			}
			server, took, err := startMock(ctx, m)
			if err != nil && (i < len(own) || ctx.Err() != nil) {
				return fmt.Errorf("%s: %w", m.name, err)
			}
			if err != nil {
				complaints = append(complaints, fmt.Sprintf("%s: not measured, %v", m.name, err))
				gone[m.name] = true
				continue
			}
			starts[m.name], aims[m.name] = append(starts[m.name], took.Seconds()*1000), m
			if round < s.rounds-1 {
				server.stop()
				continue
			}
			defer server.stop()
			all = append(all, &contestant{name: m.name, server: server, request: createRequest(server.address), status: 202})
		}
	}
	defer pinSelf(ctx)()
	for round := range s.rounds + 1 {
		for _, c := range all {
			if err := c.round(ctx, s); err != nil {
				return fmt.Errorf("%s: %w", c.name, err)
			}
			if round == 0 { // to get warm, which a compiler at run time needs
				c.rates = nil
			}
		}
	}
	first, fastest := starts[own[0].name].median(), 0.0
	for _, c := range all[len(own):] {
		if took := starts[c.name].median(); fastest == 0 || took < fastest {
			fastest = took
		}
	}
	for i, c := range all {
		rate, took := c.rates.median(), starts[c.name].median()
		fmt.Fprintf(out, "%s\t%.0f\t", c.name, rate)
		if i < len(own) {
			fmt.Fprintf(out, "\t\t%.0f\t\n", took)
			continue
		}
		times := figure(took / first)
		if took == fastest {
			times = atLeast(took/first, aimPeerStart)
		}
		fmt.Fprintf(out, "%s\t%s\t%.0f\t%s\n", atLeast(all[0].rates.median()/rate, aims[c.name].aim),
			atLeast(all[1].rates.median()/rate, aims[c.name].aimFile), took, times)
	}
	return nil
}

// commandOf is the program with a state, as the other servers are started.
func (p programs) commandOf(state string) func(port string) []string {
	return func(port string) []string {
		return []string{p.served, "serve", "--addr", "127.0.0.1:" + port, "--state", state, "--progress", "now"}
	}
}
func lastLine(text []byte) string {
	text = bytes.TrimSpace(text)
	return string(text[bytes.LastIndexByte(text, '\n')+1:])
}
