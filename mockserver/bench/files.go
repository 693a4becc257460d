package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"runtime"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/api"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// measureFiles makes a file of every kind on one core, and lets encoding/csv or encoding/json write the same rows. These are handed
// over decoded: the standard library only writes what this program makes up and writes.
func measureFiles(ctx context.Context, out io.Writer, _ programs, s settings) error {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	library, err := schemas.Embedded()
	if err != nil {
		return err
	}
	copied, err := copyRate(s)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "\nfiles, one core (memory copy: %.0f MB/s)\tMB\tMB/s\tof a copy\tencoding/* MB/s\tof encoding/*\n", copied)
	for _, export := range library.Exports() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := measureFile(out, library, export, s, copied); err != nil {
			return fmt.Errorf("%s: %w", export.Kind, err)
		}
	}
	fmt.Fprintln(out, "encoding/* is handed rows that are decoded already: it only writes what this program makes up and writes")
	return nil
}

func measureFile(out io.Writer, library *schemas.Library, export schemas.Export, s settings, copied float64) error {
	text, maximum, err := sample(library, export, s.bytes)
	if err != nil {
		return err
	}
	made, err := fastest(s, len(text), func() error { return generate(io.Discard, library, export, maximum) })
	if err != nil {
		return err
	}
	write, err := standardWriter(export, text)
	if err != nil {
		return err
	}
	standard, err := fastest(s, len(text), func() error { return write(io.Discard) })
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "%s\t%d\t%.0f\t%.3f\t%.0f\t%.2f\n", export.Kind, len(text)>>20, made, made/copied, standard, made/standard)
	return nil
}

// sample makes a file of about the wanted size, and says how many rows it was limited to.
func sample(library *schemas.Library, export schemas.Export, wanted int64) ([]byte, int64, error) {
	var text bytes.Buffer
	rows := int64(10_000)
	if err := generate(&text, library, export, rows); err != nil {
		return nil, 0, err
	}
	rows = rows * wanted / int64(text.Len())
	text.Reset()
	err := generate(&text, library, export, rows)
	return text.Bytes(), rows, err
}

// generate makes a file of a world of a million people, with everything in it that its request can ask for, on its way from the plan
// to the writer.
func generate(out io.Writer, library *schemas.Library, export schemas.Export, maximum int64) error {
	now := time.Date(2025, 9, 20, 12, 0, 0, 0, time.UTC)
	shape := api.RequestOf(library, export)
	request := shape.Everything()
	for name, date := range map[string]string{"from": now.AddDate(0, 0, -89).Format(shape.DateLayout), "to": "now"} {
		if shape.Has(name) {
			request[name] = date
		}
	}
	variables := map[string]string{}
	for _, name := range api.Placeholders(export.Path) {
		variables[name] = "welcome"
	}
	spec, err := api.Planner{Seed: 1, Profiles: 1_000_000, PartSize: 1 << 40}.Plan(export, variables, "live_demo", api.Members(request), now)
	if err != nil {
		return err
	}
	spec.MaxRows = &maximum
	file, err := rows.NewRenderer(library).Open(spec)
	if err != nil {
		return err
	}
	_, err = file.WriteTo(out)
	return err
}

// fastest repeats a run for a third of a round, at least twice, and returns the MB/s of the fastest one.
func fastest(s settings, size int, run func() error) (float64, error) {
	best := time.Duration(1<<63 - 1)
	for runs, began := 0, time.Now(); runs < 2 || time.Since(began) < s.round/3; runs++ {
		start := time.Now()
		if err := run(); err != nil {
			return 0, err
		}
		best = min(best, time.Since(start))
	}
	return float64(size) / 1e6 / best.Seconds(), nil
}

// copyRate is the rate of a plain memory copy of 64 MB.
func copyRate(s settings) (float64, error) {
	from, to := bytes.Repeat([]byte("rehearsal "), 64<<20/10), make([]byte, 64<<20) // a page that was never written costs nothing to read
	return fastest(s, len(from), func() error { copy(to, from); return nil })
}
