package main

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/files"
)

// openWeb gives the folder of a built web page; without a name it is the page that is part of the program, or nil. A folder that is
// missing or empty is waited for: a build puts the finished page there. One with other files is a mistake.
func openWeb(directory string) (fs.FS, error) {
	if directory == "" {
		return webInside(), nil
	}
	page := files.Folder{Flag: "--web", Name: directory}
	entries, err := fs.ReadDir(page, ".")
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && len(entries) == 0:
		return page, nil
	case err != nil:
		return nil, err
	}
	if _, err := fs.Stat(page, "index.html"); err != nil {
		return nil, fmt.Errorf("--web %s: there is no index.html in it; give the directory that the build of the web page made", directory)
	}
	return page, nil
}

// webNote is what the start of the server says of a page that is not there yet.
func webNote(directory string) string {
	if directory == "" {
		return ""
	}
	if _, err := fs.Stat(files.Folder{Flag: "--web", Name: directory}, "index.html"); err == nil {
		return ""
	}
	return " (not built yet: shown as soon as it is in " + directory + ")"
}
