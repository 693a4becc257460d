package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/files"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/mockserver/state"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

const (
	dataUsage     = "load the profiles, installations and events in the files of `DIR`, such as import makes"
	dataModeUsage = "show the dataset by `MODE`: mixed, among the synthetic rows, or only (default mixed, or what the state remembers)"
)

// openData opens the directory of --data; nil without one.
func openData(name string) (fs.FS, error) {
	if name == "" {
		return nil, nil
	}
	return files.OpenDirectory("--data", name, 0)
}

// useData lets a file show the dataset of the flags. done removes the temporary files.
func (f *generateFlags) useData(
	ctx context.Context, library *schemas.Library, renderer *rows.Renderer, spec *exports.File, t terminal,
) (done func() error, err error) {
	done = func() error { return nil }
	mode := cmp.Or(dataset.Mode(f.DataMode), dataset.Mixed)
	directory, err := openData(f.data)
	if err != nil || directory == nil && mode == dataset.Mixed {
		return done, err
	}
	people, err := world.New(spec.Seed, spec.Profiles, spec.Settings)
	if err != nil {
		return done, err
	}
	blocks := state.Disk("")(nil)
	done = blocks.Close
	log, err := dataset.OpenIn(ctx, blocks, dataset.NewBatches(blocks), people)
	if err != nil {
		return done, err
	}
	if directory != nil {
		given, err := input.OpenDirectory(library, directory)
		if err == nil {
			if !f.quiet && isTerminal(t.err) {
				given.Progress = func(rows int64, done float64) {
					fmt.Fprintf(t.err, "\rreading --data: %s, %.0f %% ", rowsText(rows), 100*done)
				}
				log.Progress = func(rows int64) { fmt.Fprintf(t.err, "\rindexing --data: %s ", rowsText(rows)) }
				defer fmt.Fprintln(t.err)
			}
			// The log is new: any origin of rows differs from none.
			err = log.Begin(ctx, given, "--data", mode, spec.Now)
		}
		if err != nil {
			return done, explained(f.data, fmt.Errorf("--data %s: %w", f.data, err))
		}
	}
	status, err := log.Of("").Current(ctx)
	if err != nil {
		return done, err
	}
	renderer.UseDataset(func(generation int64) (*dataset.Snapshot, error) { return log.At(ctx, generation) })
	spec.DataGeneration, spec.DataOnly = status.Generation, mode == dataset.Only
	return done, nil
}

// explained writes what is wrong with the rows of a directory one to a line; any other error stays as it is.
func explained(directory string, err error) error {
	var invalid *input.InvalidError
	if !errors.As(err, &invalid) {
		return err
	}
	var text strings.Builder
	for _, fault := range invalid.Faults {
		fmt.Fprintf(&text, "\n  %s:%d:%d: %s", fault.File, fault.Line, fault.Column, fault.Message)
	}
	if invalid.More > 0 {
		fmt.Fprintf(&text, "\n  and %d more", invalid.More)
	}
	return fmt.Errorf("--data %s: rows that cannot be shown:%s", directory, &text)
}
