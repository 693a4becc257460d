package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/files"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/memory"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

const (
	dataUsage     = "load a dataset: the profiles, installations and events in the CSV, NDJSON and JSON files of `DIR`"
	dataModeUsage = "choose what exports show: `MODE` is mixed, the dataset together with the synthetic rows, or only, the dataset alone (default mixed, or what the state remembers)"
)

// openData opens the directory of a dataset; nil without one.
func openData(name string) (fs.FS, error) {
	if name == "" {
		return nil, nil
	}
	return files.OpenDirectory("--data", name, 0)
}

// checkDataMode refuses a mode that is not known.
func checkDataMode(mode string) error {
	if _, err := dataset.ParseMode(mode); err != nil {
		return usage.Errorf("--data-mode: %v", err)
	}
	return nil
}

// useData lets a file show the dataset of the flags.
func useData(ctx context.Context, f generateFlags, library *schemas.Library, renderer *rows.Renderer, spec *exports.File) error {
	mode, err := dataset.ParseMode(f.dataMode)
	if err != nil {
		return usage.Errorf("--data-mode: %v", err)
	}
	directory, err := openData(f.data)
	if err != nil || directory == nil && mode == dataset.Mixed {
		return err
	}
	people, err := world.NewWith(spec.Seed, spec.Profiles, spec.Settings)
	if err != nil {
		return err
	}
	log, err := dataset.Open(ctx, memory.New(), people)
	if err != nil {
		return err
	}
	if directory != nil {
		read, digest, err := dataset.ReadDirectory(library, directory)
		if err == nil {
			err = log.Begin(ctx, read, digest, mode, spec.Now)
		}
		if err != nil {
			return explained(f.data, fmt.Errorf("--data %s: %w", f.data, err))
		}
	}
	status, err := log.Current(ctx)
	if err != nil {
		return err
	}
	renderer.UseDataset(func(generation int64) (*dataset.Snapshot, error) { return log.At(ctx, generation) })
	spec.DataGeneration, spec.DataOnly = status.Generation, mode == dataset.Only
	return nil
}

// explained writes what is wrong with the rows of a directory one to a line;
// any other error stays as it is.
func explained(directory string, err error) error {
	var invalid *dataset.InvalidError
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
