package e2e_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestReadmeLines pastes the curl lines of the README into a shell, against a running program.
func TestReadmeLines(t *testing.T) {
	for _, tool := range []string{"sh", "curl"} {
		if _, err := exec.LookPath(tool); err != nil {
			unavailable(t, "the lines of the README need "+tool)
		}
	}
	page, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		if strings.Contains(block[1], "curl") {
			lines = append(lines, strings.TrimSpace(block[1]))
		}
	}
	s := start(t, "--state", "memory")
	script := strings.ReplaceAll(strings.Join(lines, "\n"), "http://localhost:8080", s.base)
	if commands := strings.Count(strings.ReplaceAll(script, "\\\n", ""), "\n") + 1; commands != 5 {
		t.Errorf("the README has %d curl lines, want 5", commands)
	}
	directory := t.TempDir()
	shell := exec.Command("sh", "-e", "-c", script)
	shell.Dir = directory
	if out, err := shell.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, script, out)
	}
	for file, start := range map[string]string{"events.csv": "install_id;custom_id;advertising_id;event_date;event_type\n", "profiles.json": "["} {
		data, err := os.ReadFile(filepath.Join(directory, file))
		if err != nil {
			t.Error(err)
		} else if !strings.HasPrefix(string(data), start) || len(data) < 10*len(start) {
			t.Errorf("%s begins with %.80q and has %d bytes", file, data, len(data))
		}
	}
}
