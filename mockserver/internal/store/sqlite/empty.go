package sqlite

import (
	"bytes"
	"compress/gzip"
	_ "embed"
	"errors"
	"io"
	"io/fs"
	"os"
)

// emptied is a file that has seen all migrations, and nothing else. To make one takes six waits for the disk, and a
// quarter of the time in which the server starts. A test writes it.
//
//go:embed migrations/empty.db.gz
var emptied []byte

// putEmpty puts a file there, complete under its name or not at all, unless there is one. A failure is told by what
// opens the file then.
func putEmpty(path string) {
	if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
		return
	}
	partial := path + "-new"
	if err := writeEmpty(partial); err != nil || os.Rename(partial, path) != nil {
		os.Remove(partial)
	}
}

func writeEmpty(path string) error {
	file, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, fileMode)
	if err != nil {
		return err
	}
	unpacked, err := gzip.NewReader(bytes.NewReader(emptied))
	if err == nil {
		_, err = io.Copy(file, unpacked)
	}
	if err == nil {
		err = file.Sync()
	}
	return errors.Join(err, file.Close())
}
