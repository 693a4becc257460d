package storetest

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// Benchmark measures a store. open returns a new, empty one.
func Benchmark(b *testing.B, open func(b *testing.B) store.Store) {
	for _, c := range []struct {
		name string
		run  func(b *testing.B, s store.Store)
	}{
		{"insert", benchmarkInsert}, {"insert alone", benchmarkInsertAlone}, {"get", benchmarkGet}, {"update", benchmarkUpdate},
	} {
		b.Run(c.name, func(b *testing.B) {
			s := open(b)
			defer Close(b, s)
			b.ReportAllocs()
			b.ResetTimer() // opening is not what is measured
			c.run(b, s)
		})
	}
}

// identifier returns what looks like the random ids of a server, for the price
// of one allocation.
func identifier(n uint64) string {
	n *= 0x9e3779b97f4a7c15
	id := []byte("00000000-0000-4000-8000-000000000000")
	for i := range 8 {
		id[i] = "0123456789abcdef"[n>>(60-4*i)&15]
		id[28+i] = "0123456789abcdef"[n>>(28-4*i)&15]
	}
	return string(id)
}

// numbered returns a record that shares all but its id with others.
func numbered(template *exports.Record, n uint64) *exports.Record {
	r := *template
	r.ID = identifier(n)
	return &r
}

func benchmarkInsert(b *testing.B, s store.Store) {
	var count atomic.Uint64
	template := Record("", "live_demo", "legacy")
	b.SetParallelism(16)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if err := s.Insert(context.Background(), numbered(template, count.Add(1)), nil); err != nil {
				b.Error(err)
			}
		}
	})
}

func benchmarkInsertAlone(b *testing.B, s store.Store) {
	var count uint64
	template := Record("", "live_demo", "legacy")
	for b.Loop() {
		count++
		if err := s.Insert(context.Background(), numbered(template, count), nil); err != nil {
			b.Error(err)
		}
	}
}

func benchmarkGet(b *testing.B, s store.Store) {
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
}

func fill(b *testing.B, s store.Store, stored uint64) {
	var next atomic.Uint64
	template := Record("", "live_demo", "legacy")
	Parallel(32, func(int) {
		for n := next.Add(1) - 1; n < stored; n = next.Add(1) - 1 {
			if err := s.Insert(context.Background(), numbered(template, n), nil); err != nil {
				b.Error(err)
			}
		}
	})
}

func benchmarkUpdate(b *testing.B, s store.Store) {
	Insert(b, s, Record("a", "live_demo", "legacy"))
	b.SetParallelism(16)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if _, err := s.Update(context.Background(), "a", func(r *exports.Record) error { r.Polls++; return nil }); err != nil {
				b.Error(err)
			}
		}
	})
}
