package machine

import "runtime"

// KeepAnswering lets two goroutines run at a time on a machine with one processor, unless the environment says otherwise, and returns
// what undoes that. Files are rendered by one goroutine less than may run: so there always is one for the requests that come meanwhile,
// and the system shares the processor out.
func KeepAnswering(environment Environment) (undo func()) {
	if before := runtime.GOMAXPROCS(0); before == 1 && environment("GOMAXPROCS") == "" {
		runtime.GOMAXPROCS(2)
		return func() { runtime.GOMAXPROCS(before) }
	}
	return func() {}
}
