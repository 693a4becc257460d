package proof

import (
	"os"
	"strconv"
	"testing"
)

// Count returns the number for the level of this run: TEST_LEVEL is quick, change (the default) or nightly, and -short means quick.
func Count(quick, change, nightly int) int {
	level := os.Getenv("TEST_LEVEL")
	switch {
	case testing.Short(), level == "quick":
		return quick
	case level == "", level == "change":
		return change
	case level == "nightly":
		return nightly
	}
	panic("TEST_LEVEL is " + strconv.Quote(level) + "; it must be quick, change or nightly")
}

// Nightly reports whether this run has all the time that it needs.
func Nightly() bool { return Count(0, 0, 1) == 1 }
