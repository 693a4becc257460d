package sqlite_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/sqlite"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/storetest"
)

// TestRenamed: a file that is in use is refused under its new name as well.
func TestRenamed(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux has locks that go by the file and do not disturb SQLite")
	}
	directory := t.TempDir()
	path, other := filepath.Join(directory, "state.db"), filepath.Join(directory, "renamed.db")
	s := open(t, path)
	storetest.Insert(t, s, storetest.Record("a", "a", "legacy"))
	if err := os.Rename(path, other); err != nil {
		t.Fatal(err)
	}
	if second, err := sqlite.Open(context.Background(), other); err == nil {
		second.Close()
		t.Error("a file that is in use is opened under its new name")
	} else if !contains(err, other) || !contains(err, "in use by another server") {
		t.Errorf("the error is %v", err)
	}
	if err := os.Rename(other, path); err != nil {
		t.Fatal(err)
	}
	storetest.Close(t, s)
	s = open(t, path)
	defer storetest.Close(t, s)
	if records := storetest.Snapshot(t, s).Records; len(records) != 1 {
		t.Errorf("%d records are left", len(records))
	}
}

// TestHardLinks: a file with a second name is refused under both, whether the
// first one is in use or not, and works again when it has one.
func TestHardLinks(t *testing.T) {
	directory := t.TempDir()
	path, alias := filepath.Join(directory, "state.db"), filepath.Join(directory, "alias.db")
	s := open(t, path)
	storetest.Insert(t, s, storetest.Record("a", "a", "legacy"))
	if err := os.Link(path, alias); err != nil {
		t.Skip(err)
	}
	refused := func(path string) {
		t.Helper()
		second, err := sqlite.Open(context.Background(), path)
		if err == nil {
			second.Close()
			t.Fatalf("%s is opened, a file with two names", path)
		}
		if !contains(err, path) || !contains(err, "2 names (hard links)") {
			t.Errorf("the error is %v", err)
		}
	}
	refused(alias)
	storetest.Insert(t, s, storetest.Record("b", "a", "legacy")) // the first server goes on
	storetest.Close(t, s)
	refused(path)
	refused(alias)
	if left, err := filepath.Glob(filepath.Join(directory, "*-*")); err != nil || len(left) > 0 {
		t.Errorf("files are left: %q, %v", left, err)
	}
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	s = open(t, alias)
	defer storetest.Close(t, s)
	if records := storetest.Snapshot(t, s).Records; len(records) != 2 {
		t.Errorf("%d records are left", len(records))
	}
}
