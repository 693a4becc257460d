package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
)

// writeOut writes the file, or a shard of it, to its place. A file appears
// under its name only when it is complete.
func writeOut(ctx context.Context, f generateFlags, file *rows.File, m *meter, t terminal) error {
	write := func(out io.Writer) error {
		_, err := file.Write(ctx, out, f.shard, m.show)
		return err
	}
	if f.out == "-" {
		return write(t.out)
	}
	if information, err := os.Stat(f.out); err == nil && !information.Mode().IsRegular() {
		// A device or a pipe cannot be replaced.
		target, err := os.OpenFile(f.out, os.O_WRONLY, 0)
		if err != nil {
			return fmt.Errorf("--out: %w", err)
		}
		return errors.Join(write(target), target.Close())
	}
	temporary := filepath.Join(filepath.Dir(f.out), "."+filepath.Base(f.out)+".part")
	target, err := os.Create(temporary)
	if err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	err = errors.Join(write(target), target.Close())
	if err == nil {
		err = os.Rename(temporary, f.out)
	}
	if err != nil {
		os.Remove(temporary)
		return fmt.Errorf("--out %s: %w", f.out, err)
	}
	return nil
}

// collectMore collects garbage as soon as a quarter of the live heap is such,
// unless the environment says otherwise, and returns what undoes that. Writing
// a file leaves next to none behind, so it costs nothing; what reading the
// schemas leaves would otherwise be memory that is held to the end.
func collectMore(t terminal) (undo func()) {
	if t.environment("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(25)
	return func() { debug.SetGCPercent(before) }
}
