package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// TestMain lets the test binary start itself as the bare handler, as the program does.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "bare" {
		fmt.Fprintln(os.Stderr, serveBare(os.Stdout))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// TestEveryLineIsMeasured makes one short run and looks only at what was measured, never at how fast it was.
func TestEveryLineIsMeasured(t *testing.T) {
	var out bytes.Buffer
	if err := run(t.Context(), &out, settings{round: 50 * time.Millisecond, rounds: 1, connections: 4, bytes: 1 << 20}); err != nil {
		t.Fatalf("%v\n%s", err, &out)
	}
	library, err := schemas.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	wanted := []string{"create, memory store", "create, SQLite store", "status, memory store", "status, SQLite store", "first export created, SQLite store"}
	for _, export := range library.Exports() {
		wanted = append(wanted, export.Kind)
	}
	for _, name := range wanted {
		if !strings.Contains(out.String(), "\n"+name+" ") {
			t.Errorf("%s was not measured:\n%s", name, &out)
		}
	}
}

// TestTheSameRowsAreWritten checks that encoding/csv and encoding/json write what was generated, so that the comparison is fair.
func TestTheSameRowsAreWritten(t *testing.T) {
	library, err := schemas.Embedded()
	if err != nil {
		t.Fatal(err)
	}
	for _, export := range library.Exports() {
		text, _, err := sample(library, export, 1<<18)
		if err != nil {
			t.Fatal(err)
		}
		write, err := standardWriter(export, text)
		if err != nil {
			t.Fatal(err)
		}
		var again bytes.Buffer
		if err := write(&again); err != nil {
			t.Fatal(err)
		}
		if export.Format == "json" { // one row a line here, one line in all there
			text = bytes.ReplaceAll(bytes.ReplaceAll(text, []byte("[\n"), []byte("[")), []byte("\n"), nil)
			text = append(text, '\n')
		}
		if !bytes.Equal(text, again.Bytes()) {
			t.Errorf("%s: %d bytes generated, %d written by the standard library:\n%.300s\n%.300s", export.Kind, len(text), again.Len(), text, &again)
		}
	}
}
