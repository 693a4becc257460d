// Command bench measures the mock server on this machine, in one run of less than three minutes, and prints ratios: requests per
// second against a bare net/http handler, bytes per second against a memory copy and against encoding/csv and encoding/json
// writing the same rows, and the time to the first answer. Only the ratios say something: absolute figures belong to the machine.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"text/tabwriter"
	"time"
)

func main() {
	// The program starts itself again as the bare handler, so that both servers of a comparison are processes of their own.
	if len(os.Args) > 1 && os.Args[1] == "bare" {
		fmt.Fprintln(os.Stderr, serveBare(os.Stdout))
		os.Exit(1)
	}
	var s settings
	flag.DurationVar(&s.round, "round", 1500*time.Millisecond, "how long one round of requests lasts")
	flag.IntVar(&s.rounds, "rounds", 3, "how many rounds are made; the median is printed")
	flag.IntVar(&s.connections, "connections", 32, "how many connections send requests")
	flag.Int64Var(&s.bytes, "bytes", 32<<20, "about how many bytes of a file are made")
	flag.Parse()
	ctx, cancel := context.WithTimeout(context.Background(), 3*time.Minute)
	defer cancel()
	if err := run(ctx, os.Stdout, s); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// settings are the flags.
type settings struct {
	round       time.Duration
	rounds      int
	connections int
	bytes       int64
}

func run(ctx context.Context, out io.Writer, s settings) error {
	directory, err := os.MkdirTemp("", "mockserver-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(directory)
	self, err := os.Executable()
	if err != nil {
		return err
	}
	compared := programs{bare: self, served: filepath.Join(directory, "mockserver"), directory: directory}
	if text, err := exec.CommandContext(ctx, "go", "build", "-trimpath", "-o", compared.served, "github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver").CombinedOutput(); err != nil {
		return fmt.Errorf("building the program: %w\n%s", err, text)
	}

	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, part := range []func(context.Context, io.Writer, programs, settings) error{measureStart, measureRequests, measureFiles} {
		if err := part(ctx, table, compared, s); err != nil {
			if ctx.Err() != nil {
				err = errors.Join(err, errors.New("three minutes are over"))
			}
			return err
		}
		if err := table.Flush(); err != nil {
			return err
		}
	}
	return nil
}
