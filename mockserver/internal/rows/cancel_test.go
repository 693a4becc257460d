package rows_test

import (
	"context"
	"errors"
	"io"
	"sync/atomic"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/world"
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
		if export.Format != "csv" {
			continue
		}
		file := open(t, library, wholeFile(library, export))
		for name, search := range map[string]func(ctx context.Context, file *rows.File) error{
			"a stream": func(ctx context.Context, file *rows.File) error {
				_, err := io.Copy(io.Discard, file.Stream(ctx, func() *rows.File { return nil }))
				return err
			},
			"Write": func(ctx context.Context, file *rows.File) error {
				_, err := file.Write(ctx, io.Discard, rows.Whole, nil)
				return err
			},
			"Layout": func(ctx context.Context, file *rows.File) error { return file.Layout(ctx) },
		} {
			ctx, leave := context.WithCancel(t.Context())
			view := &barren{leave: leave}
			if err := search(ctx, file.WithView(view)); !errors.Is(err, context.Canceled) {
				t.Errorf("%s: %s ends with %v", export.Kind, name, err)
			}
			if passed := view.passed.Load(); passed > barrenUnits/10 {
				t.Errorf("%s: %s looks at %d of %d units", export.Kind, name, passed, barrenUnits)
			}
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
