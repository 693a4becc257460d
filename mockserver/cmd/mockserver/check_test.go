package main

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// made is a file of the real renderer.
func made(t *testing.T, name string, arguments ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), name)
	invoke(t, "", append([]string{"generate", "--profiles", "60", "--out", file}, arguments...)...).is(t, exitOK, "", "")
	return file
}

// TestCheck checks exit codes and what is printed, in both formats.
func TestCheck(t *testing.T) {
	base := made(t, "userbase.csv", "--kind", "userbase")
	attributes := made(t, "profiles.json", "--kind", "profiles.attributes")
	text := must.Get(os.ReadFile(base))(t)
	lines := strings.Split(string(text), "\n")
	equals := made(t, "a=b", "--kind", "userbase")
	bad := filepath.Join(t.TempDir(), "bad.csv")
	lines = append(lines[:4], append([]string{lines[1]}, lines[4:]...)...)
	must.Do(t, os.WriteFile(bad, []byte(strings.Join(lines, "\n")), 0o644))
	packed := filepath.Join(t.TempDir(), "packed")
	file := must.Get(os.Create(packed))(t)
	writer := gzip.NewWriter(file)
	writer.Write(text)
	writer.Close()
	file.Close()
	for _, c := range []struct {
		about string
		in    string
		line  []string
		code  int
		out   string
	}{
		{"good files", "", []string{base, attributes}, 0, "installation-identifiers: held"},
		{"a compressed file", "", []string{packed}, 0, "packed: userbase, "},
		{"standard input", string(text), []string{"-"}, 0, "-: userbase, "},
		{"a violation", "", []string{attributes, bad}, 1, ": the file tells the same a second time; see " + bad + ":2 (row 1) [duplicates]"},
		{"the rule in the summary", "", []string{bad}, 1, "duplicates: violated, 1 of "},
		{"why a rule is not checkable", "", []string{base}, 0, "journey: not checkable: needs two events of one message"},
		{"one rule", "", []string{"--rules", "schema", bad}, 0, "schema: held"},
		{"all rules but one", "", []string{"--rules=-duplicates", bad}, 0, "schema: held"},
		{"another present", "", []string{"--now", "2020-01-01T00:00:00Z", base}, 1, "[future]"},
		{"the moment of a snapshot", "", []string{"--window", base + "=2020-01-01T00:00:00Z", base}, 1, "[window]"},
		{"how serve was told that rows arrive", "", []string{"--world", "arrival=late:0.5,48h", base}, 0, "tiling: not checkable: the files were asked for with late"},
		{"how serve was told, beside words", "", []string{"--world", "arrival=skew,late:0.5, 48h,unordered", base}, 0, "time-order: not checkable: the files were asked for with skew and unordered"},
		{"all that serve was told", "", []string{"--world", "arrival=late:0.5,48h;duplicates:0.1;unordered", base}, 0, "time-order: not checkable: the files were asked for with "},
		{"on time, as serve was told", "", []string{"--world", "arrival=none", base}, 0, "duplicates: held"},
		{"the rules", "", []string{"--rules", "list"}, 0, "exclusion\n"},
		{"names with equals signs", "", []string{"--campaign", equals + "=a=b==", "--kind", equals + "=userbase", equals}, 0, "a=b: userbase, "},
		{"a kind that is said", "event_type\n", []string{"--kind", "-=transactional.ids", "-"}, 0, "-: transactional.ids, 0 rows"},
	} {
		t.Run(c.about, func(t *testing.T) {
			r := invoke(t, c.in, append([]string{"check"}, c.line...)...)
			r.is(t, c.code, c.out, "")
		})
	}
	t.Run("the moment of a file of events", func(t *testing.T) {
		r := invoke(t, "event_type\n", "check", "--kind", "-=transactional.events", "--window", "-=2020-01-01T00:00:00Z", "-")
		r.is(t, 2, "", "--window FILE=FROM/TO")
		if r := invoke(t, "event_type\n", "check", "--kind", "-=transactional.events", "--window", "-=/2020-01-01T00:00:00Z", "-"); r.code == 2 {
			t.Errorf("a window without a beginning is refused: %s", r.err)
		}
	})
	t.Run("json", func(t *testing.T) {
		r := invoke(t, "", "check", "--format", "json", bad)
		var found []string
		for line := range strings.Lines(r.out) {
			var one struct {
				Finding *check.Finding
				Summary *check.Summary
			}
			if err := json.Unmarshal([]byte(line), &one); err != nil {
				t.Fatalf("%v: %s", err, line)
			}
			switch {
			case one.Finding != nil:
				found = append(found, one.Finding.Rule)
			case one.Summary != nil && one.Summary.Violations() == 1:
				found = append(found, "summary")
			}
		}
		must.Equal(t, strings.Join(found, " "), "duplicates summary", "findings in %s", r.out)
	})
}

// TestCheckUsage has one row for every slip on the command line.
func TestCheckUsage(t *testing.T) {
	for _, c := range []struct {
		line string
		code int
		err  string
	}{
		{"check", 2, "no file is given"},
		{"check --format xml x", 2, "--format"},
		{"check --rules time-ordr check.go", 2, "did you mean time-order?"},
		{"check --max-findings -1 x", 2, "--max-findings is -1"},
		{"check --memory 0 x", 2, "--memory is 0"},
		{"check --reach 0s x", 2, "--reach is 0s"},
		{"check --kind userbase x", 2, "FILE=VALUE"},
		{"check --kind y=userbase x", 2, "y, which is not among the files"},
		{"check --kind check.go=userbas check.go", 2, "there is no export userbas, did you mean userbase?; the kinds are campaign.ids, "},
		{"check --window check.go=soon check.go", 2, "--window check.go"},
		{"check --window check.go=2026-01-02T00:00:00Z/2026-01-01T00:00:00Z check.go", 2, "begins after it ends"},
		{"check --now soon check.go", 2, "--now"},
		{"check check.go", 2, "fits no export"},
		{"check .", 2, "is a directory"},
		{"check /nowhere", 3, "/nowhere"},
		{"check --schemas /nowhere check.go", 3, "--schemas"},
		{"check --world arrival=soon check.go", 2, "\"soon\" is not known; use duplicates, late, "},
		{"check --world arrival=late:0.5 check.go", 2, "0.03,72h"},
		{"check --world arrival=late:0.5,soon check.go", 2, "\"soon\" is not a duration"},
		{"check --world arrival=duplicates:5 check.go", 2, "duplicates: \"5\" is not a share from 0 to 1"},
		{"check --world arrival=unordered:0.5 check.go", 2, "only late, duplicates and skew may have a share"},
		{"check --rules list --format sarif", 2, "--format"},
	} {
		t.Run(c.line, func(t *testing.T) {
			r := invoke(t, "", strings.Fields(c.line)...)
			if r.code != c.code || !strings.Contains(r.err, c.err) || r.out != "" {
				t.Errorf("exit code %d, want %d with %q\nout: %s\nerr: %s", r.code, c.code, c.err, r.out, r.err)
			}
		})
	}
}
