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
	generated := invoke(t, "", "generate", "--kind", "userbase", "--schemas", overlay, "--data", data, "--now", importNow, "--quiet")
	if generated.code != exitOK || !strings.Contains(generated.err, "userbase.csv: "+says) || strings.Count(generated.err, "left out") != 1 {
		t.Errorf("generate: %d %s", generated.code, generated.err)
	}
	for format, wanted := range map[string]string{"text": `file=userbase.csv because="` + says, "json": `"file":"userbase.csv","because":"` + says} {
		server := start(t, nil, "--addr", "127.0.0.1:0", "--state", "memory", "--schemas", overlay, "--data", data, "--log-format", format)
		server.end()
		if text := server.output.String(); !strings.Contains(text, wanted) || strings.Count(text, "left out") != 1 {
			t.Errorf("%s: the log is %s", format, text)
		}
	}
}

// TestDataIsTold: where a server prints its address it says what its dataset holds, and by which key there are pseudonyms.
func TestDataIsTold(t *testing.T) {
	files := exportsIn(t, "", "userbase")
	const key = "0123456789abcdef"
	made := filepath.Join(t.TempDir(), "made")
	imported := invoke(t, "", "import", "--out", made, "--pseudonymise", key, filepath.Join(files, "userbase.csv"))
	_, check, _ := strings.Cut(strings.TrimSpace(imported.err), "check value ")
	_, counts, _ := strings.Cut(strings.TrimSpace(imported.out), made)
	if imported.code != exitOK || check == "" || !strings.Contains(counts, " installations, 0 events") {
		t.Fatalf("%d %s %s", imported.code, imported.out, imported.err)
	}
	state := filepath.Join(t.TempDir(), "state.db")
	const line, pseudonyms = "\n  data         ", "\n  pseudonyms   by the key with the check value "
	for _, c := range []struct {
		name       string
		arguments  []string
		data, says string // "": that line is not there
	}{
		{"no dataset", []string{"--state", "memory"}, "", ""},
		{"a dataset", []string{"--state", state, "--data", made}, made + counts + "; beside the world\n", ""},
		{"what the state remembers", []string{"--state", state, "--data-mode", "only"}, "as it was left in the state" + counts + "; only: ", ""},
		{"export files and a key", []string{"--state", "memory", "--data", files, "--data-mode", "only", "--pseudonymise", key}, files + counts + "; only: ", check + "\n"},
	} {
		server := start(t, nil, append(c.arguments, "--addr", "127.0.0.1:0")...)
		server.end()
		text := server.output.String()
		for part, wanted := range map[string]string{line: c.data, pseudonyms: c.says} {
			if wanted == "" && strings.Contains(text, part) || wanted != "" && !strings.Contains(text, part+wanted) {
				t.Errorf("%s: %q is not as in %s", c.name, part+wanted, text)
			}
		}
	}
}
