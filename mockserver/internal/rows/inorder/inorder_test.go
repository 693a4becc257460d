package inorder_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/rows/inorder"
)

func TestDo(t *testing.T) {
	for _, workers := range []int{1, 2, 7} {
		var want, got []int64
		for i := range int64(1000) {
			want = append(want, i*i)
		}
		err := inorder.Do(t.Context(), workers, 1000, func(piece int64) int64 { return piece * piece }, func(result int64) bool {
			got = append(got, result)
			return true
		})
		if err != nil || !slices.Equal(got, want) {
			t.Errorf("%d workers: %v, %v", workers, got, err)
		}
	}
}

// TestWaitsForItsTurn: what is done first is taken when everything before it is.
func TestWaitsForItsTurn(t *testing.T) {
	second := make(chan struct{})
	var got []int64
	err := inorder.Do(t.Context(), 2, 2, func(piece int64) int64 {
		if piece == 0 {
			<-second
		} else {
			defer close(second)
		}
		return piece
	}, func(result int64) bool {
		got = append(got, result)
		return true
	})
	if err != nil || !slices.Equal(got, []int64{0, 1}) {
		t.Errorf("%v, %v", got, err)
	}
}

func TestEnds(t *testing.T) {
	var done atomic.Int64
	taken := 0
	err := inorder.Do(t.Context(), 3, 1000, func(int64) int { done.Add(1); return 0 }, func(int) bool {
		taken++
		return taken < 5
	})
	if err != nil || taken != 5 || done.Load() > 5+3 {
		t.Errorf("taken %d, done %d, %v", taken, done.Load(), err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	enough := errors.New("enough")
	err = inorder.Do(ctx, 2, 1000, func(piece int64) int64 {
		if piece == 10 {
			cancel(enough)
		}
		return piece
	}, func(result int64) bool {
		if result == 10 {
			t.Error("what was done after the end was taken")
		}
		return true
	})
	if !errors.Is(err, enough) {
		t.Errorf("canceled: %v", err)
	}
	for where, panics := range map[string][2]bool{"work": {true, false}, "take": {false, true}} {
		err = inorder.Do(t.Context(), 2, 10, func(int64) int {
			if panics[0] {
				panic("a broken table")
			}
			return 0
		}, func(int) bool {
			if panics[1] {
				panic("a broken table")
			}
			return true
		})
		if err == nil || !strings.Contains(err.Error(), "a broken table") {
			t.Errorf("a panic of %s: %v", where, err)
		}
	}
}
