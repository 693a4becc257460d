package formats_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/schemas/formats"
)

// The packages for JavaScript, Python and Java are held against the same table, by schemas/conformance/run.sh.
func TestFormatsMeanTheirTable(t *testing.T) {
	var table map[string]struct{ Valid, Invalid []string }
	if err := json.Unmarshal(formats.Table, &table); err != nil || len(table) < 5 {
		t.Fatalf("%d formats: %v", len(table), err)
	}
	for name, holds := range formats.Checks() {
		for _, text := range slices.Concat(table[name].Valid, table[name].Invalid) {
			if holds(text) != slices.Contains(table[name].Valid, text) {
				t.Errorf("%s: %q", name, text)
			}
		}
	}
}
