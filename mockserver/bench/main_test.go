package main

import (
	"bytes"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// TestEveryLineIsMeasured makes one short run of each part, on a change of some of them, and looks only at what was measured,
// never at how fast it was.
func TestEveryLineIsMeasured(t *testing.T) {
	library := must.Get(schemas.Embedded())(t)
	wanted := map[string][]string{
		"start": {"first export created, file store"}, "downloads": {"userbase", "file store"}, "memory": {"writing profiles.events"},
		"first": {"500 profiles", "5000 profiles"},
	}
	for _, export := range library.Exports() {
		wanted["files"] = append(wanted["files"], export.Kind)
	}
	var measured []string
	for _, part := range parts() {
		if part.name != "mocks" {
			measured = append(measured, part.name)
		}
	}
	some := testlevel.Some(t, testlevel.Count(1, 2, len(measured)), measured)
	var out bytes.Buffer
	s := settings{round: 50 * time.Millisecond, rounds: 1, connections: 4, people: 500, only: strings.Join(some, ",")}
	if err := run(t.Context(), &out, s); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	for _, part := range some {
		for _, name := range wanted[part] {
			must.Hold(t, strings.Contains(out.String(), "\n"+name+" "), "%s: %s was not measured:\n%s", part, name, &out)
		}
		delete(wanted, part)
	}
	if testlevel.Nightly() && len(wanted) > 0 {
		t.Errorf("there are no parts %v", slices.Sorted(maps.Keys(wanted)))
	}
}

func TestFiguresSayWhetherAnAimIsMet(t *testing.T) {
	for got, want := range map[string]string{
		atLeast(0.9, 0.85): "0.90, at least 0.85: met", atLeast(0.8, 0.85): "0.80, at least 0.85: missed",
		atMost(1.06, 1.06): "1.06, at most 1.06: met", atMost(123.4, 24): "123, at most 24.0: missed",
	} {
		must.Hold(t, got == want, "%q, want %q", got, want)
	}
}
