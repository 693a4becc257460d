package rows_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
)

// TestMarks: a mark is where the row begins that it counts to, in every part.
func TestMarks(t *testing.T) {
	library, marks := embedded(t), 0
	for _, export := range library.Exports() {
		spec := wholeFile(library, export)
		spec.PartSize, spec.Profiles = 200_000, 2000
		parts, texts := partsOf(t, open(t, library, spec))
		for i, part := range parts {
			marks += len(part.Marks)
			if part.Rows > 0 && (len(part.Marks) == 0 || part.Marks[0].Row != 0) {
				t.Fatalf("%s, part %d: the first row has no mark", export.Kind, part.Number)
			}
			lines := strings.SplitAfter(string(texts[i]), "\n")[1:] // behind the header, or the bracket
			for _, mark := range part.Marks {
				want := strings.TrimRight(lines[mark.Row], ",\n")
				if got := strings.TrimLeft(string(texts[i][mark.Offset:]), ",\n"); !strings.HasPrefix(got, want) {
					t.Fatalf("%s, part %d: a mark is at %.60q, want row %d, %.60q", export.Kind, part.Number, got, mark.Row, want)
				}
			}
		}
	}
	if marks < 50 {
		t.Errorf("%d marks in all", marks)
	}
}

// barren is a view without rows. Whoever waits for the next one gives up after some units.
type barren struct {
	world.View
	leave  context.CancelFunc
	passed atomic.Int64
}

const barrenUnits = 1_000_000

func (b *barren) Units() int64 { return barrenUnits }

func (b *barren) Append(dst []world.Row, _ int64) []world.Row {
	if b.passed.Add(1) == 10 {
		b.leave()
	}
	return dst
}

// TestASearchEndsInTheMiddle: of a file with few rows, the next one may be far. Nobody goes on looking
// for it when nobody waits any more.
func TestASearchEndsInTheMiddle(t *testing.T) {
	library := embedded(t)
	for _, export := range library.Exports() {
		file := open(t, library, wholeFile(library, export))
		for name, write := range map[string]func(ctx context.Context, file *rows.File) error{
			"Write": func(ctx context.Context, file *rows.File) error {
				_, err := file.Write(ctx, io.Discard, rows.Whole, nil)
				return err
			},
			"WriteParts": func(ctx context.Context, file *rows.File) error {
				_, err := file.WriteParts(ctx, io.Discard)
				return err
			},
		} {
			ctx, leave := context.WithCancel(t.Context())
			view := &barren{leave: leave}
			if err := write(ctx, file.WithView(view)); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %s ends with %v", export.Kind, name, err)
			}
			if passed := view.passed.Load(); passed > barrenUnits/10 {
				t.Errorf("%s: %s looks at %d of %d units", export.Kind, name, passed, barrenUnits)
			}
		}
	}
}

// TestTooManyParts: an answer that names all parts has an end.
func TestTooManyParts(t *testing.T) {
	library := embedded(t)
	spec := wholeFile(library, kind(t, library, "profiles.attributes"))
	spec.Profiles, spec.PartSize, spec.Attributes = 20_000, 1, nil
	var many *rows.PartsError
	if _, err := open(t, library, spec).WriteParts(t.Context(), io.Discard); !errors.As(err, &many) {
		t.Errorf("a part for every row: %v", err)
	}
}
