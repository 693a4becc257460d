package rows_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// What is written once about somebody is theirs in one file only: files of other seeds, which have people of the same
// numbers, are rendered by the same memory in turn.
func TestFilesOfOneRendererAreTheirOwn(t *testing.T) {
	library := embedded(t)
	shared := rows.NewRenderer(library)
	for _, export := range library.Exports() {
		if !strings.HasSuffix(export.Kind, ".ids") {
			continue
		}
		spec := wholeFile(library, export)
		spec.Profiles, spec.Window.From = 4, now.AddDate(0, 0, -80)
		for range 3 {
			for spec.Seed = range uint64(testlevel.Count(10, 30, 30)) {
				file := must.Get(shared.Open(spec))(t)
				if !bytes.Equal(text(t, file), text(t, open(t, library, spec))) {
					t.Fatalf("%s of seed %d is another one", export.Kind, spec.Seed)
				}
			}
		}
	}
}
