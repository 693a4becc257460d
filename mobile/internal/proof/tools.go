package proof

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// Missing skips the test with a reason, or fails it where everything is required.
func Missing(t testing.TB, reason string) {
	t.Helper()
	if os.Getenv("REQUIRE_ALL") != "" {
		t.Fatalf("not run, and REQUIRE_ALL is set: %s", reason)
	}
	t.Skip(reason)
}

// Need looks for programs, and gives the test up when one is missing.
func Need(t testing.TB, programs ...string) {
	t.Helper()
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			Missing(t, "there is no "+program+" on this machine: `REQUIRE_ALL=1 make test-mobile` sets it up")
		}
	}
}

// Root gives the folder of the module.
func Root(t testing.TB) string {
	t.Helper()
	return filepath.Dir(strings.TrimSpace(Run(t, Command{Name: "go", Arguments: []string{"env", "GOMOD"}})))
}

// Build gives a folder of its own for what is built, which git ignores. It is not emptied.
func Build(t testing.TB, name string) string {
	t.Helper()
	// The underscore keeps "./..." out of it.
	dir := filepath.Join(Root(t), "build", "_mobile", name)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return dir
}

// Command is a program to run.
type Command struct {
	Dir       string
	Name      string
	Arguments []string
	// Environment is added to that of this process.
	Environment []string
}

// Run runs a program and gives what it printed on its standard output. The test fails when the program does.
func Run(t testing.TB, c Command) string {
	t.Helper()
	stdout, stderr, err := Try(c)
	if err != nil {
		t.Fatalf("%s %s: %v\n%s%s", c.Name, strings.Join(c.Arguments, " "), err, stdout, stderr)
	}
	return stdout
}

// Try runs a program that may fail.
func Try(c Command) (stdout, stderr string, err error) {
	command := exec.Command(c.Name, c.Arguments...)
	command.Dir = c.Dir
	command.Env = append(os.Environ(), c.Environment...)
	var out, complaint bytes.Buffer
	command.Stdout, command.Stderr = &out, &complaint
	err = command.Run()
	return out.String(), complaint.String(), err
}

// Glob gives the files that match, and fails the test when there are none.
func Glob(t testing.TB, patterns ...string) []string {
	t.Helper()
	var files []string
	for _, pattern := range patterns {
		found, err := filepath.Glob(pattern)
		if err != nil || len(found) == 0 {
			t.Fatalf("there is no file %s (%v)", pattern, err)
		}
		files = append(files, found...)
	}
	return files
}

// Sources gives the files of a folder and those below it that end in one of the endings.
func Sources(t testing.TB, dir string, endings ...string) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(dir, func(name string, entry os.DirEntry, err error) error {
		for _, ending := range endings {
			if err == nil && !entry.IsDir() && strings.HasSuffix(name, ending) {
				files = append(files, name)
			}
		}
		return err
	})
	if err != nil || len(files) == 0 {
		t.Fatalf("there is no source in %s (%v)", dir, err)
	}
	return files
}

// Shown writes the first code of a language that a page shows to a file.
func Shown(t testing.TB, page, language, name string) string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	_, after, found := strings.Cut(string(text), "```"+language+"\n")
	code, _, closed := strings.Cut(after, "```")
	if !found || !closed {
		t.Fatalf("%s shows no %s", page, language)
	}
	file := filepath.Join(t.TempDir(), name)
	if err := os.WriteFile(file, []byte(code), 0o644); err != nil {
		t.Fatal(err)
	}
	return file
}
