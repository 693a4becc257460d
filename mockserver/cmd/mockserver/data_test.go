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
		if made := invoke(t, "", "generate", "--kind", kind, "--profiles", "50", "--now", importNow, "--schemas", overlay, "--out", name); made.code != exitOK {
			t.Fatal(made.err)
		}
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
	for format, wanted := range map[string]string{"text": `file=userbase.csv because="` + says, "json": `"file":"userbase.csv","because":"` + says} {
		server := start(t, nil, "--addr", "127.0.0.1:0", "--state", "memory", "--schemas", overlay, "--data", data, "--log-format", format)
		server.end()
		if text := server.output.String(); !strings.Contains(text, wanted) || strings.Count(text, "left out") != 1 {
			t.Errorf("%s: the log is %s", format, text)
		}
	}
}
