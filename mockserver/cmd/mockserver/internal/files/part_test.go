package files_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/files"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

func TestAPartIsWholeWhenItEnds(t *testing.T) {
	for _, size := range []int{0, 1, 128 << 10, 300_001} {
		part, err := files.NewPart(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		want, path := bytes.Repeat([]byte("row\n"), size)[:size], filepath.Join(filepath.Dir(part.Name()), "rows.csv")
		blocks := part.Blocks()
		for rest := want; len(rest) > 0; {
			piece := rest[:min(len(rest), 70_001)]
			if rest = rest[len(piece):]; err == nil {
				_, err = blocks.Write(piece)
			}
			if there, err := os.Stat(part.Name()); err != nil || there.Size()%(128<<10) != 0 {
				t.Errorf("%d bytes are on the disk before the end, which are no whole blocks: %v", there.Size(), err)
			}
		}
		must.Do(t, part.End(path, err))
		if got, err := os.ReadFile(path); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d bytes were written, and %d are there: %v", size, len(got), err)
		}
	}
}

func TestAPartWhoseLastBlockCannotBeWrittenIsRemoved(t *testing.T) {
	directory := t.TempDir()
	part, err := files.NewPart(directory)
	if err != nil {
		t.Fatal(err)
	}
	writable := part.File
	defer writable.Close()
	if part.File, err = os.Open(writable.Name()); err != nil { // it takes nothing
		t.Fatal(err)
	}
	must.Get(part.Blocks().Write([]byte("row\n")))(t)
	if part.End(filepath.Join(directory, "rows.csv"), nil) == nil {
		t.Error("nobody is told that the last block is lost")
	}
	if left, err := os.ReadDir(directory); err != nil || len(left) > 0 {
		t.Errorf("%v is left: %v", left, err)
	}
}
