// Command bench measures the mock server on this machine, in one run of less than twenty minutes, and prints ratios, each beside what
// was aimed at: requests per second against a bare net/http handler and beside other mock servers; the acceptor of payloads; the
// bytes per second of every kind of file against a memory copy, a writer by hand, gofakeit and json-schema-faker, and against rows
// that have nothing to do with each other; downloads against a stored file; the first byte of large files; the API while files stream; memory; the proxy beside a bare
// one; and what grows with the population, exports, keys, scenarios and connections. Only the ratios say something: absolute figures belong to the machine.
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

	"github.com/rehearsal-sdk/rehearsal/mockserver/bench/figures"
)

func main() {
	var s settings
	flag.DurationVar(&s.round, "round", 1500*time.Millisecond, "how long one round of requests lasts")
	flag.IntVar(&s.rounds, "rounds", 3, "how many rounds are made; the median is printed")
	flag.IntVar(&s.connections, "connections", 32, "how many connections send requests")
	flag.Int64Var(&s.bytes, "bytes", 8<<20, "about how many bytes of a file are made at a time")
	flag.Int64Var(&s.memory, "memory", 10e9, "about how many bytes the file has whose making is watched for memory")
	flag.IntVar(&s.largest, "largest", 1_000_000, "the largest population whose files are written for their first byte: 1000000, 10000000 or 100000000, the last of which takes minutes")
	flag.StringVar(&s.only, "only", "", "measure only these parts, `NAMES` with commas between them: start, requests, durable, mocks, acceptor, files, downloads, first, memory, dataset, proxy or scale")
	flag.Int64Var(&s.scale, "scale", 100_000_000, "up to how many people, exports and so on the table of scale goes")
	flag.StringVar(&s.json, "json", "", "write what was measured into `FILE` as well, as JSON, a figure in each line")
	flag.StringVar(&s.compare, "compare", "", "print it beside that of another run, which -json has written into `FILE`")
	flag.BoolVar(&s.mocks, "mocks", true, "measure Prism, WireMock and Mockoon as well, which npm installs once")
	flag.Parse()
	limit := usualLimit
	if s.largest > 1_000_000 {
		limit = time.Hour
	}
	ctx, cancel := context.WithTimeout(context.Background(), limit)
	defer cancel()
	if err := run(ctx, os.Stdout, s); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// usualLimit is how long a run may take, unless the largest files are asked for.
const usualLimit = 19 * time.Minute

// settings are the flags.
type settings struct {
	round       time.Duration
	rounds      int
	connections int
	bytes       int64
	memory      int64
	largest     int
	scale       int64
	only        string
	mocks       bool
	output
}

// output says where what was measured goes, beside being printed; empty: nowhere.
type output struct{ json, compare string }

// part is what can be measured alone.
type part struct {
	name    string
	measure func(context.Context, io.Writer, programs, settings) error
}

func parts() []part {
	return []part{
		{"start", measureStart}, {"requests", measureRequests}, {"durable", measureDurable}, {"mocks", measureMocks}, {"acceptor", measureAcceptor},
		{"files", measureFiles}, {"downloads", measureDownloads}, {"first", measureFirstByte}, {"memory", measureMemory}, {"dataset", measureDataset},
		{"proxy", measureProxy}, {"scale", measureScale},
	}
}

func run(ctx context.Context, out io.Writer, s settings) (err error) {
	directory, err := os.MkdirTemp("", "mockserver-bench-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(directory)
	compared, err := buildPrograms(ctx, directory)
	if err != nil {
		return err
	}

	var before []figures.Cell
	if s.compare != "" {
		if before, err = figures.Read(s.compare); err != nil {
			return err
		}
	}
	table := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0)
	recorded := &figures.Tables{Out: table}
	if s.json != "" {
		defer func() { // what was measured is kept when a later part fails
			err = errors.Join(err, recorded.Save(s.json))
		}()
	}
	for _, part := range parts() {
		if s.only != "" && !slices.Contains(strings.Split(s.only, ","), part.name) || part.name == "mocks" && !s.mocks {
			continue
		}
		recorded.Begin(part.name)
		if err := part.measure(ctx, recorded, compared, s); err != nil {
			if ctx.Err() != nil {
				err = errors.Join(err, errors.New("the time for a run is over"))
			}
			return err
		}
		if err := table.Flush(); err != nil {
			return err
		}
	}
	if before != nil {
		return figures.Compare(out, before, recorded.All)
	}
	return nil
}
