package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLearn: what is learned of files of all eleven kinds is a file of settings that serve and generate take, with its schema files.
func TestLearn(t *testing.T) {
	directory := t.TempDir()
	in := func(name string) string { return filepath.Join(directory, name) }
	_, arguments := exported(t, directory)
	made := invoke(t, "", append([]string{"learn", "--out", in("world.yaml"), "--report", in("report.html"), "--report", in("report.json")}, arguments...)...)
	if made.code != exitOK || !strings.Contains(made.out, "learned ") {
		t.Fatalf("%+v", made)
	}
	world, err := os.ReadFile(in("world.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"\nsms: 0.", "\n  email_delivered: 1\n", "\n  push_open: 0.", "\nserve:\n  schemas: ", "# Not learned"} {
		if !strings.Contains(string(world), want) {
			t.Errorf("%q is not in %s", want, world)
		}
	}
	for _, name := range []string{"world.schemas/common/events.json", "report.html", "report.json"} {
		if _, err := os.Stat(in(name)); err != nil {
			t.Error(err)
		}
	}
	for _, command := range []string{"serve", "generate"} {
		if got := invoke(t, "", command, "--config", in("world.yaml"), "--print-config"); got.code != exitOK {
			t.Errorf("%s: %+v", command, got)
		}
	}
	if err := os.WriteFile(in("world.schemas/common/dates.json"), []byte("{}"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := invoke(t, "", append([]string{"learn", "--out", in("world.yaml"), "--report", in("report.html"), "--report", in("report.json")}, arguments...)...); got.code != exitFailed || !strings.Contains(got.err, "dates.json is not of this world") {
		t.Errorf("beside a file of another world: %+v", got)
	}
	if err := os.Remove(in("world.schemas/common/dates.json")); err != nil {
		t.Fatal(err)
	}
	file := invoke(t, "", "generate", "--config", in("world.yaml"), "--kind", "userbase", "--profiles", "50", "--now", importNow)
	if file.code != exitOK || !strings.HasPrefix(file.out, "install_id;") {
		t.Errorf("%+v", file)
	}
}

// TestLearnMistakes: the exit code says whose mistake it was, and nothing is written.
func TestLearnMistakes(t *testing.T) {
	few := filepath.Join(t.TempDir(), "few.csv")
	content := "install_id;custom_id;advertising_id;is_optin_push;install_date;last_start_date;smart_segment\na1;ada;;true;2026-01-01T00:00:00;2026-01-05T00:00:00;new\n"
	if err := os.WriteFile(few, []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	out := filepath.Join(t.TempDir(), "world.yaml")
	for name, c := range map[string]struct {
		arguments []string
		code      int
		says      string
	}{
		"no file":        {[]string{"--out", out}, exitUsage, "no file is given"},
		"no such file":   {[]string{"--out", out, few + ".gone"}, exitUsage, "few.csv.gone is not there"},
		"no out":         {[]string{few}, exitUsage, "--out is missing"},
		"one person":     {[]string{"--out", out, "--people", "1", few}, exitUsage, "at least 2"},
		"another report": {[]string{"--out", out, "--report", "x.pdf", few}, exitUsage, "must end in .html or .json"},
		"too few people": {[]string{"--out", out, few}, exitFailed, "fewer than 20 people"},
		"no such kind":   {[]string{"--out", out, "--kind", few + "=nothing", few}, exitUsage, "nothing"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := invoke(t, "", append([]string{"learn"}, c.arguments...)...); got.code != c.code || !strings.Contains(got.err, c.says) {
				t.Errorf("want exit code %d: %+v", c.code, got)
			}
			if _, err := os.Stat(out); err == nil {
				t.Error("something was written")
			}
		})
	}
}

// TestLearnKeepsFiles: neither files that are learned from are written over, nor such as learn did not write.
func TestLearnKeepsFiles(t *testing.T) {
	directory := t.TempDir()
	in := func(name string) string { return filepath.Join(directory, name) }
	content := "install_id;custom_id;advertising_id;is_optin_push;install_date;last_start_date;smart_segment\na1;ada;;true;2026-01-01T00:00:00;2026-01-05T00:00:00;new\n"
	for _, name := range []string{"a.csv", "b.html", "own.yaml", "empty.yaml"} {
		text := content
		if name == "empty.yaml" {
			text = ""
		}
		if err := os.WriteFile(in(name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Link(in("a.csv"), in("same.csv")); err != nil {
		t.Skip("no links can be made: ", err)
	}
	for name, c := range map[string]struct {
		arguments []string
		says      string
	}{
		"an input":                 {[]string{"--out", in("a.csv"), in("a.csv")}, "--out: " + in("a.csv") + " is a file to learn from"},
		"another path to it":       {[]string{"--out", directory + "/./a.csv", in("a.csv")}, "is a file to learn from"},
		"a second name of it":      {[]string{"--out", in("same.csv"), in("a.csv")}, "is a file to learn from"},
		"a pattern":                {[]string{"--out", in("a.csv"), in("own.yaml")}, "learn did not write it"},
		"a file of somebody":       {[]string{"--out", in("own.yaml"), in("a.csv")}, "learn did not write it"},
		"an empty file":            {[]string{"--out", in("empty.yaml"), in("a.csv")}, "learn did not write it"},
		"a report over an input":   {[]string{"--out", in("new.yaml"), "--report", in("b.html"), in("a.csv"), in("b.html")}, "--report: " + in("b.html") + " is a file to learn from"},
		"a report over a page":     {[]string{"--out", in("new.yaml"), "--report", in("b.html"), in("a.csv")}, "--report: " + in("b.html") + " is there, and learn did not write it"},
		"a report over the output": {[]string{"--out", in("new.html"), "--report", in("new.html"), in("a.csv")}, "is the file of --out"},
	} {
		t.Run(name, func(t *testing.T) {
			if got := invoke(t, "", append([]string{"learn"}, c.arguments...)...); got.code != exitUsage || !strings.Contains(got.err, c.says) {
				t.Errorf("%+v", got)
			}
		})
	}
	for _, name := range []string{"a.csv", "b.html", "own.yaml"} {
		if text, err := os.ReadFile(in(name)); err != nil || string(text) != content {
			t.Errorf("%s was changed: %q, %v", name, text, err)
		}
	}
}
