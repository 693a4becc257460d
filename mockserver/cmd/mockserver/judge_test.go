package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/iotest"
	"time"
	"unicode"

	"github.com/joshdk/go-junit"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// written is a new file.
func written(t *testing.T, name, content string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	must.Do(t, os.WriteFile(path, []byte(content), 0o600))
	return path
}

const faultyRow = "i;c;a;maybe;2026-01-02T03:04:05;2026-01-02T03:04:05;new\n"

// judgements are command lines that end with each exit code.
func judgements(t *testing.T) map[string]struct {
	line []string
	code int
} {
	good, bad := written(t, "good.csv", userbaseHeader), written(t, "bad.csv", userbaseHeader+faultyRow)
	missing := filepath.Join(t.TempDir(), "missing.csv")
	return map[string]struct {
		line []string
		code int
	}{
		"validate, clean":      {[]string{"validate", "--schema", "userbase", good}, exitOK},
		"validate, faults":     {[]string{"validate", "--schema", "userbase", good, bad}, exitFailed},
		"validate, unreadable": {[]string{"validate", "--schema", "userbase", bad, missing}, exitUnread},
		"check, clean":         {[]string{"check", good}, exitOK},
		"check, faults":        {[]string{"check", bad}, exitFailed},
		"check, unreadable":    {[]string{"check", bad, missing}, exitUnread},
	}
}

// TestFormats lets readers of each format read what the commands print, whatever they found.
func TestFormats(t *testing.T) {
	schema := must.Get(jsonschema.Compile("../../internal/report/tests/testdata/sarif-schema-2.1.0.json"))(t)
	for about, c := range judgements(t) {
		t.Run(about, func(t *testing.T) {
			t.Parallel()
			as := func(format string) string {
				r := invoke(t, "", append([]string{c.line[0], "--format", format}, c.line[1:]...)...)
				must.Equal(t, r.code, c.code, "exit code of %s, %s", format, r.err)
				return r.out
			}
			suites, err := junit.Ingest([]byte(as("junit")))
			if err != nil || len(suites) != 1 || suites[0].Name != "mockserver "+c.line[0] || suites[0].Totals.Tests == 0 {
				t.Fatalf("JUnit: %v, %+v", err, suites)
			}
			totals := suites[0].Totals
			must.Equal(t, totals.Failed > 0, c.code == exitFailed || about == "validate, unreadable", "JUnit fails, %+v", totals)
			must.Equal(t, totals.Error > 0, c.code == exitUnread, "JUnit has errors, %+v", totals)
			var log struct {
				Runs []struct {
					Results     []struct{ RuleID string }
					Invocations []struct{ ExecutionSuccessful bool }
				}
			}
			document := as("sarif")
			var value any
			if err := errors.Join(json.Unmarshal([]byte(document), &value), json.Unmarshal([]byte(document), &log)); err != nil {
				t.Fatalf("SARIF: %v: %s", err, document)
			}
			if err := schema.Validate(value); err != nil {
				t.Errorf("SARIF: %#v", err)
			}
			if run := log.Runs[0]; run.Invocations[0].ExecutionSuccessful != (c.code != exitUnread) || (len(run.Results) > 0) != (totals.Failed > 0) {
				t.Errorf("SARIF: %s", document)
			}
			counts := map[string]int{}
			for line := range strings.Lines(as("json")) {
				var members map[string]json.RawMessage
				if err := json.Unmarshal([]byte(line), &members); err != nil || len(members) != 1 {
					t.Fatalf("JSON: %v: %s", err, line)
				}
				for name := range members {
					counts[name]++
				}
			}
			if found := counts["finding"]; found != len(log.Runs[0].Results) || counts["error"] != totals.Error {
				t.Errorf("JSON: %v", counts)
			}
		})
	}
}

// TestValidateJSON: a fault and a summary as a program sees them.
func TestValidateJSON(t *testing.T) {
	path := written(t, "bad.csv", userbaseHeader+faultyRow)
	r := invoke(t, "", "validate", "--format", "json", "--schema", "userbase", "--max-faults", "1", path)
	lines := strings.Split(r.out, "\n")
	for i, want := range []string{
		`{"finding":{"rule":"enum","file":"` + path + `","row":1,"line":2,"column":7,"pointer":"/is_optin_push","message":"`,
		`{"summary":{"file":"` + path + `","schema":"legacy/userbase.row.json","format":"csv","rows":1,"faults":1,"stopped":true}}`,
	} {
		if !strings.HasPrefix(lines[i], want) {
			t.Errorf("line %d is %s, want %s", i+1, lines[i], want)
		}
	}
}

// TestNothingReachesTheTerminal: what is in files and in their names cannot control the terminal or begin a line, in any format.
func TestNothingReachesTheTerminal(t *testing.T) {
	t.Parallel()
	const hostile = "\x1b]0;pwned\a\x1b[31m\u009b31m\u202e"
	quoted := must.Get(json.Marshal(hostile + "\nFAKE"))(t)
	payload := written(t, hostile+".json", `{`+string(quoted)+`:1,"ids":[`+string(quoted)+`]}`)
	header := written(t, hostile+".csv", "install_id;"+hostile+"\x9b\n")
	for _, line := range [][]string{
		{"validate", "--schema", "legacy/userbase.request", payload},
		{"validate", "--schema", "userbase", header},
		{"validate", "--schema", hostile, header},
		{"validate", "--schema", "userbase", header + "\nFAKE"},
		{"check", "--kind", header + "=userbase", header},
		{"check", "--kind", header + "=" + hostile, header},
		{"check", header, payload + "\nFAKE"},
		{"check", header},
		{hostile},
	} {
		formats := []string{"text"}
		if line[len(line)-1] == payload || line[len(line)-1] == header && line[1] == "--kind" {
			formats = append(formats, "json", "junit", "sarif")
		}
		for _, format := range formats {
			arguments := line
			if len(line) > 1 {
				arguments = append([]string{line[0], "--format", format}, line[1:]...)
			}
			r := invoke(t, "", arguments...)
			must.Hold(t, r.code != exitOK && r.out+r.err != "", "%q: exit code %d", arguments, r.code)
			for _, char := range r.out + r.err {
				if char == '\ufffd' || char != '\n' && (unicode.IsControl(char) || unicode.Is(unicode.Cf, char)) {
					t.Errorf("%q prints %q:\n%q", arguments, char, r.out+r.err)
					break
				}
			}
			if format == "text" && strings.Contains(r.out, "\nFAKE") {
				t.Errorf("%q: a file writes a line of its own: %s", arguments, r.out)
			}
		}
	}
}

// TestReadingFails: that is no fault of the file.
func TestReadingFails(t *testing.T) {
	t.Parallel()
	for before, all := range map[string][][]string{
		"":             {{"validate", "--schema", "userbase", "-"}, {"validate", "--schema", "profiles.events", "-"}, {"check", "-"}},
		userbaseHeader: {{"validate", "--schema", "userbase", "-"}, {"check", "-"}},
		"[":            {{"validate", "--schema", "profiles.events", "-"}, {"check", "-"}},
	} {
		for _, arguments := range all {
			var out, errs bytes.Buffer
			code := run(t.Context(), arguments, terminal{
				in: io.MultiReader(strings.NewReader(before), iotest.ErrReader(errors.New("the disk is gone"))), out: &out, err: &errs,
				environment: func(string) string { return "" }, now: func() time.Time { return noon },
			})
			if code != exitUnread || !strings.Contains(errs.String(), "the disk is gone") {
				t.Errorf("%q after %q: exit code %d: %s%s", arguments, before, code, &out, &errs)
			}
		}
	}
}

// TestOutputFails: what nobody can read was not found.
func TestOutputFails(t *testing.T) {
	t.Parallel()
	for _, c := range judgements(t) {
		var errs bytes.Buffer
		code := run(t.Context(), c.line, terminal{
			in: strings.NewReader(""), out: full{}, err: &errs, environment: func(string) string { return "" }, now: func() time.Time { return noon },
		})
		if code != exitUnread || !strings.Contains(errs.String(), "no space") && !strings.Contains(errs.String(), "missing.csv") {
			t.Errorf("%q: exit code %d: %s", c.line, code, &errs)
		}
	}
}

type full struct{}

func (full) Write([]byte) (int, error) { return 0, errors.New("no space left") }

// TestInterruptedReading: a command that waits for standard input ends.
func TestInterruptedReading(t *testing.T) {
	for _, arguments := range [][]string{{"validate", "--schema", "userbase", "-"}, {"check", "-"}} {
		ctx, cancel := context.WithCancel(t.Context())
		waiting, writer := io.Pipe()
		defer writer.Close()
		go func() {
			// The second write returns once the first is read.
			_, _ = io.WriteString(writer, userbaseHeader)
			cancel()
		}()
		var errs bytes.Buffer
		code := run(ctx, arguments, terminal{
			in: waiting, out: io.Discard, err: &errs, environment: func(string) string { return "" }, now: func() time.Time { return noon },
		})
		must.Hold(t, code == exitUnread && strings.Contains(errs.String(), "interrupted: "), "%q: exit code %d: %s", arguments, code, &errs)
	}
}
