package machine

import (
	"runtime/debug"
	"testing"
)

// TestGarbageCollection: the command chooses how much garbage there may be, unless somebody else did, and leaves no trace.
func TestGarbageCollection(t *testing.T) {
	before := debug.SetGCPercent(100)
	defer debug.SetGCPercent(before)
	for given, want := range map[string]int{"": 200, "50": 100} { // GOGC itself is read by the runtime
		undo := Collect(func(string) string { return given }, 200)
		if got := debug.SetGCPercent(want); got != want {
			t.Errorf("with GOGC=%q it is %d, want %d", given, got, want)
		}
		undo()
		if got := debug.SetGCPercent(100); got != 100 {
			t.Errorf("with GOGC=%q it is %d afterwards", given, got)
		}
	}
}
