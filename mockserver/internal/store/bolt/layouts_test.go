package bolt_test

import (
	"bytes"
	"path/filepath"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/storetest"
)

// TestAClaimIsGivenBackWithoutAWrite: claims are in memory, so nothing is written when one ends.
func TestAClaimIsGivenBackWithoutAWrite(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	s := open(t, path)
	defer storetest.Close(t, s)
	storetest.Insert(t, s, storetest.Record("a", "live_demo", "legacy"))
	before := read(t, path)
	if _, claimed, err := s.ClaimLayout(t.Context(), "a", "one", time.Hour); err != nil || !claimed {
		t.Fatal(claimed, err)
	}
	if err := s.KeepLayout(t.Context(), "a", "one", nil); err != nil {
		t.Fatal(err)
	}
	_, claimed, err := s.ClaimLayout(t.Context(), "a", "another", time.Hour)
	if err != nil || !claimed || !bytes.Equal(read(t, path), before) {
		t.Errorf("a claim that was given back is taken: %t, %v; or the file was written", claimed, err)
	}
}
