package rows_test

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

var update = flag.Bool("update", false, "write the digests of the files anew")

// golden are the digests of one file of every kind under one world version.
type golden struct {
	WorldVersion int               `json:"world_version"`
	SHA256       map[string]string `json:"sha256"`
}

// A file that was promised must have the same bytes after every release. When
// this test fails because the world or a schema was meant to change, raise
// world.Version and write the digests anew:
//
//	go test ./mockserver/internal/rows -run Golden -update
func TestGoldenDigests(t *testing.T) {
	path := filepath.Join("testdata", "golden.json")
	library := embedded(t)
	found := golden{WorldVersion: world.Version, SHA256: map[string]string{}}
	for _, export := range library.Exports() {
		sum := sha256.Sum256(text(t, open(t, library, wholeFile(library, export))))
		found.SHA256[export.Kind] = hex.EncodeToString(sum[:])
	}
	if *update {
		data, err := json.MarshalIndent(found, "", "  ")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, append(data, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var want golden
	if err := json.Unmarshal(data, &want); err != nil {
		t.Fatal(err)
	}
	if want.WorldVersion != found.WorldVersion {
		t.Errorf("the digests are those of world version %d, this is version %d", want.WorldVersion, found.WorldVersion)
	}
	for kind, digest := range found.SHA256 {
		if want.SHA256[kind] != digest {
			t.Errorf("%s has digest %s, want %s", kind, digest, want.SHA256[kind])
		}
	}
	if len(want.SHA256) != len(found.SHA256) {
		t.Errorf("%d kinds have digests, there are %d kinds", len(want.SHA256), len(found.SHA256))
	}
}
