package main

import (
	"fmt"
	"io/fs"
	"os"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

const schemasUsage = "replace embedded schema files with those in `DIR`, or add to them"

// openSchemas opens a directory of schema files; nil without one.
func openSchemas(directory string) (fs.FS, error) {
	if directory == "" {
		return nil, nil
	}
	information, err := os.Stat(directory)
	if err != nil {
		return nil, fmt.Errorf("--schemas: %w", err)
	}
	if !information.IsDir() {
		return nil, fmt.Errorf("--schemas: %s is not a directory", directory)
	}
	return os.DirFS(directory), nil
}

// openLibrary compiles the schemas, with those of a directory if one is given.
func openLibrary(directory string) (*schemas.Library, error) {
	overlay, err := openSchemas(directory)
	if err != nil {
		return nil, err
	}
	library, err := schemas.Open(overlay)
	if err != nil {
		return nil, fmt.Errorf("--schemas %s: %w", directory, err)
	}
	return library, nil
}
