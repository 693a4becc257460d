package schemas_test

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"testing/iotest"
	"unicode/utf8"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

const (
	userbaseHeader = "install_id;custom_id;advertising_id;is_optin_push;install_date;last_start_date;smart_segment\n"
	userbaseRow    = "a;b;c;true;2026-01-01T00:00:00;2026-01-02T00:00:00;ENGAGED\n"
	pushEvent      = `{"api_key":"k","event_date":"2026-01-31T08:30:00Z","event_type":"push_sent","platform":"IOS","identifiers":{"profile_id":"profile_1"}}`
)

// own is the library of tests about reading: a new column of the product is none of theirs.
func own(t testing.TB) *schemas.Library {
	t.Helper()
	l := need(schemas.Open(os.DirFS("testdata/own")))(t)
	return l
}

// place writes a fault as the tables below do.
func place(f schemas.Fault) string {
	return fmt.Sprintf("%d:%d row %d %s %s", f.Line, f.Column, f.Row, f.Pointer, f.Keyword)
}

// check runs CheckFile, reading byte by byte so that buffers never end where a row does.
func check(t *testing.T, name, text string) ([]schemas.Fault, schemas.Summary) {
	t.Helper()
	var faults []schemas.Fault
	summary := need(own(t).CheckFile(name, iotest.OneByteReader(strings.NewReader(text)), func(f schemas.Fault) bool {
		faults = append(faults, f)
		return true
	}))(t)
	hold(t, summary.Faults == int64(len(faults)), "the summary counts %d faults, %d were reported", summary.Faults, len(faults))
	return faults, summary
}

func TestCheckFile(t *testing.T) {
	for _, test := range []struct {
		about, schema, text string
		rows                int64
		want                []string
		message             string
	}{
		{"a good file", "userbase", userbaseHeader + userbaseRow + userbaseRow, 2, nil, ""},
		{"only a header", "userbase", userbaseHeader, 0, nil, ""},
		{"no line end at the end", "userbase", strings.TrimSuffix(userbaseHeader+userbaseRow, "\n"), 1, nil, ""},
		{"line ends of Windows", "userbase", strings.ReplaceAll(userbaseHeader+userbaseRow, "\n", "\r\n"), 1, nil, ""},
		{"quoted cells", "userbase", userbaseHeader + strings.Replace(userbaseRow, "ENGAGED", "\"a;\"\"b\"\"\nc\"", 1), 1, nil, ""},
		{"without identifier columns", "campaign.ids", "event_type\npush_sent\n", 1, nil, ""},
		{"nothing", "userbase", "", 0, []string{"1:1 row 0  csv"}, "must begin with the header install_id;custom_id"},
		{"a byte order mark", "userbase", "\xef\xbb\xbf" + userbaseHeader + userbaseRow, 1, []string{"1:1 row 0  csv"}, "byte order mark"},
		{"UTF-16", "userbase", "\xff\xfei\x00", 0, []string{"1:1 row 0  csv"}, "UTF-16"},
		{"commas", "userbase", strings.ReplaceAll(userbaseHeader+userbaseRow, ";", ","), 0, []string{"1:1 row 0  csv"}, `separated by ";"; found ","`},
		{"tabs", "userbase", strings.ReplaceAll(userbaseHeader+userbaseRow, ";", "\t"), 0, []string{"1:1 row 0  csv"}, `found "\t"`},
		{"a misspelt column", "campaign.ids", "instal_id;event_type\na;push_sent\n", 0, []string{"1:1 row 0 /instal_id additionalProperties"}, "did you mean install_id?"},
		{"a column of another file", "campaign.ids", "event_type;cta\npush_sent;x\n", 0, []string{"1:12 row 0 /cta additionalProperties"}, "allowed are install_id"},
		{"a missing column", "campaign.events", "install_id;event_type\na;push_sent\n", 0, []string{"1:1 row 0 /event_date required"}, "the column event_date is missing"},
		{"a column twice", "campaign.ids", "event_type;event_type\npush_sent;push_sent\n", 0, []string{"1:12 row 0 /event_type csv"}, "comes twice"},
		{"columns in another order", "campaign.ids", "event_type;install_id\npush_sent;a\n", 1, []string{"1:12 row 0 /install_id x-csv"}, "install_id must come before event_type"},
		{"a header in capitals", "campaign.ids", "EVENT_TYPE\npush_sent\n", 0, []string{"1:1 row 0 /EVENT_TYPE additionalProperties", "1:1 row 0 /event_type required"}, "did you mean event_type?"},
		{"a quote that stays open in the header", "campaign.ids", "\"event_type\npush_sent\n", 0, []string{"2:11 row 0  csv"}, "quoted cell"},
		{"too few cells", "userbase", userbaseHeader + "a;b\n" + userbaseRow, 2, []string{"2:1 row 1  csv"}, "the row has 2 cells, but the header has 7"},
		{"too many cells", "userbase", userbaseHeader + strings.Replace(userbaseRow, "ENGAGED", "2026-01-01T00:00:00;ENGAGED", 1), 1, []string{"2:1 row 1  csv"}, "8 cells"},
		{"two empty lines", "userbase", userbaseHeader + userbaseRow + "\n\n" + userbaseRow, 2, []string{"3:1 row 2  csv", "4:1 row 2  csv"}, "the line is empty"},
		{"an empty line", "userbase", userbaseHeader + userbaseRow + "\n" + userbaseRow, 2, []string{"3:1 row 2  csv"}, "the line is empty"},
		{"two wrong cells", "userbase", userbaseHeader + "a;b;c;yes;2026-01-01T00:00:00;2026-02-30T00:00:00;\n", 1, []string{"2:7 row 1 /is_optin_push enum", "2:31 row 1 /last_start_date pattern"}, `is_optin_push must be true or false; found "yes"`},
		{"a wrong cell after a cell of two lines", "userbase", userbaseHeader + "\"a\nb\";b;c;true;now;2026-02-01T00:00:00;\n", 1, []string{"3:13 row 1 /install_date pattern"}, `found "now"`},
		{"invalid UTF-8", "userbase", userbaseHeader + "\xff" + userbaseRow, 1, []string{"2:1 row 1 /install_id csv"}, "not valid UTF-8"},
		{"a quote inside a cell", "userbase", userbaseHeader + "a\"b" + userbaseRow + userbaseRow, 2, []string{"2:2 row 1  csv"}, "a quote inside a cell"},
		{"a quote that stays open", "userbase", userbaseHeader + userbaseRow + "\"a" + userbaseRow, 2, []string{"3:62 row 2  csv"}, "quoted cell"},
		{"a row without an end", "userbase", userbaseHeader + strings.Repeat("x", 2<<20), 0, []string{"2:1 row 1  csv"}, "longer than 1 MB"},
		{"an action on a row that is no click", "in-app-campaign.events", "event_date;event_type;cta;cta_position\n2026-01-01T00:00:00;inapp_shown;service.dismiss;\n", 1, []string{"2:33 row 1 /cta const"}, "unless event_type is inapp_clicked"},

		{"good events", "profiles.events", "[" + pushEvent + ",\n" + pushEvent + "]\n", 2, nil, ""},
		{"no events", "profiles.events", " [ ] \n", 0, nil, ""},
		{"no value", "profiles.events", "\n", 0, []string{"1:1 row 0  json"}, "nothing here"},
		{"a byte order mark before JSON", "profiles.events", "\xef\xbb\xbf[]", 0, []string{"1:1 row 0  json"}, "byte order mark"},
		{"an object instead of an array", "profiles.events", pushEvent, 1, []string{"1:1 row 0  type"}, "must be an array"},
		{"an array that does not end", "profiles.events", "[" + pushEvent + "\n", 1, []string{"2:1 row 2  json"}, "ends too early"},
		{"more after the array", "profiles.events", "[]\n[]", 0, []string{"2:1 row 0  json"}, "more after"},
		{"a missing comma", "profiles.events", "[" + pushEvent + "\n" + pushEvent + "]", 1, []string{"2:1 row 2  json"}, "after array element"},
		{"a name twice", "profiles.events", `[{"a":1,"a":2}]`, 0, []string{"1:9 row 1  json"}, `"a" comes twice`},
		{"deep nesting goes on with the next item", "profiles.events", "[" + strings.Repeat("[", 65) + strings.Repeat("]", 65) + ",\n" + pushEvent + "]", 2, []string{"1:67 row 1 /0 json"}, "deeper than 64"},
		{"a wrong value", "profiles.events", "[\n" + pushEvent + ",\n" + strings.Replace(pushEvent, "08:30:00Z", "08:30", 1) + "]", 2, []string{"3:29 row 2 /1/event_date pattern"}, "event_date must be"},
		{"a missing member", "profiles.events", "[\n  " + strings.Replace(pushEvent, `"api_key":"k",`, "", 1) + "]", 1, []string{"2:3 row 1 /0/api_key required"}, "api_key is missing"},
		{"a missing member below", "profiles.events", strings.Replace("["+pushEvent+"]", `"profile_id":"profile_1"`, "", 1), 1, []string{"1:109 row 1 /0/identifiers/profile_id required"}, "identifiers.profile_id is missing"},
		{"an unknown member", "profiles.events", "[" + strings.Replace(pushEvent, `"api_key"`, "\n  \"a/b~c\" : 1, \"api_key\"", 1) + "]", 1, []string{"2:3 row 1 /0/a~1b~0c additionalProperties"}, "a/b~c is not known here"},
		{"an item that is no object", "profiles.events", "[1, " + pushEvent + "]", 2, []string{"1:2 row 1 /0 type"}, "must be an object"},
		{"a single payload", "legacy/userbase.request", "{\n  \"ids\": [\"custom_id\",\n \"x\"]}", 1, []string{"3:2 row 0 /ids/1 enum"}, "ids[1] must be"},
		{"a payload without a member", "legacy/userbase.request", "{\n}", 1, []string{"1:1 row 0 /ids required"}, "ids is missing"},
	} {
		t.Run(test.about, func(t *testing.T) {
			faults, summary := check(t, test.schema, test.text)
			var got []string
			for _, f := range faults {
				got = append(got, place(f))
			}
			if strings.Join(got, ", ") != strings.Join(test.want, ", ") || summary.Rows != test.rows {
				t.Errorf("got %q and %d rows, want %q and %d", got, summary.Rows, test.want, test.rows)
			}
			if len(faults) > 0 && !strings.Contains(faults[0].Message, test.message) {
				t.Errorf("the message %q, want one with %q", faults[0].Message, test.message)
			}
		})
	}
}

// A value without an end is refused before it fills the memory.
func TestCheckJSONBounds(t *testing.T) {
	endless := io.MultiReader(strings.NewReader(`["`), endlessReader{})
	var faults []schemas.Fault
	_, err := own(t).CheckFile("profiles.events", endless, func(f schemas.Fault) bool {
		faults = append(faults, f)
		return true
	})
	hold(t, err == nil && len(faults) == 1 && strings.Contains(faults[0].Message, "longer than 32 MB"), "got %+v, %v", faults, err)
}

type endlessReader struct{}

func (endlessReader) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = 'x'
	}
	return len(p), nil
}

func TestCheckStops(t *testing.T) {
	l := own(t)
	for name, text := range map[string]string{
		"userbase":        userbaseHeader + strings.Repeat("a\n", 10),
		"profiles.events": "[" + strings.Repeat("1,", 10) + "1]",
	} {
		seen := 0
		summary, err := l.CheckFile(name, strings.NewReader(text), func(schemas.Fault) bool {
			seen++
			return seen < 3
		})
		hold(t, err == nil && seen == 3 && summary.Faults == 3, "%s: %d faults, %+v, %v", name, seen, summary, err)
	}
}

func TestCheckErrors(t *testing.T) {
	l := own(t)
	broken := errors.New("the disk is gone")
	report := func(f schemas.Fault) bool {
		t.Errorf("a fault %v, where there is an error of reading", f)
		return true
	}
	for name, start := range map[string]string{"userbase": userbaseHeader + "a;b", "profiles.events": "[" + pushEvent + ","} {
		if _, err := l.CheckFile(name, io.MultiReader(strings.NewReader(start), iotest.ErrReader(broken)), report); !errors.Is(err, broken) {
			t.Errorf("%s: got %v", name, err)
		}
	}
	if _, err := l.CheckFile("userbas", strings.NewReader(""), report); err == nil || !strings.Contains(err.Error(), "did you mean userbase?") {
		t.Errorf("an unknown schema: %v", err)
	}
}

func TestFaultString(t *testing.T) {
	f := schemas.Fault{Line: 3, Column: 7, Row: 2, Pointer: "/cta", Keyword: "const", Message: "cta must be empty"}
	if got := f.String(); got != "line 3, column 7: cta must be empty (const)" {
		t.Errorf("got %q", got)
	}
}

// The element-by-element check and the check of the whole value find the same.
func FuzzCheckJSON(f *testing.F) {
	f.Add("[" + pushEvent + "]")
	f.Add("[{}, 1, null]")
	f.Add(`[{"event_type":"email_sent","sms_parts":1}] x`)
	f.Add("{}")
	f.Fuzz(func(t *testing.T, text string) {
		l := own(t)
		var faults []schemas.Fault
		_, err := l.CheckFile("profiles.events", strings.NewReader(text), func(f schemas.Fault) bool {
			faults = append(faults, f)
			hold(t, f.Line >= 1 && f.Column >= 1 && f.Message != "", "%q: %+v", text, f)
			return true
		})
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		value, err := schemas.Decode([]byte(text))
		if err == nil {
			err = l.Validate("profiles.events", value)
		}
		if (err == nil) != (len(faults) == 0) {
			t.Fatalf("%q: as a whole %v, item by item %v", text, err, faults)
		}
	})
}

func FuzzCheckCSV(f *testing.F) {
	f.Add(userbaseHeader + userbaseRow)
	f.Add("\xef\xbb\xbf" + userbaseHeader + "\"a\nb\";;;\n\n" + userbaseRow)
	f.Add("a,b\n\"")
	f.Fuzz(func(t *testing.T, text string) {
		rows := int64(0)
		summary, err := own(t).CheckFile("userbase", strings.NewReader(text), func(f schemas.Fault) bool {
			hold(t, f.Line >= 1 && f.Column >= 1 && f.Message != "" && f.Row >= rows, "%q: %+v", text, f)
			rows = f.Row
			return true
		})
		if err != nil || int(summary.Rows) > strings.Count(text, "\n")+1 {
			t.Fatalf("%q: %+v, %v", text, summary, err)
		}
	})
}

// A row in a file is judged as the same row on its own.
func FuzzCheckRow(f *testing.F) {
	f.Add("a", "2026-01-01T00:00:00", "inapp_clicked", "service.dismiss", "1")
	f.Add("", "2024-02-29T00:00:00", "inapp_shown", "", "")
	f.Add("é\"\n", "2026-02-29T00:00:00", "inapp_closed", "\\u0041", "-0")
	f.Fuzz(func(t *testing.T, install, date, kind, cta, position string) {
		l := own(t)
		names := []string{"install_id", "event_date", "event_type", "cta", "cta_position"}
		cells := []string{install, date, kind, cta, position}
		row := map[string]any{}
		for i, name := range names {
			// A CSV reader turns a line end of Windows inside a cell into a plain one.
			if !utf8.ValidString(cells[i]) || strings.Contains(cells[i], "\r") {
				t.Skip("a CSV reader and the schema would be given two different texts")
			}
			row[name] = cells[i]
		}
		var file strings.Builder
		writer := csv.NewWriter(&file)
		writer.Comma = ';'
		must(t, writer.WriteAll([][]string{names, cells}))
		faults := 0
		summary, err := l.CheckFile("in-app-campaign.events", strings.NewReader(file.String()), func(schemas.Fault) bool {
			faults++
			return true
		})
		if want := l.Validate("in-app-campaign.events", row); err != nil || summary.Rows != 1 || (want == nil) != (faults == 0) {
			t.Fatalf("%q: on its own %v, in a file %d faults, %+v, %v", row, want, faults, summary, err)
		}
	})
}

// TestReadFileGivesEveryRecord checks rows, lines and texts of what a caller sees, good and faulty records alike, and that
// its error ends the check.
func TestReadFileGivesEveryRecord(t *testing.T) {
	for _, test := range []struct {
		schema, text string
		want         []string
	}{
		{"campaign.ids", "install_id;event_type\na;push_sent\n\"b\nc\";push_sent\nd;nonsense\ne\n",
			[]string{"1 2 a|push_sent", "2 3 b\nc|push_sent", "3 5 d|nonsense", "4 6 e"}},
		{"profiles.events", "[" + pushEvent + ",\n{},\n\n  " + pushEvent + "]", []string{"1 1 " + pushEvent, "2 2 {}", "3 4 " + pushEvent}},
		{"profiles.events", "{}", nil},
	} {
		var found []string
		_, err := own(t).ReadFile(test.schema, iotest.OneByteReader(strings.NewReader(test.text)), func(r schemas.Record) error {
			found = append(found, fmt.Sprintf("%d %d %s%s", r.Row, r.Line, strings.Join(r.Cells, "|"), r.JSON))
			return nil
		}, func(schemas.Fault) bool { return true })
		hold(t, err == nil && fmt.Sprint(found) == fmt.Sprint(test.want), "%s: %q, want %q: %v", test.schema, found, test.want, err)
		if len(found) == 0 {
			continue
		}
		enough := errors.New("enough")
		_, err = own(t).ReadFile(test.schema, strings.NewReader(test.text), func(schemas.Record) error { return enough },
			func(schemas.Fault) bool { return true })
		hold(t, err == enough, "%s: the error of the visitor became %v", test.schema, err)
	}
}
