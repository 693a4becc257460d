package rows_test

import (
	"io"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/simulation"
)

// BenchmarkSimulated writes files of 20,000 people; a window has seven days.
func BenchmarkSimulated(b *testing.B) {
	library := embedded(b)
	for _, export := range library.Exports() {
		b.Run(export.Kind, func(b *testing.B) {
			spec := wholeFile(library, export)
			spec.WorldVersion, spec.Profiles = simulation.Version, 20_000
			spec.Window = exports.Window{From: spec.Now.Add(-7 * 24 * time.Hour), To: spec.Now}
			for b.Loop() {
				if _, err := open(b, library, spec).WriteTo(io.Discard); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
