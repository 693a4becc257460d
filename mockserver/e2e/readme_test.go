package e2e_test

import (
	"html"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestReadmeLines pastes the curl lines of the README into a shell, against a running program.
func TestReadmeLines(t *testing.T) {
	page, err := os.ReadFile("../../README.md")
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for _, block := range regexp.MustCompile("(?s)```sh\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		if strings.Contains(block[1], "curl") {
			lines = append(lines, strings.Split(strings.TrimSpace(strings.ReplaceAll(block[1], "\\\n", "")), "\n")...)
		}
	}
	s := start(t, "--state", "memory")
	directory := paste(t, s, lines)
	checkDownloads(t, filepath.Join(directory, "events.csv"), filepath.Join(directory, "profiles.json"))
}

// TestPageLines does the same with the lines of the page that the program serves at /.
func TestPageLines(t *testing.T) {
	s := start(t, "--state", "memory")
	response := clientOf(t, s).send(http.MethodGet, "/", "")
	if response.Status != http.StatusOK || !strings.HasPrefix(response.Header.Get("Content-Type"), "text/html") {
		t.Fatalf("the page: %d %s", response.Status, response.Header.Get("Content-Type"))
	}
	steps, _, _ := strings.Cut(string(response.Body), "</ol>")
	var lines []string
	for _, line := range regexp.MustCompile(`(?s)<pre[^>]*>(.*?)</pre>`).FindAllStringSubmatch(steps, -1) {
		lines = append(lines, html.UnescapeString(line[1]))
	}
	directory := paste(t, s, lines)
	checkDownloads(t, filepath.Join(directory, "campaign.csv"), filepath.Join(directory, "profiles.json"))
}

// paste runs five lines in one shell, one after the other, and returns the directory they ran in.
func paste(t *testing.T, s *server, lines []string) string {
	t.Helper()
	for _, tool := range []string{"sh", "curl"} {
		if _, err := exec.LookPath(tool); err != nil {
			unavailable(t, "the lines need "+tool)
		}
	}
	if len(lines) != 5 {
		t.Errorf("%d curl lines, want 5", len(lines))
	}
	script := strings.ReplaceAll(strings.Join(lines, "\n"), "http://localhost:8080", s.base)
	shell := exec.CommandContext(t.Context(), "sh", "-e", "-c", script)
	shell.Dir = t.TempDir()
	if out, err := shell.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, script, out)
	}
	return shell.Dir
}

// checkDownloads looks at the two files that the lines leave behind.
func checkDownloads(t *testing.T, csv, json string) {
	t.Helper()
	for file, start := range map[string]string{csv: "install_id;custom_id;", json: "["} {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Error(err)
		} else if !strings.HasPrefix(string(data), start) || len(data) < 1000 {
			t.Errorf("%s begins with %.80q and has %d bytes", filepath.Base(file), data, len(data))
		}
	}
}
