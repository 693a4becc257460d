package store_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/store/storetest"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

func testData(t *testing.T, s store.Store) {
	ctx := context.Background()
	if found := storetest.Batches(t, s, 0); len(found) != 0 {
		t.Fatalf("a new store has %d batches", len(found))
	}
	for generation, want := range map[int64]error{-1: dataset.ErrBehind, 0: dataset.ErrBehind, 2: dataset.ErrReplaced} {
		if err := s.AppendData(ctx, 0, generation, []byte("x")); !errors.Is(err, want) {
			t.Errorf("generation %d of an empty store ended with %v", generation, err)
		}
	}
	large := bytes.Repeat([]byte("0123456789abcdef"), 1<<20) // one page of batches
	batches := [][]byte{[]byte("first"), {}, []byte("zero \x00 and \xff"), large, []byte("after"), large, []byte("last")}
	for i, batch := range batches {
		handed := bytes.Clone(batch)
		must.Do(t, s.AppendData(ctx, 0, int64(i)+1, handed))
		for j := range min(len(handed), 8) {
			handed[j] = '!' // the store has a copy
		}
		if err := s.AppendData(ctx, 0, int64(i)+1, []byte("again")); !errors.Is(err, dataset.ErrBehind) {
			t.Errorf("generation %d for the second time ended with %v", i+1, err)
		}
	}
	for from := range batches {
		found := storetest.Batches(t, s, int64(from))
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
		must.Equal(t, len(storetest.Batches(t, s, generation)), 0, "batches after generation %d", generation)
	}
}

// testReplaceData checks that batches are replaced where they are, and no others.
func testReplaceData(t *testing.T, s store.Store) {
	ctx := context.Background()
	for generation := range int64(5) {
		must.Do(t, s.AppendData(ctx, 0, generation+1, fmt.Append(nil, generation+1)))
	}
	handed := []byte("gone")
	must.Do(t, s.ReplaceData(ctx, []int64{2, 4, 0, -1, 6, 1 << 60}, handed))
	handed[0] = '!' // the store has a copy
	must.Do(t, s.ReplaceData(ctx, nil, handed))
	must.Equal(t, string(bytes.Join(storetest.Batches(t, s, 0), []byte(" "))), "1 gone 3 gone 5", "the batches")
	must.Equal(t, s.AppendData(ctx, 0, 6, []byte("6")), nil, "the next batch")
}

// testDataUnderContention checks that of several writers of one generation, one succeeds.
func testDataUnderContention(t *testing.T, s store.Store) {
	const workers, each = 6, 15
	var added atomic.Int64
	storetest.Parallel(workers, func(worker int) {
		for i := 0; i < each; {
			next := int64(len(storetest.Batches(t, s, 0))) + 1
			switch err := s.AppendData(context.Background(), 0, next, []byte(fmt.Sprint(worker, i))); {
			case err == nil:
				added.Add(1)
				i++
			case !errors.Is(err, dataset.ErrBehind):
				t.Error(err)
				return
			}
		}
	})
	if found := storetest.Batches(t, s, 0); len(found) != workers*each || added.Load() != workers*each {
		t.Errorf("%d batches are stored, %d were added", len(found), added.Load())
	}
}
