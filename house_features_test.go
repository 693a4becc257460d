package house_test

import (
	"fmt"
	"os"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// featurePage is the table of features, and the columns of it that are read here.
const (
	featurePage   = "docs/decisions/features.md"
	columnAsked   = 1
	columnPlaces  = 2
	columnTokens  = 3
	columnLines   = 4
	columnFlags   = 5
	columnPages   = 6
	featureColums = 7
)

// TestFeatures: what there is was asked for by somebody, and costs what its row says.
func TestFeatures(t *testing.T) {
	text := need(os.ReadFile(featurePage))(t)
	lines := strings.Split(string(text), "\n")
	var rows []sizeRow
	var at []int // the line of each row
	for i, line := range lines {
		if !strings.HasPrefix(line, "| ") || strings.HasPrefix(line, "| feature ") || strings.HasPrefix(line, "| --- ") {
			continue
		}
		if columns := columnsOf(line); len(columns) == featureColums {
			rows, at = append(rows, sizeRow{kind: countTokens, area: columns[0], paths: strings.Fields(columns[columnPlaces])}), append(at, i)
		} else {
			t.Fatalf("%s:%d has %d columns", featurePage, i+1, len(columns))
		}
	}
	tokens, others, used := make([]int, len(rows)), make([]int, len(rows)), map[string]bool{}
	for _, file := range trackedFiles(t, "") {
		if file.class() != production {
			continue
		}
		best := rowOf(rows, countTokens, file.name)
		if best < 0 {
			if folder := path.Dir(file.name); !used[folder] {
				t.Errorf("%s is in no row of %s: say which feature it is for, and who asked for that", folder, featurePage)
				used[folder] = true
			}
			continue
		}
		for _, each := range rows[best].paths {
			used[each] = used[each] || sizeRow{paths: []string{each}}.covers(file.name) > 0
		}
		if path.Ext(file.name) == ".go" {
			tokens[best] += file.tokens()
		} else {
			others[best] += file.lines()
		}
	}
	flags := flagsOfCommands(t)
	named := map[string]bool{}
	for i, row := range rows {
		columns := columnsOf(lines[at[i]])
		if !slices.Contains([]string{"specification", "user", "guess"}, columns[columnAsked]) {
			t.Errorf("%s: asked by %q", row.area, columns[columnAsked])
		}
		for _, each := range row.paths {
			if !used[each] {
				t.Errorf("%s: %s has no production code", row.area, each)
			}
		}
		for _, each := range strings.Fields(columns[columnPages]) {
			if _, err := os.Stat("docs/" + each); err != nil {
				t.Errorf("%s: there is no page %s", row.area, each)
			}
		}
		for _, pattern := range strings.Fields(columns[columnFlags]) {
			found := false
			for _, flag := range flags {
				if matched, _ := path.Match(pattern, flag); matched {
					found, named[flag] = true, true
				}
			}
			if !found {
				t.Errorf("%s: there is no flag --%s", row.area, pattern)
			}
		}
		for column, count := range map[int]int{columnTokens: tokens[i], columnLines: others[i]} {
			const step = 100
			rounded := (count + step/2) / step * step
			said, err := strconv.Atoi(columns[column])
			if err == nil && (said-rounded)*5 <= rounded+5*step && (rounded-said)*5 <= said+5*step {
				continue // a fifth more or less
			}
			if columns[column] = strconv.Itoa(rounded); !*updateSizes {
				t.Errorf("%s: %d, the page says %d: run go test . -run TestFeatures -sizes", row.area, rounded, said)
			}
		}
		lines[at[i]] = fmt.Sprintf("| %s |", strings.Join(columns, " | "))
	}
	for _, flag := range flags {
		if !named[flag] {
			t.Errorf("--%s is in no row of %s", flag, featurePage)
		}
	}
	if *updateSizes {
		must(t, os.WriteFile(featurePage, []byte(strings.Join(lines, "\n")), 0o644))
	}
}

func columnsOf(line string) []string {
	columns := strings.Split(strings.Trim(line, "|"), "|")
	for i := range columns {
		columns[i] = strings.TrimSpace(columns[i])
	}
	return columns
}

// flagsOfCommands are those that the reference of the commands has.
func flagsOfCommands(t *testing.T) (flags []string) {
	t.Helper()
	text := need(os.ReadFile("docs/reference/commands.md"))(t)
	for _, found := range regexp.MustCompile("(?m)^\\| `--([a-z-]+)`").FindAllSubmatch(text, -1) {
		flags = append(flags, string(found[1]))
	}
	slices.Sort(flags)
	if flags = slices.Compact(flags); len(flags) < 30 {
		t.Fatalf("only %d flags are found", len(flags))
	}
	return flags
}
