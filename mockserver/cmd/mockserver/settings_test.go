package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// invokeWith runs a command line in an environment, with a file of settings if
// there is a text for it; FILE in the environment and the arguments is its name.
func invokeWith(t *testing.T, environment map[string]string, file string, arguments ...string) result {
	t.Helper()
	name := filepath.Join(t.TempDir(), "settings.yaml")
	must.Do(t, os.WriteFile(name, []byte(file), 0o600))
	for i := range arguments {
		arguments[i] = strings.ReplaceAll(arguments[i], "FILE", name)
	}
	var out, errors bytes.Buffer
	code := run(t.Context(), arguments, terminal{
		in: strings.NewReader(""), out: &out, err: &errors, now: func() time.Time { return noon },
		environment: func(name2 string) string { return strings.ReplaceAll(environment[name2], "FILE", name) },
	})
	plain := func(text string) string { return strings.ReplaceAll(text, name, "FILE") }
	return result{code, plain(out.String()), plain(errors.String()), arguments}
}

// TestSettings: the command line comes before the environment, that before the file, and every value says where it comes from.
func TestSettings(t *testing.T) {
	type environment = map[string]string
	for _, c := range []struct {
		about       string
		environment environment
		file        string
		line        string
		want        []string // "flag: value # origin", or "# flag: ..."
	}{
		{"defaults", nil, "", "serve", []string{"# addr: 127.0.0.1:8080 # default", "# data: # default", "# gzip: false # default"}},
		{"the command line first", environment{"REHEARSAL_SEED": "2"}, "seed: 3", "serve --config FILE --seed 1", []string{"seed: 1 # --seed"}},
		{"then the environment", environment{"REHEARSAL_SEED": "2"}, "seed: 3", "serve --config FILE", []string{"seed: 2 # REHEARSAL_SEED"}},
		{"then the file", nil, "seed: 3", "serve --config FILE", []string{"seed: 3 # FILE:1"}},
		{"an empty variable is none", environment{"REHEARSAL_SEED": ""}, "seed: 3", "serve --config FILE", []string{"seed: 3 # FILE:1"}},
		{"the file of the environment", environment{"REHEARSAL_CONFIG": "FILE"}, "seed: 3", "serve", []string{"seed: 3 # FILE:1"}},
		{"a section before what is for all", nil, "seed: 3\nserve:\n  seed: 4\n", "serve --config FILE", []string{"seed: 4 # FILE:3"}},
		{"the section of another command", nil, "seed: 3\nserve:\n  seed: 4\n", "generate --config FILE", []string{"seed: 3 # FILE:1"}},
		{"what only another command has", nil, "state: memory", "generate --config FILE", []string{"# seed: 0 # default"}},
		{"JSON", nil, `{"serve": {"gzip": true, "now": "2026-01-31T08:00:00Z"}}`, "serve --config FILE",
			[]string{"gzip: true # FILE:1", `now: "2026-01-31T08:00:00Z" # FILE:1`}},
		{"a list", nil, "events: [push_sent, push_open]", "generate --config FILE", []string{"events: push_sent,push_open # FILE:1"}},
		{"a flag that may be given several times", nil, "kind: {a.csv: userbase, b.csv: userbase}", "check --config FILE",
			[]string{"kind: [a.csv=userbase, b.csv=userbase] # FILE:1"}},
		{"the same as a list", nil, "kind:\n- a.csv=userbase\n- b.csv=userbase", "check --config FILE",
			[]string{"kind: [a.csv=userbase, b.csv=userbase] # FILE:1"}},
		{"the same by the environment", environment{"REHEARSAL_HOST": "a.test,b.test"}, "", "serve",
			[]string{"host: [a.test, b.test] # REHEARSAL_HOST"}},
		{"the world of defaults", nil, "", "serve", []string{"# world:", "# growth: 0.25 # default", "# regions: # default"}},
		{"the world of a file", nil, "world:\n  growth: 0.4\n  rates: {email_open: 0.5}", "serve --config FILE",
			[]string{"world:", "growth: 0.4 # FILE:2", `rates: {"email_open": 0.5} # FILE:3`, "# sms: 0.56 # default"}},
		{"the world from everywhere", environment{"REHEARSAL_WORLD": "sms=0.3", "REHEARSAL_WORLD_GROWTH": "0.5",
			"REHEARSAL_WORLD_RATES": "{push_open: 0.2}"}, "world: {growth: 0.4, campaigns: 3, sms: 0.1}",
			"serve --config FILE --world growth=0.6 --world rates.email_open=0.5",
			[]string{"growth: 0.6 # --world", "campaigns: 3 # FILE:1", "sms: 0.3 # REHEARSAL_WORLD",
				`rates: {"email_open": 0.5, "push_open": 0.2} # --world`}},
		{"the world of a section", nil, "world: {growth: 0.4}\ngenerate:\n  world: [growth=0.5]", "generate --config FILE",
			[]string{"growth: 0.5 # FILE:3"}},
		{"a later file wins", environment{"REHEARSAL_CONFIG": "FILE"}, "seed: 3\nserve: {seed: 4}", "serve --config FILE --config FILE",
			[]string{"seed: 4 # FILE:2"}},
		{"a secret", environment{"REHEARSAL_CONTROL_TOKEN": "secret"}, "", "serve",
			[]string{"# control-token: (not shown) # REHEARSAL_CONTROL_TOKEN"}},
		{"a password", nil, "", "serve --state postgres://me:secret@host/database",
			[]string{"# state: (not shown) postgres://me@host/database # --state"}},
		{"a name of two words", environment{"REHEARSAL_LOG_LEVEL": "debug"}, "", "serve", []string{"log-level: debug # REHEARSAL_LOG_LEVEL"}},
		{"nothing but comments", nil, "# seed: 3", "serve --config FILE", []string{"# seed: 0 # default"}},
		{"an empty section", nil, "serve:\n  # seed: 3", "serve --config FILE", []string{"# seed: 0 # default"}},
	} {
		t.Run(c.about, func(t *testing.T) {
			r := invokeWith(t, c.environment, c.file, append(strings.Fields(c.line), "--print-config")...)
			if r.code != exitOK || r.err != "" {
				t.Fatalf("exit code %d: %s", r.code, r.err)
			}
			var lines []string
			for line := range strings.Lines(r.out) {
				lines = append(lines, strings.Join(strings.Fields(line), " "))
			}
			for _, want := range c.want {
				must.Hold(t, strings.Contains(strings.Join(lines, "\n")+"\n", "\n"+want+"\n"), "no line %q in:\n%s", want, r.out)
			}
			must.Hold(t, !strings.Contains(strings.ReplaceAll(r.out, "(not shown)", ""), "secret"), "a secret is printed: %s", r.out)
		})
	}
}

// TestPrintedSettingsAreSettings: what --print-config prints is a file that sets the same.
func TestPrintedSettingsAreSettings(t *testing.T) {
	line := []string{"serve", "--print-config", "--seed", "18446744073709551615", "--gzip", "--world", "rates.email_open=0.5", "--world",
		"arrival=late:0.1,72h",
		"--world", "push-only=0.1", "--scenario", "latency=200ms; error=TOO_MANY_REQUESTS # not a comment", "--now", "2026-01-31T08:00:00Z",
		"--log-level", "warn"}
	set := func(text string) string {
		var lines []string
		for line := range strings.Lines(text) {
			if !strings.HasPrefix(strings.TrimSpace(line), "#") {
				line, _, _ = strings.Cut(line, " # ")
				lines = append(lines, strings.TrimSpace(line))
			}
		}
		return strings.Join(lines, "\n")
	}
	first := invokeWith(t, nil, "", line...)
	second := invokeWith(t, nil, first.out, "serve", "--print-config", "--config", "FILE")
	if first.code != exitOK || second.code != exitOK || set(first.out) != set(second.out) || strings.Count(set(first.out), "\n") != 8 {
		t.Errorf("from flags:\n%s%s\nfrom the file:\n%s%s", set(first.out), first.err, set(second.out), second.err)
	}
}

// TestSettingsMisuse: what is wrong is named with its place.
func TestSettingsMisuse(t *testing.T) {
	type environment = map[string]string
	for _, c := range []struct {
		about       string
		environment environment
		file        string
		line        string
		code        int
		want        string
	}{
		{"a flag misspelt", nil, "seed: 1\nadr: x", "serve", exitUsage, "FILE:2: adr is not known, did you mean addr?"},
		{"a flag misspelt in a section", nil, "serve:\n  sede: 1", "serve", exitUsage,
			"FILE:2: sede is not known to the command serve, did you mean seed?"},
		{"a flag of another command", nil, "generate:\n  addr: x", "serve", exitUsage, "FILE:2: addr is not known to the command generate"},
		{"a section misspelt", nil, "sreve:\n  seed: 1", "serve", exitUsage, "FILE:1: sreve is not known, did you mean serve?"},
		{"a flag twice", nil, "seed: 1\nseed: 2", "serve", exitUsage, "FILE:2: seed is given twice"},
		{"a section twice", nil, "serve: {seed: 1}\nserve: {seed: 2}", "serve", exitUsage, "FILE:2: serve is given twice"},
		{"not YAML", nil, "seed: [", "serve", exitUsage, "FILE:1: "},
		{"not a mapping", nil, "- seed", "serve", exitUsage, "FILE:1: must be flags and their values"},
		{"no value", nil, "seed:", "serve", exitUsage, "FILE:1: seed must be a text or a number, a list of them"},
		{"a value too deep", nil, "seed: [[1]]", "serve", exitUsage, "FILE:1: seed must be a text or a number, a list of them"},
		{"two documents", nil, "seed: 1\n---\nseed: 2", "serve", exitUsage, "there is a second document"},
		{"a wrong value in the file", nil, "\nseed: many", "serve", exitUsage,
			`FILE:2: invalid value "many" for flag --seed: must be a whole number`},
		{"a wrong value in a section", nil, "serve:\n  gzip: 7", "serve", exitUsage,
			`FILE:2: invalid value "7" for flag --gzip: must be true or false`},
		{"a value too deep in a list", nil, "host:\n- a.test\n- [1]", "serve", exitUsage,
			"FILE:1: host must be a text or a number, a list of them"},
		{"a value too deep in names", nil, "kind: {x: []}", "check", exitUsage, "FILE:1: kind must be a text or a number, a list of them"},
		{"what only a flag can refuse", nil, "world: much", "serve", exitUsage, "must be KEY=VALUE or a file"},
		{"a number below its bounds", nil, "seed: -1", "serve", exitUsage,
			`FILE:1: invalid value "-1" for flag --seed: must be a whole number from 0`},
		{"a number above its bounds", nil, `{"port":99999}`, "serve", exitUsage,
			`FILE:1: invalid value "99999" for flag --port: must be a whole number from 0 to 65535`},
		{"a word that is not allowed", nil, `{"log-level":"loud"}`, "serve", exitUsage,
			`FILE:1: invalid value "loud" for flag --log-level: must be debug`},
		{"percent for a share", nil, "world:\n  growth: 60%", "serve", exitUsage, `FILE:2: growth must be a number; found the string "60%"`},
		{"percent without a sign", nil, "world: {growth: 60}", "serve", exitUsage, "FILE:1: growth must be at most 1"},
		{"percent in a section", nil, "generate:\n  world: [sms=60%]", "generate", exitUsage,
			`FILE:2: sms must be a number; found the string "60%"`},
		{"percent of a name", nil, "world: {rates: {email_open: 60%}}", "serve", exitUsage, "FILE:1: rates.email_open must be a number"},
		{"nothing for a share", nil, "world: {growth: }", "serve", exitUsage, "FILE:1: growth must be a number; found null"},
		{"a key misspelt", nil, "world:\n  growht: 1", "serve", exitUsage, "FILE:2: growht"},
		{"no keys", nil, "world: [[1]]", "serve", exitUsage, "--world: FILE:1: must be a text or a number, a list of them"},
		{"a wrong key in the environment", environment{"REHEARSAL_WORLD_GROWTH": "60%"}, "", "serve", exitUsage,
			"REHEARSAL_WORLD_GROWTH: growth must be a number"},
		{"no date", nil, `{"now":"tomorrow"}`, "serve", exitUsage, `FILE:1: invalid value "tomorrow" for flag --now: must be`},
		{"no size", nil, "limit: {body: huge}", "serve", exitUsage, "FILE:1: body "},
		{"a word of another command", nil, "format: junit", "schemas list", exitUsage, "--format is \"junit\""},
		{"no progress, printed", environment{"REHEARSAL_PROGRESS": "polls:x"}, "", "serve --print-config", exitUsage,
			"is not a number of lookups"},
		{"no public URL, printed", nil, "", "serve --print-config --public-url mock.example", exitUsage,
			`--public-url: "mock.example" must be an address`},
		{"no origin, printed", nil, "", "serve --print-config --cors nowhere", exitUsage, `"nowhere" is not an origin`},
		{"no control token, printed", nil, "", "serve --print-config --control-token a\u00e9", exitUsage, "visible ASCII characters"},
		{"no whole number", nil, "", "serve --journal many", exitUsage, `invalid value "many" for flag --journal: must be a whole number`},
		{"a seed that is no number", nil, "", "serve --seed abc", exitUsage,
			`invalid value "abc" for flag --seed: must be a whole number from 0 to 18446744073709551615`},
		{"no duration", nil, "", "serve --shutdown-timeout soon", exitUsage,
			`invalid value "soon" for flag --shutdown-timeout: must be a duration such as 30s`},
		{"no boolean", nil, "", "serve --gzip=perhaps", exitUsage, `invalid value "perhaps" for flag --gzip: must be true or false`},
		{"no level", nil, "", "serve --log-level loud", exitUsage,
			`invalid value "loud" for flag --log-level: must be debug, info, warn or error`},
		{"a number below its bounds, printed", environment{"REHEARSAL_PROFILES": "-1"}, "", "serve --print-config", exitUsage,
			"--profiles is -1"},
		{"a size below its bounds, printed", environment{"REHEARSAL_PART_SIZE": "-4"}, "", "serve --print-config", exitUsage,
			"--part-size is -4"},
		{"no channel, printed", nil, "channels: nope", "generate --kind profiles.reachability --print-config", exitUsage, "channels"},
		{"no format, printed", environment{"REHEARSAL_FORMAT": "loud"}, "", "check --print-config", exitUsage, "--format"},
		{"a wrong value in the environment", environment{"REHEARSAL_SEED": "many"}, "", "serve", exitUsage,
			`REHEARSAL_SEED: invalid value "many" for flag --seed`},
		{"a value out of range", environment{"REHEARSAL_PROFILES": "0"}, "", "serve", exitUsage,
			"--profiles is 0; it must be from 1 to 1000000000; --profiles was set by REHEARSAL_PROFILES"},
		{"a file that is not there", environment{"REHEARSAL_CONFIG": "/nowhere.yaml"}, "", "serve", exitUsage, "--config: open /nowhere.yaml"},
		{"a large file", nil, strings.Repeat("#\n", 1<<20/2) + "#", "serve", exitFailed, "the file has more than 1048576 bytes"},
	} {
		t.Run(c.about, func(t *testing.T) {
			line := strings.Fields(c.line)
			if c.environment == nil {
				line = append(line, "--config", "FILE")
			}
			r := invokeWith(t, c.environment, c.file, line...)
			if r.code != c.code || !strings.Contains(r.err, c.want) || r.out != "" {
				t.Errorf("exit code %d, want %d with %q: %s%s", r.code, c.code, c.want, r.err, r.out)
			}
		})
	}
}

// TestStrayVariables: a variable that no setting has is a warning in the log of the command, and what others set is none.
func TestStrayVariables(t *testing.T) {
	warns := func(variables []string, line ...string) string {
		var out, told bytes.Buffer
		code := run(t.Context(), line, terminal{
			in: strings.NewReader(""), out: &out, err: &told, now: func() time.Time { return noon },
			environment: func(string) string { return "" }, variables: func() []string { return variables },
		})
		if code != exitOK {
			t.Fatalf("exit code %d: %s", code, told.String())
		}
		return told.String()
	}
	const wrong = "REHEARSAL_WORLD_GROWHT=secret"
	for name, c := range map[string]struct {
		variables []string
		line      []string
		want      []string // in the order of lines; none: nothing is said
	}{
		"misspelt": {[]string{wrong, "PATH=/bin"}, []string{"serve", "--print-config"},
			[]string{"level=WARN", "variable=REHEARSAL_WORLD_GROWHT did_you_mean=REHEARSAL_WORLD_GROWTH\n"}},
		"in JSON": {[]string{wrong}, []string{"serve", "--print-config", "--log-format", "json"},
			[]string{`"level":"WARN"`, `"variable":"REHEARSAL_WORLD_GROWHT","did_you_mean":"REHEARSAL_WORLD_GROWTH"}`}},
		"a quiet log": {[]string{wrong}, []string{"serve", "--print-config", "--log-level", "error"}, nil},
		"a command without log": {[]string{wrong}, []string{"generate", "--kind", "userbase", "--profiles", "1"},
			[]string{"level=WARN", "variable=REHEARSAL_WORLD_GROWHT"}},
		"like nothing": {[]string{"REHEARSAL_COLOUR_OF_THE_SKY=blue"}, []string{"serve", "--print-config"},
			[]string{"variable=REHEARSAL_COLOUR_OF_THE_SKY\n"}},
		"two": {[]string{"REHEARSAL_SEDE=1", "REHEARSAL_PROT=2"}, []string{"serve", "--print-config"},
			[]string{"variable=REHEARSAL_PROT", "variable=REHEARSAL_SEDE"}},
		"settings, of any command": {
			[]string{"REHEARSAL_WORLD_GROWTH=1", "REHEARSAL_KIND=userbase", "REHEARSAL_CONFIG=x", "REHEARSAL_TYPO="},
			[]string{"serve", "--print-config"}, nil,
		},
		"links to services": {
			[]string{"REHEARSAL_PORT=tcp://10.0.0.1:80", "REHEARSAL_SERVICE_HOST=10.0.0.1", "REHEARSAL_SERVICE_PORT=80",
				"REHEARSAL_SERVICE_PORT_HTTP=80", "REHEARSAL_PORT_80_TCP_ADDR=10.0.0.1", "REHEARSAL_FILES_PORT=tcp://10.0.0.2:80",
				"REHEARSAL_FILES_SERVICE_HOST=10.0.0.2"},
			[]string{"serve", "--print-config"}, nil,
		},
		"of the packages": {[]string{"REHEARSAL_BINARY=/bin/rehearsal", "REHEARSAL_FLAGS=--seed 1", "REHEARSAL_VERSION=1.2.3"},
			[]string{"serve", "--print-config"}, nil},
	} {
		t.Run(name, func(t *testing.T) {
			text := warns(c.variables, c.line...)
			if strings.Contains(text, "secret") || len(c.want) == 0 && text != "" {
				t.Errorf("says %q", text)
			}
			for _, want := range c.want {
				_, after, found := strings.Cut(text, want)
				must.Hold(t, found, "no %q behind what came before in %q", want, text)
				text = after
			}
		})
	}
}

// TestPathsOfSettings: paths in a file begin where the file is, those of the command line and the environment where the program runs.
func TestPathsOfSettings(t *testing.T) {
	directory := t.TempDir()
	in := func(name string) string { return filepath.Join(directory, name) }
	text := "serve:\n  schemas: of/world\n  ready-file: " + strconv.Quote(in("ready.json")) + "\n  state: kept.db\n"
	for name, content := range map[string]string{"world.yaml": text,
		"memory.yaml": "serve: {state: memory, addr: 'localhost:9'}\ngenerate: {out: '-'}\n"} {
		must.Do(t, os.WriteFile(in(name), []byte(content), 0o600))
	}
	must.Do(t, os.MkdirAll(in("of/world"), 0o700))
	for name, c := range map[string]struct {
		arguments []string
		says      string
	}{
		"a directory":           {[]string{"serve", "--config", in("world.yaml")}, "schemas: [" + in("of/world") + "]"},
		"an absolute path":      {[]string{"serve", "--config", in("world.yaml")}, "ready-file: " + in("ready.json")},
		"a database":            {[]string{"serve", "--config", in("world.yaml")}, "state: " + in("kept.db")},
		"the command line":      {[]string{"serve", "--config", in("world.yaml"), "--state", "other.db"}, "state: other.db"},
		"memory is no path":     {[]string{"serve", "--config", in("memory.yaml")}, "state: memory"},
		"nor is a dash":         {[]string{"generate", "--config", in("memory.yaml"), "--kind", "userbase"}, `out: '-'`},
		"an address is no path": {[]string{"serve", "--config", in("memory.yaml")}, "addr: localhost:9"},
	} {
		t.Run(name, func(t *testing.T) {
			invoke(t, "", append(c.arguments, "--print-config")...).is(t, exitOK, c.says, "")
		})
	}
}
