package machine

import (
	"errors"
	"runtime/debug"
	"strings"
	"testing"
)

// TestMemoryLimit: nine tenths of the container's, less pages of the state file; what
// the environment says wins, and a machine without a limit has none.
func TestMemoryLimit(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	for _, c := range []struct {
		about, environment string
		container          uint64
		err                error
		limit              int64 // 0: as before
		note               string
	}{
		{"a container", "", 512 << 20, nil, 428 << 20, "limit 428MiB of the 512MiB"},
		{"a tiny one", "", 32 << 20, nil, 16 << 20, "limit 16MiB of the 32MiB"},
		{"the environment", "100MiB", 512 << 20, nil, 0, "100MiB, set by GOMEMLIMIT"},
		{"no limit", "", 1<<63 - 4096, nil, 0, ""},
		{"no container", "", 0, errors.New("no cgroup"), 0, ""},
	} {
		environment := func(name string) string {
			if name == "GOMEMLIMIT" {
				return c.environment
			}
			return ""
		}
		note, undo := LimitMemory(environment, func() (uint64, error) { return c.container, c.err })
		want := c.limit
		if want == 0 {
			want = before
		}
		if got := debug.SetMemoryLimit(-1); got != want || !strings.Contains(note, c.note) || (note == "") != (c.note == "") {
			t.Errorf("%s: the limit is %d, want %d; %q", c.about, got, want, note)
		}
		undo()
		if got := debug.SetMemoryLimit(-1); got != before {
			t.Errorf("%s: the limit is %d afterwards, %d before", c.about, got, before)
		}
	}
}

// TestWatchHeap: the limit is low whether or not there is a dataset at start,
// grows with what is live, is never above that of the container, and ends.
func TestWatchHeap(t *testing.T) {
	before := debug.SetMemoryLimit(-1)
	defer debug.SetMemoryLimit(before)
	none := func(string) string { return "" }
	undo := WatchHeap(none)
	if got := debug.SetMemoryLimit(-1); got != dataMemory {
		t.Errorf("the limit is %d at first, want %d", got, int64(dataMemory))
	}
	undo()
	if got := debug.SetMemoryLimit(-1); got != before {
		t.Errorf("the limit is %d afterwards, %d before", got, before)
	}
	WatchHeap(func(string) string { return "100MiB" })()
	if got := debug.SetMemoryLimit(-1); got != before {
		t.Errorf("the environment has set the limit, and it is %d now", got)
	}
	watch := &heapWatch{most: 400 << 20}
	for live, want := range map[int64]int64{0: dataMemory, 50 << 20: dataMemory, 200 << 20: 332 << 20, 300 << 20: 400 << 20, 1 << 40: 400 << 20} {
		if got := watch.limit(live); got != want {
			t.Errorf("%d bytes are live: the limit is %d, want %d", live, got, want)
		}
	}
}
