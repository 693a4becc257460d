package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/spf13/pflag"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/settings"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// noon is the real time of every test.
var noon = time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)

// result is what a command left behind.
type result struct {
	code      int
	out, err  string
	arguments []string
}

// invoke runs a command line. A server that was to be refused is stopped in the end.
func invoke(t *testing.T, in string, arguments ...string) result {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	var out, errors bytes.Buffer
	code := run(ctx, arguments, terminal{
		in: strings.NewReader(in), out: &out, err: &errors,
		environment: func(string) string { return "" }, now: func() time.Time { return noon },
	})
	return result{code, out.String(), errors.String(), arguments}
}

// is fails the test unless a command ended with this exit code, and printed these texts.
func (r result) is(t *testing.T, code int, out, err string) {
	t.Helper()
	if r.code != code || !strings.Contains(r.out, out) || !strings.Contains(r.err, err) {
		t.Errorf("%q: exit code %d, want %d with %q and %q\nout: %s\nerr: %s", r.arguments, r.code, code, out, err, r.out, r.err)
	}
}

// TestUsage has one row for every slip on the command line.
func TestUsage(t *testing.T) {
	for _, c := range []struct {
		line     string
		code     int
		out, err string
	}{
		{"", 2, "", "usage:"},
		{"help", 0, "\nbeside the real service:\n  proxy ", ""},
		{"--help", 0, "\n  generate    make one export file", ""},
		{"help serve", 0, "--credentials", ""},
		{"serve --help network", 0, "--shutdown-timeout DURATION", ""},
		{"serve --help=limits", 0, "    connections\n", ""},
		{"help serve world", 0, "    push-opt-in\n        The share of installations that usually accept push notifications (default 0.64)", ""},
		{"generate --help world", 0, "    push-opt-in\n", ""},
		{"serve --help data", 0, "--durable", ""},
		{"serve --help netwrk", 2, "", "there is no page \"netwrk\", did you mean network?; the pages are data, limits, network, world"},
		{"check --help world", 2, "", "check has one page of help"},
		{"serve --limit body=1", 2, "", "--limit body is 1 byte; it must be from 1KiB to 64MiB"},
		{"serve --limit bdoy=1", 2, "", "did you mean body?"},
		{"serve --limit body", 2, "", "must be KEY=VALUE; the keys are memory, disk, body, connections, rows"},
		{"serve --push-opt-in 0.5", 2, "", "there is no flag --push-opt-in; it is a key: --world push-opt-in=VALUE"},
		{"serve -h", 0, "(default rehearsal.db)", ""},
		{"generate --help", 0, "--kind KIND", ""},
		{"validate --help", 0, "FILE:LINE:COLUMN", ""},
		{"help serv", 2, "", "did you mean serve?"},
		{"srve", 2, "", "did you mean serve?"},
		{"frobnicate", 2, "",
			"the commands are check, generate, health, import, man, merge, openapi, proxy, recording, schemas, serve, state, validate, version"},
		{"serve --adr x", 2, "", "there is no flag --adr, did you mean --addr?"},
		{"serve -addr x", 2, "", "there is no flag -addr; flags begin with two dashes, did you mean --addr?"},
		{"serve --port 65536", 2, "", `invalid value "65536" for flag --port: must be a whole number from 0 to 65535`},
		{"serve --addr unix:/tmp/s --port 1", 2, "", "is a Unix socket, which has no port"},
		{"serve --addr unix:/tmp/s --lan", 2, "", "is a Unix socket, which no phone reaches; leave one of them out"},
		{"serve --addr unix:", 1, "", "the path of the socket is missing"},
		{"serve --addr unix:command.go", 1, "", "--addr unix:command.go: there is a file of this name, which is no socket"},
		{"serve --tls yes", 2, "", `--tls is "yes"; it must be self-signed`},
		{"serve --tls x,", 2, "", `--tls is "x,"; it must be self-signed, or two files`},
		{"serve --tls-save x", 2, "", "--tls-save writes the certificate of --tls self-signed, which is not given"},
		{"serve --port 0 --tls command.go,command.go", 1, "", "--tls command.go,command.go: tls: failed to find"},
		{"serve --port 0 --tls self-signed --tls-save /nowhere/c.pem", 1, "", "--tls-save: open /nowhere/c.pem"},
		{"serve --port 0 --state memory --ready-file /nowhere/ready.json", 1, "", "--ready-file: open /nowhere/"},
		{"serve --port 0 --state memory --cors localhost:5173", 2, "", `--cors: "localhost:5173" is not an origin`},
		{"health now", 2, "", `unexpected argument "now"`},
		{"health --timeout 0", 2, "", "--timeout is 0s; it must be above zero"},
		{"health --port 0", 2, "", "a server on port 0 has chosen a port of its own"},
		{"health --addr nowhere", 2, "", "missing port in address"},
		{"version", 0, "built with go", ""},
		{"--version", 0, "mockserver ", ""},
		{"version now", 2, "", `unexpected argument "now"`},
		{"version --format json", 2, "", "there is no flag --format"},
		{"health --format yaml", 2, "", "--format"},
		{"generate --kind userbase --format json", 2, "", "there is no flag --format"},
		{"man", 2, "", "--out is missing"},
		{"man --out command.go", 1, "", "--out: mkdir command.go"},
		{"completion", 0, "Generate the autocompletion script", ""},
		{"serve --seed x", 2, "", `invalid value "x" for flag --seed`},
		{"serve --state memory --schemas ../../e2e/testdata/wrong --addr 127.0.0.1:0", 1, "",
			"--schemas ../../e2e/testdata/wrong: schema file legacy/userbase.row.json#"},
		{"serve --seed -1", 2, "", "--seed"},
		{"serve --state", 2, "", "flag needs an argument: --state"},
		{"serve --state=", 2, "", `--state is ""; use memory, the path`},
		{"serve --state memory --durable", 2, "", "--durable has no meaning with --state memory"},
		{"serve now", 2, "", `unexpected argument "now"`},
		{"serve --profiles 0", 2, "", "--profiles is 0; it must be from 1 to 1000000000"},
		{"serve --profiles 1000000001", 2, "", "--profiles is 1000000001; it must be from 1 to 1000000000"},
		{"serve --state memory --addr 127.0.0.1:0 --scenario latncy=1s", 2, "", "scenario: the key \"latncy\" is not known"},
		{"serve --state memory --addr 127.0.0.1:0 --scenario latncy=1s", 2, "", "did you mean latency?"},
		{"serve --state memory --addr 127.0.0.1:0 --scenario error=NOTHING", 2, "", "scenario: error \"NOTHING\" is not known; allowed:"},
		{"serve --state memory --addr 127.0.0.1:0 --progress stuk", 2, "", "manual or stuck"},
		{"serve --part-size 0", 2, "", "--part-size is 0"},
		{"serve --now yesterday", 2, "", `invalid value "yesterday" for flag --now: must be an RFC 3339 date-time`},
		{"serve --now 2026-01-31T08:00:00", 2, "", "--now"},
		{"serve --now 1999-12-31T23:59:59Z", 2, "", "from 2000-01-01T00:00:00Z"},
		{"serve --web=", 2, "", "--web: must name a directory"},
		{"serve --port 0 --web command.go", 1, "", "--web: open command.go: not a directory"},
		{"serve --port 0 --web .", 1, "", "--web .: there is no index.html in it"},
		{"serve --port 0 --state memory --public-url mock.example", 2, "", "--public-url"},
		{"serve --port 0 --state memory --files-addr 127.0.0.1:0 --files-url f.example", 2, "",
			"--files-url: \"f.example\" must be an address such as https://files.example"},
		{"serve --port 0 --state memory --schemas internal/listen", 1, "", "there is no file that ends in .json"},
		{"serve --port 0 --state memory --progress later", 2, "", "progress"},
		{"serve --port 0 --schemas /nowhere", 1, "", "--schemas"},
		{"serve --port 0 --credentials /nowhere", 1, "", "--credentials"},
		{"serve --state memory --addr 127.0.0.1:http-but-wrong", 1, "", "--addr 127.0.0.1:http-but-wrong"},
		{"serve --world push-only=1.5", 2, "", "push-only must be at most 1"},
		{"serve --world sms=NaN", 2, "", "sms must be a number"},
		{"serve --world growht=0.1", 2, "", "did you mean growth?"},
		{"serve --world campaigns=0", 2, "", "campaigns must be at least 1"},
		{"serve --world texture=rough", 2, "", "texture must be"},
		{"serve --world weekly-messages=100.5", 2, "", "weekly-messages must be at most 100"},
		{"serve --world rates=0.5", 2, "", "rates must be an object"},
		{"serve --world rates.email_open=2", 2, "", "rates.email_open must be at most 1"},
		{"serve --world regions.XX=2", 2, "", "--world regions.XX has no meaning: the regions are AU, "},
		{"serve --world arrival=soon", 2, "", "--world arrival: \"soon\" is not known"},
		{"serve --world nowhere.yaml", 2, "", "must be KEY=VALUE or a file with such keys: --world: open nowhere.yaml"},
		{"serve --port 0 --state memory --world rates.email_opened=0.5", 2, "",
			"--world rates.email_opened has no meaning: there is no such event, did you mean email_open?; the events with a rate are email_bounced"},
		{"serve --world email-only=0.6 --world sms=0.5", 2, "", "--world sms is 0.5: push-only profiles (0), e-mail-only profiles (0.6)"},
		{"generate --kind userbase --world push-only=0.6 --world email-only=0.5", 2, "", "--world email-only is 0.5: push-only profiles (0.6)"},
		{"generate --kind profiles.events --world rates.email_sent=0.5", 2, "", "--world rates.email_sent cannot be set: it begins a message"},
		{"serve --seed 1 --seed 2", 2, "", `--seed is given twice, as "1" and "2"; it takes one value`},
		{"generate --quiet --quiet", 2, "", "--quiet is given twice"},
		{"generate", 2, "", "--kind is missing"},
		{"generate --kind userbas", 2, "", "did you mean userbase?"},
		{"generate --kind userbase --rows -1", 2, "", "--rows is -1"},
		{"generate --kind userbase --profiles 0", 2, "", "--profiles is 0"},
		{"generate --kind userbase --profiles 9223372036854775807", 2, "", "from 1 to 1000000000"},
		{"generate --kind userbase --api-key a/b", 2, "", "--api-key \"a/b\" contains a slash"},
		{"generate --kind campaign.ids --token=", 2, "", "--token \"\" is empty"},
		{"generate --kind userbase extra", 2, "", `unexpected argument "extra"`},
		{"generate --kind userbase --now yesterday", 2, "", "--now"},
		{"generate --kind userbase --from now", 2, "", "--from is not for userbase, whose request has no member \"from\"; allowed are --ids"},
		{"generate --kind userbase --ids email", 2, "", "ids[0]"},
		{"generate --kind campaign.events --from now --to 2026-01-01T00:00:00", 2, "", "from must not be later than to"},
		{"generate --kind profiles.events --from 2020-01-01T00:00:00Z", 2, "", "lookback of 90 days"},
		{"generate --kind profiles.events --from 2026-03-14T00:00:00", 2, "", "from"},
		{"generate --schemas ../../examples/services/analytics --kind analytics.hours --from 20260314T05 --to 20260314T03", 2, "",
			"start (20260314T05) is after end (20260314T03)"},
		{"generate --kind userbase --segment x", 2, "", "--segment is not for userbase"},
		{"generate --kind userbase --out /nowhere/x.csv", 1, "", "--out"},
		{"validate --schema userbase", 2, "", "no file is given"},
		{"validate x.csv", 2, "", "--schema is missing"},
		{"validate --schema userbas x.csv", 2, "", "userbase"},
		{"validate --schema userbase --max-faults -1 x.csv", 2, "", "--max-faults is -1"},
		{"validate --schema userbase /nowhere.csv", 3, "", "/nowhere.csv"},
		{"validate --schema userbase --schemas /nowhere x.csv", 3, "", "--schemas"},
		{"validate --schema userbase --config /nowhere x.csv", 2, "", "--config"},
		{"validate --schema userbase .", 2, "", ". is a directory"},
		{"validate --schema userbase --format xml x", 2, "", `--format is "xml"; it must be text, json, junit, sarif or html`},
	} {
		t.Run(c.line, func(t *testing.T) {
			r := invoke(t, "", strings.Fields(c.line)...)
			r.is(t, c.code, c.out, c.err)
			if c.code != 0 && r.out != "" {
				t.Errorf("a mistake is printed on standard output: %s", r.out)
			}
		})
	}
}

const userbaseHeader = "install_id;custom_id;advertising_id;is_optin_push;install_date;last_start_date;smart_segment\n"

// TestValidate checks faults, summaries and exit codes.
func TestValidate(t *testing.T) {
	good := userbaseHeader + "i;c;a;true;2026-01-02T03:04:05;2026-01-02T03:04:05;new\n"
	bad := good + "i;c;a;maybe;2026-13-02T03:04:05;2026-01-02T03:04:05;new\n"
	path := filepath.Join(t.TempDir(), "userbase.csv")
	must.Do(t, os.WriteFile(path, []byte(bad), 0o600))
	for _, c := range []struct {
		about string
		in    string
		line  []string
		code  int
		lines []string // what each line begins with
	}{
		{"no fault", good, []string{"--schema", "userbase", "-"}, 0, []string{"-: legacy/userbase.row.json: 1 row, no faults"}},
		{"two faults", "", []string{"--schema", "userbase", path}, 1, []string{
			path + ":3:13: /install_date: ", path + ":3:7: /is_optin_push: ", path + ": legacy/userbase.row.json: 2 rows, 2 faults"}},
		{"flags after files", "", []string{path, "--schema", "userbase", "--max-faults=1"}, 1, []string{
			path + ":3:13: /install_date: ", path + ": legacy/userbase.row.json: "}},
		{"several files", good, []string{"--schema", "userbase", "-", path}, 1, []string{
			"-: ", path + ":3:13:", path + ":3:7:", path + ": "}},
		{"a payload", `{"ids":["install_id"],"x":1}`, []string{"--schema", "legacy/userbase.request", "-"}, 1, []string{
			"-:1:", "-: legacy/userbase.request.json: 1 value, 1 fault"}},
		{"an array", `[]`, []string{"--schema", "profiles.events", "-"}, 0, []string{"-: profiles/events.output.json: 0 rows, no faults"}},
		{"not JSON", `[{]`, []string{"--schema", "profiles.events", "-"}, 1, []string{"-:1:3: ", "-: "}},
		{"a file named like a flag", "", []string{"--schema", "userbase", "--", "--x"}, 3, nil},
	} {
		t.Run(c.about, func(t *testing.T) {
			r := invoke(t, c.in, append([]string{"validate"}, c.line...)...)
			lines := strings.Split(strings.TrimSuffix(r.out, "\n"), "\n")
			if r.code != c.code || c.lines != nil && len(lines) != len(c.lines) {
				t.Fatalf("exit code %d, want %d\nout: %s\nerr: %s", r.code, c.code, r.out, r.err)
			}
			for i, want := range c.lines {
				if !strings.HasPrefix(lines[i], want) {
					t.Errorf("line %d is %q, want %q", i+1, lines[i], want)
				}
			}
		})
	}
}

// TestCancelledCommandsEnd: an interrupted command leaves nothing behind.
func TestCancelledCommandsEnd(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	out := filepath.Join(t.TempDir(), "x.csv")
	var errs bytes.Buffer
	code := run(ctx, []string{"generate", "--kind", "userbase", "--out", out}, terminal{
		out: io.Discard, err: &errs, environment: os.Getenv, now: func() time.Time { return noon },
	})
	left, err := os.ReadDir(filepath.Dir(out))
	if code != exitFailed || err != nil || len(left) > 0 || !strings.Contains(errs.String(), "interrupted: ") {
		t.Errorf("exit code %d, left behind %v, %v: %s", code, left, err, &errs)
	}
}

// TestPreset: --test sets what nothing else sets.
func TestPreset(t *testing.T) {
	for name, c := range map[string]struct {
		line []string
		want []string
	}{
		"alone":       {nil, []string{"credentials: any", "profiles: 500", "progress: polls:3", "state: memory"}},
		"with others": {[]string{"--profiles", "7", "--state", "x.db"}, []string{"credentials: any", "profiles: 7", "state: x.db"}},
		"a world":     {[]string{"--world", "profiles=9"}, []string{"state: memory", "  profiles: 9"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := invoke(t, "", append([]string{"serve", "--test", "--print-config"}, c.line...)...)
			if got.code != exitOK {
				t.Fatal(got.err)
			}
			for _, want := range c.want {
				must.Hold(t, strings.Contains(got.out, want+" "), "no %q in %s%s", want, got.out, got.err)
			}
		})
	}
}

// TestFirstScreen: the first screen of serve has few flags, and every flag is on a page.
func TestFirstScreen(t *testing.T) {
	program := newProgram(terminal{})
	command, _, err := program.Find([]string{"serve"})
	if err != nil {
		t.Fatal(err)
	}
	pages := map[string]string{}
	for _, group := range serveGroups {
		for name := range strings.FieldsSeq(group.flags) {
			must.Hold(t, command.Flags().Lookup(name) != nil, "the help names --%s, which is no flag", name)
			if _, there := pages[name]; !there {
				pages[name] = group.page
			}
		}
	}
	first := 2 // --config and --print-config
	settings.Each(command, func(f *pflag.Flag) {
		page, there := pages[f.Name]
		must.Hold(t, there, "no page of the help has --%s", f.Name)
		if page == "" {
			first++
		}
	})
	must.Hold(t, first <= 24, "the first screen has %d flags, more than 24", first)
}
