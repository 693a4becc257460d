package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
)

// programs are the binaries that are compared.
type programs struct {
	bare, served string
	directory    string // for the state
}

// buildPrograms builds both as the program is shipped: static and stripped.
func buildPrograms(ctx context.Context, directory string) (programs, error) {
	const house = "github.com/rehearsal-sdk/rehearsal/mockserver/"
	build := exec.CommandContext(ctx, "go", "build", "-ldflags=-s -w", "-o", directory, house+"cmd/mockserver", house+"bench/bare")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := build.CombinedOutput(); err != nil {
		return programs{}, fmt.Errorf("building the programs: %w\n%s", err, text)
	}
	return programs{bare: filepath.Join(directory, "bare"), served: filepath.Join(directory, "mockserver"), directory: directory}, nil
}

// running is a started server.
type running struct {
	address string
	process *exec.Cmd
}

// startBare starts the bare handler on one core, as requests per second are compared per core; with a folder, on all.
func (p programs) startBare(ctx context.Context, folder string) (*running, error) {
	if folder != "" {
		return startProgram(ctx, exec.CommandContext(ctx, p.bare, folder), "")
	}
	words := pinned([]string{p.bare})
	return startProgram(ctx, exec.CommandContext(ctx, words[0], words[1:]...), "1")
}

// startServed starts the program, on one core unless it is given flags.
func (p programs) startServed(ctx context.Context, state string, flags ...string) (*running, error) {
	return p.startServedOn(ctx, "", state, flags...)
}

// startServedOn starts the program with a number of processors; empty: all.
func (p programs) startServedOn(ctx context.Context, processors, state string, flags ...string) (*running, error) {
	if state != "memory" && !strings.Contains(state, "://") {
		state = filepath.Join(p.directory, state)
	}
	words := append([]string{p.served, "serve", "--addr", "127.0.0.1:0", "--state", state, "--progress", "now"}, flags...)
	if len(flags) == 0 || flags[0] == "--durable" {
		words, processors = pinned(words), "1"
	}
	return startProgram(ctx, exec.CommandContext(ctx, words[0], words[1:]...), processors)
}

var listening = regexp.MustCompile(`listening on http://([0-9.:]+)`)

func startProgram(ctx context.Context, process *exec.Cmd, processors string) (*running, error) {
	process.Env = os.Environ()
	if processors != "" {
		process.Env = append(process.Env, "GOMAXPROCS="+processors)
	}
	reader, writer, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	process.Stdout, process.Stderr = writer, writer
	err = process.Start()
	writer.Close()
	if err != nil {
		reader.Close()
		return nil, err
	}
	lines := bufio.NewScanner(reader)
	for lines.Scan() {
		if groups := listening.FindStringSubmatch(lines.Text()); groups != nil {
			go func() { // what else it writes is not wanted, but the pipe must not fill
				io.Copy(io.Discard, reader)
				reader.Close()
			}()
			return &running{address: groups[1], process: process}, nil
		}
	}
	reader.Close()
	process.Process.Kill()
	process.Wait()
	return nil, fmt.Errorf("%s ended before it listened", process.Path)
}

func (r *running) stop() {
	r.process.Process.Kill()
	r.process.Wait()
}
