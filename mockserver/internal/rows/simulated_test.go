package rows_test

import (
	"bytes"
	"io"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// simulated is a week of a kind.
func simulated(library *schemas.Library, export schemas.Export, people int64) exports.File {
	spec := wholeFile(library, export)
	spec.Profiles = people
	spec.Window = exports.Window{From: spec.Now.Add(-7 * 24 * time.Hour), To: spec.Now}
	return spec
}

// A file of the simulated world is the same whole, in parts, and cut after some rows.
func TestSimulatedFilesAreTheSameInPieces(t *testing.T) {
	library := embedded(t)
	for _, export := range library.Exports() {
		spec := simulated(library, export, 1_000)
		whole := text(t, open(t, library, spec))
		lines := bytes.Count(whole, []byte("\n"))
		spec.PartSize = int64(len(whole)) / 3
		parts, _ := partsOf(t, open(t, library, spec))
		count := int64(0)
		for _, part := range parts {
			count += part.Rows
		}
		around := map[string]int{"csv": 1, "json": 2}[export.Format] // lines that are no rows
		if len(parts) < 3 || count != int64(lines-around) {
			t.Errorf("%s has %d lines, and %d rows in %d parts", export.Kind, lines, count, len(parts))
		}
		for _, part := range parts {
			if part.Size > spec.PartSize && part.Rows > 1 {
				t.Errorf("%s: part %d has %d rows in %d bytes, more than %d", export.Kind, part.Number, part.Rows, part.Size, spec.PartSize)
			}
		}
		most := count / 2
		spec.MaxRows = &most
		found := int64(0)
		parts, _ = partsOf(t, open(t, library, spec))
		for _, part := range parts {
			found += part.Rows
		}
		must.Equal(t, found, most, "rows of %s", export.Kind)
	}
}

// BenchmarkSimulated writes files of 20,000 people; a window has seven days.
func BenchmarkSimulated(b *testing.B) {
	library := embedded(b)
	for _, export := range library.Exports() {
		b.Run(export.Kind, func(b *testing.B) {
			for b.Loop() {
				must.Get(open(b, library, simulated(library, export, 20_000)).WriteTo(io.Discard))(b)
			}
		})
	}
}
