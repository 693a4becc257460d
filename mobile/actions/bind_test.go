package actions_test

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mobile/internal/proof"
)

var update = flag.Bool("update", false, "write the goldens in testdata anew")

// TestBindings runs gobind as it is run for what ships. Whatever it cannot bind it leaves out and says so in a comment only, so that is
// looked for; and what apps see is held against goldens, since a changed line there breaks them.
func TestBindings(t *testing.T) {
	out := t.TempDir()
	command := exec.Command("go", "run", "../pack/gobind", "-lang=go,java,objc", "-javapkg=io.github.rehearsalsdk", "-prefix=RH",
		"-outdir="+out, ".")
	if output, err := command.CombinedOutput(); err != nil {
		t.Fatalf("gobind: %v\n%s", err, output)
	}
	skipped := regexp.MustCompile(`(?m)^.*\bskipped\b.*$`)
	javas := map[string]string{}
	err := filepath.WalkDir(out, func(name string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		text, err := os.ReadFile(name)
		for _, line := range skipped.FindAllString(string(text), -1) {
			t.Errorf("%s: %s", filepath.Base(name), strings.TrimSpace(line))
		}
		if filepath.Base(filepath.Dir(name)) == "actions" && filepath.Ext(name) == ".java" {
			javas[filepath.Base(name)] = string(text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for name, text := range javas {
		previous := ""
		for line := range strings.Lines(text) {
			// gobind forgets the comments of methods in files whose names come before that of the file with their type.
			if method.MatchString(line) && previous != "\t */\n" {
				t.Errorf("%s: gobind has no comment for %s", name, strings.TrimSpace(line))
			}
			previous = line
		}
	}
	header := proof.Get(os.ReadFile(filepath.Join(out, "src", "gobind", "RHActions.objc.h")))(t)
	if strings.Count(string(header), "/*") != strings.Count(string(header), "*/") {
		t.Error("a comment of this package opens a comment inside of a comment of the Objective-C header")
	}
	golden(t, "objc.golden", objcSurface(string(header)))
	golden(t, "java.golden", javaSurface(javas))
}

// method finds what apps call or implement; constructors are not among it.
var method = regexp.MustCompile(`^\tpublic (native|static native|static final|\w+ \w+\().*;$`)

var comment = regexp.MustCompile(`(?s)/\*.*?\*/|//[^\n]*`)

// objcSurface gives the declarations of a header, one a line.
func objcSurface(header string) string {
	var lines []string
	for line := range strings.Lines(comment.ReplaceAllString(header, "")) {
		line = strings.TrimSpace(line)
		if line == "" || line == "}" || line[0] == '#' || strings.HasPrefix(line, "@class") || strings.HasPrefix(line, "@import") ||
			strings.Contains(line, "_ref") || strings.Contains(line, "initWithRef") || strings.HasPrefix(line, "@protocol") &&
			strings.HasSuffix(line, ";") {
			continue
		}
		lines = append(lines, line)
	}
	return strings.Join(lines, "\n") + "\n"
}

// javaSurface gives the public declarations of the classes, one a line, without those that gobind adds to every class.
func javaSurface(sources map[string]string) string {
	var lines []string
	names := make([]string, 0, len(sources))
	for name := range sources {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		for line := range strings.Lines(comment.ReplaceAllString(sources[name], "")) {
			declaration := strings.TrimSpace(strings.TrimRight(strings.TrimSpace(line), "{"))
			switch {
			case strings.HasPrefix(line, "\t\t"), !strings.HasPrefix(declaration, "public "): // inside of a private class, or not for apps
			case strings.Contains(declaration, "(Object o)"), strings.Contains(declaration, "String toString()"),
				strings.Contains(declaration, "int hashCode()"),
				strings.Contains(declaration, "incRefnum"), strings.Contains(declaration, "void touch()"):
			default:
				class := strings.TrimSuffix(name, ".java")
				lines = append(lines, class+": "+strings.TrimSuffix(declaration, ";"))
			}
		}
	}
	return strings.Join(lines, "\n") + "\n"
}

func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		proof.Do(t, os.WriteFile(file, []byte(got), 0o644))
	}
	want := proof.Get(os.ReadFile(file))(t)
	if string(want) == got {
		return
	}
	had := strings.Split(string(want), "\n")
	has := strings.Split(got, "\n")
	for _, line := range had {
		proof.Hold(t, slices.Contains(has, line), "%s: apps rely on %q, which is gone", name, line)
	}
	for _, line := range has {
		proof.Hold(t, slices.Contains(had, line), "%s: %q is new: raise APILevel and run this test with -update", name, line)
	}
	proof.Hold(t, t.Failed(), "%s: the order has changed, run this test with -update", name)
}
