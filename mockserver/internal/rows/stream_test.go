package rows_test

import (
	"bytes"
	"io"
	"slices"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
)

// TestStreamIsTheFile: what is read before a file is laid out is what the file is, wherever
// that happens.
func TestStreamIsTheFile(t *testing.T) {
	library := embedded(t)
	renderer := rows.NewRenderer(library)
	for _, export := range library.Exports() {
		for _, most := range []int64{0, 1, 100, 1 << 40} {
			spec := wholeFile(library, export)
			if spec.MaxRows = &most; most == 1<<40 {
				spec.MaxRows, spec.Profiles = nil, 5000
			}
			file, err := renderer.Open(spec)
			if err != nil {
				t.Fatal(err)
			}
			if !file.CanStream() {
				if export.Format == "csv" {
					t.Errorf("%s cannot be streamed", export.Kind)
				}
				continue
			}
			want, laidOut := text(t, file), open(t, library, spec)
			for _, after := range []int{0, 1, 2, 7, 1 << 30} {
				calls := 0
				stream := file.Stream(t.Context(), func() *rows.File {
					if calls++; calls > after {
						return laidOut
					}
					return nil
				})
				got, err := io.ReadAll(stream)
				if err != nil || !bytes.Equal(got, want) || !stream.Ended() || stream.ETag() != laidOut.Parts()[0].ETag {
					t.Errorf("%s of at most %d rows, laid out after %d blocks: %d bytes, want %d, %v", export.Kind, most, after, len(got), len(want), err)
				}
				if err := stream.Close(); err != nil {
					t.Error(err)
				}
				if _, err := stream.Next(1); err == nil {
					t.Error("a closed file is read")
				}
			}
		}
	}
	spec := wholeFile(library, library.Exports()[0])
	spec.Faults.Truncated = true
	if file := open(t, library, spec); file.CanStream() {
		t.Error("a file that ends in the middle of a row can be streamed")
	}
}

// TestAKeptLayoutIsTheLayout: a file that is not laid out again is the same.
func TestAKeptLayoutIsTheLayout(t *testing.T) {
	library := embedded(t)
	renderer := rows.NewRenderer(library)
	for _, export := range library.Exports() {
		for _, change := range []int{0, 1, 2} {
			spec := wholeFile(library, export)
			spec.PartSize = 30_000
			switch few := int64(100); change {
			case 1:
				spec.MaxRows = &few
			case 2:
				spec.Faults.Truncated = true
			}
			laidOut := open(t, library, spec)
			encoded := laidOut.EncodeLayout()
			file, err := renderer.Open(spec)
			if err == nil {
				err = file.UseLayout(encoded)
			}
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(file.Parts(), laidOut.Parts()) {
				t.Errorf("%s: the parts are %v, want %v", export.Kind, file.Parts(), laidOut.Parts())
			}
			for _, part := range file.Parts() {
				if !bytes.Equal(partText(t, file, part.Number), partText(t, laidOut, part.Number)) {
					t.Errorf("%s: part %d is another one", export.Kind, part.Number)
				}
			}
			spec.Seed++
			other, err := renderer.Open(spec)
			if err != nil {
				t.Fatal(err)
			}
			if err := other.UseLayout(encoded); err == nil || other.Parts() != nil {
				t.Errorf("%s: the layout of another file is used", export.Kind)
			}
		}
	}
}
