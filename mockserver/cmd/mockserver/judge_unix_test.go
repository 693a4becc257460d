//go:build unix

package main

import (
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// TestSpecialFiles: what has no end, or waits for somebody, is refused.
func TestSpecialFiles(t *testing.T) {
	t.Parallel()
	fifo := filepath.Join(t.TempDir(), "fifo.json")
	if err := syscall.Mkfifo(fifo, 0o600); err != nil {
		t.Fatal(err)
	}
	schemas, data := filepath.Dir(fifo), t.TempDir()
	if err := syscall.Mkfifo(filepath.Join(data, "profiles.csv"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		line string
		code int
		err  string
	}{
		{"validate --schema userbase " + fifo, exitUnread, fifo + " is a FIFO, not a file; give - and pipe its content to standard input"},
		{"check " + fifo, exitUnread, fifo + " is a FIFO, not a file"},
		{"validate --schema userbase /dev/zero", exitUnread, "/dev/zero is a device, not a file"},
		{"check /dev/zero", exitUnread, "/dev/zero is a device, not a file"},
		{"validate --schema userbase --schemas " + schemas + " judge_test.go", exitUnread, "fifo.json: it is a FIFO, not a file"},
		{"generate --kind userbase --schemas " + schemas, exitFailed, "fifo.json: it is a FIFO, not a file"},
		{"generate --kind userbase --data " + data, exitFailed, "profiles.csv: it is a FIFO, not a file"},
	} {
		r := invoke(t, "", strings.Fields(c.line)...)
		if r.code != c.code || !strings.Contains(r.err, c.err) || r.out != "" {
			t.Errorf("%s: exit code %d, want %d with %q: %s%s", c.line, r.code, c.code, c.err, r.out, r.err)
		}
	}
}
