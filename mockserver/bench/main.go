// Command bench measures what a user of the mock server feels on this machine, in one run of a quarter of an hour, and prints each
// figure beside its aim: the start; creations per second beside other mock servers; files, in processor time; downloads beside a
// stored file, and the API meanwhile; first bytes; memory. Ratios and processor time say something; other figures belong to the machine.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"text/tabwriter"
	"time"
)

func main() {
	var s settings
	flag.DurationVar(&s.round, "round", 1500*time.Millisecond, "how long one round of requests lasts")
	flag.IntVar(&s.rounds, "rounds", 3, "how many rounds are made; the median is printed")
	flag.IntVar(&s.connections, "connections", 32, "how many connections send requests")
	flag.Int64Var(&s.memory, "memory", 10e9, "about how many bytes the file has whose making is watched for memory")
	flag.IntVar(&s.people, "people", 1_000_000, "how many people the large files are of")
	flag.StringVar(&s.only, "only", "", "measure only these parts, `NAMES` with commas between them: start, mocks, files, downloads, first or memory")
	flag.BoolVar(&s.mocks, "mocks", true, "measure Prism, WireMock and Mockoon as well, which npm installs once")
	flag.Parse()
	ctx, cancel := context.WithTimeout(context.Background(), usualLimit)
	defer cancel()
	if err := run(ctx, os.Stdout, s); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// usualLimit is how long a run may take.
const usualLimit = 19 * time.Minute

// settings are the flags.
type settings struct {
	round       time.Duration
	rounds      int
	connections int
	memory      int64
	people      int
	only        string
	mocks       bool
}

// part is what can be measured alone.
type part struct {
	name    string
	measure func(context.Context, io.Writer, programs, settings) error
}

func parts() []part {
	return []part{
		{"start", measureStart}, {"mocks", measureMocks}, {"files", measureFiles}, {"downloads", measureDownloads}, {"first", measureFirstByte}, {"memory", measureMemory},
	}
}

func run(ctx context.Context, out io.Writer, s settings) error {
	directory, err := os.MkdirTemp("", "mockserver-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(directory)
	compared, err := buildPrograms(ctx, directory)
	if err != nil {
		return err
	}

	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	for _, part := range parts() {
		if s.only != "" && !slices.Contains(strings.Split(s.only, ","), part.name) || part.name == "mocks" && !s.mocks {
			continue
		}
		if err := part.measure(ctx, table, compared, s); err != nil {
			if ctx.Err() != nil {
				err = errors.Join(err, errors.New("the time for a run is over"))
			}
			return err
		}
		if err := table.Flush(); err != nil {
			return err
		}
	}
	return nil
}
