package report_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/joshdk/go-junit"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/report"
)

// hostile is a text of somebody who wants to write to the terminal, to begin a
// line, to hide what follows and to end a section of XML.
const hostile = "a\x1b]0;title\x07\u009b31m\r\nb\x00\x7f\u202e\xff]]><x>&\""

// made is a report with a case of every kind.
func made() *report.Report {
	r := &report.Report{Command: "mockserver check", Version: "1.2.3", Rules: []report.Rule{
		{Name: "held", About: "it holds"},
		{Name: "order", About: "rows are in order", Innocent: "nobody promised it"},
	}}
	r.Case("rules", "held")
	order := r.Case("rules", "order")
	order.Find(report.Finding{
		Rule: "order", Place: report.Place{File: "a b/ü.csv", Line: 3, Row: 2}, Message: "the row is too early",
		Other: &report.Place{File: "/abs/c:d.csv", Line: 2, Row: 1},
	})
	order.Count(7)
	r.Case("rules", "journey").Skipped = "no events"
	bad := r.Case("rules", hostile)
	bad.Find(report.Finding{Rule: hostile, Place: report.Place{File: hostile, Line: 1, Column: 9}, Message: hostile})
	r.Case("rules", "away").Broken = "no such file"
	return r
}

// TestJUnit lets another program's reader read the report.
func TestJUnit(t *testing.T) {
	var out bytes.Buffer
	if err := made().JUnit(&out); err != nil {
		t.Fatal(err)
	}
	plain(t, out.String())
	suites, err := junit.Ingest(out.Bytes())
	if err != nil || len(suites) != 1 {
		t.Fatalf("%d suites, %v: %s", len(suites), err, &out)
	}
	if got, want := suites[0].Totals, (junit.Totals{Tests: 5, Passed: 1, Skipped: 1, Failed: 2, Error: 1}); got != want {
		t.Errorf("the totals are %+v, want %+v", got, want)
	}
	failed := suites[0].Tests[1]
	text := failed.Error.Error()
	if failed.Name != "order" || failed.Message != "7 findings" ||
		text != "a b/ü.csv:3: the row is too early; see /abs/c:d.csv:2 [order]\nand 6 more\n" {
		t.Errorf("%+v: %q", failed, text)
	}
	if got := suites[0].Tests[2].Message; got != "no events" {
		t.Errorf("skipped because of %q", got)
	}
	// What was a line stays one.
	if text := suites[0].Tests[3].Error.Error(); strings.Count(text, "\n") != 1 || !strings.Contains(text, `\x1b]0;title\a\u009b31m\r\nb\x00\x7f\u202e\xff]]><x>&"`) {
		t.Errorf("%q", text)
	}
}

// TestSARIF holds the report against the schema of the format.
func TestSARIF(t *testing.T) {
	var out bytes.Buffer
	if err := made().SARIF(&out); err != nil {
		t.Fatal(err)
	}
	plain(t, out.String())
	schema, err := jsonschema.Compile("testdata/sarif-schema-2.1.0.json")
	if err != nil {
		t.Fatal(err)
	}
	var document any
	if err := json.Unmarshal(out.Bytes(), &document); err != nil {
		t.Fatal(err)
	}
	if err := schema.Validate(document); err != nil {
		t.Fatalf("%#v\n%s", err, &out)
	}
	for pointer, want := range map[string]any{
		"/version":                       "2.1.0",
		"/runs/0/tool/driver/rules/0/id": "held",
		"/runs/0/results/0/ruleId":       "order",
		"/runs/0/results/0/ruleIndex":    1.0,
		"/runs/0/results/0/level":        "warning",
		"/runs/0/results/0/message/text": "the row is too early",
		"/runs/0/results/0/locations/0/physicalLocation/artifactLocation/uri":        "a%20b/%C3%BC.csv",
		"/runs/0/results/0/locations/0/physicalLocation/region/startLine":            3.0,
		"/runs/0/results/0/locations/0/properties/row":                               2.0,
		"/runs/0/results/0/relatedLocations/0/physicalLocation/artifactLocation/uri": "file:///abs/c:d.csv",
		"/runs/0/results/1/level":                                         "error",
		"/runs/0/results/1/ruleIndex":                                     2.0,
		"/runs/0/results/1/locations/0/properties/byteColumn":             9.0,
		"/runs/0/results/2":                                               nil,
		"/runs/0/invocations/0/executionSuccessful":                       false,
		"/runs/0/invocations/0/toolExecutionNotifications/0/message/text": "order: and 6 more",
		"/runs/0/invocations/0/toolExecutionNotifications/1/message/text": "journey: no events",
		"/runs/0/invocations/0/toolExecutionNotifications/2/message/text": "away: no such file",
		"/runs/0/invocations/0/toolExecutionNotifications/2/level":        "error",
	} {
		if got := at(document, pointer); got != want {
			t.Errorf("%s is %v, want %v", pointer, got, want)
		}
	}
}

// at is the value at a JSON pointer; nil where there is none.
func at(value any, pointer string) any {
	for _, step := range strings.Split(pointer, "/")[1:] {
		switch whole := value.(type) {
		case map[string]any:
			value = whole[step]
		case []any:
			index, err := strconv.Atoi(step)
			if err != nil || index >= len(whole) {
				return nil
			}
			value = whole[index]
		}
	}
	return value
}

// TestMost: memory does not grow with what is found.
func TestMost(t *testing.T) {
	r := &report.Report{Command: "mockserver validate"}
	file := r.Case("schema", "x.csv")
	for i := range report.Most + 5 {
		file.Find(report.Finding{Rule: "type", Place: report.Place{File: "x.csv", Line: i + 1}, Message: "wrong"})
	}
	var out bytes.Buffer
	if err := r.JUnit(&out); err != nil {
		t.Fatal(err)
	}
	suites, err := junit.Ingest(out.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	failed := suites[0].Tests[0]
	if text := failed.Error.Error(); failed.Message != fmt.Sprint(report.Most+5, " findings") || strings.Count(text, "\n") != report.Most+1 || !strings.HasSuffix(text, "\nand 5 more\n") {
		t.Errorf("%s: %.200q", failed.Message, text)
	}
}

// TestPrintable: nothing that a terminal obeys, and nothing else changed.
func TestPrintable(t *testing.T) {
	for text, want := range map[string]string{
		"Ünïcödé, 日本 \\ 'x' \"y\"": "Ünïcödé, 日本 \\ 'x' \"y\"",
		"\x1b[31mred":              `\x1b[31mred`,
		"\u009b31m":                `\u009b31m`,
		"\x9b31m":                  `\x9b31m`,
		"a\nb\tc":                  `a\nb\tc`,
		"\u202egpj.exe":            `\u202egpj.exe`,
		"\ufffd":                   "\ufffd",
		"\U000e0041":               `\U000e0041`,
	} {
		if got := report.Printable(text); got != want {
			t.Errorf("%q is shown as %q, want %q", text, got, want)
		}
	}
}

// TestJSON: escaped beyond what JSON demands, and the same value.
func TestJSON(t *testing.T) {
	for _, text := range []string{"\x1b\x7f\u009b\u202e\U000e0041<&>", "日本 é"} {
		var out bytes.Buffer
		if err := report.JSON(&out, []string{text}); err != nil {
			t.Fatal(err)
		}
		plain(t, out.String())
		var back []string
		if err := json.Unmarshal(out.Bytes(), &back); err != nil || back[0] != text || strings.Count(out.String(), "\n") != 1 {
			t.Errorf("%q is read back as %q, %v", text, back, err)
		}
	}
}

// plain refuses what a terminal could obey.
func plain(t *testing.T, text string) {
	t.Helper()
	for _, r := range text {
		if r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Cf, r)) {
			t.Errorf("%q reaches the terminal", r)
		}
	}
}
