// Package testlevel tells tests how much to try: little while somebody works, enough for a change, everything at night.
//
// The environment variable TEST_LEVEL is quick, change (the default) or nightly; -short means quick as well. A test finds the same kind
// of fault on each level. With a smaller count it finds a rare one later, so what it draws depends on a seed that differs by run.
package testlevel

import (
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"
)

// Count returns the number for the level of this run.
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

// Some returns as many of the cases, in their order, drawn by a seed. All are returned where there are no more; so -run finds each case
// with TEST_LEVEL=nightly.
func Some[Case any](t testing.TB, count int, all []Case) []Case {
	t.Helper()
	if count >= len(all) {
		return all
	}
	drawn := rand.New(rand.NewPCG(Seed(t), 0)).Perm(len(all))[:count]
	slices.Sort(drawn)
	var some []Case
	for _, i := range drawn {
		some = append(some, all[i])
	}
	return some
}

// Unavailable skips a test that this machine cannot run, with the reason. With REQUIRE_ALL=1 it fails instead.
func Unavailable(t testing.TB, reason string) {
	t.Helper()
	if os.Getenv("REQUIRE_ALL") != "" {
		t.Fatal(reason)
	}
	t.Skip(reason)
}
