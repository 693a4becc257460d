package rows_test

import (
	"bytes"
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

// TestSimulatedParts: a simulated file is cut in parts as any other is.
func TestSimulatedParts(t *testing.T) {
	library, all := embedded(t), int64(0)
	for _, export := range library.Exports() {
		spec := wholeFile(library, export)
		spec.WorldVersion = simulation.Version
		whole := text(t, open(t, library, spec))
		parts, texts := partsOf(t, open(t, library, spec))
		if len(parts) != 1 || !bytes.Equal(texts[0], whole) {
			t.Errorf("%s: one of %d parts has %d rows, and is not the whole", export.Kind, len(parts), parts[0].Rows)
		}
		all += parts[0].Rows
		most := parts[0].Rows / 2
		spec.MaxRows, spec.PartSize = &most, 4000
		cut, count := 0, int64(0)
		parts, _ = partsOf(t, open(t, library, spec))
		for _, part := range parts {
			count += part.Rows
			if part.Size > spec.PartSize && part.Rows > 1 && export.Format == "json" {
				cut++
			}
		}
		if count != most || cut > 0 {
			t.Errorf("%s: half of the file has %d rows in %d parts, want %d; %d parts are too large", export.Kind, count, len(parts), most, cut)
		}
	}
	if all < 500 {
		t.Errorf("%d rows in all", all)
	}
}
