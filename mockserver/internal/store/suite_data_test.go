package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/data"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
)

// all reads every batch after a generation, however many come at once.
func all(t *testing.T, s store.Store, generation int64) [][]byte {
	t.Helper()
	var found [][]byte
	for {
		next, err := s.DataAfter(context.Background(), generation+int64(len(found)))
		if err != nil {
			t.Fatal(err)
		}
		if len(next) == 0 {
			return found
		}
		found = append(found, next...)
	}
}

func testData(t *testing.T, s store.Store) {
	ctx := context.Background()
	if found := all(t, s, 0); len(found) != 0 {
		t.Fatalf("a new store has %d batches", len(found))
	}
	for generation, want := range map[int64]error{-1: data.ErrBehind, 0: data.ErrBehind, 2: data.ErrReplaced} {
		if err := s.AppendData(ctx, generation, []byte("x")); !errors.Is(err, want) {
			t.Errorf("generation %d of an empty store ended with %v", generation, err)
		}
	}
	large := bytes.Repeat([]byte("0123456789abcdef"), 1<<20) // one page of batches
	batches := [][]byte{[]byte("first"), {}, []byte("zero \x00 and \xff"), large, []byte("after"), large, []byte("last")}
	for i, batch := range batches {
		handed := bytes.Clone(batch)
		if err := s.AppendData(ctx, int64(i)+1, handed); err != nil {
			t.Fatal(err)
		}
		for j := range min(len(handed), 8) {
			handed[j] = '!' // the store has a copy
		}
		if err := s.AppendData(ctx, int64(i)+1, []byte("again")); !errors.Is(err, data.ErrBehind) {
			t.Errorf("generation %d for the second time ended with %v", i+1, err)
		}
	}
	for from := range batches {
		found := all(t, s, int64(from))
		if len(found) != len(batches)-from {
			t.Fatalf("%d batches after generation %d", len(found), from)
		}
		for i, batch := range found {
			if !bytes.Equal(batch, batches[from+i]) {
				t.Errorf("generation %d is %.20q, want %.20q", from+i+1, batch, batches[from+i])
			}
		}
	}
	for _, generation := range []int64{7, 8, 1 << 60} {
		if found := all(t, s, generation); len(found) != 0 {
			t.Errorf("%d batches after generation %d", len(found), generation)
		}
	}
}

// testDataUnderContention checks that of several writers of one generation, one
// succeeds.
func testDataUnderContention(t *testing.T, s store.Store) {
	const workers, each = 6, 15
	var added atomic.Int64
	parallel(workers, func(worker int) {
		for i := 0; i < each; {
			found, err := s.DataAfter(context.Background(), 0)
			if err != nil {
				t.Error(err)
				return
			}
			next := int64(len(found)) + 1
			switch err := s.AppendData(context.Background(), next, []byte(fmt.Sprint(worker, i))); {
			case err == nil:
				added.Add(1)
				i++
			case !errors.Is(err, data.ErrBehind):
				t.Error(err)
				return
			}
		}
	})
	if found := all(t, s, 0); len(found) != workers*each || added.Load() != workers*each {
		t.Errorf("%d batches are stored, %d were added", len(found), added.Load())
	}
}

// TestTwoProcessesLoadData checks that two stores on one file never give one
// generation to two batches, and see each other's at the next write.
func TestTwoProcessesLoadData(t *testing.T) {
	ctx, path := context.Background(), filepath.Join(t.TempDir(), "state.db")
	var stores [2]store.Store
	for i := range stores {
		opened, err := store.Open(ctx, path)
		if err != nil {
			t.Fatal(err)
		}
		defer opened.Close()
		stores[i] = opened
	}
	for generation := int64(1); generation <= 6; generation++ {
		if err := stores[generation%2].AppendData(ctx, generation, []byte{byte(generation)}); err != nil {
			t.Fatal(err)
		}
		other := stores[1-generation%2]
		if err := other.AppendData(ctx, generation, []byte("mine")); !errors.Is(err, data.ErrBehind) {
			t.Errorf("a second generation %d ended with %v", generation, err)
		}
		if found := all(t, other, 0); int64(len(found)) != generation || found[generation-1][0] != byte(generation) {
			t.Errorf("the other store has %q after generation %d", found, generation)
		}
	}
}
