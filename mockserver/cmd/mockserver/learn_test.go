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
	if got := invoke(t, "", append([]string{"learn", "--out", in("world.yaml")}, arguments...)...); got.code != exitFailed || !strings.Contains(got.err, "dates.json is not of this world") {
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
