package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestRecordAndReplay records a client at a service, and lets a server answer the next client with the recording.
func TestRecordAndReplay(t *testing.T) {
	service := start(t, nil, "--addr", "127.0.0.1:0", "--state", "memory", "--progress", "polls:2", "--profiles", "300")
	directory := filepath.Join(t.TempDir(), "recording")
	p := startProxy(t, "--upstream", service.base, "--record", directory, "--fail-on", "never")
	recorded := p.download(t, "userbase")
	if code := p.stop(); code != exitOK || !strings.Contains(p.output.String(), directory+": ") {
		t.Fatalf("the proxy ended with %d: %s", code, p.output)
	}
	holdsNoSecret(t, directory, p.output.String())
	if code := startProxyFails(t, "--upstream", service.base, "--record", directory); !strings.Contains(code,
		"--record "+directory+" is not empty") {
		t.Errorf("a second recording in one directory: %s", code)
	}
	hidden := filepath.Join(t.TempDir(), "hidden")
	p = startProxy(t, "--upstream", service.base, "--record", hidden, "--fail-on", "never", "--pseudonymise", testKey)
	p.download(t, "userbase")
	if code := p.stop(); code != exitOK {
		t.Fatalf("the proxy ended with %d: %s", code, p.output)
	}
	invoke(t, "", "recording", "audit", hidden).is(t, exitOK, hidden+": 0 findings", "")
	must.Do(t, os.WriteFile(filepath.Join(hidden, "note.txt"), []byte("\nask ada@company.com\n"), 0o600))
	invoke(t, "", "recording", "audit", hidden).is(t, exitFailed, "note.txt:2: an e-mail address\n"+hidden+": 1 finding", "")
	invoke(t, "", "recording", "audit").is(t, exitUsage, "", "name one directory")
	invoke(t, "", "recording", "audit", hidden+"-gone").is(t, exitUnread, "", "")
	recording := map[string]string{"REHEARSAL_NOW": ""} // whose clock begins with the recording
	pseudonymous := &passing{base: start(t, recording, "--addr", "127.0.0.1:0", "--state", "memory", "--replay", hidden).base}
	if file := pseudonymous.download(t, "userbase"); countRows(t, file) != countRows(t, recorded) || sharesWords(t, file, recorded) {
		t.Errorf("the pseudonymous file is %.300q", file)
	}
	replaying := start(t, recording, "--addr", "127.0.0.1:0", "--state", "memory", "--replay", directory, "--profiles", "10")
	client := &passing{base: replaying.base}
	t.Cleanup(func() {
		if replaying.end(); !strings.Contains(replaying.output.String(), ", when the recording began\n") {
			t.Errorf("where the clock comes from is not in %s", replaying.output)
		}
	})
	must.Equal(t, client.download(t, "userbase"), recorded, "the file of the replay")
	if got := invoke(t, "", "serve", "--replay", t.TempDir(), "--addr", "127.0.0.1:0", "--state", "memory"); got.code == exitOK ||
		!strings.Contains(got.err, "there is no recording.json") {
		t.Errorf("an empty directory is replayed: %d %s", got.code, got.err)
	}
}

// sharesWords tells whether identifiers of one text are in the other.
func sharesWords(t *testing.T, a, b string) bool {
	t.Helper()
	words := map[string]bool{}
	collect(t, []byte(a), words)
	others := map[string]bool{}
	collect(t, []byte(b), others)
	for word := range words {
		if others[word] {
			return true
		}
	}
	return len(words) == 0
}

// startProxyFails is what a proxy says that does not start.
func startProxyFails(t *testing.T, arguments ...string) string {
	t.Helper()
	got := invoke(t, "", append([]string{"proxy", "--addr", "127.0.0.1:0"}, arguments...)...)
	if got.code == exitOK {
		t.Error("it started")
	}
	return got.err
}
