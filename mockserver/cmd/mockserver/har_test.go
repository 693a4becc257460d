package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestHAR: a recording becomes a HAR file, and that a recording which is replayed the same.
func TestHAR(t *testing.T) {
	service := start(t, nil, "--addr", "127.0.0.1:0", "--state", "memory", "--progress", "now", "--profiles", "100")
	temporary := t.TempDir()
	in := func(name string) string { return filepath.Join(temporary, name) }
	p := startProxy(t, "--upstream", service.base, "--record", in("recording"), "--fail-on", "never")
	recorded := p.download(t, "userbase")
	if code := p.stop(); code != exitOK {
		t.Fatalf("the proxy ended with %d: %s", code, p.output)
	}
	if got := invoke(t, "", "har", "--out", in("a.har"), in("recording")); got.code != exitOK || !strings.Contains(got.out, "a.har: 3 exchanges") {
		t.Fatalf("%d %s%s", got.code, got.out, got.err)
	}
	text, err := os.ReadFile(in("a.har"))
	if err != nil {
		t.Fatal(err)
	}
	holdsNoSecret(t, in("recording"), string(text))
	for _, more := range [][]string{{"again"}, {"hidden", "--pseudonymise", "0123456789abcdef"}} {
		line := append([]string{"har", "--out", in(more[0]), in("a.har")}, more[1:]...)
		if got := invoke(t, "", line...); got.code != exitOK || !strings.Contains(got.out, ": 3 exchanges") {
			t.Fatalf("%d %s%s", got.code, got.out, got.err)
		}
		client := &passing{base: start(t, nil, "--addr", "127.0.0.1:0", "--state", "memory", "--replay", in(more[0]), "--profiles", "1").base}
		replayed := client.download(t, "userbase")
		if more[0] == "again" && replayed != recorded {
			t.Errorf("the replay sends %.200q, the service sent %.200q", replayed, recorded)
		}
		if more[0] == "hidden" && (strings.Count(replayed, "\n") != strings.Count(recorded, "\n") || sharesWords(t, replayed, recorded)) {
			t.Errorf("the pseudonymous file is %.300q", replayed)
		}
	}
	if err := os.WriteFile(in("empty.har"), []byte(`{"log": {"entries": []}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		line string
		code int
		want string
	}{
		{"har IN/a.har", exitUsage, "--out is missing"},
		{"har --out IN/b", exitUsage, "0 paths are given; name one"},
		{"har --out IN/b IN/nowhere", exitUsage, "nowhere is not there; name a recording, or a HAR file"},
		{"har --out IN/b --pseudonymise 0123456789abcdef IN/recording", exitUsage, "--pseudonymise is for what becomes a recording"},
		{"har --out IN/a.har IN/recording", exitFailed, "a.har is there already, and nothing is written over"},
		{"har --out IN/again IN/a.har", exitFailed, "again is not empty"},
		{"har --out IN/c.har IN", exitFailed, "there is no recording.json"},
		{"har --out IN/d IN/again/recording.json", exitFailed, "no member log"},
		{"har --out IN/e IN/empty.har", exitFailed, "no request in it is for an endpoint"},
	} {
		line := strings.Fields(strings.ReplaceAll(c.line, "IN", in("")))
		if got := invoke(t, "", line...); got.code != c.code || !strings.Contains(got.err, c.want) {
			t.Errorf("%s: %d %s", c.line, got.code, got.err)
		}
	}
	if _, err := os.Stat(in("c.har")); err == nil {
		t.Error("a file is left behind")
	}
}
