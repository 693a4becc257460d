package sqlite

import (
	"context"
	"path/filepath"
	"testing"
)

// TestSynchronous: no file tells how it was written, so the connection is asked.
func TestSynchronous(t *testing.T) {
	for name, c := range map[string]struct {
		open func(ctx context.Context, path string) (*Store, error)
		want int // NORMAL is 1, FULL is 2
	}{"Open": {Open, 1}, "OpenDurable": {OpenDurable, 2}} {
		s, err := c.open(t.Context(), filepath.Join(t.TempDir(), "state.db"))
		if err != nil {
			t.Fatal(err)
		}
		var level int
		if err := s.writer.conn.QueryRowContext(t.Context(), "PRAGMA synchronous").Scan(&level); err != nil || level != c.want {
			t.Errorf("%s: synchronous is %d, %v; want %d", name, level, err, c.want)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
