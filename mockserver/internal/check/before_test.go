package check_test

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check"
)

// Files of the world before its version 4, in which campaigns, profiles and the
// userbase did not tell of one history, break the rules that say that they do.
func TestFilesFromBeforeTheLedger(t *testing.T) {
	names, err := filepath.Glob(filepath.Join("testdata", "before-the-ledger", "*.gz"))
	if err != nil || len(names) != 4 {
		t.Fatal(names, err)
	}
	var inputs []check.Input
	for _, name := range names {
		file, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		defer file.Close()
		inputs = append(inputs, check.Input{Name: filepath.Base(name), Reader: file})
	}
	_, summary := run(t, inputs, check.Options{Now: time.Date(2026, 5, 20, 0, 0, 0, 0, time.UTC)})
	broken := map[string]bool{"starts": true, "ended": true, "sendings": true}
	for _, verdict := range summary.Rules {
		if found := verdict.Violations > 0; found != broken[verdict.Rule] {
			t.Errorf("%s: %d violations of %d", verdict.Rule, verdict.Violations, verdict.Checked)
		}
	}
}
