package importer

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// kinds are the kinds of rows of a dataset, in the order in which it takes them.
var kinds = [...]string{"profiles", "installations", "events"}

// ending is the end of the name of a file of a dataset.
const ending = ".ndjson"

// Into writes the rows of export files into a directory, which is new or empty: all of them or none. Nobody else may read
// them. The function accept decides at the end.
func Into(ctx context.Context, library *schemas.Library, inputs []Input, options Options, directory string,
	accept func(*Summary) error) (summary Summary, err error) {
	if err := vacant(directory); err != nil {
		return summary, err
	}
	_, before := os.Lstat(directory)
	if err := os.MkdirAll(directory, 0o700); err != nil {
		return summary, err
	}
	part, err := os.MkdirTemp(directory, ".import-") // beside the files, so that the file system is theirs
	if err != nil {
		return summary, err
	}
	defer func() {
		if err = errors.Join(err, os.RemoveAll(part)); err != nil && before != nil {
			_ = os.Remove(directory) // it was not there, and is empty
		}
	}()
	options.Directory = part
	if summary, err = write(ctx, library, inputs, options, part); err == nil {
		err = accept(&summary)
	}
	for _, kind := range kinds {
		if err == nil {
			err = os.Rename(filepath.Join(part, kind+ending), filepath.Join(directory, kind+ending))
		}
	}
	return summary, err
}

// vacant refuses a path that a dataset would replace, unless it is an empty directory.
func vacant(directory string) error {
	information, err := os.Lstat(directory)
	if err != nil { // it is not there, or creating it reports the reason
		return nil
	}
	if !information.IsDir() {
		return fmt.Errorf("%s is a file; name a new directory", directory)
	}
	entries, err := os.ReadDir(directory)
	if err == nil && len(entries) > 0 {
		return fmt.Errorf("%s is not empty; name a new directory", directory)
	}
	return err
}

func write(ctx context.Context, library *schemas.Library, inputs []Input, options Options,
	directory string) (summary Summary, err error) {
	writers := map[string]*bufio.Writer{}
	var files []*os.File
	for _, kind := range kinds {
		file, err := os.OpenFile(filepath.Join(directory, kind+ending), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
		if err != nil {
			return summary, err
		}
		defer file.Close()
		files, writers[kind] = append(files, file), bufio.NewWriterSize(file, 1<<16)
	}
	summary, err = Files(ctx, library, inputs, options, func(kind string, row []byte) error {
		_, err := writers[kind].Write(append(row, '\n'))
		return err
	})
	for at, kind := range kinds {
		err = errors.Join(err, writers[kind].Flush(), files[at].Close())
	}
	return summary, err
}
