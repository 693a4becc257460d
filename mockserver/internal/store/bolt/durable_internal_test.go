package bolt

import (
	"path/filepath"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestDurable: no file tells whether it was synced, so the database is asked.
func TestDurable(t *testing.T) {
	for name, c := range map[string]struct{ durable, noSync bool }{"Open": {false, true}, "OpenDurable": {true, false}} {
		s := must.Get(open(t.Context(), filepath.Join(t.TempDir(), "state.db"), c.durable))(t)
		if s.db.NoSync != c.noSync || s.db.NoGrowSync != c.noSync {
			t.Errorf("%s: NoSync is %t and NoGrowSync %t, want %t", name, s.db.NoSync, s.db.NoGrowSync, c.noSync)
		}
		must.Do(t, s.Close())
	}
}
