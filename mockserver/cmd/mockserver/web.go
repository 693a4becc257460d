package main

import (
	"fmt"
	"io/fs"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/files"
)

// openWeb opens the folder of a built web page; without one it is the page that
// is part of the program, or nil. Links in the folder that lead outside of it are
// not followed.
func openWeb(directory string) (fs.FS, error) {
	if directory == "" {
		return webInside(), nil
	}
	page, err := files.OpenRoot("--web", directory)
	if err != nil {
		return nil, err
	}
	if entries, err := fs.ReadDir(page, "."); err != nil {
		return nil, fmt.Errorf("--web %s: %w", directory, err)
	} else if len(entries) == 0 {
		return nil, fmt.Errorf("--web %s: the directory is empty; build the web page first", directory)
	}
	if _, err := fs.Stat(page, "index.html"); err != nil {
		return nil, fmt.Errorf("--web %s: there is no index.html in it; give the directory that the build of the web page made", directory)
	}
	return page, nil
}
