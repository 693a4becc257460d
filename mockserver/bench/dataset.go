package main

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/overlay"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/memory"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/scratch"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/vocabulary"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// How many rows are loaded.
const (
	datasetProfiles = 200_000
	datasetEvents   = 50_000
	datasetRows     = datasetProfiles + datasetEvents
)

// measureDataset loads the same rows into memory and onto a disk, and reads them
// in the order of a file.
func measureDataset(ctx context.Context, out io.Writer, compared programs, _ settings) error {
	directory := filepath.Join(compared.directory, "dataset")
	if err := errors.Join(writeProfiles(directory), writeEvents(directory)); err != nil {
		return err
	}
	inMemory, err := measureBlocks(ctx, directory, blocks.Memory())
	if err != nil {
		return err
	}
	file, err := scratch.Open(ctx, compared.directory, nil)
	if err != nil {
		return err
	}
	defer file.Close()
	onDisk, err := measureBlocks(ctx, directory, file)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "dataset\tloaded, on disk beside in memory\t%s\t%.0f rows/s\n", atLeast(inMemory.load.Seconds()/onDisk.load.Seconds(), aimDataset), datasetRows/onDisk.load.Seconds())
	fmt.Fprintf(out, "dataset\tread, on disk beside in memory\t%s\t%.0f rows/s\n", atLeast(inMemory.read.Seconds()/onDisk.read.Seconds(), aimDataset), datasetProfiles/onDisk.read.Seconds())
	fmt.Fprintf(out, "dataset\tprofile events, on disk beside in memory\t%s\t%.0f rows/s\n", atLeast(inMemory.events.Seconds()/onDisk.events.Seconds(), aimDataset), datasetEvents/onDisk.events.Seconds())
	return nil
}

func writeProfiles(directory string) error {
	if err := os.MkdirAll(directory, 0o700); err != nil {
		return err
	}
	file, err := os.Create(filepath.Join(directory, "profiles.csv"))
	if err != nil {
		return err
	}
	defer file.Close()
	text := bufio.NewWriter(file)
	fmt.Fprintln(text, "profile_id,custom_id,email_address,email_marketing,language,segments,attributes.favourite_colour")
	for i := range datasetProfiles {
		fmt.Fprintf(text, "profile_%032x,customer-%d,user%d@example.com,subscribed,fr,vip|s%d,green\n", i, i, i, i%7)
	}
	return text.Flush()
}

func writeEvents(directory string) error {
	file, err := os.Create(filepath.Join(directory, "events.csv"))
	if err != nil {
		return err
	}
	defer file.Close()
	text := bufio.NewWriter(file)
	fmt.Fprintln(text, "type,date,custom_id,click_url")
	for i := range datasetEvents {
		fmt.Fprintf(text, "email_click,2025-09-%02dT12:%02d:%02dZ,customer-%d,https://www.example.com/offers\n", 1+i%18, i/60%60, i%60, i*7919%datasetProfiles)
	}
	return text.Flush()
}

// datasetTimes is how long it takes to load rows, to read them, and to write
// those of events as a file.
type datasetTimes struct{ load, read, events time.Duration }

func measureBlocks(ctx context.Context, directory string, blocks blocks.Store) (took datasetTimes, err error) {
	library, err := schemas.Embedded()
	if err != nil {
		return took, err
	}
	people := world.New(1, 100)
	log, err := dataset.OpenIn(ctx, blocks, memory.NewWith(blocks), people)
	if err != nil {
		return took, err
	}
	own, err := input.OpenDirectory(library, os.DirFS(directory))
	if err != nil {
		return took, err
	}
	begin := time.Now()
	if err := log.Begin(ctx, own, "digest", dataset.Only, begin); err != nil {
		return took, err
	}
	took.load = time.Since(begin)
	status, err := log.Of("").Current(ctx)
	if err != nil {
		return took, err
	}
	snapshot, err := log.At(ctx, status.Generation)
	if err != nil {
		return took, err
	}
	query := world.Query{View: vocabulary.ViewProfiles, Now: begin}
	synthetic, err := people.View(query)
	if err != nil {
		return took, err
	}
	view := overlay.New(snapshot, people, overlay.Query{World: query, Only: true}, synthetic).View()
	begin = time.Now()
	var list []world.Row
	for unit := range view.Units() {
		list = view.Append(list[:0], unit)
	}
	took.read = time.Since(begin)
	renderer := rows.NewRenderer(library)
	renderer.UseDataset(func(generation int64) (*dataset.Snapshot, error) { return log.At(ctx, generation) })
	took.events, err = writeFile(ctx, library, renderer, "profiles.events", status.Generation)
	return took, err
}

// writeFile writes the file of a kind that shows the dataset alone, and is how
// long the fastest of several times took.
func writeFile(ctx context.Context, library *schemas.Library, renderer *rows.Renderer, kind string, generation int64) (time.Duration, error) {
	all := library.Exports()
	place := slices.IndexFunc(all, func(export schemas.Export) bool { return export.Kind == kind })
	if place < 0 {
		return 0, fmt.Errorf("there is no export kind %s", kind)
	}
	spec, err := everything(library, all[place])
	if err != nil {
		return 0, err
	}
	spec.DataGeneration, spec.DataOnly = generation, true
	file, err := renderer.Open(spec)
	if err != nil {
		return 0, err
	}
	best := time.Duration(math.MaxInt64)
	for range 5 {
		begin := time.Now()
		if _, err := file.Write(ctx, io.Discard, rows.Whole, nil); err != nil {
			return 0, err
		}
		best = min(best, time.Since(begin))
	}
	return best, nil
}
