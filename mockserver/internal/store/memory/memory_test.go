package memory_test

import (
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/memory"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/storetest"
)

func TestStore(t *testing.T) {
	storetest.Run(t, func(*testing.T) store.Store { return memory.New() })
}

func BenchmarkStore(b *testing.B) {
	storetest.Benchmark(b, func(*testing.B) store.Store { return memory.New() })
}
