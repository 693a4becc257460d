//go:build proof

package swift_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mobile/internal/proof"
)

// TestDocumentation: everything that is public has a comment, and DocC makes pages of them and of the catalogue without a warning.
func TestDocumentation(t *testing.T) {
	if !proof.HasSwift(t) {
		return
	}
	docc := proof.Tool(t, "swift/docc")
	graphs := proof.NewFramework(t).Graph(hostHeader)
	data := proof.Get(os.ReadFile(filepath.Join(graphs, "RehearsalActions.symbols.json")))(t)
	var graph struct {
		Symbols []struct {
			Identifier     struct{ Precise string }
			PathComponents []string
			DocComment     *struct{}
			Location       *struct{}
		}
	}
	proof.Do(t, json.Unmarshal(data, &graph))
	proof.Hold(t, len(graph.Symbols) >= 100, "the compiler sees %d symbols only", len(graph.Symbols))
	for _, s := range graph.Symbols {
		// What the compiler or a protocol adds is nowhere in the sources.
		if s.DocComment == nil && s.Location != nil && !strings.Contains(s.Identifier.Precise, "::SYNTHESIZED::") {
			t.Errorf("%s has no comment", strings.Join(s.PathComponents, "."))
		}
	}
	out := filepath.Join(t.TempDir(), "RehearsalActions.doccarchive")
	complaint := proof.Run(t, proof.Command{Name: docc, Arguments: []string{"convert", "Sources/RehearsalActions/RehearsalActions.docc",
		"--additional-symbol-graph-dir", graphs,
		"--fallback-display-name", "RehearsalActions", "--fallback-bundle-identifier", proof.JavaPackage, "--warnings-as-errors", "--output-path",
		out}})
	page, err := os.ReadFile(filepath.Join(out, "data", "documentation", "rehearsalactions", "actionregistry.json"))
	proof.Hold(t, err == nil && strings.Contains(string(page), "perform"), "there is no page of the registry (%v): %s", err, complaint)
}
