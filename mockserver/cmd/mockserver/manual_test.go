package main

import (
	"encoding/pem"
	"os"
	"path/filepath"
	"runtime/debug"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

func armour(kind string, data []byte) string {
	return string(pem.EncodeToMemory(&pem.Block{Type: kind, Bytes: data}))
}

// TestManual: a page for each command, the same at every run, with every flag.
func TestManual(t *testing.T) {
	pages := map[string]string{}
	for range 2 {
		directory := filepath.Join(t.TempDir(), "man1")
		invoke(t, "", "man", "--out", directory).is(t, exitOK, "", "")
		for _, name := range []string{"", "-serve", "-generate", "-validate", "-check", "-health", "-man", "-version"} {
			data := must.Get(os.ReadFile(filepath.Join(directory, "mockserver"+name+".1")))(t)
			if before, there := pages[name]; there && before != string(data) {
				t.Errorf("mockserver%s.1 changes from run to run", name)
			}
			pages[name] = string(data)
		}
	}
	for page, texts := range map[string][]string{
		"":          {"MOCKSERVER", "validate    check payloads"},
		"-serve":    {"\\-\\-refuse\\-authorization", "REHEARSAL_LOG_LEVEL", "exit status", `"key": "rest_demo", "plan": "enterprise"`},
		"-generate": {"\\-\\-kind"},
	} {
		for _, text := range texts {
			if !strings.Contains(strings.ReplaceAll(pages[page], `\-`, "-"), strings.ReplaceAll(text, `\-`, "-")) {
				t.Errorf("mockserver%s.1 lacks %q:\n%s", page, text, pages[page])
			}
		}
	}
}

// TestCompletions: scripts for the shells, and proposals for values.
func TestCompletions(t *testing.T) {
	for _, shell := range []string{"bash", "zsh", "fish", "powershell"} {
		invoke(t, "", "completion", shell).is(t, exitOK, "mockserver", "")
	}
	for line, want := range map[string]string{
		"serve --log":          "--log-level\tlog messages of `LEVEL` and above",
		"serve --log-level= ":  "debug\n",
		"generate --kind= ":    "profiles.events\tExports",
		"serve --schemas= ":    ":16\n", // directories
		"serve --state= ":      ":4\n",  // nothing
		"serve --tls-save= ":   ":0\n",  // files
		"serve --data-mode= ":  "only\n",
		"validate ":            ":0\n", // files
		"serve --shutdown-t":   "--shutdown-timeout\t",
		"serve --credentials=": ":0\n",
		"":                     "health\task a running server",
		"schemas ":             "show\n",
	} {
		invoke(t, "", append([]string{"__complete"}, strings.Split(strings.ReplaceAll(line, "= ", " "), " ")...)...).is(t, exitOK, want, "")
	}
}

// TestVersion: what the linker says comes before what the repository says.
func TestVersion(t *testing.T) {
	settings := []debug.BuildSetting{{Key: "vcs.revision", Value: "0123abc"}, {Key: "vcs.time", Value: "2026-01-31T08:00:00Z"},
		{Key: "vcs.modified", Value: "true"}}
	for _, c := range []struct {
		information debug.BuildInfo
		release     string
		want        string
	}{
		{debug.BuildInfo{}, "", "mockserver unreleased\nbuilt with"},
		{debug.BuildInfo{Main: debug.Module{Version: "(devel)"}}, "", "mockserver unreleased\nbuilt with"},
		{debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}, Settings: settings}, "",
			"mockserver v1.2.3\ncommit     0123abc+ of 2026-01-31\nbuilt with"},
		{debug.BuildInfo{Main: debug.Module{Version: "v1.2.3"}, Settings: settings[:2]}, "v2.0.0",
			"mockserver v2.0.0\ncommit     0123abc of 2026-01-31\nbuilt with"},
		{debug.BuildInfo{Settings: settings[:1]}, "", "mockserver unreleased\ncommit     0123abc\nbuilt with"},
	} {
		if got := versionOf(&c.information, c.release).String(); !strings.HasPrefix(got, c.want) {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}
