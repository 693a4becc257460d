package sqlite

import (
	"path/filepath"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/storetest"
)

// TestAClaimIsGivenBackWithoutAWrite: claims are in memory, so nothing is written when one ends.
func TestAClaimIsGivenBackWithoutAWrite(t *testing.T) {
	s, err := Open(t.Context(), filepath.Join(t.TempDir(), "state.db"))
	if err != nil {
		t.Fatal(err)
	}
	storetest.Insert(t, s, storetest.Record("a", "live_demo", "legacy"))
	commits := 0 // of the goroutine that writes; this one waits for it
	if err := s.write(t.Context(), func(w *writer) error {
		check := w.check
		w.check = func() error { commits++; return check() }
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	before := commits
	if _, claimed, err := s.ClaimLayout(t.Context(), "a", "one", time.Hour); err != nil || !claimed {
		t.Fatal(claimed, err)
	}
	if err := s.KeepLayout(t.Context(), "a", "one", nil); err != nil {
		t.Fatal(err)
	}
	_, claimed, err := s.ClaimLayout(t.Context(), "a", "another", time.Hour)
	if err != nil || !claimed || commits != before {
		t.Errorf("a claim that was given back is taken: %t, %v; %d commits", claimed, err, commits-before)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}
