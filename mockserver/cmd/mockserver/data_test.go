package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// exportsIn writes files of exports, by kind, under an overlay.
func exportsIn(t *testing.T, overlay string, kinds ...string) (directory string) {
	t.Helper()
	directory = t.TempDir()
	for _, kind := range kinds {
		ending := ".csv"
		if strings.HasPrefix(kind, "profiles.") {
			ending = ".json"
		}
		name := filepath.Join(directory, kind+ending)
		invoke(t, "", "generate", "--kind", kind, "--profiles", "50", "--now", importNow, "--schemas", overlay, "--out", name).is(t, exitOK, "", "")
	}
	return directory
}

// TestColumnLeftOut: a column that an overlay describes, and that a dataset has no place for, is named.
func TestColumnLeftOut(t *testing.T) {
	overlay := driftingOverlay(t)
	data := exportsIn(t, overlay, "userbase", "profiles.attributes")
	const says = "left out: column loyalty, for which a dataset has no place ("
	imported := invoke(t, "", "import", "--schemas", overlay, "--out", filepath.Join(t.TempDir(), "made"), filepath.Join(data, "userbase.csv"), filepath.Join(data, "profiles.attributes.json"))
	if imported.code != exitOK || !strings.Contains(imported.out, "userbase.csv: "+says) || strings.Count(imported.out, "left out") != 1 {
		t.Errorf("%d %s %s", imported.code, imported.out, imported.err)
	}
}

// TestDataIsTold: where a server prints its address it says what its dataset holds.
func TestDataIsTold(t *testing.T) {
	files := exportsIn(t, "", "userbase")
	made := filepath.Join(t.TempDir(), "made")
	imported := invoke(t, "", "import", "--out", made, filepath.Join(files, "userbase.csv"))
	_, counts, _ := strings.Cut(strings.TrimSpace(imported.out), made)
	if imported.code != exitOK || !strings.Contains(counts, " installations, 0 events") {
		t.Fatalf("%d %s %s", imported.code, imported.out, imported.err)
	}
	state := filepath.Join(t.TempDir(), "state.db")
	const line = "\n  data         "
	for _, c := range []struct {
		name      string
		arguments []string
		want      string // "": that line is not there
	}{
		{"no dataset", []string{"--state", "memory"}, ""},
		{"a dataset", []string{"--state", state, "--data", made}, made + counts + "; beside the world\n"},
		{"a remembered dataset", []string{"--state", state, "--data-mode", "only"}, "as it was left in the state" + counts + "; only: "},
	} {
		server := start(t, nil, append(c.arguments, "--addr", "127.0.0.1:0")...)
		server.end()
		text := server.output.String()
		if c.want == "" && strings.Contains(text, line) || c.want != "" && !strings.Contains(text, line+c.want) {
			t.Errorf("%s: %q is not as in %s", c.name, line+c.want, text)
		}
	}
	invoke(t, "", "serve", "--addr", "127.0.0.1:0", "--state", "memory", "--data", files).is(t, exitFailed, "", "mockserver import")
}
