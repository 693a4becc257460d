//go:build !windows

package bolt_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/bolt"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestReplacedFile: a file that was deleted, moved or replaced would take writes,
// and they would be lost: they are refused until it is back. Windows lets nobody do that to a file that is open.
func TestReplacedFile(t *testing.T) {
	for about, c := range map[string]struct {
		harm func(t *testing.T, path string)
		says string
	}{
		"deleted": {func(t *testing.T, path string) { must.Do(t, os.Remove(path)) }, "was deleted or moved"},
		"moved":   {func(t *testing.T, path string) { must.Do(t, os.Rename(path, path+".old")) }, "was deleted or moved"},
		"replaced": {func(t *testing.T, path string) {
			text := must.Get(os.ReadFile(path))(t)
			must.Do(t, os.Rename(path, path+".old"))
			must.Do(t, os.WriteFile(path, text, 0o600))
		}, "was replaced by another one"},
	} {
		path := filepath.Join(t.TempDir(), "state.db")
		s := must.Get(bolt.Open(t.Context(), path))(t)
		if err := s.Check(t.Context()); err != nil {
			t.Errorf("before it is %s: %v", about, err)
		}
		c.harm(t, path)
		if err := s.Check(t.Context()); err == nil || !strings.Contains(err.Error(), c.says) || !strings.Contains(err.Error(), path) {
			t.Errorf("after it was %s: %v", about, err)
		}
		if err := s.SetSetting(t.Context(), "clock", []byte("{}")); !errors.Is(err, store.ErrGone) || !strings.Contains(err.Error(), c.says) {
			t.Errorf("after it was %s, a write: %v", about, err)
		}
		if _, err := s.Setting(t.Context(), "clock"); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("after it was %s, a write was kept: %v", about, err)
		}
		if err := os.Rename(path+".old", path); err == nil {
			if err := s.SetSetting(t.Context(), "clock", []byte("{}")); err != nil {
				t.Errorf("when it was back, a write: %v", err)
			}
		}
		must.Do(t, s.Close())
	}
}
