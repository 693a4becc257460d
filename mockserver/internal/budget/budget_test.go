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
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

func newSet(t *testing.T, limits budget.Limits) *budget.Set {
	t.Helper()
	return must.Get(budget.New(limits))(t)
}

// TestWait: work waits for its share, not for ever, and no longer than its client.
func TestWait(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		shared := newSet(t, budget.Limits{DataRows: 10}).Of(budget.DataRows)
		if err := shared.Wait(t.Context(), 11); err == nil {
			t.Error("what never fits was let in")
		}
		must.Do(t, shared.Wait(t.Context(), 6))
		begin := time.Now()
		var exceeded *budget.ExceededError
		if err := shared.Wait(t.Context(), 6); !errors.As(err, &exceeded) || !exceeded.Busy || time.Since(begin) != 10*time.Second {
			t.Errorf("after %v: %v", time.Since(begin), err)
		}
		left, leave := context.WithCancelCause(t.Context())
		gone := errors.New("the client has gone")
		time.AfterFunc(time.Second, func() { leave(gone) })
		if err := shared.Wait(left, 6); !errors.Is(err, gone) {
			t.Errorf("a client that has gone waits until %v", err)
		}
		time.AfterFunc(time.Second, func() { shared.Give(6) })
		if err := shared.Wait(t.Context(), 6); err != nil || shared.Used() != 6 {
			t.Errorf("%v; %d are used", err, shared.Used())
		}
	})
}

// TestDefinitions: every budget has a flag, a default within its bounds, and refuses absurd limits by name.
func TestDefinitions(t *testing.T) {
	for _, definition := range budget.Definitions() {
		must.Hold(t, definition.Check(definition.Default) == nil, "%s: default %d", definition.Name, definition.Default)
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

// TestMessages: every amount has a unit or says of what it is, in the singular too.
func TestMessages(t *testing.T) {
	set := newSet(t, budget.Limits{Disk: 4 << 20, DataRows: 1, Upload: 5_000_000})
	for _, c := range []struct {
		budget      budget.Name
		used, asked int64
		want        string
	}{
		{budget.Disk, 0, 5 << 20, "this needs 5MiB of temporary files, and the budget disk has 4MiB in all (--limit disk=... sets it)"},
		{budget.Disk, 3 << 20, 1<<20 + 1, "the budget disk is used up: 3MiB of 4MiB are in use, and this needs 1048577 bytes of temporary files more (--limit disk=... sets it)"},
		{budget.Upload, 0, 6 << 20, "this needs 6MiB of snapshots and rows, and the budget upload has 5000000 bytes in all (--limit body=... sets it)"},
		{budget.DataRows, 1, 1, "the budget data-rows is used up: 1 of 1 row of the dataset are in use, and this needs 1 row of the dataset more (--limit rows=... sets it)"},
		{budget.DataRows, 0, 2, "this needs 2 rows of the dataset, and the budget data-rows has 1 in all (--limit rows=... sets it)"},
	} {
		b := set.Of(c.budget)
		must.Do(t, b.Take(c.used))
		if err := b.Take(c.asked); err == nil || err.Error() != c.want {
			t.Errorf("got  %v\nwant %s", err, c.want)
		}
		b.Give(c.used)
	}
}
