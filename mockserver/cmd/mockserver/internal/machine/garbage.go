package machine

import "runtime/debug"

// CollectLess lets garbage grow to twice the live heap before it is collected,
// unless the environment says otherwise, and returns what undoes that. The heap
// of the server is small, a few megabytes, and what a request leaves behind
// short-lived: the default would collect many times a second, for memory that
// nobody misses. Only this command does so; a package leaves the choice to its
// program.
func CollectLess(environment Environment) (undo func()) { return collectAt(environment, 200) }

// CollectMore collects garbage as soon as a quarter of the live heap is such,
// unless the environment says otherwise, and returns what undoes that. Writing
// a file leaves next to none behind, so it costs nothing; what reading the
// schemas leaves would otherwise be memory that is held to the end.
func CollectMore(environment Environment) (undo func()) { return collectAt(environment, 25) }

// CollectRows collects garbage when half of the live heap is such, as reading
// rows leaves much behind.
func CollectRows(environment Environment) (undo func()) { return collectAt(environment, 50) }

// CollectData collects garbage as [CollectRows] does, and earlier when all memory
// nears a limit: a dataset that is on disk needs no more, whatever its size.
func CollectData(environment Environment) (undo func()) {
	percent := CollectRows(environment)
	if environment("GOMEMLIMIT") != "" {
		return percent
	}
	before := debug.SetMemoryLimit(-1)
	debug.SetMemoryLimit(min(before, dataMemory))
	return func() { percent(); debug.SetMemoryLimit(before) }
}

// dataMemory is how much memory a program takes to load and show a dataset.
const dataMemory = 128 << 20

func collectAt(environment Environment, percent int) (undo func()) {
	if environment("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(percent)
	return func() { debug.SetGCPercent(before) }
}
