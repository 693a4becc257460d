package files

import (
	"errors"
	"fmt"
	"io/fs"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// SchemasUsage says what the flag --schemas does.
const SchemasUsage = "replace embedded schema files with those in `DIR`, or add to them"

// SchemaLimit is the size of the largest schema file, in bytes.
const SchemaLimit = 4 << 20

// OpenSchemas opens a directory of schema files; nil without a name.
func OpenSchemas(name string) (fs.FS, error) {
	if name == "" {
		return nil, nil
	}
	overlay, err := OpenDirectory("--schemas", name, SchemaLimit)
	if err != nil {
		return nil, err
	}
	found := map[string][]byte{}
	if err := schemas.ReadFiles(overlay, found); err == nil && len(found) == 0 {
		return nil, fmt.Errorf("--schemas %s: there is no file that ends in .json: files are replaced by those of the same path, such as legacy/userbase.row.json", name)
	}
	return overlay, nil
}

// OpenLibrary compiles the schemas, with those of a directory if one is given.
func OpenLibrary(directory string) (*schemas.Library, error) {
	overlay, err := OpenSchemas(directory)
	if err != nil {
		return nil, err
	}
	library, err := schemas.Open(overlay)
	if err != nil {
		return nil, OverlayFault(directory, err)
	}
	return library, nil
}

// Observer holds what services say against the schemas of a directory over those inside; without a name, against these.
func Observer(name string) (*drift.Observer, error) {
	overlay, err := OpenSchemas(name)
	if err != nil {
		return nil, err
	}
	observer, err := drift.New(overlay)
	if err != nil {
		return nil, OverlayFault(name, err)
	}
	return observer, nil
}

// OverlayFault names the directory of a schema file that is wrong; any other error stays what it is.
func OverlayFault(directory string, err error) error {
	var fault *schemas.FileError
	if directory == "" || !errors.As(err, &fault) {
		return err
	}
	return fmt.Errorf("--schemas %s: %w", directory, fault)
}
