package store_test

import (
	"context"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// each runs a benchmark on every store.
func each(b *testing.B, run func(b *testing.B, s store.Store)) {
	stores := []struct {
		name string
		open func(b *testing.B) store.Store
	}{
		{"memory", func(*testing.B) store.Store { return store.NewMemory() }},
		{"sqlite", func(b *testing.B) store.Store { return openSQLite(b, filepath.Join(b.TempDir(), "state.db")) }},
	}
	for _, c := range stores {
		b.Run(c.name, func(b *testing.B) {
			s := c.open(b)
			defer s.Close()
			b.ReportAllocs()
			run(b, s)
		})
	}
}

// identifiers look like the random ones of a server.
func identifier(n uint64) string {
	n *= 0x9e3779b97f4a7c15
	return fmt.Sprintf("%08x-0000-4000-8000-%012x", n>>32, n<<16>>16)
}

func BenchmarkInsert(b *testing.B) {
	each(b, func(b *testing.B, s store.Store) {
		var count atomic.Uint64
		b.SetParallelism(16)
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				r := *record(identifier(count.Add(1)), "live_demo", "legacy")
				if err := s.Insert(context.Background(), &r); err != nil {
					b.Error(err)
				}
			}
		})
	})
}

func BenchmarkInsertAlone(b *testing.B) {
	each(b, func(b *testing.B, s store.Store) {
		var count uint64
		for b.Loop() {
			count++
			if err := s.Insert(context.Background(), record(identifier(count), "live_demo", "legacy")); err != nil {
				b.Error(err)
			}
		}
	})
}

func BenchmarkGet(b *testing.B) {
	each(b, func(b *testing.B, s store.Store) {
		const stored = 10_000
		fill(b, s, stored)
		var count atomic.Uint64
		b.ResetTimer()
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				if _, err := s.Get(context.Background(), identifier(count.Add(1)%stored)); err != nil {
					b.Error(err)
				}
			}
		})
	})
}

func fill(b *testing.B, s store.Store, stored uint64) {
	var next atomic.Uint64
	parallel(32, func(int) {
		for n := next.Add(1) - 1; n < stored; n = next.Add(1) - 1 {
			if err := s.Insert(context.Background(), record(identifier(n), "live_demo", "legacy")); err != nil {
				b.Error(err)
			}
		}
	})
}

func BenchmarkUpdate(b *testing.B) {
	each(b, func(b *testing.B, s store.Store) {
		insert(b, s, record("a", "live_demo", "legacy"))
		b.SetParallelism(16)
		b.RunParallel(func(pb *testing.PB) {
			for pb.Next() {
				if _, err := s.Update(context.Background(), "a", func(r *exports.Record) error { r.Polls++; return nil }); err != nil {
					b.Error(err)
				}
			}
		})
	})
}
