package report_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"testing"
	"unicode"

	"github.com/joshdk/go-junit"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/report"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

// hostile is a text of somebody who wants to write to the terminal, to begin a line, to hide what follows and to end a section of XML.
const hostile = "a\x1b]0;title\x07\u009b31m\r\nb\x00\x7f\u202e\xff]]><x>&\""

// printed is a report with a case of every kind, in a format.
func printed(t *testing.T, format string) string {
	t.Helper()
	var out bytes.Buffer
	r := report.New(&out, format, "mockserver check", "1.2.3",
		report.Rule{Name: "held", About: "it holds"}, report.Rule{Name: "order", About: "rows are in order", Innocent: "nobody promised it"})
	r.Case("rules", "held")
	r.Case("rules", "order").Find(report.Finding{
		Rule: "order", Place: &report.Place{File: "a b/ü.csv", Line: 3, Row: 2}, Message: "the row is too early",
		Other: &report.Place{File: "/abs/c:d.csv", Line: 2, Row: 1},
	})
	r.Case("rules", "order").Count(7)
	r.Case("rules", "journey").Skip("no events")
	r.Case("rules", hostile).Find(report.Finding{
		Rule: hostile, Place: &report.Place{File: hostile, Line: 1, Column: 9}, Pointer: "/" + hostile, Message: hostile,
		Notes: []string{hostile},
	})
	r.Case("files", "away").Break("away.csv", errors.New("no such file"))
	drift := report.Finding{ID: "0a1b", Rule: "status", Severity: "medium", Subject: "profiles.create 418", Message: "allowed 200; came 418",
		State: "new", Count: 3}
	r.Case("profiles", "0a1b status").Find(drift)
	drift.State = "known"
	r.Case("profiles", "0a1b").Excuse(drift, "known")
	r.Summarize(map[string]int{"files": 2}, "2 files\n")
	if err := r.End(nil); err != report.ErrFaults {
		t.Errorf("got %v", err)
	}
	plain(t, out.String())
	return out.String()
}

// TestText: a line for each finding, which an editor finds the place in.
func TestText(t *testing.T) {
	const shown = `a\x1b]0;title\a\u009b31m\r\nb\x00\x7f\u202e\xff]]><x>&"`
	want := "a b/ü.csv:3 (row 2): the row is too early; see /abs/c:d.csv:2 (row 1) [order]\n" +
		shown + ":1:9: /" + shown + ": " + shown + " [" + shown + "]\n    " + shown + "\n" +
		"0a1b medium: profiles.create 418: allowed 200; came 418 [status] (new)\n" +
		"0a1b medium: profiles.create 418: allowed 200; came 418 [status] (known)\n2 files\n"
	if got := printed(t, report.Text); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestLines: each line of JSON has one member, which says what it is.
func TestLines(t *testing.T) {
	lines := strings.Split(printed(t, report.JSON), "\n")
	for i, want := range map[int]string{
		0: `{"finding":{"rule":"order","file":"a b/ü.csv","row":2,"line":3,"message":"the row is too early","other":{"file":"/abs/c:d.csv","row":1,"line":2}}}`,
		2: `{"error":{"file":"away.csv","message":"no such file"}}`,
		3: `{"finding":{"id":"0a1b","rule":"status","severity":"medium","subject":"profiles.create 418","message":"allowed 200; came 418","state":"new","count":3}}`,
		5: `{"summary":{"files":2}}`,
	} {
		must.Equal(t, lines[i], want, "line %d", i)
	}
}

// TestPage: the page shows every finding, known or not, and nothing that a file or a service says becomes markup of it.
func TestPage(t *testing.T) {
	text, elements := readPage(t, printed(t, report.HTML))
	if elements["article"] != 5 || elements["script"] != 0 || elements["x"] != 0 || elements["h1"] != 1 {
		t.Errorf("the page has %v", elements)
	}
	for _, part := range []string{
		"10 findings", "mockserver check 1.2.3", "a b/ü.csv:3 (row 2)", "see /abs/c:d.csv:2 (row 1)", "and 6 more", `\x1b]0;title\a`, `]]><x>&"`,
		"status, new, 0a1b", "status, known, 0a1b", "Not to the end: no such file", "2 files",
	} {
		must.Hold(t, strings.Contains(text, part), "%q is not in %s", part, text)
	}
}

// readPage returns the text of a page and counts its elements. Attributes that run or fetch something are faults.
func readPage(t *testing.T, page string) (string, map[string]int) {
	t.Helper()
	var text strings.Builder
	elements := map[string]int{}
	decoder := xml.NewDecoder(strings.NewReader(page))
	decoder.Strict, decoder.AutoClose, decoder.Entity = false, xml.HTMLAutoClose, xml.HTMLEntity
	for {
		token, err := decoder.Token()
		if err == io.EOF {
			return text.String(), elements
		}
		if err != nil {
			t.Fatalf("%v: %s", err, page)
		}
		switch token := token.(type) {
		case xml.CharData:
			text.Write(token)
		case xml.StartElement:
			elements[token.Name.Local]++
			for _, attribute := range token.Attr {
				if name := attribute.Name.Local; strings.HasPrefix(name, "on") || slices.Contains([]string{"src", "href"}, name) {
					t.Errorf("%s has %s", token.Name.Local, name)
				}
			}
		}
	}
}

// TestJUnit lets another program's reader read the report.
func TestJUnit(t *testing.T) {
	out := printed(t, report.JUnit)
	suites, err := junit.Ingest([]byte(out))
	if err != nil || len(suites) != 1 {
		t.Fatalf("%d suites, %v: %s", len(suites), err, out)
	}
	if got, want := suites[0].Totals, (junit.Totals{Tests: 7, Passed: 1, Skipped: 2, Failed: 3, Error: 1}); got != want {
		t.Errorf("the totals are %+v, want %+v", got, want)
	}
	failed := suites[0].Tests[1]
	text := failed.Error.Error()
	if failed.Name != "order" || failed.Message != "7 findings" ||
		text != "a b/ü.csv:3 (row 2): the row is too early; see /abs/c:d.csv:2 (row 1) [order]\nand 6 more\n" {
		t.Errorf("%+v: %q", failed, text)
	}
	must.Equal(t, suites[0].Tests[2].Message, "no events", "the reason of the skip")
	// What was a line stays one.
	if text := suites[0].Tests[3].Error.Error(); strings.Count(text, "\n") != 1 ||
		!strings.Contains(text, `\x1b]0;title\a\u009b31m\r\nb\x00\x7f\u202e\xff]]><x>&"`) {
		t.Errorf("%q", text)
	}
}

// TestSARIF holds the report against the schema of the format.
func TestSARIF(t *testing.T) {
	out := printed(t, report.SARIF)
	schema := must.Get(jsonschema.Compile("testdata/sarif-schema-2.1.0.json"))(t)
	var document any
	must.Do(t, json.Unmarshal([]byte(out), &document))
	if err := schema.Validate(document); err != nil {
		t.Fatalf("%#v\n%s", err, out)
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
		"/runs/0/results/1/level":                                             "error",
		"/runs/0/results/1/ruleIndex":                                         2.0,
		"/runs/0/results/1/locations/0/properties/byteColumn":                 9.0,
		"/runs/0/results/2/level":                                             "warning",
		"/runs/0/results/2/partialFingerprints/id":                            "0a1b",
		"/runs/0/results/2/locations/0/logicalLocations/0/fullyQualifiedName": "profiles.create 418",
		"/runs/0/results/3":                                                   nil,
		"/runs/0/invocations/0/executionSuccessful":                           false,
		"/runs/0/invocations/0/toolExecutionNotifications/0/message/text":     "order: and 6 more",
		"/runs/0/invocations/0/toolExecutionNotifications/1/message/text":     "journey: no events",
		"/runs/0/invocations/0/toolExecutionNotifications/2/message/text":     "away: no such file",
		"/runs/0/invocations/0/toolExecutionNotifications/2/level":            "error",
	} {
		must.Equal(t, at(document, pointer), want, "the value at %s", pointer)
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
	var out bytes.Buffer
	r := report.New(&out, report.JUnit, "mockserver validate", "")
	file := r.Case("schema", "x.csv")
	for i := range int64(report.Most + 5) {
		file.Find(report.Finding{Rule: "type", Place: &report.Place{File: "x.csv", Line: i + 1}, Message: "wrong"})
	}
	if err := r.End(nil); err != report.ErrFaults {
		t.Fatal(err)
	}
	suites := must.Get(junit.Ingest(out.Bytes()))(t)
	failed := suites[0].Tests[0]
	if text := failed.Error.Error(); failed.Message != fmt.Sprint(report.Most+5, " findings") || strings.Count(text, "\n") != report.Most+1 ||
		!strings.HasSuffix(text, "\nand 5 more\n") {
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
		must.Equal(t, report.Printable(text), want, "%q is shown as", text)
	}
}

// TestWriteJSON: escaped beyond what JSON demands, and the same value.
func TestWriteJSON(t *testing.T) {
	for _, text := range []string{"\x1b\x7f\u009b\u202e\U000e0041<&>", "日本 é"} {
		var out bytes.Buffer
		must.Do(t, report.WriteJSON(&out, []string{text}))
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
