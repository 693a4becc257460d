package house_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// areas returns what .ci/areas names besides the line of all.
func areas(t *testing.T) (names []string) {
	t.Helper()
	text := need(os.ReadFile(".ci/areas"))(t)
	for line := range strings.Lines(string(text)) {
		if name, _, _ := strings.Cut(line, " "); name != "#" && name != "all" {
			names = append(names, name)
		}
	}
	return names
}

// TestTouchedAreas: a change of these files touches these areas, whether it is committed since the branch left its upstream, or not yet,
// or in a file that git does not know.
func TestTouchedAreas(t *testing.T) {
	all := strings.Join(areas(t), " ")
	cases := []struct{ files, areas string }{
		{"", ""},
		{".gitignore", ""},
		{"go.mod", all},
		{"Makefile", all},
		{".ci/check", all},
		{".ci/tools/dist/main.go", all},
		{"actions/perform.go", "go web mobile"},
		{"wasm/main.go", "go web"},
		{"web/playground/src/main.ts", "web dist"},
		{"mobile/actions/actions.go", "go mobile"},
		{"mockserver/internal/rows/rows.go", "go web api dist"},
		{"mockserver/internal/pages/pages.go", "go web api dist docs"},
		{"schemas/common/interface.json", "go web api dist"},
		{"docs/how-to/install.md", "dist docs"},
		{"docs/decisions/tools.md", "docs"},
		{"README.md CHANGELOG.md", "docs"},
		{"house_size_test.go", "go"},
		{"mobile/pack/main.go web/README.md", "go web mobile dist docs"},
	}
	git := func(folder string, arguments ...string) {
		t.Helper()
		command := exec.Command("git", append([]string{"-C", folder, "-c", "user.name=n", "-c", "user.email=e@example.com"}, arguments...)...)
		if text, err := command.CombinedOutput(); err != nil {
			t.Fatalf("git %q: %v: %s", arguments, err, text)
		}
	}
	write := func(name, text string) {
		t.Helper()
		must(t, os.MkdirAll(filepath.Dir(name), 0o755))
		must(t, os.WriteFile(name, []byte(text), 0o644))
	}
	folder := t.TempDir()
	for _, name := range []string{".ci/touched", ".ci/areas"} {
		text := need(os.ReadFile(name))(t)
		write(filepath.Join(folder, name), string(text))
	}
	git(folder, "init", "-q", "-b", "main")
	git(folder, "add", ".")
	git(folder, "commit", "-q", "-m", "begin")
	git(folder, "update-ref", "refs/remotes/origin/main", "HEAD")
	touched := func() string {
		t.Helper()
		text := need(exec.Command("sh", filepath.Join(folder, ".ci/touched")).Output())(t)
		return strings.Join(strings.Fields(string(text)), " ")
	}
	sorted := func(text string) string {
		words := strings.Fields(text)
		slices.Sort(words)
		return strings.Join(words, " ")
	}
	for _, c := range cases {
		for name := range strings.FieldsSeq(c.files) {
			write(filepath.Join(folder, name), "changed\n")
		}
		for _, state := range []string{"a file that git does not know", "not committed", "committed"} {
			switch state {
			case "not committed":
				git(folder, "add", ".")
			case "committed":
				git(folder, "commit", "-q", "--allow-empty", "-m", "change")
			}
			if got := touched(); sorted(got) != sorted(c.areas) {
				t.Errorf("%q, %s, touches %q, not %q", c.files, state, got, c.areas)
			}
		}
		git(folder, "reset", "-q", "--hard", "refs/remotes/origin/main")
	}

	write(filepath.Join(folder, "mobile/größe.go"), "package mobile\n")
	git(folder, "add", ".")
	git(folder, "commit", "-q", "-m", "begin")
	git(folder, "update-ref", "refs/remotes/origin/main", "HEAD")
	git(folder, "mv", "mobile/größe.go", "docs.md")
	if got := touched(); got != "docs go mobile" {
		t.Errorf("a file that was moved away touches %q", got)
	}
}

// TestEveryFolderHasAnArea: nothing that runs or is read can change without an area that is told to be tested.
func TestEveryFolderHasAnArea(t *testing.T) {
	text := need(os.ReadFile(".ci/areas"))(t)
	words := strings.Fields(string(text))
	for folder := range folders {
		if folder != ".github" && !slices.Contains(words, folder) { // what it has, nothing here can run
			t.Errorf("no area of .ci/areas has %s", folder)
		}
	}
	script := need(os.ReadFile(".ci/test"))(t)
	makefile := need(os.ReadFile("Makefile"))(t)
	for _, area := range areas(t) {
		if !strings.Contains(string(script), "\narea_"+area+"()") || area != "go" && !strings.Contains(string(makefile), "\ntest-"+area+": ##") {
			t.Errorf("area %s cannot be tested: .ci/test or the Makefile lacks it", area)
		}
	}
}

// TestListedTestsExist: every test and package that a list of .ci leaves out is there once, so that it leaves out no other of the name.
func TestListedTestsExist(t *testing.T) {
	found := map[string]int{}
	test := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	eachFile(t, func(name string, text []byte) {
		if strings.HasSuffix(name, "_test.go") {
			for _, each := range test.FindAllSubmatch(text, -1) {
				found[string(each[1])]++
			}
		}
	})
	for _, list := range []string{".ci/slow", ".ci/sequential"} {
		text := need(os.ReadFile(list))(t)
		listed := 0
		for line := range strings.Lines(string(text)) {
			line = strings.TrimSpace(line)
			if strings.HasPrefix(line, "Test") {
				listed++
				if found[line] != 1 {
					t.Errorf("%s is %d tests, which %s leaves out", line, found[line], list)
				}
			} else if tests, err := filepath.Glob(filepath.Join(line, "*_test.go")); strings.HasPrefix(line, "./") &&
				(err != nil || len(tests) == 0) {
				t.Errorf("%s, which %s leaves out, has no tests", line, list)
			}
		}
		if listed == 0 {
			t.Errorf("%s leaves out nothing", list)
		}
	}
}

// TestSequentialPackagesStartNothing: a package that the race detector leaves out for that has no goroutine, and none below it has one.
func TestSequentialPackagesStartNothing(t *testing.T) {
	text := need(os.ReadFile(".ci/sequential"))(t)
	_, rest, _ := strings.Cut(string(text), "TestSequentialPackagesStartNothing.\n")
	list, _, found := strings.Cut(rest, "\n\n")
	if !found {
		t.Fatal("no packages are listed")
	}
	packages := strings.Fields(list)
	const folders = "{{if .Module}}{{if .Module.Main}}{{.Dir}}{{end}}{{end}}"
	below := need(exec.Command("go", append([]string{"list", "-deps", "-test", "-f", folders}, packages...)...).Output())(t)
	starts := regexp.MustCompile(`(?m)^\s*go \w|\.Go\(|t\.Parallel\(\)|AfterFunc|httptest\.New\w*Server`)
	look := func(folder string, tests bool) {
		files, err := filepath.Glob(filepath.Join(folder, "*.go"))
		if err != nil || len(files) == 0 {
			t.Errorf("%s: %d files, %v", folder, len(files), err)
		}
		for _, file := range files {
			if !tests && strings.HasSuffix(file, "_test.go") {
				continue
			}
			code := need(os.ReadFile(file))(t)
			if found := starts.Find(code); found != nil {
				t.Errorf("%s has %q: take what needs it out of .ci/sequential", file, found)
			}
		}
	}
	for _, folder := range packages {
		look(folder, true)
	}
	for folder := range strings.FieldsSeq(string(below)) {
		look(folder, false)
	}
}

// TestNobodyElseRunsHere: no script of a package runs when npm installs it. No workflow takes an action by a tag, which its owner may move.
func TestNobodyElseRunsHere(t *testing.T) {
	action := regexp.MustCompile(`(?m)^ *(?:- )?uses: +(.*)$`)
	commit := regexp.MustCompile(`^[\w.-]+/[\w./-]+@[0-9a-f]{40} # v[\d.]+$`)
	actions, locks := 0, 0
	for _, file := range trackedFiles(t, "") {
		folder, name := filepath.Split(file.name)
		switch {
		case name == "package-lock.json":
			locks++
			settings, _ := os.ReadFile(filepath.Join(folder, ".npmrc"))
			if !slices.Contains(strings.Split(string(settings), "\n"), "ignore-scripts=true") {
				t.Errorf("%s.npmrc has no line ignore-scripts=true", folder)
			}
		case folder == ".github/workflows/":
			for _, found := range action.FindAllSubmatch(file.text, -1) {
				if actions++; !commit.Match(found[1]) {
					t.Errorf("%s uses %s: name the commit, and behind it the version", file.name, found[1])
				}
			}
		}
	}
	if actions < 10 || locks < 10 {
		t.Errorf("only %d actions and %d locks were found", actions, locks)
	}
}
