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
	"slices"
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

// startServed starts the program.
func (p programs) startServed(ctx context.Context, state string, flags ...string) (*running, error) {
	if state != "memory" {
		state = filepath.Join(p.directory, state)
	}
	words := append([]string{"serve", "--addr", "127.0.0.1:0", "--state", state}, flags...)
	return startProgram(exec.CommandContext(ctx, p.served, words...))
}

var listening = regexp.MustCompile(`listening on http://([0-9.:]+)`)

func startProgram(process *exec.Cmd) (*running, error) {
	reader, writer, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	process.Stdout, process.Stderr = writer, writer
	process.Env = slices.DeleteFunc(os.Environ(), func(variable string) bool { return strings.HasPrefix(variable, "REHEARSAL_") })
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
