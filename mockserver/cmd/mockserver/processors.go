package main

import "runtime"

// keepAnswering lets two goroutines run at a time on a machine with one
// processor, unless the environment says otherwise, and returns what undoes
// that. Files are rendered by one goroutine less than may run: so there always
// is one for the requests that come meanwhile, and the system shares the
// processor out.
func keepAnswering(t terminal) (undo func()) {
	if before := runtime.GOMAXPROCS(0); before == 1 && t.environment("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(2)
		return func() { runtime.GOMAXPROCS(before) }
	}
	return func() {}
}
