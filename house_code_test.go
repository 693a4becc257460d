package house_test

import (
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// clockReaders are the files that may name the clock of the machine: where it is
// passed in, and the deadlines of connections, which are about the machine.
var clockReaders = []string{
	"mockserver/options.go", "mockserver/cmd/mockserver/main.go",
	"mockserver/internal/httpd/faultywriter.go", "mockserver/internal/httpd/sendfile.go",
	"mobile/actions/registry.go",
}

// TestClockIsPassedIn: what reads the clock of the machine cannot be moved by a test, nor shown twice alike.
func TestClockIsPassedIn(t *testing.T) {
	reads := regexp.MustCompile(`(?m)^[^/\n]*\btime\.(?:Now|Since|Until)\b`)
	left := map[string]bool{}
	for _, name := range clockReaders {
		left[name] = true
	}
	eachFile(t, func(name string, text []byte) {
		folder := firstElement(name)
		product := folder == "mockserver" || folder == "actions" || folder == "wasm" || folder == "mobile" || folder == "schemas"
		if path.Ext(name) != ".go" || !product || strings.HasSuffix(name, "_test.go") || within(name, "mockserver/bench") || !reads.Match(text) {
			return
		}
		if !left[name] {
			t.Errorf("%s reads the clock of the machine: take a func() time.Time instead", name)
		}
		delete(left, name)
	})
	for name := range left {
		t.Errorf("%s does not name the clock of the machine: take it out of the list", name)
	}
}

// TestWalksLeadThroughTheCode: a walk that names a file or a function which is not there leads a reader astray. A name
// after a path is a function in the file, or in a file of the folder.
func TestWalksLeadThroughTheCode(t *testing.T) {
	page := need(os.ReadFile("docs/decisions/four-walks.md"))(t)
	functions, files := 0, 0
	for _, line := range strings.Split(string(page), "\n") {
		if !strings.HasPrefix(line, "| ") {
			continue
		}
		code := ""
		for _, quoted := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(line, -1) {
			switch name := quoted[1]; {
			case strings.ContainsRune(name, '/'):
				files++
				code = codeAt(name)
				if code == "" {
					t.Errorf("%s: there is no %s", line, name)
				}
			case regexp.MustCompile(`^[A-Za-z]+$`).MatchString(name) && code != "":
				functions++
				if !regexp.MustCompile(`(?m)^\s*(?:func (?:\([^)]*\) )?|(?:export |private |async |function )*)` + name + `(?:<[^>]*>)?(?:\(|: func)`).MatchString(code) {
					t.Errorf("%s: there is no function %s", line, name)
				}
			}
		}
	}
	if functions < 40 || files < 40 {
		t.Errorf("the page names %d functions and %d files: the test does not read it", functions, files)
	}
}

// codeAt is the code of a file or of the files of a folder that a walk names, "" if there is none.
func codeAt(name string) string {
	for _, root := range []string{".", "mockserver/internal"} {
		place := path.Join(root, name)
		files, _ := filepath.Glob(filepath.FromSlash(place + "/*.go"))
		if !strings.HasSuffix(name, "/") {
			files = []string{filepath.FromSlash(place)}
		}
		var code strings.Builder
		for _, file := range files {
			text, err := os.ReadFile(file)
			if err == nil && !strings.HasSuffix(file, "_test.go") {
				code.Write(text)
			}
		}
		if code.Len() > 0 {
			return code.String()
		}
	}
	return ""
}
