package rows_test

import (
	"flag"
	"path/filepath"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/texture"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

var update = flag.Bool("update", false, "write the digests of the files anew")

// golden are the digests of one file of every kind under one world version.
type golden struct {
	WorldVersion int               `json:"world_version"`
	SHA256       map[string]string `json:"sha256"`
}

// A file that was promised must have the same bytes after every release. When this test fails because the world or a schema was meant to
// change, raise world.Version and write the digests anew:
//
//	go test ./mockserver/internal/rows -run Golden -update
func TestGoldenDigests(t *testing.T) {
	library := embedded(t)
	found := golden{WorldVersion: world.Version, SHA256: map[string]string{}}
	for _, export := range library.Exports() {
		for _, level := range texture.Levels() {
			spec, name := wholeFile(library, export), export.Kind+", "+string(level)
			if spec.Settings.Texture = level; level == texture.Tidy {
				name = export.Kind
			}
			found.SHA256[name] = digest(text(t, open(t, library, spec)))
		}
	}
	compareGolden(t, filepath.Join("testdata", "golden.json"), found, true)
}
