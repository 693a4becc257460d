package rows_test

import (
	"bytes"
	"io"
	"sync"
	"testing"
)

// TestReadersAtOnceGetWhatOneGets: blocks come from whoever has rendered them, ahead or not, beside readers that take nothing.
func TestReadersAtOnceGetWhatOneGets(t *testing.T) {
	library := embedded(t)
	for _, export := range library.Exports() {
		spec := wholeFile(library, export)
		spec.Profiles = 5000
		file := open(t, library, spec)
		want := text(t, file)
		var stalled []io.Closer
		for range 20 {
			part, err := file.Open(1)
			if err != nil {
				t.Fatal(err)
			}
			stalled = append(stalled, part)
			if _, err := io.CopyN(io.Discard, part, min(int64(len(want)), 200<<10)); err != nil {
				t.Fatal(err)
			}
		}
		var readers sync.WaitGroup
		for range 4 {
			readers.Go(func() {
				if got := partText(t, file, 1); !bytes.Equal(got, want) {
					t.Errorf("%s: %d bytes differ from %d", export.Kind, len(got), len(want))
				}
			})
		}
		readers.Wait()
		for _, part := range stalled {
			if err := part.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}
