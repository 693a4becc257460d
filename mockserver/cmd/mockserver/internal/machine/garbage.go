package machine

import "runtime/debug"

// Collect lets garbage grow to a percentage of the live heap before it is collected, unless the environment says otherwise, and returns a
// function that undoes it. Only the program does so; a package leaves the choice to the program.
func Collect(environment Environment, percent int) (undo func()) {
	if environment("GOGC") != "" {
		return func() {}
	}
	before := debug.SetGCPercent(percent)
	return func() { debug.SetGCPercent(before) }
}
