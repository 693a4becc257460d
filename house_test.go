// Package house_test checks the rules of the house that no compiler checks: who may import whom, which folders exist, and
// that the pages point at files that are there. `make check` runs it.
package house_test

import (
	"bytes"
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

const module = "github.com/rehearsal-sdk/rehearsal"

// folders are the top-level folders, the only ones there are, and what the packages in them may import beside the standard
// library and themselves. Imports run one way: the actions never see the export server, nor the other way round.
var folders = map[string]struct {
	house   []string // other top-level folders
	modules []string // other modules
}{
	"actions": {},
	"wasm":    {house: []string{"actions"}, modules: []string{"github.com/hack-pad/safejs"}},
	"mobile":  {house: []string{"actions"}, modules: []string{"golang.org/x/mobile"}},
	"schemas": {modules: []string{"github.com/santhosh-tekuri/jsonschema/v5", "github.com/go-json-experiment/json"}},
	"mockserver": {house: []string{"schemas"}, modules: []string{"github.com/gorilla/mux", "github.com/santhosh-tekuri/jsonschema/v5",
		"github.com/go-json-experiment/json", "go.etcd.io/bbolt", "github.com/jackc/pgx/v5", "github.com/KimMachineGun/automemlimit",
		"golang.org/x/crypto", "golang.org/x/sync", "golang.org/x/text", "github.com/mattn/go-isatty",
		"github.com/spf13/cobra", "github.com/spf13/pflag", "go.yaml.in/yaml/v3"}},
	"web":     {},
	"docs":    {},
	".ci":     {},
	".github": {},
}

// unreachable is what packages must not pull in, not even indirectly: those that run in an app or on a page, and the one that a
// Go test imports, which must not compile databases.
var unreachable = map[string][]string{
	"actions": {"net/http", "github.com/gorilla/mux", "github.com/santhosh-tekuri/jsonschema/v5"},
	"wasm":    {"net/http", "github.com/gorilla/mux", "github.com/santhosh-tekuri/jsonschema/v5"},
	"mobile":  {"net/http", "github.com/gorilla/mux", "github.com/santhosh-tekuri/jsonschema/v5"},

	// The domain knows no HTTP.
	"mockserver/internal/exports":   {"net/http", "github.com/gorilla/mux"},
	"mockserver/internal/rows":      {"net/http", "github.com/gorilla/mux"},
	"mockserver/internal/check":     {"net/http", "github.com/gorilla/mux"},
	"mockserver/internal/store":     {"net/http", "github.com/gorilla/mux"},
	"mockserver/internal/scenarios": {"net/http", "github.com/gorilla/mux"},
	"mockserver/internal/live":      {"net/http", "github.com/gorilla/mux"},
	"mockserver/internal/files":     {"net/http", "github.com/gorilla/mux"},

	// See docs/decisions/server.md#why-are-pages-not-filled-by-htmltemplate
	"mockserver/cmd/mockserver": {"html/template", "github.com/spf13/cobra/doc"},

	"mockserver/mocktest": {"go.etcd.io/bbolt", "github.com/jackc/pgx/v5"},
}

// platforms are the systems on which imports are looked at: files with build tags count too.
var platforms = [][2]string{{"linux", "amd64"}, {"js", "wasm"}, {"android", "arm64"}, {"ios", "arm64"}}

func TestTopLevelFolders(t *testing.T) {
	entries := need(os.ReadDir("."))(t)
	for _, entry := range entries {
		name := entry.Name()
		if _, known := folders[name]; !known && entry.IsDir() && name != ".git" && name != "build" {
			t.Errorf("folder %s: the house has no such top-level folder, see the map in CONTRIBUTING.md", name)
		}
	}
}

// TestGoInstallTakesTheModule: `go install` and `go run` of a published version refuse a module with these directives.
func TestGoInstallTakesTheModule(t *testing.T) {
	description := need(os.ReadFile("go.mod"))(t)
	for line := range strings.Lines(string(description)) {
		if directive, _, _ := strings.Cut(strings.TrimSpace(line), " "); directive == "exclude" || directive == "replace" {
			t.Errorf("go.mod has %q: `go install module@version` refuses it", strings.TrimSpace(line))
		}
	}
}

func TestImportsRunOneWay(t *testing.T) {
	for _, platform := range platforms {
		t.Run(strings.Join(platform[:], "-"), func(t *testing.T) {
			for _, p := range list(t, platform) {
				folder := folderOf(p.ImportPath)
				rules, known := folders[folder]
				if !known {
					continue
				}
				for _, imported := range p.Imports {
					switch other := folderOf(imported); {
					case other == folder, other != "" && slices.Contains(rules.house, other):
					case other != "":
						t.Errorf("%s imports %s: %s may import only %q of the house", p.ImportPath, imported, folder, rules.house)
					case !strings.Contains(firstElement(imported), "."): // the standard library
					case !slices.ContainsFunc(rules.modules, func(m string) bool { return within(imported, m) }):
						t.Errorf("%s imports %s: %s may import only the modules %q", p.ImportPath, imported, folder, rules.modules)
					}
				}
				for root, banned := range unreachable {
					if !within(p.ImportPath, module+"/"+root) {
						continue
					}
					for _, reached := range p.Deps {
						if slices.ContainsFunc(banned, func(b string) bool { return within(reached, b) }) {
							t.Errorf("%s reaches %s: it must not, not even through another package", p.ImportPath, reached)
						}
					}
				}
			}
		})
	}
}

// listed is what `go list -json` says of a package.
type listed struct {
	ImportPath             string
	Imports, Deps, GoFiles []string
}

func list(t *testing.T, platform [2]string) []listed {
	t.Helper()
	command := exec.Command("go", "list", "-e", "-json=ImportPath,Imports,Deps,GoFiles", "./...")
	command.Env = append(os.Environ(), "GOOS="+platform[0], "GOARCH="+platform[1])
	var complaint bytes.Buffer
	command.Stderr = &complaint
	out, err := command.Output()
	if err != nil {
		t.Fatalf("go list: %v\n%s", err, &complaint)
	}
	var packages []listed
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := decoder.Decode(&p); err == io.EOF {
			return packages
		} else if err != nil {
			t.Fatal(err)
		}
		packages = append(packages, p)
	}
}

func folderOf(importPath string) string {
	if rest, ok := strings.CutPrefix(importPath, module+"/"); ok {
		return firstElement(rest)
	}
	return ""
}

func firstElement(importPath string) string {
	first, _, _ := strings.Cut(importPath, "/")
	return first
}

func within(importPath, root string) bool {
	return importPath == root || strings.HasPrefix(importPath, root+"/")
}

// TestPagesPointAtFiles follows every relative link of every page, to the heading that it names.
func TestPagesPointAtFiles(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	eachFile(t, func(name string, text []byte) {
		if path.Ext(name) != ".md" {
			return
		}
		for _, groups := range link.FindAllSubmatch(withoutCode(text), -1) {
			target, anchor, _ := strings.Cut(string(groups[1]), "#")
			if strings.Contains(target, "://") || strings.HasPrefix(target, "mailto:") {
				continue
			}
			file := name
			if target != "" {
				file = path.Join(path.Dir(name), target)
			}
			if fault := pointsAt(file, anchor); fault != "" {
				t.Errorf("%s links to %s, %s", name, groups[1], fault)
			}
		}
	})
}

// TestCodeCitesDocuments follows the comments that cite a document, such as // See
// docs/decisions/server.md#which-database-is-in-the-state-file.
func TestCodeCitesDocuments(t *testing.T) {
	citation := regexp.MustCompile(`(?:See|see) (docs/[a-z/-]+\.md)(?:#([^\s.,;:)]+))?`)
	found := 0
	eachFile(t, func(name string, text []byte) {
		if !slices.Contains([]string{".go", ".ts", ".tsx", ".mjs", ".java", ".m", ".swift", ".kt"}, path.Ext(name)) || name == "house_test.go" {
			return
		}
		for _, groups := range citation.FindAllSubmatch(text, -1) {
			found++
			if fault := pointsAt(string(groups[1]), string(groups[2])); fault != "" {
				t.Errorf("%s cites %s#%s, %s", name, groups[1], groups[2], fault)
			}
		}
	})
	if found < leastCitations {
		t.Errorf("%d citations of documents in the code, want at least %d: an answer that nobody is led to is not read", found, leastCitations)
	}
}

// leastCitations keeps the answers and the code that they explain together.
const leastCitations = 30

// pointsAt says why a link to a heading of a file leads nowhere; "" when it does not.
func pointsAt(file, anchor string) string {
	if _, err := os.Stat(filepath.FromSlash(file)); err != nil {
		return "which is not there"
	}
	if anchor == "" || path.Ext(file) != ".md" {
		return ""
	}
	text, err := os.ReadFile(filepath.FromSlash(file))
	if err != nil {
		return err.Error()
	}
	for _, heading := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllSubmatch(withoutCode(text), -1) {
		if anchorOf(string(heading[1])) == anchor {
			return ""
		}
	}
	return "a heading that is not there"
}

// withoutCode leaves out the blocks of code of a page: what looks like a heading or a link in them is none.
func withoutCode(page []byte) []byte {
	return regexp.MustCompile("(?ms)^ *```.*?^ *```").ReplaceAll(page, nil)
}

// anchorOf is the anchor of a heading, as code hosts and the site of the documents make it.
func anchorOf(heading string) string {
	heading = regexp.MustCompile(`\[([^\]]*)\]\([^)]*\)`).ReplaceAllString(heading, "$1")
	var anchor strings.Builder
	for _, char := range strings.ToLower(strings.TrimSpace(heading)) {
		switch {
		case char == ' ':
			anchor.WriteByte('-')
		case char == '-', char == '_', unicode.IsLetter(char), unicode.IsDigit(char):
			anchor.WriteRune(char)
		}
	}
	return anchor.String()
}

// TestReadmeIsAnIntroduction: what is longer, or larger, belongs into docs.
func TestReadmeIsAnIntroduction(t *testing.T) {
	page := need(os.ReadFile("README.md"))(t)
	if lines := bytes.Count(page, []byte("\n")); lines > 120 {
		t.Errorf("README.md has %d lines, want at most 120", lines)
	}
	picture := need(os.Stat("docs/playground.png"))(t)
	if picture.Size() > 200_000 {
		t.Errorf("the picture of the page has %d bytes, want at most 200,000", picture.Size())
	}
}

// TestNoMachinePaths finds paths that exist on one machine only.
func TestNoMachinePaths(t *testing.T) {
	machine := regexp.MustCompile(`(?m)(?:^|[\s"'=(\x60:])/(?:` + "work|root|Users" + `)/[^\s"'\x60)]*`)
	eachFile(t, func(name string, text []byte) {
		for _, found := range machine.FindAll(text, -1) {
			t.Errorf("%s names the path %q of one machine", name, bytes.TrimSpace(found))
		}
	})
}

// TestNobodyPromisesAnonymity: pseudonyms are data of people for who has the key, and what they look like may single one out; no
// page, help or message may claim more, nor that a law is kept.
func TestNobodyPromisesAnonymity(t *testing.T) {
	claim := regexp.MustCompile(`(?i)anonymi(?:[sz]|ty)|complian(?:t|ce)\b|no personal data`)
	for _, sample := range []string{"anonymised", "Anonymized", "anonymity", "GDPR-compliant", "compliance", "it holds no personal data"} {
		if !claim.MatchString(sample) {
			t.Errorf("%q is not found", sample)
		}
	}
	pages := 0
	eachFile(t, func(name string, text []byte) {
		if name == "house_test.go" || !slices.Contains([]string{".md", ".go", ".ts", ".tsx", ".html"}, path.Ext(name)) {
			return
		}
		pages++
		for _, found := range claim.FindAll(text, -1) {
			t.Errorf("%s says %q; say pseudonymised, and see docs/how-to/import-exports.md for what may be said", name, found)
		}
	})
	const least = 500
	if pages < least {
		t.Errorf("%d files were read, want at least %d", pages, least)
	}
}

// eachFile calls visit for every text file of the house, leaving out what was built or installed.
func eachFile(t *testing.T, visit func(name string, text []byte)) {
	t.Helper()
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if name == ".git" && !entry.IsDir() { // a worktree says there where its repository is
			return nil
		}
		if entry.IsDir() {
			if slices.Contains([]string{".git", "build", "node_modules"}, entry.Name()) {
				return fs.SkipDir
			}
			return nil
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return err
		}
		if !bytes.ContainsRune(text, 0) {
			visit(filepath.ToSlash(name), text)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
}

// must ends the test when there is an error.
func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// need returns a function that returns the value, and ends the test when there is an error.
func need[T any](value T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		must(t, err)
		return value
	}
}
