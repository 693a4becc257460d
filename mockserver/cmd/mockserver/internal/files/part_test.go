package files_test

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/files"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestAPartIsWholeOrGone: a file appears when it is whole, and nothing is left of one that failed.
func TestAPartIsWholeOrGone(t *testing.T) {
	for name, failed := range map[string]error{"whole": nil, "failed": errors.New("the disk is full")} {
		t.Run(name, func(t *testing.T) {
			directory := t.TempDir()
			part := must.Get(files.NewPart(directory))(t)
			must.Get(part.Write([]byte("row\n")))(t)
			path := filepath.Join(directory, "rows.csv")
			if _, err := os.Stat(path); err == nil {
				t.Error("it is there before its end")
			}
			if err := part.End(path, failed); !errors.Is(err, failed) {
				t.Errorf("it ended with %v", err)
			}
			left, got := must.Get(os.ReadDir(directory))(t), ""
			if failed == nil {
				got = string(must.Get(os.ReadFile(path))(t))
			}
			if failed == nil && (len(left) != 1 || got != "row\n") || failed != nil && len(left) > 0 {
				t.Errorf("%v is left, with %q", left, got)
			}
		})
	}
}
