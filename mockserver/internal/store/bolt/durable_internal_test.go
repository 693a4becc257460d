package bolt

import (
	"context"
	"path/filepath"
	"testing"
)

// TestDurable: no file tells whether it was synced, so the database is asked.
func TestDurable(t *testing.T) {
	for name, c := range map[string]struct {
		open   func(ctx context.Context, path string) (*Store, error)
		noSync bool
	}{"Open": {Open, true}, "OpenDurable": {OpenDurable, false}} {
		s, err := c.open(t.Context(), filepath.Join(t.TempDir(), "state.db"))
		if err != nil {
			t.Fatal(err)
		}
		if s.db.NoSync != c.noSync || s.db.NoGrowSync != c.noSync {
			t.Errorf("%s: NoSync is %t and NoGrowSync %t, want %t", name, s.db.NoSync, s.db.NoGrowSync, c.noSync)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
