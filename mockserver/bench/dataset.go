package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/blocks"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/overlay"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/memory"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/scratch"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// datasetRows is how many profiles are loaded.
const datasetRows = 200_000

// measureDataset loads the same rows into memory and onto a disk, and reads them
// in the order of a file.
func measureDataset(ctx context.Context, out io.Writer, compared programs, _ settings) error {
	directory := filepath.Join(compared.directory, "dataset")
	if err := writeProfiles(directory); err != nil {
		return err
	}
	inMemory, err := measureBlocks(ctx, directory, blocks.Memory())
	if err != nil {
		return err
	}
	file, err := scratch.Open(ctx, compared.directory, 0)
	if err != nil {
		return err
	}
	defer file.Close()
	onDisk, err := measureBlocks(ctx, directory, file)
	if err != nil {
		return err
	}
	fmt.Fprintf(out, "dataset\tloaded, on disk beside in memory\t%s\t%.0f rows/s\n", atLeast(inMemory.load.Seconds()/onDisk.load.Seconds(), aimDataset), datasetRows/onDisk.load.Seconds())
	fmt.Fprintf(out, "dataset\tread, on disk beside in memory\t%s\t%.0f rows/s\n", atLeast(inMemory.read.Seconds()/onDisk.read.Seconds(), aimDataset), datasetRows/onDisk.read.Seconds())
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
	for i := range datasetRows {
		fmt.Fprintf(text, "profile_%032x,customer-%d,user%d@example.com,subscribed,fr,vip|s%d,green\n", i, i, i, i%7)
	}
	return text.Flush()
}

// datasetTimes is how long it takes to load rows, and to read them.
type datasetTimes struct{ load, read time.Duration }

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
	rows, err := input.OpenDirectory(library, os.DirFS(directory))
	if err != nil {
		return took, err
	}
	begin := time.Now()
	if err := log.Begin(ctx, rows, "digest", dataset.Only, begin); err != nil {
		return took, err
	}
	took.load = time.Since(begin)
	status, err := log.Current(ctx)
	if err != nil {
		return took, err
	}
	snapshot, err := log.At(ctx, status.Generation)
	if err != nil {
		return took, err
	}
	query := world.Query{View: world.ViewProfiles, Now: begin}
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
	return took, nil
}
