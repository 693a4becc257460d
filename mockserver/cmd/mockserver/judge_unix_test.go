//go:build unix

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestSpecialFiles: what has no end, or waits for somebody, is refused.
func TestSpecialFiles(t *testing.T) {
	t.Parallel()
	fifo := filepath.Join(t.TempDir(), "fifo.json")
	must.Do(t, syscall.Mkfifo(fifo, 0o600))
	schemas, data := filepath.Dir(fifo), t.TempDir()
	must.Do(t, syscall.Mkfifo(filepath.Join(data, "profiles.csv"), 0o600))
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
		{"serve --port 0 --state memory --web " + fifo, exitFailed, "--web: " + fifo + " is not a directory"},
		{"serve --port 0 --state memory --tls /dev/zero,/dev/zero", exitFailed, "--tls: /dev/zero is a device, not a file"},
		{"serve --port 0 --state memory --tls " + fifo + "," + fifo, exitFailed, "--tls: " + fifo + " is a FIFO, not a file; name a file, or a pipe that is open already"},
		{"serve --port 0 --state memory --tls self-signed --tls-save " + fifo, exitFailed, "--tls-save: " + fifo + " is a FIFO, not a file"},
		{"serve --port 0 --state memory --tls self-signed --tls-save /dev/zero", exitFailed, "--tls-save: /dev/zero is a device, not a file"},
		{"serve --port 0 --state " + fifo, exitFailed, fifo + " is no file"},
		{"serve --port 0 --config " + fifo, exitFailed, "--config: " + fifo + " is a FIFO, not a file"},
		{"serve --port 0 --credentials " + fifo, exitFailed, "--credentials: " + fifo + " is a FIFO, not a file"},
		{"generate --kind userbase --out " + fifo, exitFailed, "--out: " + fifo + " is a FIFO, not a file; name a file, or what is open already, such as /dev/stdout"},
		{"generate --kind userbase --out /dev/full", exitFailed, "--out: /dev/full is a device, not a file"},
		{"serve --port 0 --state memory --ready-file " + fifo, exitFailed, "--ready-file: " + fifo + " is there and not a file"},
		{"serve --port 0 --state memory --ready-file " + data, exitFailed, "--ready-file: " + data + " is there and not a file"},
		{"serve --port 0 --credentials /dev/zero", exitFailed, "--credentials: /dev/zero is a device, not a file"},
	} {
		r := invoke(t, "", strings.Fields(c.line)...)
		if r.code != c.code || !strings.Contains(r.err, c.err) || r.out != "" {
			t.Errorf("%s: exit code %d, want %d with %q: %s%s", c.line, r.code, c.code, c.err, r.out, r.err)
		}
	}
}

// TestAnnouncementIsPrintable: what is announced controls no terminal.
func TestAnnouncementIsPrintable(t *testing.T) {
	path := filepath.Join(t.TempDir(), "\x1b]0;x\a.db")
	s := start(t, nil, "--addr", "127.0.0.1:0", "--state", path)
	s.end()
	if text := s.output.String(); !strings.Contains(text, `\x1b]0;x\a.db`) || strings.ContainsAny(text, "\x1b\a") {
		t.Errorf("announced: %q", text)
	}
}

// TestOutThroughLink: a symbolic link stays one, and its file is replaced.
func TestOutThroughLink(t *testing.T) {
	directory := t.TempDir()
	link, file := filepath.Join(directory, "link"), filepath.Join(directory, "file")
	must.Do(t, errors.Join(os.WriteFile(file, []byte("before"), 0o600), os.Symlink("file", link), os.Symlink("nowhere", link+"2")))
	invoke(t, "", "generate", "--kind", "userbase", "--rows", "1", "--out", link).is(t, exitOK, "", "")
	if information, err := os.Lstat(link); err != nil || information.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is replaced: %v", err)
	}
	if data, err := os.ReadFile(file); err != nil || !strings.HasPrefix(string(data), "install_id;") {
		t.Errorf("%q, %v", data, err)
	}
	invoke(t, "", "generate", "--kind", "userbase", "--rows", "1", "--out", link+"2").is(t, exitFailed, "", "leads nowhere")
}

// TestOpenPipes: a pipe that is open, as shells make it of <(...), is read, and what is open, and the null device, are written.
func TestOpenPipes(t *testing.T) {
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	must.Get(writer.WriteString(`{"ids":["install_id"],"x":1}`))(t)
	writer.Close()
	name := fmt.Sprintf("/dev/fd/%d", reader.Fd())
	invoke(t, "", "validate", "--schema", "legacy/userbase.request", name).is(t, exitFailed, "1:23: /x", "")
	invoke(t, "", "generate", "--kind", "userbase", "--rows", "1", "--out", "/dev/null", "--quiet").is(t, exitOK, "", "")
}
