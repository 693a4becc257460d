package house_test

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"flag"
	"fmt"
	"go/scanner"
	"go/token"
	"io"
	"maps"
	"os"
	"os/exec"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// See docs/decisions/tools.md#how-is-size-held

var updateSizes = flag.Bool("sizes", false, "lower the numbers of .ci/size to what there is")

const (
	sizeFile = ".ci/size"
	// longest is how many characters a line of Go may have. A tab is one.
	longest = 140
	// largestKnot is how many lines of a package may be in files that all need each other.
	largestKnot = 2_500
)

// The kinds of rows of .ci/size.
const (
	countTokens = "tokens" // Go tokens without comments
	countLines  = "lines"  // lines of the other languages
	countKnot   = "knot"   // lines of the files of a package that need each other, where they are more than largestKnot
	countLong   = "long"   // lines of Go longer than longest, where there are some
)

// sizeRow is a line of .ci/size: a number that holds, and what it counts.
type sizeRow struct {
	kind   string
	number int
	area   string
	paths  []string // folders with all below them; one that ends with /. is without
	users  string   // for whom the number was raised last
}

// readSizes reads the rows of .ci/size.
func readSizes(t *testing.T, text []byte) []sizeRow {
	t.Helper()
	var rows []sizeRow
	for line := range strings.Lines(string(text)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		columns := strings.Split(line, "|")
		for i := range columns {
			columns[i] = strings.TrimSpace(columns[i])
		}
		if len(columns) != 5 {
			t.Fatalf("%s: %q has %d columns, want 5", sizeFile, line, len(columns))
		}
		number, err := strconv.Atoi(columns[1])
		if err != nil {
			t.Fatalf("%s: %q: %v", sizeFile, line, err)
		}
		row := sizeRow{kind: columns[0], number: number, area: columns[2], paths: strings.Fields(columns[3]), users: columns[4]}
		if !slices.Contains([]string{countTokens, countLines, countKnot, countLong}, row.kind) {
			t.Fatalf("%s: %q counts nothing that is known", sizeFile, line)
		}
		rows = append(rows, row)
	}
	return rows
}

// covers returns how many characters of a file's name the row names; 0 if the file is not one of its files.
func (r sizeRow) covers(name string) (length int) {
	if r.kind == countKnot { // of one package
		if r.area == name {
			return len(name)
		}
		return 0
	}
	for _, each := range r.paths {
		if each == "*" {
			length = max(length, 1)
		}
		folder, direct := strings.CutSuffix(each, "/.")
		if within(name, folder) && (!direct || path.Dir(name) == folder) {
			length = max(length, len(each))
		}
	}
	return length
}

// rowOf returns the row of a kind that names most of a file's path; -1 for none.
func rowOf(rows []sizeRow, kind, name string) int {
	best, length := -1, 0
	for i, row := range rows {
		if covered := row.covers(name); row.kind == kind && covered > length {
			best, length = i, covered
		}
	}
	return best
}

// TestSizes: what grows is paid for by who gains from it. Joining lines, splitting packages and embedding structs change nothing here.
func TestSizes(t *testing.T) {
	text := need(os.ReadFile(sizeFile))(t)
	rows := readSizes(t, text)
	counts := make([]int, len(rows))
	count := func(kind, name string, number int) {
		if at := rowOf(rows, kind, name); at >= 0 {
			counts[at] += number
		} else if kind == countTokens || kind == countLines {
			t.Errorf("%s is in no row of %s that counts %s", name, sizeFile, kind)
		} else {
			t.Errorf("%s: %d lines in %s", name, number, map[string]string{
				countKnot: "files that all need each other: let the arrows between them run one way",
				countLong: fmt.Sprintf("the file have more than %d characters", longest),
			}[kind])
		}
	}
	packages := map[string]int{} // their lines
	for _, file := range trackedFiles(t, "") {
		switch class := file.class(); {
		case path.Ext(file.name) == ".go" && class != generated:
			if long := file.longLines(); long > 0 {
				count(countLong, file.name, long)
			}
			if class == production {
				count(countTokens, file.name, file.tokens())
				packages[path.Dir(file.name)] += file.lines()
			}
		case class == production:
			count(countLines, file.name, file.lines())
		}
	}
	for folder, lines := range packages {
		if lines > largestKnot {
			if knot, files := largestKnotOf(t, folder); knot > largestKnot {
				t.Logf("%s: %d lines need each other, in %s", folder, knot, strings.Join(files, " "))
				count(countKnot, folder, knot)
			}
		}
	}
	for i, row := range rows {
		switch {
		case counts[i]*100 > row.number*102:
			t.Errorf("%s: %d %s, %s allows %d and 2 percent: delete something, or raise the number in the same commit and say in its last column for which users",
				row.area, counts[i], row.kind, sizeFile, row.number)
		case counts[i]*10 < row.number*9 && !*updateSizes:
			t.Errorf("%s: %d %s, %s has %d: run go test . -run TestSizes -sizes, so that they stay as few", row.area, counts[i], row.kind, sizeFile,
				row.number)
		}
	}
	if !*updateSizes {
		return
	}
	at := -1
	lowered := regexp.MustCompile(`(?m)^(\w+ *\| *)(\d+)( *\|.*\n)`).ReplaceAllStringFunc(string(text), func(line string) string {
		at++
		parts := regexp.MustCompile(`^(\w+ *\| *)(\d+)`).FindStringSubmatch(line)
		if counts[at] == 0 {
			return ""
		}
		if counts[at]*102 > rows[at].number*100 {
			return line // as good as the same: numbers that everybody changes make conflicts
		}
		number := fmt.Sprintf("%*d", len(parts[2]), counts[at])
		return parts[1] + number + line[len(parts[0]):]
	})
	must(t, os.WriteFile(sizeFile, []byte(lowered), 0o644))
}

// TestGrowthSaysForWhom compares .ci/size with the one before: a number that rises names users, and some numbers only fall.
func TestGrowthSaysForWhom(t *testing.T) {
	before := sizesBefore(t)
	if before == nil {
		t.Logf("not compared: no commit before this one has %s", sizeFile)
		return
	}
	now := need(os.ReadFile(sizeFile))(t)
	for _, each := range unpaid(readSizes(t, before), readSizes(t, now)) {
		t.Error(each)
	}
}

// unpaid says which numbers rose without a word, or may not rise.
func unpaid(before, now []sizeRow) (faults []string) {
	for _, row := range now {
		at := slices.IndexFunc(before, func(other sizeRow) bool { return other.kind == row.kind && other.area == row.area })
		old := sizeRow{}
		if at >= 0 {
			old = before[at]
		}
		switch {
		case row.number <= old.number:
		case at >= 0 && (row.kind == countKnot || row.kind == countLong):
			faults = append(faults, fmt.Sprintf("%s %s: %d, before %d; it may only fall", row.kind, row.area, row.number, old.number))
		case row.users == "" || row.users == old.users:
			faults = append(faults, fmt.Sprintf("%s: %d %s, before %d: say in the last column for which users", row.area, row.number, row.kind,
				old.number))
		}
	}
	return faults
}

// TestUnpaid: the comparison finds what it must.
func TestUnpaid(t *testing.T) {
	before := readSizes(t, []byte("tokens | 10 | a | a | x\nlines | 10 | b | b |\nknot | 3000 | c | c |\nlong | 4 | d | d |\n"))
	for text, want := range map[string]int{
		"tokens | 10 | a | a | x":          0,
		"tokens | 9 | a | a |":             0,
		"tokens | 11 | a | a | x":          1,
		"tokens | 11 | a | a |":            1,
		"tokens | 11 | a | a | who waits":  0,
		"lines | 11 | b | b | who waits":   0,
		"lines | 11 | b | b |":             1,
		"tokens | 1 | new | e |":           1,
		"tokens | 1 | new | e | who waits": 0,
		"knot | 3001 | c | c | who waits":  1,
		"knot | 2999 | c | c |":            0,
		"knot | 2600 | f | f | who waits":  0,
		"knot | 2600 | f | f |":            1,
		"long | 5 | d | d | who waits":     1,
	} {
		if faults := unpaid(before, readSizes(t, []byte(text))); len(faults) != want {
			t.Errorf("%s: %q, want %d faults", text, faults, want)
		}
	}
}

// sizesBefore is .ci/size as it was before this change: of the last commit if the file is not committed as it is, else of the
// commit before the one that changed it last. It is nil where git knows none.
func sizesBefore(t *testing.T) []byte {
	t.Helper()
	changes, err := gitOutput("log", "-2", "--format=%H", "--", sizeFile)
	if err != nil {
		t.Logf("git: %v", err)
		return nil
	}
	commits := strings.Fields(string(changes))
	if _, err := gitOutput("diff", "--quiet", "HEAD", "--", sizeFile); err == nil && len(commits) > 0 {
		commits = commits[1:]
	}
	if len(commits) == 0 {
		return nil
	}
	text, err := gitOutput("show", commits[0]+":"+sizeFile)
	if err != nil {
		t.Logf("git: %v", err)
	}
	return text
}

func gitOutput(arguments ...string) ([]byte, error) {
	return exec.Command("git", arguments...).Output()
}

// tracked is a file that git knows, or would.
type tracked struct {
	name string
	text []byte
}

// trackedFiles are those of a commit, or of the working tree without one.
func trackedFiles(t *testing.T, commit string) (files []tracked) {
	t.Helper()
	if commit == "" {
		names, err := gitOutput("ls-files", "-z", "-co", "--exclude-standard")
		if err != nil {
			eachFile(t, func(name string, text []byte) { files = append(files, tracked{name, text}) }) // no repository
			return files
		}
		for _, name := range strings.Split(strings.TrimSuffix(string(names), "\x00"), "\x00") {
			text, err := os.ReadFile(name)
			if errors.Is(err, os.ErrNotExist) {
				continue // removed, and not committed
			}
			if err != nil {
				t.Fatal(err)
			}
			files = append(files, tracked{name, text})
		}
		return files
	}
	names := need(gitOutput("ls-tree", "-r", "-z", "--name-only", commit))(t)
	list := strings.Split(strings.TrimSuffix(string(names), "\x00"), "\x00")
	batch := exec.Command("git", "cat-file", "--batch")
	batch.Stdin = strings.NewReader(commit + ":" + strings.Join(list, "\n"+commit+":") + "\n")
	answer := need(batch.Output())(t)
	reader := bufio.NewReader(bytes.NewReader(answer))
	for _, name := range list {
		var id, kind string
		var size int
		if _, err := fmt.Fscanf(reader, "%s %s %d\n", &id, &kind, &size); err != nil {
			t.Fatal(name, err)
		}
		text := make([]byte, size+1)
		need(io.ReadFull(reader, text))(t)
		files = append(files, tracked{name, text[:size]})
	}
	return files
}

// The classes of files.
const (
	production   = "production, hand-written"
	tests        = "tests and test rigs"
	fixtures     = "fixtures, goldens, vectors, samples"
	documents    = "documents"
	generated    = "generated"
	schemaFiles  = "JSON Schema files"
	measurements = "measurements"
	locks        = "locks, notices, licences"
	settingFiles = "settings of tools"
)

// classes are recognised by the path of a file, the first that fits.
var classes = []struct {
	class string
	paths *regexp.Regexp
}{
	{locks,
		regexp.MustCompile(`(^|/)(LICENSE|THIRD_PARTY_NOTICES|go\.sum|package-lock\.json|requirements\.txt|sbom\.cdx\.json|[\w.-]*lock(file)?)$`)},
	{fixtures, regexp.MustCompile(`(^|/)(testdata|pictures|vectors|samples?|Sample)/|^wasm/lite/|\.(png|svg|gz|wasm|golden|har)$`)},
	{generated, regexp.MustCompile(`^\.ci/(promises/|size$)|^schemas/index\.json$|/(acceptors|journeys)\.json$`)},
	{documents, regexp.MustCompile(`\.md$`)},
	{measurements, regexp.MustCompile(`(^|/)bench/`)},
	{tests,
		regexp.MustCompile(`_test\.go$|\.test\.\w+$|(^|/)(tests?|examples|e2e|conformance|proof|storetest|postgrestest|drifttest|testlevel|jvm|gnustep|stubs|linux|trouble)/` +
			`|^mobile/(ios|android|swift|kotlin)/[^/]+$|^\.ci/[^/]+$|^schemas/\w+/(check|same)\.\w+$`)},
	{schemaFiles, regexp.MustCompile(`^schemas/(\w+/)?[\w.-]+\.json$|^schemas/actions/.*\.json$`)},
	{production, regexp.MustCompile(`\.(go|ts|mts|tsx|js|mjs|cjs|jsx|css|html|java|kt|swift|m|h|c|py)$`)},
}

func (f tracked) class() string {
	if path.Ext(f.name) == ".go" && regexp.MustCompile(`(?m)^// Code generated .* DO NOT EDIT\.$`).Match(f.text[:min(len(f.text), 1_000)]) {
		return generated
	}
	for _, each := range classes {
		if each.paths.MatchString(f.name) {
			return each.class
		}
	}
	return settingFiles
}

func (f tracked) lines() int { return bytes.Count(f.text, []byte("\n")) }

// tokens counts the tokens of a Go file, without comments and the semicolons that nobody writes.
func (f tracked) tokens() (count int) {
	var s scanner.Scanner
	s.Init(token.NewFileSet().AddFile(f.name, -1, len(f.text)), f.text, nil, 0)
	for {
		switch _, found, text := s.Scan(); {
		case found == token.EOF:
			return count
		case found != token.SEMICOLON || text != "\n":
			count++
		}
	}
}

func (f tracked) longLines() (count int) {
	for line := range bytes.Lines(f.text) {
		if utf8.RuneCount(bytes.TrimRight(line, "\r\n")) > longest {
			count++
		}
	}
	return count
}

// TestSizeTables prints what is in the tree, by class and by area: go test -count=1 -v -run TestSizeTables . With COMMIT in the
// environment it is the tree of that commit.
func TestSizeTables(t *testing.T) {
	text := need(os.ReadFile(sizeFile))(t)
	rows := readSizes(t, text)
	type sum struct{ files, lines, tokens int }
	byClass, byArea := map[string]sum{}, map[string]sum{}
	for _, file := range trackedFiles(t, os.Getenv("COMMIT")) {
		class := file.class()
		add := func(into map[string]sum, key string) {
			s := into[key]
			s.files++
			s.lines += file.lines()
			if path.Ext(file.name) == ".go" {
				s.tokens += file.tokens()
			}
			into[key] = s
		}
		add(byClass, class)
		if class != production {
			continue
		}
		kind := countLines
		if path.Ext(file.name) == ".go" {
			kind = countTokens
		}
		if at := rowOf(rows, kind, file.name); at >= 0 {
			add(byArea, rows[at].area)
		} else {
			add(byArea, "other: "+strings.Join(strings.Split(file.name, "/")[:min(3, strings.Count(file.name, "/"))], "/"))
		}
	}
	if byClass[production].files < 500 || byClass[tests].files < 300 {
		t.Errorf("%d files of production and %d of tests: the classes do not fit the tree", byClass[production].files, byClass[tests].files)
	}
	for title, of := range map[string]map[string]sum{"class": byClass, "production by area": byArea} {
		var table strings.Builder
		fmt.Fprintf(&table, "%s\n%-44s %6s %8s %10s\n", cmp.Or(os.Getenv("COMMIT"), "working tree"), title, "files", "lines", "Go tokens")
		all := sum{}
		for _, key := range slices.SortedFunc(maps.Keys(of), func(a, b string) int { return of[b].lines - of[a].lines }) {
			s := of[key]
			fmt.Fprintf(&table, "%-44s %6d %8d %10d\n", key, s.files, s.lines, s.tokens)
			all = sum{all.files + s.files, all.lines + s.lines, all.tokens + s.tokens}
		}
		fmt.Fprintf(&table, "%-44s %6d %8d %10d\n", "all", all.files, all.lines, all.tokens)
		t.Log(table.String())
	}
}
