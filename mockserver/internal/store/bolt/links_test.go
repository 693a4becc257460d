package bolt_test

import (
	"context"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/bolt"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/storetest"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestRenamed: a file that is in use is refused under its new name as well.
func TestRenamed(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("Windows renames no file that is open")
	}
	directory := t.TempDir()
	path, other := filepath.Join(directory, "state.db"), filepath.Join(directory, "renamed.db")
	s := open(t, path)
	storetest.Insert(t, s, storetest.Record("a", "a", "legacy"))
	must.Do(t, os.Rename(path, other))
	if second, err := bolt.Open(context.Background(), other); err == nil {
		second.Close()
		t.Error("a file that is in use is opened under its new name")
	} else if !contains(err, other) || !contains(err, "in use by another server") {
		t.Errorf("the error is %v", err)
	}
	must.Do(t, os.Rename(other, path))
	storetest.Close(t, s)
	s = open(t, path)
	defer storetest.Close(t, s)
	if records := storetest.Snapshot(t, s).Records; len(records) != 1 {
		t.Errorf("%d records are left", len(records))
	}
}

// TestHardLinks: a file with two names is one file: it is in use under both, and opens by either.
func TestHardLinks(t *testing.T) {
	directory := t.TempDir()
	path, alias := filepath.Join(directory, "state.db"), filepath.Join(directory, "alias.db")
	s := open(t, path)
	if err := os.Link(path, alias); err != nil {
		testlevel.Unavailable(t, err.Error())
	}
	if second, err := bolt.Open(context.Background(), alias); err == nil {
		second.Close()
		t.Error("a file that is in use is opened under its other name")
	} else if !contains(err, alias) || !contains(err, "in use by another server") {
		t.Errorf("the error is %v", err)
	}
	storetest.Insert(t, s, storetest.Record("a", "a", "legacy")) // the first server goes on
	storetest.Close(t, s)
	for _, name := range []string{alias, path} {
		s := open(t, name)
		if records := storetest.Snapshot(t, s).Records; len(records) != 1 {
			t.Errorf("%s: %d records are left", name, len(records))
		}
		storetest.Close(t, s)
	}
}
