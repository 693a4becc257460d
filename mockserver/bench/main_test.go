package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// TestEveryLineIsMeasured makes one short run and looks only at what was measured, never at how fast it was.
func TestEveryLineIsMeasured(t *testing.T) {
	var out bytes.Buffer
	if err := run(t.Context(), &out, settings{round: 50 * time.Millisecond, rounds: 1, connections: 4, bytes: 1 << 20, scale: 10_000}); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	library, err := schemas.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	wanted := []string{"create, memory store", "create, SQLite store", "status, memory store", "status, SQLite store", "first export created, SQLite store",
		"memory store", "writing profiles.events"}
	for _, export := range library.Exports() {
		wanted = append(wanted, export.Kind)
	}
	for _, name := range wanted {
		if !strings.Contains(out.String(), "\n"+name+" ") {
			t.Errorf("%s was not measured:\n%s", name, &out)
		}
	}
}

// TestTheSameRowsAreWritten: what is written by hand is what the plan writes, for every kind that has a writer by hand. Opening a
// subject compares them.
func TestTheSameRowsAreWritten(t *testing.T) {
	library, err := schemas.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	subjects, err := subjectsOf(t.Context(), library, settings{bytes: 1 << 18})
	if err != nil {
		t.Fatal(err)
	}
	compared := 0
	for _, subject := range subjects {
		if subject.byHand != nil {
			compared++
		}
		if subject.rows < 10 {
			t.Errorf("%s: only %f rows", subject.export.Kind, subject.rows)
		}
	}
	if compared != len(handwritten) {
		t.Errorf("%d kinds were compared, %d have a writer by hand", compared, len(handwritten))
	}
}

func TestFiguresSayWhetherAnAimIsMet(t *testing.T) {
	for got, want := range map[string]string{
		atLeast(0.9, 0.85): "0.90, at least 0.85: met", atLeast(0.8, 0.85): "0.80, at least 0.85: missed",
		atMost(1.06, 1.06): "1.06, at most 1.06: met", atMost(123.4, 24): "123, at most 24.0: missed",
	} {
		if got != want {
			t.Errorf("%q, want %q", got, want)
		}
	}
}
