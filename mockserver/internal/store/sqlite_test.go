package store_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

func openSQLite(t testing.TB, path string) store.Store {
	t.Helper()
	s, err := store.Open(context.Background(), "sqlite:"+path)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestSQLite(t *testing.T) {
	suite(t, func(t *testing.T) store.Store {
		return openSQLite(t, filepath.Join(t.TempDir(), "state.db"))
	})
}
