package rows_test

import (
	"context"
	"io"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
)

// TestIndex: a mark is where the row begins that it counts to, in every part, however few marks are wanted.
func TestIndex(t *testing.T) {
	library := embedded(t)
	renderer := rows.NewRenderer(library)
	for _, export := range library.Exports() {
		spec := wholeFile(library, export)
		spec.PartSize = 20_000
		file, err := renderer.Open(spec)
		if err == nil {
			err = file.Layout(context.Background())
		}
		if err != nil {
			t.Fatalf("%s: %v", export.Kind, err)
		}
		for _, part := range file.Parts() {
			reader, err := file.Open(part.Number)
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(reader)
			reader.Close()
			if err != nil {
				t.Fatal(err)
			}
			lines := strings.SplitAfter(string(text), "\n")[1:] // behind the header, or the bracket
			for _, most := range []int{1, 2, 7, 1 << 20} {
				marks, err := file.Index(part.Number, most)
				if err != nil || len(marks) > most || part.Rows > 0 && (len(marks) == 0 || marks[0].Row != 0) {
					t.Fatalf("%s, part %d: %d marks of at most %d: %v", export.Kind, part.Number, len(marks), most, err)
				}
				for i, mark := range marks {
					want := strings.TrimRight(lines[mark.Row], ",\n")
					if got := strings.TrimLeft(string(text[mark.Offset:]), ",\n"); !strings.HasPrefix(got, want) {
						t.Fatalf("%s, part %d: mark %d is at %.60q, want row %d, %.60q", export.Kind, part.Number, i, got, mark.Row, want)
					}
				}
			}
		}
		for _, part := range []int{0, -1, len(file.Parts()) + 1} {
			if _, err := file.Index(part, 10); err == nil {
				t.Errorf("%s: there is an index of part %d of %d", export.Kind, part, len(file.Parts()))
			}
		}
	}
}
