package proof_test

import (
	"flag"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mobile/internal/proof"
)

func TestCount(t *testing.T) {
	before := flag.Lookup("test.short").Value.String()
	t.Cleanup(func() { _ = flag.Set("test.short", before) })
	for _, each := range []struct {
		level, short string
		count        int
		nightly      bool
	}{
		{"", "false", 2, false},
		{"quick", "false", 1, false},
		{"change", "false", 2, false},
		{"nightly", "false", 3, true},
		{"nightly", "true", 1, false},
	} {
		t.Setenv("TEST_LEVEL", each.level)
		if err := flag.Set("test.short", each.short); err != nil {
			t.Fatal(err)
		}
		if count, nightly := proof.Count(1, 2, 3), proof.Nightly(); count != each.count || nightly != each.nightly {
			t.Errorf("level %q, short %s: %d, %t; want %d, %t", each.level, each.short, count, nightly, each.count, each.nightly)
		}
	}
	t.Setenv("TEST_LEVEL", "nightlly")
	if err := flag.Set("test.short", "false"); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if said := recover(); said != `TEST_LEVEL is "nightlly"; it must be quick, change or nightly` {
			t.Errorf("said %v", said)
		}
	}()
	proof.Count(1, 2, 3)
}
