package main

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/files"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

const (
	schemasUsage = "replace embedded schema files with those in `DIR`, or add to them"
	// schemaLimit is the size of the largest schema file, in bytes.
	schemaLimit = 4 << 20
)

// openSchemas opens a directory of schema files; nil without a name.
func openSchemas(name string) (fs.FS, error) {
	if name == "" {
		return nil, nil
	}
	overlay, err := files.OpenDirectory("--schemas", name, schemaLimit)
	if err != nil {
		return nil, err
	}
	found := map[string][]byte{}
	if err := schemas.ReadFiles(overlay, found); err == nil && len(found) == 0 {
		return nil, fmt.Errorf("--schemas %s: there is no file that ends in .json: files are replaced by those of the same path, such as legacy/userbase.row.json", name)
	}
	return overlay, nil
}

// openLibrary compiles the schemas, with those of a directory if one is given.
func openLibrary(directory string) (*schemas.Library, error) {
	overlay, err := openSchemas(directory)
	if err != nil {
		return nil, err
	}
	library, err := schemas.Open(overlay)
	if err != nil {
		return nil, overlayFault(directory, err)
	}
	return library, nil
}

// overlayFault names the directory of a schema file that is wrong; any other error stays what it is.
func overlayFault(directory string, err error) error {
	var fault *schemas.FileError
	if directory == "" || !errors.As(err, &fault) {
		return err
	}
	return fmt.Errorf("--schemas %s: %w", directory, fault)
}
