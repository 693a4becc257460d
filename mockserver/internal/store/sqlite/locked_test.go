package sqlite

import (
	"context"
	"errors"
	"path/filepath"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// TestLockedFile: a file that another program is writing to is an outage, which
// ends. It is tested from inside because only the writer's own connection can be
// told not to wait.
func TestLockedFile(t *testing.T) {
	ctx := context.Background()
	path := filepath.Join(t.TempDir(), "state.db")
	s, err := Open(ctx, path)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if _, err := s.writer.conn.ExecContext(ctx, "PRAGMA busy_timeout = 0"); err != nil {
		t.Fatal(err)
	}
	other, err := connect(path, "&_txlock=immediate", 1)
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	locked, err := other.BeginTx(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Insert(ctx, &exports.Record{ID: "a"}, nil); !errors.Is(err, store.ErrAway) {
		t.Errorf("while it is locked: %v", err)
	}
	if err := locked.Rollback(); err != nil {
		t.Fatal(err)
	}
	if err := s.Insert(ctx, &exports.Record{ID: "a"}, nil); err != nil {
		t.Errorf("after that: %v", err)
	}
}
