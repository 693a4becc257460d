package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestPlay: the proxy asks a service what a client would. The mock has no drift, whatever names its dialect has, and one with a column more has that.
func TestPlay(t *testing.T) {
	flags := []string{"--addr", "127.0.0.1:0", "--state", "memory", "--progress", "now", "--profiles", "300", "--now", noon.Format(time.RFC3339)}
	text := must.Get(os.ReadFile("../../../schemas/legacy/interface.json"))(t)
	renamed := t.TempDir()
	write(t, filepath.Join(renamed, "legacy", "interface.json"), strings.Replace(string(text), `"X-Authorization"`, `"X-Company-Key"`, 1))
	own := t.TempDir()
	write(t, filepath.Join(own, "userbase.yaml"), `about: A userbase is created and looked up, and its file is read.
interface: legacy
headers: {"{credential}": "{company_key}"}
steps:
  - name: create
    request: {method: POST, path: "/1.0/{api_key}/export/userbase", json: {ids: [install_id]}}
    capture: {export: "/{created}"}
  - name: poll
    request: {path: "/1.0/{api_key}/export/request/{export}"}
    poll: {member: /status, until: [SUCCESS, ERROR], every: 1ms, most: 20}
    capture: {link: /file_url}
  - name: file
    request: {url: "{link}"}
`)
	write(t, filepath.Join(own, "later.yaml"), "about: It waits.\nsteps:\n  - {name: wait, wait: 2m}\n")
	values := filepath.Join(t.TempDir(), "values.yaml")
	write(t, values, "company_key: wrong\n")
	for about, c := range map[string]struct {
		schemas   string
		arguments []string
		code      int
		out, err  string
	}{
		"the mock":        {"", []string{"--play", "default"}, exitOK, "; 12 files checked, 0 not kept; 0 without a whole answer\n0 drifts, 0 lints", "left out: 8 conversations that"},
		"another dialect": {renamed, []string{"--play", "default", "--schemas", renamed}, exitOK, "; 12 files checked, 0 not kept; 0 without a whole answer\n0 drifts", "left out: "},
		"a column more":   {driftingOverlay(t), []string{"--play", own}, exitFailed, "userbase file /loyalty: allowed no such column", "left out: 1 conversation that"},
		"a wrong key":     {"", []string{"--play", own, "--play-values", values}, exitOK, "0 files checked", "userbase did not come to its end: step create: there is no /requestId in the answer"},
	} {
		t.Run(about, func(t *testing.T) {
			service := flags
			if c.schemas != "" {
				service = append(service[:len(service):len(service)], "--schemas", c.schemas)
			}
			got := invoke(t, "", append([]string{"proxy", "--upstream", start(t, nil, service...).base}, c.arguments...)...)
			if got.code != c.code || !strings.Contains("\n"+got.out, c.out) || !strings.Contains(got.err, c.err) {
				t.Errorf("exit code %d: %s%s", got.code, got.out, got.err)
			}
		})
	}
	for _, c := range [][]string{
		{"--play-values is for --play", "--play-values", values},
		{"has no conversations", "--play", t.TempDir()},
		{"later.yaml: ", "--play", filepath.Dir(broken(t))},
	} {
		if got := invoke(t, "", append([]string{"proxy", "--upstream", "http://127.0.0.1:1"}, c[1:]...)...); got.code == exitOK || !strings.Contains(got.err, c[0]) {
			t.Errorf("%q: exit code %d: %s", c, got.code, got.err)
		}
	}
}

// broken is a conversation without steps.
func broken(t *testing.T) string {
	path := filepath.Join(t.TempDir(), "later.yaml")
	write(t, path, "about: It does nothing.\n")
	return path
}

// write writes a file, and the directory that it is in.
func write(t *testing.T, path, text string) {
	t.Helper()
	must.Do(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must.Do(t, os.WriteFile(path, []byte(text), 0o600))
}
