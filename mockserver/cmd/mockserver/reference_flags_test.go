package main

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/settings"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// TestReferenceKnowsEveryFlag compares the tables of the reference with what the
// program says of itself: every flag is there, with its default, and no other.
func TestReferenceKnowsEveryFlag(t *testing.T) {
	page := must.Get(os.ReadFile(referenceFolder + "/commands.md"))(t)
	for _, command := range newProgram(terminal{}).Commands() {
		if !settings.Has(command) {
			continue
		}
		t.Run(command.Name(), func(t *testing.T) {
			table := referenceTable(t, string(page), "| `mockserver "+command.Name()+"` |")
			help, _, _ := strings.Cut(invoke(t, "", command.Name(), "--help").out, "\nflags of every command:")
			for _, page := range helpPages(command) {
				help += invoke(t, "", command.Name(), "--help", page).out
			}
			var flags []string
			for _, groups := range regexp.MustCompile(`(?m)^  --([a-z-]+).*\n +(.*)$`).FindAllStringSubmatch(help, -1) {
				name, text := groups[1], groups[2]
				flags = append(flags, name)
				row, there := table[name]
				if !there {
					t.Errorf("the reference lacks --%s: %s", name, text)
					continue
				}
				must.Hold(t, row.text != "", "the reference says nothing about --%s", name)
				_, value, hasDefault := strings.Cut(text, "(default ")
				switch value = strings.TrimSuffix(value, ")"); {
				case !hasDefault:
				case strings.Contains(value, " ") && row.standard == "":
					t.Errorf("the reference gives no default for --%s, the program %q", name, value)
				case !strings.Contains(value, " ") && row.standard != "`"+value+"`":
					t.Errorf("the reference gives the default %s for --%s, the program %s", row.standard, name, value)
				}
			}
			if len(flags) == 0 {
				t.Fatalf("no flags in the help: %s", help)
			}
			for name := range table {
				must.Hold(t, slices.Contains(flags, name), "the reference knows a flag --%s that the program has not", name)
			}
		})
	}
}

// flagRow is what a table says of a flag.
type flagRow struct{ standard, text string }

// referenceTable reads the table whose head begins with a text.
func referenceTable(t *testing.T, page, head string) map[string]flagRow {
	t.Helper()
	_, rest, found := strings.Cut(page, "\n"+head)
	if !found {
		t.Fatalf("the reference has no table that begins with %s", head)
	}
	table := map[string]flagRow{}
	for _, line := range strings.Split(rest, "\n")[2:] {
		cells := strings.Split(line, "|")
		if len(cells) != 5 {
			break
		}
		name := strings.Trim(cells[1], " `-")
		table[name] = flagRow{strings.TrimSpace(cells[2]), strings.TrimSpace(cells[3])}
	}
	return table
}
