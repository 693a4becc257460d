package e2e_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestDocumentLines runs what the README, the tutorials and the guides tell readers to type: the blocks of a page marked sh, one
// after the other in one shell, against a running program. Blocks marked shell are not run.
func TestDocumentLines(t *testing.T) {
	pages := []string{"../../README.md"}
	for _, folder := range []string{"tutorials", "how-to"} {
		found, err := filepath.Glob("../../docs/" + folder + "/*.md")
		if err != nil || len(found) < 3 {
			t.Fatalf("%s: %v %v", folder, found, err)
		}
		pages = append(pages, found...)
	}
	results := map[string]map[string]string{ // what the files that a page leaves behind begin with
		"README.md":       {"users.csv": "custom_id;"},
		"first-export.md": {"events.csv": "install_id;custom_id;", "profiles.json": "["},
	}
	for _, name := range testlevel.Some(t, testlevel.Count(6, len(pages), len(pages)), pages) {
		page := must.Get(os.ReadFile(name))(t)
		blocks := regexp.MustCompile("(?ms)^```sh\n(.*?)^```").FindAllStringSubmatch(string(page), -1)
		if len(blocks) == 0 {
			continue
		}
		t.Run(filepath.Base(name), func(t *testing.T) {
			t.Parallel()
			var script strings.Builder
			for _, block := range blocks {
				script.WriteString(block[1])
			}
			if lines := strings.Count(script.String(), "\n"); filepath.Base(name) == "README.md" && lines != 5 {
				t.Errorf("%d lines, want a demo of 5", lines)
			}
			s := start(t, "--state", "memory")
			directory := paste(t, s, script.String())
			for file, beginning := range results[filepath.Base(name)] {
				checkDownload(t, filepath.Join(directory, file), beginning)
			}
		})
	}
}

// TestDocumentsWaitForAStart: a line that waits for a program fails when the program has ended, as it does where its port is taken.
func TestDocumentsWaitForAStart(t *testing.T) {
	waits := 0
	for _, name := range must.Get(filepath.Glob("../../docs/*/*.md"))(t) {
		for _, line := range regexp.MustCompile(`(?m)^until (?:test|\[) .*$`).FindAllString(string(must.Get(os.ReadFile(name))(t)), -1) {
			waits++
			process := regexp.MustCompile(`kill -0 \$(\w+)`).FindStringSubmatch(line)
			if process == nil {
				t.Errorf("%s: %s: it waits for ever", filepath.Base(name), line)
				continue
			}
			shell := exec.CommandContext(t.Context(), "sh", "-e", "-c", "false &\n"+process[1]+"=$!\n"+line)
			shell.Dir = t.TempDir()
			if out, err := shell.CombinedOutput(); err == nil {
				t.Errorf("%s: %s: it goes on without the program: %s", filepath.Base(name), line, out)
			}
		}
	}
	must.Hold(t, waits >= 10, "%d lines wait, want those of the guides", waits)
}

// paste runs lines in one shell, which finds the program, the schemas and the examples of a clone, and returns the directory they ran in.
func paste(t *testing.T, s *server, script string) string {
	t.Helper()
	for _, tool := range []string{"sh", "curl", "python3"} {
		if _, err := exec.LookPath(tool); err != nil && (tool != "python3" || strings.Contains(script, tool)) {
			testlevel.Unavailable(t, "the lines need "+tool)
		}
	}
	script = strings.ReplaceAll(script, "http://localhost:8080", s.base)
	shell := exec.CommandContext(t.Context(), "sh", "-e", "-c", script)
	shell.Dir = t.TempDir()
	commands := t.TempDir()
	links := map[string]string{
		filepath.Join(commands, "mockserver"): program,
		filepath.Join(shell.Dir, "schemas"):   "../../schemas", filepath.Join(shell.Dir, "mockserver"): "..",
	}
	for link, target := range links {
		target, err := filepath.Abs(target)
		if err == nil {
			err = os.Symlink(target, link)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	shell.Env = append(os.Environ(), "PATH="+commands+string(os.PathListSeparator)+os.Getenv("PATH"))
	if out, err := shell.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, script, out)
	}
	return shell.Dir
}

// checkDownload looks at a file that the lines leave behind.
func checkDownload(t *testing.T, file, beginning string) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Error(err)
	} else if !strings.HasPrefix(string(data), beginning) || len(data) < 1000 {
		t.Errorf("%s begins with %.80q and has %d bytes", filepath.Base(file), data, len(data))
	}
}
