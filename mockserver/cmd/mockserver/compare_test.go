package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/joshdk/go-junit"
)

// TestCompare: two mock servers are alike, one with a column more is not; and the difference is known the next time.
func TestCompare(t *testing.T) {
	flags := []string{"--addr", "127.0.0.1:0", "--state", "memory", "--progress", "now", "--profiles", "200"}
	a, b := start(t, nil, append(flags, "--seed", "1")...), start(t, nil, append(flags, "--seed", "2")...)
	other := start(t, nil, append(flags, "--schemas", driftingOverlay(t))...)
	only := []string{"--mock", "a,b", "--only", "userbase,legacy-refusals,unknown-routes,failed-export"}
	compared := func(to string, more ...string) result {
		return invoke(t, "", append(append([]string{"compare", "--a", a.base, "--b", to}, only...), more...)...)
	}
	if got := compared(b.base); got.code != exitOK || got.err != "" || got.out != "4 conversations, 4 of them alike, 0 undecided; 0 differences\n" {
		t.Errorf("alike: %d %s%s", got.code, got.out, got.err)
	}
	got := compared(other.base)
	id, _, _ := strings.Cut(got.out, " ")
	if got.code != exitFailed || !strings.Contains(got.out, "GET link to legacy/userbase: column loyalty: a has none; b has a column [column] (new, seen 1 time)\n    in       userbase/file\n") {
		t.Errorf("a column more: %d %s%s", got.code, got.out, got.err)
	}
	known := filepath.Join(t.TempDir(), "known.txt")
	if err := os.WriteFile(known, []byte("# known\n"+id+" a column\n000000000000 another\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	if got := compared(other.base, "--known-differences", known); got.code != exitOK || !strings.Contains(got.out, "(known, ") || !strings.Contains(got.out, "known and not found any more: 000000000000") {
		t.Errorf("known: %d %s%s", got.code, got.out, got.err)
	}
	report := filepath.Join(t.TempDir(), "report.xml")
	if got := compared(other.base, "--format", "junit", "--report", report, "--fail-on", "high"); got.code != exitOK || got.out != "" {
		t.Errorf("JUnit: %d %s%s", got.code, got.out, got.err)
	}
	if suites, err := junit.IngestFile(report); err != nil || suites[0].Totals.Tests != 4 || suites[0].Totals.Failed != 0 {
		t.Errorf("%+v, %v", suites, err)
	}
	lines := strings.Split(strings.TrimSpace(compared(other.base, "--format", "json").out), "\n")
	for _, line := range lines {
		if !json.Valid([]byte(line)) {
			t.Errorf("%s is no JSON", line)
		}
	}
	if last := lines[len(lines)-1]; !strings.Contains(last, `"gone":[]`) {
		t.Errorf("no list in %s", last)
	}
	if got := invoke(t, "", "compare", "--a", a.base, "--b", other.base, "--only", "userbase"); !strings.HasSuffix(got.out, "\n1 conversation, 0 of them alike, 0 undecided; 1 difference\n") {
		t.Errorf("one of each: %s", got.out)
	}
	if len(lines) != 1+4+1 {
		t.Errorf("%d lines: %s", len(lines), lines)
	}
	if got := invoke(t, "", "compare", "--a", a.base, "--b", b.base, "--only", "failed-export"); got.code != exitUnread || !strings.Contains(got.err, "nothing was decided") {
		t.Errorf("undecided: %d %s%s", got.code, got.out, got.err)
	}
	if got := invoke(t, "", "compare", "--a", a.base, "--b", "http://127.0.0.1:1", "--only", "userbase"); got.code != exitUnread || !strings.Contains(got.out, "undecided: userbase: b: step create: no answer") {
		t.Errorf("nobody there: %d %s%s", got.code, got.out, got.err)
	}
}

// TestCompareRecording: what was said through a recording proxy is compared with a service that says the same, and with one that does not.
func TestCompareRecording(t *testing.T) {
	flags := []string{"--addr", "127.0.0.1:0", "--state", "memory", "--progress", "now", "--profiles", "200"}
	real := map[string]string{"REHEARSAL_NOW": ""}
	service, other := start(t, real, append(flags, "--seed", "1")...), start(t, real, append(flags, "--schemas", driftingOverlay(t), "--seed", "3")...)
	directory := filepath.Join(t.TempDir(), "recording")
	p := startProxy(t, "--upstream", service.base, "--record", directory, "--fail-on", "never")
	today := time.Now() // a recording begins now, and so do the services
	compared := func(arguments ...string) (code int, out, errs string) {
		var shown, told bytes.Buffer
		const only = "userbase,campaign-events,reachability-events,profiles-events,unknown-routes,legacy-refusals,profiles-refusals,lookup-authentication,creation-authentication"
		code = run(t.Context(), append([]string{"compare", "--only", only}, arguments...), terminal{out: &shown, err: &told, now: func() time.Time { return today }, environment: func(string) string { return "" }})
		return code, shown.String(), told.String()
	}
	if code, out, errs := compared("--a", p.base, "--b", other.base, "--fail-on", "never"); code != exitOK || strings.Contains(out, "undecided: ") {
		t.Errorf("live: %d %s%s", code, out, errs)
	}
	p.stop()
	if code, out, errs := compared("--a", directory, "--b", service.base); code != exitOK || out != "9 conversations, 9 of them alike, 0 undecided; 0 differences\n" {
		t.Errorf("the recording and its service: %d %s%s", code, out, errs)
	}
	if code, out, errs := compared("--a", other.base, "--b", directory); code != exitFailed || !strings.Contains(out, "column loyalty: a has a column; b has none") {
		t.Errorf("the recording and another: %d %s%s", code, out, errs)
	}
}

// TestCompareDryRun: nothing is sent, no service is needed, and no key is shown.
func TestCompareDryRun(t *testing.T) {
	own := t.TempDir()
	if err := os.WriteFile(filepath.Join(own, "mine.yaml"), []byte("about: Mine.\nsteps:\n  - name: ask\n    request: {path: \"/1.0/{api_key}/mine\", headers: {X-Authorization: \"{company_key}\"}}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	got := invoke(t, "", "compare", "--dry-run", "--conversations", own)
	for _, part := range []string{"mine: Mine. (0 exports)\n    GET /1.0/{api_key}/mine\n        X-Authorization: {company_key}\n", "nothing was sent\n", "POST /2.7/profiles/export, 11 times", "wait 2h0m0s", "every 5s, at most 360 times"} {
		if !strings.Contains(got.out, part) {
			t.Errorf("%q is missing", part)
		}
	}
	if got.code != exitOK || strings.Contains(got.out, "rest_demo") {
		t.Errorf("%d %s", got.code, got.err)
	}
}

// TestCompareFlags: what is wrong is said before anything is sent.
func TestCompareFlags(t *testing.T) {
	empty := t.TempDir()
	values := filepath.Join(empty, "values.yaml")
	if err := os.WriteFile(values, []byte("company_key: [secret-of-mine]\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for line, says := range map[string]string{
		"":                                               "is missing",
		"--a http://x --b http://y extra":                "takes flags only",
		"--a http://x --b ftp://y":                       "--b must begin with http:// or https://",
		"--a http://u:p@x --b http://y":                  "credentials belong into --a-values",
		"--a http://x --b http://y --mock c":             "--mock is \"c\"",
		"--a http://x --b http://y --budget 5":           "exports=NUMBER",
		"--a http://x --b http://y --only user":          "--only \"user\" is no conversation",
		"--a http://x --b http://y --budget exprts=5":    "did you mean",
		"--a http://x --b http://y --fail-on bad":        "--fail-on is \"bad\"",
		"--a http://x --b http://y --patience -1s":       "must not be negative",
		"--dry-run --format json":                        "--format json",
		"--dry-run --report " + values:                   "--report",
		"--a http://x --b http://y --format sarif":       "--format \"sarif\" is not known",
		"--a http://x --b http://y --a-values " + values: "it must be names with texts",
	} {
		got := invoke(t, "", append([]string{"compare"}, strings.Fields(line)...)...)
		if got.code != exitUsage || !strings.Contains(got.err, says) || strings.Contains(got.err, "secret") {
			t.Errorf("%q: %d %s, want %q", line, got.code, got.err, says)
		}
	}
	if got := invoke(t, "", "compare", "--a", "http://127.0.0.1:1", "--b", "http://127.0.0.1:1", "--report", filepath.Join(empty, "absent", "report")); got.code != exitUnread || !strings.Contains(got.err, "--report") || strings.Contains(got.err, " with a") {
		t.Errorf("a report that cannot be written: %d %s", got.code, got.err)
	}
	if got := invoke(t, "", "compare", "--a", empty, "--b", "http://y"); got.code != exitUnread || !strings.Contains(got.err, "there is no recording.json") {
		t.Errorf("an empty directory: %d %s", got.code, got.err)
	}
	if got := invoke(t, "", "compare", "--dry-run", "--conversations", empty); got.code != exitUnread || !strings.Contains(got.err, "values.yaml: ") {
		t.Errorf("no conversation: %d %s", got.code, got.err)
	}
}

// TestCompareCause: a wrong key is one line, with what it keeps from being compared; and it is known in every way in which its parts were.
func TestCompareCause(t *testing.T) {
	flags := []string{"--addr", "127.0.0.1:0", "--state", "memory", "--progress", "now", "--profiles", "200"}
	a, b := start(t, nil, append(flags, "--seed", "1")...), start(t, nil, append(flags, "--seed", "2")...)
	values := filepath.Join(t.TempDir(), "values.yaml")
	if err := os.WriteFile(values, []byte("company_key: another\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	compared := func(more ...string) result {
		return invoke(t, "", append([]string{"compare", "--a", a.base, "--b", b.base, "--b-values", values, "--mock", "a,b", "--only", "userbase,campaign-ids,legacy-refusals,profiles-links"}, more...)...)
	}
	got := compared()
	for _, part := range []string{
		"b answers 401 10 AUTHENTICATION_INVALID to every request under /1.0/{api_key}/export [cause]: 3 conversations could not be compared to the end because of it (new, seen 16 times)\n",
		"\n    advice   do the values of --b-values hold", "\n    hinders  legacy-refusals, campaign-ids, userbase\n", "\n    follows  ",
		"\n4 conversations, 1 of them alike, 0 undecided; 1 difference, and ",
	} {
		if !strings.Contains(got.out, part) {
			t.Errorf("%q is missing in %s", part, got.out)
		}
	}
	if got.code != exitFailed || strings.Count(got.out, "\n    in ") != 1 {
		t.Errorf("%d %s%s", got.code, got.out, got.err)
	}
	cause, _, _ := strings.Cut(got.out, " ")
	var parts []string
	for _, line := range strings.Split(compared("--format", "json").out, "\n") {
		var read struct {
			Difference struct {
				ID       string
				Relation struct{ Follows string }
			}
		}
		if json.Unmarshal([]byte(line), &read) == nil && read.Difference.Relation.Follows == cause {
			parts = append(parts, read.Difference.ID)
		}
	}
	for about, known := range map[string]struct {
		ids  []string
		code int
	}{"the cause": {[]string{cause}, exitOK}, "all parts": {parts, exitOK}, "all but one": {parts[1:], exitFailed}} {
		file := filepath.Join(t.TempDir(), "known.txt")
		if err := os.WriteFile(file, []byte(strings.Join(known.ids, "\n")+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		if got := compared("--known-differences", file); got.code != known.code || strings.Contains(got.out, "not found any more") {
			t.Errorf("%s: %d %s%s", about, got.code, got.out, got.err)
		}
	}
	report := filepath.Join(t.TempDir(), "report.xml")
	compared("--format", "junit", "--report", report)
	if suites, err := junit.IngestFile(report); err != nil || suites[0].Totals.Tests != 4 || suites[0].Totals.Failed != 3 {
		t.Errorf("%+v, %v", suites, err)
	}
}
