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
)

// writeOut writes a file to its place, or to standard output. A file appears under its name only when it is complete.
func writeOut(ctx context.Context, out string, write func(io.Writer) error, t terminal) error {
	if err := files.CheckOutput("--out", out); out != "-" && err != nil {
		return err
	}
	path, err := placeOfOut(out)
	if err != nil {
		return err
	}
	if out == "-" {
		return interrupted(ctx, write(t.out), "what was written to standard output is not the whole file")
	}
	information, err := os.Stat(path)
	if err == nil && !information.Mode().IsRegular() {
		// What is open, and the null device, cannot be replaced.
		target, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return fmt.Errorf("--out: %w", err)
		}
		return interrupted(ctx, errors.Join(write(target), target.Close()), "what was written to "+out+" is not the whole file")
	}
	left := out + " was not written, and nothing is left of it"
	if err == nil {
		left = out + " is as it was before"
	}
	target, err := files.NewPart(filepath.Dir(path))
	if err != nil {
		return fmt.Errorf("--out: %w", err)
	}
	if err = interrupted(ctx, target.End(path, write(target)), left); err != nil {
		return fmt.Errorf("--out %s: %w", out, err)
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
