package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/files"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
)

// writeOut writes the file, or a shard of it, to its place. A file appears
// under its name only when it is complete.
func writeOut(ctx context.Context, f generateFlags, file *rows.File, m *meter, t terminal) error {
	if err := files.CheckOutput("--out", f.out); f.out != "-" && err != nil {
		return err
	}
	path, err := placeOfOut(f.out)
	if err != nil {
		return err
	}
	write := func(out io.Writer) error {
		_, err := file.Write(ctx, out, f.shard, m.show)
		return err
	}
	if f.out == "-" {
		return interrupted(ctx, write(t.out), "what was written to standard output is not the whole file")
	}
	information, err := os.Stat(path)
	if err == nil && !information.Mode().IsRegular() {
		// What is open, and the null device, cannot be replaced.
		target, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return fmt.Errorf("--out: %w", err)
		}
		return interrupted(ctx, errors.Join(write(target), target.Close()), "what was written to "+f.out+" is not the whole file")
	}
	left := f.out + " was not written, and nothing is left of it"
	if err == nil {
		left = f.out + " is as it was before"
	}
	files.SweepParts(filepath.Dir(path), m.out)
	target, err := files.NewPart(filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	if err = interrupted(ctx, target.End(path, write(target.Blocks())), left); err != nil {
		return fmt.Errorf("--out %s: %w", f.out, err)
	}
	return nil
}

// placeOfOut is where a file is to be: a symbolic link stays one.
func placeOfOut(out string) (string, error) {
	information, err := os.Lstat(out)
	if err != nil || information.Mode()&fs.ModeSymlink == 0 {
		return out, nil
	}
	if information, err = os.Stat(out); err == nil && !information.Mode().IsRegular() {
		return out, nil // /dev/stdout may lead to what has no path
	}
	path, err := filepath.EvalSymlinks(out)
	if err != nil {
		return "", fmt.Errorf("--out: %s is a symbolic link that leads nowhere: %w", out, err)
	}
	return path, nil
}
