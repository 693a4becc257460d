package bolt

import (
	"encoding/binary"
	"errors"
	"path/filepath"
	"strings"
	"testing"

	"go.etcd.io/bbolt"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestPanics: no caller can make the code of the store panic, so it is done from inside. A panic of this program is told with its
// stack, spoils nothing that is written beside it, and is no damage of the file; a panic of bbolt is.
func TestPanics(t *testing.T) {
	for about, c := range map[string]struct {
		panics func(tx *bbolt.Tx)
		damage bool
	}{
		"a nil pointer": {func(tx *bbolt.Tx) { in(tx, "?").FillPercent = 1 }, false},
		"an index":      {func(*bbolt.Tx) { binary.BigEndian.Uint64([]byte("=")) }, false},
		"a value":       {func(*bbolt.Tx) { panic("mistaken") }, false},
		"bbolt":         {func(tx *bbolt.Tx) { tx.Bucket([]byte("nothing")).Get([]byte("a")) }, true},
	} {
		path := filepath.Join(t.TempDir(), "state.db")
		e := must.Get(open(t.Context(), path, false))(t)
		s := store.On(e)
		spoil := func(tx *bbolt.Tx) error {
			c.panics(tx)
			return nil
		}
		for what, err := range map[string]error{
			"read": e.View(t.Context(), func(r store.Reader) error { return spoil(r.(reader).tx) }),
			"write": e.write(t.Context(), func(tx *bbolt.Tx) error {
				if tx.Writable() {
					_ = put(tx, "shalf", "written")
				}
				return spoil(tx)
			}),
		} {
			isDamage := err != nil && strings.Contains(err.Error(), "is damaged") && strings.Contains(err.Error(), path)
			isOurs := err != nil && strings.Contains(err.Error(), "panicked") && strings.Contains(err.Error(), "faults_internal_test.go")
			must.Hold(t, isDamage == c.damage && isOurs != c.damage, "%s, %s: %v", about, what, err)
		}
		err := s.SetSetting(t.Context(), "after", nil)
		if wrote := err == nil; wrote == c.damage {
			t.Errorf("%s: a write after it: %v", about, err)
		}
		if _, err := s.Setting(t.Context(), "half"); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("%s: half a write was kept: %v", about, err)
		}
		if err := s.Close(); err != nil {
			t.Errorf("%s: %v", about, err)
		}
	}
}

type failingDisk struct{}

func (failingDisk) Sync() error { return errors.New("the cable is loose") }

// TestSyncFails: writes that were acknowledged may be lost, so all that comes after them says so, and the next server checks the file.
func TestSyncFails(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state.db")
	e := must.Get(open(t.Context(), path, false))(t)
	s := store.On(e)
	must.Do(t, s.Insert(t.Context(), &exports.Record{ID: "a"}, nil))
	e.syncs.sync(failingDisk{})
	e.syncs.sync(e.file) // a later success does not bring back what was lost
	for what, err := range map[string]error{
		"Check": s.Check(t.Context()), "a write": s.SetSetting(t.Context(), "a", nil), "Close": s.Close(),
	} {
		if !errors.Is(err, store.ErrAway) || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "the cable is loose") ||
			!strings.Contains(err.Error(), "restart the server") {
			t.Errorf("%s: %v", what, err)
		}
	}
	again := must.Get(bbolt.Open(path, fileMode, nil))(t)
	defer again.Close()
	must.Do(t, again.View(func(tx *bbolt.Tx) error {
		must.Hold(t, tx.Bucket([]byte(formatBucket)).Get([]byte(openKey)) != nil, "the file says that it was closed")
		return nil
	}))
}
