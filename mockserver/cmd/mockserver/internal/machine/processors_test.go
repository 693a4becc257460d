package machine

import (
	"runtime"
	"testing"
)

func TestOneProcessorIsSharedByTwo(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	for given, want := range map[string]int{"": 2, "1": 1} { // GOMAXPROCS itself is read by the runtime
		undo := KeepAnswering(func(string) string { return given })
		if got := runtime.GOMAXPROCS(0); got != want {
			t.Errorf("with GOMAXPROCS=%q %d goroutines may run, want %d", given, got, want)
		}
		if undo(); runtime.GOMAXPROCS(0) != 1 {
			t.Errorf("with GOMAXPROCS=%q %d may run afterwards", given, runtime.GOMAXPROCS(0))
		}
	}
	runtime.GOMAXPROCS(3)
	if KeepAnswering(func(string) string { return "" }); runtime.GOMAXPROCS(0) != 3 {
		t.Errorf("%d may run, there were 3", runtime.GOMAXPROCS(0))
	}
}
