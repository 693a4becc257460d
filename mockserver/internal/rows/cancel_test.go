package rows_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
)

// impatient is a context that ends when somebody has looked at it so often.
type impatient struct {
	context.Context
	looks atomic.Int64
}

func (i *impatient) Err() error {
	if i.looks.Add(1) > 20 {
		return context.Canceled
	}
	return nil
}

// Value hides the context of the test, which has not ended.
func (i *impatient) Value(any) any { return nil }

// TestLayoutEndsInTheMiddle: the layout of the largest file there may be ends
// when nobody waits for it, in the middle of a piece of it.
func TestLayoutEndsInTheMiddle(t *testing.T) {
	library := embedded(t)
	for _, export := range library.Exports() {
		spec := wholeFile(library, export)
		spec.Profiles = 1_000_000_000
		file, err := rows.NewRenderer(library).Open(spec)
		if err != nil {
			t.Fatal(err)
		}
		if err := file.Layout(&impatient{Context: t.Context()}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", export.Kind, err)
		}
	}
}

// TestLayoutHasRoom: a file with more blocks than may be kept is given up.
func TestLayoutHasRoom(t *testing.T) {
	library := embedded(t)
	for _, export := range library.Exports() {
		if export.Kind != "userbase" {
			continue
		}
		spec := wholeFile(library, export)
		spec.Profiles = 1_000_000_000
		renderer := rows.NewRenderer(library)
		renderer.Limit(1, 64<<10, 0)
		file, err := renderer.Open(spec)
		if err != nil {
			t.Fatal(err)
		}
		var places *rows.PlacesError
		if err := file.Layout(t.Context()); !errors.As(err, &places) || places.Bytes != 64<<10 {
			t.Errorf("a file of a billion profiles: %v", err)
		}

		// Nor is the layout used of a time when more might be kept.
		spec.Profiles = 1_000_000
		encoded := open(t, library, spec).EncodeLayout()
		if file, err = renderer.Open(spec); err != nil {
			t.Fatal(err)
		}
		if err := file.UseLayout(encoded); !errors.As(err, &places) || file.Parts() != nil {
			t.Errorf("a layout with too many blocks: %v", err)
		}
	}
}
