package store_test

import (
	"context"
	"path/filepath"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/bolt"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/memory"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

func TestMemory(t *testing.T) {
	run(t, func(*testing.T) store.Store { return memory.New() })
}

func TestFile(t *testing.T) {
	run(t, func(t *testing.T) store.Store {
		return must.Get(bolt.Open(context.Background(), filepath.Join(t.TempDir(), "state.db")))(t)
	})
}
