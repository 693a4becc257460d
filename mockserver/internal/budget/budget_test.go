package budget_test

import (
	"context"
	"errors"
	"math"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/budget"
)

func newSet(t *testing.T, limits budget.Limits) *budget.Set {
	t.Helper()
	set, err := budget.New(limits)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// TestTake: what does not fit is refused by name, number and flag, and what is
// given back can be taken again.
func TestTake(t *testing.T) {
	disk := newSet(t, budget.Limits{Disk: 4 << 20}).Of(budget.Disk)
	var exceeded *budget.ExceededError
	err := disk.Take(5 << 20)
	if !errors.As(err, &exceeded) || exceeded.Busy {
		t.Errorf("more than all is refused with %v", err)
	}
	for _, says := range []string{"5MiB", "disk", "4MiB", "--max-disk"} {
		if !strings.Contains(err.Error(), says) {
			t.Errorf("the error does not say %s: %v", says, err)
		}
	}
	if err := disk.Take(3 << 20); err != nil || disk.Used() != 3<<20 {
		t.Fatalf("%v; %d bytes are used", err, disk.Used())
	}
	if err = disk.Take(2 << 20); !errors.As(err, &exceeded) || !exceeded.Busy || !strings.Contains(err.Error(), "3MiB of 4MiB are in use") {
		t.Errorf("what does not fit now is refused with %v", err)
	}
	disk.Give(3 << 20)
	if err := disk.Take(4 << 20); err != nil || disk.Refused() != 2 {
		t.Errorf("%v; %d refused, want 2", err, disk.Refused())
	}
}

// TestWait: work waits for its share, not for ever, and no longer than its client.
func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		layout := newSet(t, budget.Limits{Layout: 10}).Of(budget.Layout)
		if err := layout.Wait(t.Context(), 11); err == nil {
			t.Error("what never fits was let in")
		}
		if err := layout.Wait(t.Context(), 6); err != nil {
			t.Fatal(err)
		}
		begin := time.Now()
		var exceeded *budget.ExceededError
		if err := layout.Wait(t.Context(), 6); !errors.As(err, &exceeded) || !exceeded.Busy || time.Since(begin) != 10*time.Second {
			t.Errorf("after %v: %v", time.Since(begin), err)
		}
		left, leave := context.WithCancelCause(t.Context())
		gone := errors.New("the client has gone")
		time.AfterFunc(time.Second, func() { leave(gone) })
		if err := layout.Wait(left, 6); !errors.Is(err, gone) {
			t.Errorf("a client that has gone waits until %v", err)
		}
		time.AfterFunc(time.Second, func() { layout.Give(6) })
		if err := layout.Wait(t.Context(), 6); err != nil || layout.Used() != 6 {
			t.Errorf("%v; %d are used", err, layout.Used())
		}
	})
}

// TestDefinitions: every budget has a flag, a default within its bounds, and
// refuses absurd limits by name.
func TestDefinitions(t *testing.T) {
	for _, definition := range budget.Definitions() {
		if !strings.HasPrefix(definition.Flag, "max-") || definition.Usage == "" || definition.Check(definition.Default) != nil {
			t.Errorf("%s: flag %q, usage %q, default %d", definition.Name, definition.Flag, definition.Usage, definition.Default)
		}
		for _, absurd := range []int64{-1, math.MinInt64, math.MaxInt64} {
			var limits budget.Limits
			*definition.Of(&limits) = absurd
			if _, err := budget.New(limits); err == nil || !strings.Contains(err.Error(), string(definition.Name)) {
				t.Errorf("%s is %d: %v", definition.Name, absurd, err)
			}
		}
	}
}

func TestBytes(t *testing.T) {
	for text, want := range map[string]int64{"0": 0, "17": 17, "64KiB": 64 << 10, "3MiB": 3 << 20, "1GiB": 1 << 30, "2TiB": 2 << 40} {
		if got, err := budget.ParseBytes(text); err != nil || got != want || budget.FormatBytes(got) != text {
			t.Errorf("%s is %d, %v, and is written %s", text, got, err, budget.FormatBytes(got))
		}
	}
	for _, text := range []string{"", "MiB", "-1", "1.5MiB", "64 MiB", "64MB", "9999999999TiB", "1e9", "99999999999999999999"} {
		if got, err := budget.ParseBytes(text); err == nil {
			t.Errorf("%q is read as %d", text, got)
		}
	}
}
