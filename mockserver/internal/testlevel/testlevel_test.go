package testlevel_test

import (
	"flag"
	"slices"
	"strconv"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// short sets the flag -short for a test.
func short(t *testing.T, value string) {
	before := flag.Lookup("test.short").Value.String()
	set := func(value string) {
		must.Do(t, flag.Set("test.short", value))
	}
	set(value)
	t.Cleanup(func() { set(before) })
}

func TestCount(t *testing.T) {
	for _, each := range []struct {
		level, short string
		count        int
		nightly      bool
	}{
		{"", "false", 2, false},
		{"quick", "false", 1, false},
		{"change", "false", 2, false},
		{"nightly", "false", 3, true},
		{"", "true", 1, false},
		{"nightly", "true", 1, false},
	} {
		t.Run(each.level+" short="+each.short, func(t *testing.T) {
			t.Setenv("TEST_LEVEL", each.level)
			short(t, each.short)
			if count, nightly := testlevel.Count(1, 2, 3), testlevel.Nightly(); count != each.count || nightly != each.nightly {
				t.Errorf("%d, %t; want %d, %t", count, nightly, each.count, each.nightly)
			}
		})
	}
}

// TestUnknownLevel: a misspelled level would be a night in which nothing is tried.
func TestUnknownLevel(t *testing.T) {
	t.Setenv("TEST_LEVEL", "nightlly")
	short(t, "false")
	defer func() {
		if said := recover(); said != `TEST_LEVEL is "nightlly"; it must be quick, change or nightly` {
			t.Errorf("said %v", said)
		}
	}()
	testlevel.Count(1, 2, 3)
}

func TestSeed(t *testing.T) {
	t.Setenv("TEST_SEED", "42")
	if seed := testlevel.Seed(t); seed != 42 {
		t.Errorf("the seed is %d, want 42", seed)
	}
	seen := map[uint64]bool{}
	for range 10 {
		t.Setenv("TEST_SEED", "")
		seed := testlevel.Seed(t)
		if again := testlevel.Seed(t); again != seed {
			t.Errorf("the seed of a run is %d, and then %d", seed, again)
		}
		seen[seed] = true
	}
	if len(seen) == 1 {
		t.Error("ten times the same seed")
	}
}

func TestSome(t *testing.T) {
	all := []string{"a", "b", "c", "d", "e", "f"}
	seen := map[string]bool{}
	for seed := range 50 {
		t.Setenv("TEST_SEED", strconv.Itoa(seed))
		some := testlevel.Some(t, 2, all)
		if len(some) != 2 || !slices.IsSorted(some) || !slices.Equal(some, testlevel.Some(t, 2, all)) {
			t.Fatalf("%q; want two in their order, the same each time", some)
		}
		seen[some[0]], seen[some[1]] = true, true
	}
	must.Hold(t, len(seen) == len(all), "fifty seeds drew only %v", seen)
	if some := testlevel.Some(t, 6, all); !slices.Equal(some, all) {
		t.Errorf("%q; want all", some)
	}
}
