package rows_test

import (
	"context"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
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

// TestNobodyGoesOnWhenNobodyWaits: of a file whose rows come late, none may have been written when its context ends.
func TestNobodyGoesOnWhenNobodyWaits(t *testing.T) {
	library := embedded(t)
	for _, kindName := range []string{"userbase", "profiles.events"} {
		spec := wholeFile(library, kind(t, library, kindName))
		spec.Profiles = 1_000_000
		file := open(t, library, spec)
		for name, write := range map[string]func(ctx context.Context) error{
			"Write": func(ctx context.Context) error {
				_, err := file.Write(ctx, io.Discard, rows.Whole, nil)
				return err
			},
			"WriteParts": func(ctx context.Context) error {
				_, err := file.WriteParts(ctx, io.Discard)
				return err
			},
		} {
			ctx, leave := context.WithTimeout(t.Context(), 10*time.Millisecond)
			if err := write(ctx); !errors.Is(err, context.DeadlineExceeded) {
				t.Errorf("%s: %s ends with %v", kindName, name, err)
			}
			leave()
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
