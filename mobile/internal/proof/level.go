package proof

import (
	"math/rand/v2"
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

// Seed returns TEST_SEED, or else a number that is another one in each run of a package, and writes it into the log of the test, which a
// failure shows.
func Seed(t testing.TB) uint64 {
	t.Helper()
	if os.Getenv("TEST_SEED") == "" { // from now on the tests of this package and what they start have the same
		if err := os.Setenv("TEST_SEED", strconv.FormatUint(uint64(rand.Uint32()), 10)); err != nil {
			t.Fatal(err)
		}
	}
	seed, err := strconv.ParseUint(os.Getenv("TEST_SEED"), 10, 64)
	if err != nil {
		t.Fatalf("TEST_SEED is %q; it must be a whole number", os.Getenv("TEST_SEED"))
	}
	t.Logf("drawn by TEST_SEED=%d", seed)
	return seed
}
