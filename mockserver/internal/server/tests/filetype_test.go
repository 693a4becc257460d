package server_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf16"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/dataset/input"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/importer"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pseudonym"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
	"github.com/rehearsal-sdk/rehearsal/schemas"
	"github.com/rehearsal-sdk/rehearsal/schemas/filetype"
)

const (
	oddHeader = "install_id;custom_id;advertising_id;is_optin_push;install_date;last_start_date;smart_segment\n"
	oddRow    = "a1;ada;;true;2026-01-01T00:00:00;2026-01-05T00:00:00;NEW\n"
	oddEvent  = `{"api_key":"k","event_date":"2026-01-31T08:30:00Z","event_type":"sms_sent","sent_id":"s",` +
		`"identifiers":{"profile_id":"profile_1"}}`
)

// zipped is text in gzip.
func zipped(text string) string {
	var packed bytes.Buffer
	writer := gzip.NewWriter(&packed)
	_, _ = writer.Write([]byte(text))
	_ = writer.Close()
	return packed.String()
}

// in16 is text in UTF-16.
func in16(text string, littleEndian bool) string {
	var made []byte
	for _, unit := range utf16.Encode([]rune(text)) {
		high, low := byte(unit>>8), byte(unit)
		if littleEndian {
			high, low = low, high
		}
		made = append(made, high, low)
	}
	return string(made)
}

// oddFile is a file, and a part of the sentence about it; empty: it is read.
type oddFile struct{ name, text, verdict string }

// noText are files that nobody reads, whatever they are given for.
func noText() []oddFile {
	const csv = oddHeader + oddRow
	files := []oddFile{
		{"zip", "PK\x03\x04\x14\x00\x00\x00\x08\x00userbase.csv", "is a zip archive: unpack it first"},
		{"empty zip", "PK\x05\x06" + strings.Repeat("\x00", 18), "is an empty zip archive"},
		{"xlsx", "PK\x03\x04\x14\x00\x06\x00\x08\x00[Content_Types].xml" + strings.Repeat(" ", 900) + "xl/workbook.xml",
			"is a workbook, as Excel writes them: save it as CSV"},
		{"ods", "PK\x03\x04\x14\x00mimetypeapplication/vnd.oasis.opendocument.spreadsheet", "is a workbook"},
		{"zstd", "\x28\xb5\x2f\xfd\x04\x00", "is compressed with zstd: unpack it first"},
		{"xz", "\xfd7zXZ\x00", "is compressed with xz"},
		{"bzip2", "BZh91AY&SY", "is compressed with bzip2"},
		{"7z", "7z\xbc\xaf\x27\x1c", "is a 7z archive"},
		{"old workbook", "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "of an old Office"},
		{"PDF", "%PDF-1.7\n", "is a PDF document"},
		{"RTF", "{\\rtf1\\ansi a;b}", "is an RTF document"},
		{"PNG", "\x89PNG\r\n\x1a\n", "is a picture"},
		{"GIF", "GIF89a", "is a picture"},
		{"JPEG", "\xff\xd8\xff\xe0\x00\x10JFIF", "is a picture"},
		{"Parquet", "PAR1\x15\x04", "is in Parquet"},
		{"SQLite", "SQLite format 3\x00", "is an SQLite database"},
		{"UTF-16, little end first", "\xff\xfe" + in16(csv, true), "is in UTF-16: it must be in UTF-8"},
		{"UTF-16, big end first", "\xfe\xff" + in16(csv, false), "is in UTF-16"},
		{"UTF-16 without a mark", in16(csv, true), "is in UTF-16"},
		{"UTF-16 without a mark, big end first", in16(`{"a":1}`, false), "is in UTF-16"},
		{"UTF-16, a mark alone", "\xff\xfe", "is in UTF-16"},
		{"UTF-32, little end first", "\xff\xfe\x00\x00i\x00\x00\x00", "is in UTF-32"},
		{"UTF-32, big end first", "\x00\x00\xfe\xff\x00\x00\x00i", "is in UTF-32"},
		{"zeros", strings.Repeat("\x00", 64), "is binary"},
		{"gzip twice", zipped(zipped(csv)), "is compressed twice with gzip"},
		{"begins like gzip", "\x1f\x8b", "begins like gzip and is none"},
		{"begins like gzip, and goes on", "\x1f\x8b\x00 and more text", "begins like gzip and is none"},
		{"a page", "<!DOCTYPE html><html><body>Sign in</body></html>", "is an HTML page"},
		{"a page in capitals, behind blanks", "\r\n  <HTML>\n<HEAD>", "is an HTML page"},
		{"a page behind a comment", "<!-- proxy -->\n<html lang=en>", "is an HTML page"},
		{"a page behind a mark", "\xef\xbb\xbf<!doctype html>", "is an HTML page"},
		{"XHTML", `<?xml version="1.0"?><!DOCTYPE html PUBLIC "x"><html/>`, "is an HTML page"},
		{"XML", `<?xml version="1.0"?><rows><row/></rows>`, "is XML, and neither CSV nor JSON"},
		{"an expired link", `<?xml version="1.0" encoding="UTF-8"?>` + "\n<Error><Code>AccessDenied</Code><Message>Expired</Message></Error>",
			"is an error of a store of files (AccessDenied)"},
		{"a link to nothing", "<Error><Code>NoSuchKey</Code></Error>", "is an error of a store of files (NoSuchKey)"},
	}
	for _, file := range slices.Clone(files) {
		if !strings.HasPrefix(file.text, "\x1f\x8b") {
			files = append(files, oddFile{file.name + ", compressed", zipped(file.text), file.verdict})
		}
	}
	return files
}

// errorBodies are JSON that a service answers in the place of an export.
var errorBodies = []oddFile{
	{"a legacy error", `{"code":30,"type":"MISSING_PARAMETER","message":"m"}`,
		"is an error of the service (MISSING_PARAMETER), and no export"},
	{"a profile error", `{"error_code":"LINK_EXPIRED","error_message":"m"}`, "is an error of the service (LINK_EXPIRED)"},
	{"a profile error, indented", "\n{\n  \"error_message\": \"m\",\n  \"error_code\": \"LINK_EXPIRED\"\n}\n",
		"is an error of the service (LINK_EXPIRED)"},
	{"an error of a gateway", `{"message":"Forbidden"}`, "is an error of the service"},
	{"an error with a status", `{"status":503,"error":{"reason":"down"}}`, "is an error of the service (503)"},
	{"a list of errors", `{"errors":[{"message":"m"}]}`, "is an error of the service, and no export"},
	{"an error, compressed", zipped(`{"message":"Forbidden"}`), "is an error of the service"},
}

// inCSV are files in the place of a userbase.
var inCSV = append([]oddFile{
	{"a userbase", oddHeader + oddRow, ""},
	{"CR LF", strings.ReplaceAll(oddHeader+oddRow, "\n", "\r\n"), ""},
	{"no line end", strings.TrimSuffix(oddHeader+oddRow, "\n"), ""},
	{"gzip", zipped(oddHeader + oddRow), ""},
	{"gzip in two members", zipped(oddHeader) + zipped(oddRow), ""},
	{"quoted names", `"install_id";"is_optin_push"` + "\n", "column install_date is missing"},
	{"an array", "[" + oddEvent + "]", "the file is JSON: it must be CSV"},
	{"an empty array", "[]", "the file is JSON: it must be CSV"},
	{"one object a line", oddEvent + "\n" + oddEvent + "\n", "the file is JSON: it must be CSV"},
	{"JSON behind a mark", "\xef\xbb\xbf[]", "the file is JSON: it must be CSV"},
	{"commas", strings.ReplaceAll(oddHeader+oddRow, ";", ","), `separated by ";"; found ","`},
	{"tabs", strings.ReplaceAll(oddHeader+oddRow, ";", "\t"), `separated by ";"; found "\t"`},
	{"bars", strings.ReplaceAll(oddHeader+oddRow, ";", "|"), `separated by ";"; found "|"`},
	{"CR alone", strings.ReplaceAll(oddHeader+oddRow, "\n", "\r"), "the lines end with CR alone"},
	{"a line for Excel", "sep=;\n" + oddHeader + oddRow, "begins with a line for Excel, sep=:"},
	{"no header", oddRow + oddRow, "the first line is no header"},
	{"no header, with values like names", strings.ReplaceAll(oddRow, "ada", "customer7") + strings.ReplaceAll(oddRow, "a1", "install-1"),
		"the first line is no header"},
	{"no header, quoted", strings.ReplaceAll(oddRow, "ada", `"ada"`), "the first line is no header"},
	{"no header, commas", strings.ReplaceAll(oddRow, ";", ","), "the first line is no header"},
	{"cut in a row", oddHeader + oddRow + "a2;bob;;tr", "the file ends too early, on line 3"},
	{"cut in quotes", oddHeader + oddRow + `a2;"bo`, "the file ends too early, on line 3"},
	{"cut in a value", oddHeader + strings.Replace(oddRow, "T00:00:00;NEW\n", "", 1) + ";",
		"the file ends here, on line 2, without a line break: it may be cut off"},
	{"an open quote", oddHeader + `"a` + oddRow, "a quoted cell does not end as it must"},
	{"a bare quote", oddHeader + `a"1` + oddRow, "a quote inside a cell"},
	{"a short row", oddHeader + "a;b\n" + oddRow, "the row has 2 cells, but the header has 7"},
	{"Latin-1", oddHeader + "\xe9" + oddRow, "install_id is not valid UTF-8"},
	{"cut gzip", zipped(oddHeader + oddRow)[:60], "the compressed data end too early"},
	{"gzip without its end", zipped(oddHeader + oddRow)[:len(zipped(oddHeader+oddRow))-4], "the compressed data end too early"},
}, errorBodies...)

// inJSON are files in the place of profile events.
var inJSON = append([]oddFile{
	{"no events", "[]", ""},
	{"no events, compressed", zipped("[]\n"), ""},
	{"CSV", oddHeader + oddRow, "the file is CSV, or other text: it must be JSON"},
	{"CSV, quoted", `"a","b"` + "\n", "the file is CSV, or other text: it must be JSON"},
	{"two arrays", "[]\n[]", "there is more after the JSON value"},
	{"two arrays, compressed", zipped("[]") + zipped("[]"), "there is more after the JSON value"},
	{"an array and a comma", "[],", "there is more after the JSON value"},
	{"a cut array", "[" + strings.Repeat("\n", 3), "the file ends too early, on line 4"},
	{"a cut event", "[\n" + oddEvent[:50], "the file ends too early, on line 2"},
	{"a name twice", `[{"a":1,"a":2}]`, `the name "a" comes twice in one object`},
	{"Latin-1", "[{\"a\":\"\xe9\"}]", "UTF-8"},
}, errorBodies...)

// said is the text of an error, empty without one.
func said(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

// readers of export files, by name: they give all that they say about a file.
func (s *harness) exportReaders(kind string) map[string]func(text string) string {
	key := must.Get(pseudonym.New(pseudonym.Make()))(s)
	exports := s.library.Exports()
	export := exports[slices.IndexFunc(exports, func(e schemas.Export) bool { return e.Kind == kind })]
	checked := func(kind string) func(text string) string {
		return func(text string) string {
			var found []string
			_, err := check.Files(context.Background(), s.library, []check.Input{{Name: "odd", Kind: kind, Reader: strings.NewReader(text)}},
				check.Options{}, func(f check.Finding) bool {
					found = append(found, f.Message)
					return true
				})
			return said(err) + strings.Join(found, "\n")
		}
	}
	imported := func(key *pseudonym.Key) func(text string) string {
		return func(text string) string {
			_, err := importer.Files(context.Background(), s.library, []importer.Input{{Name: "odd", Kind: kind, Reader: strings.NewReader(text)}},
				importer.Options{Key: key}, func(string, []byte) error { return nil })
			return said(err)
		}
	}
	return map[string]func(text string) string{
		"validate": func(text string) (faults string) {
			_, err := s.library.CheckFile(kind, strings.NewReader(text), func(f schemas.Fault) bool {
				faults += f.Message + "\n"
				return true
			})
			return faults + said(err)
		},
		"/_mock/validate": func(text string) string {
			return s.found(s.do(call{path: "/_mock/validate?schema=" + kind, body: text}), "found")
		},
		"check": checked(kind), "check without --kind": checked(""),
		"/_mock/check": func(text string) string {
			body, media := form(s.TB, [][2]string{{"odd", text}}, [][2]string{{"kind", "odd=" + kind}})
			return s.found(s.do(call{path: "/_mock/check", body: body, header: http.Header{"Content-Type": {media}}}), "findings")
		},
		"import": imported(nil), "import with pseudonyms": imported(key),
		"copy with pseudonyms": func(text string) string {
			open := func() (io.ReadCloser, error) { return io.NopCloser(strings.NewReader(text)), nil }
			return said(importer.Pseudonymise(s.library, export, key, open, io.Discard))
		},
	}
}

// found is the refusal of an answer, or the messages in one of its lists.
func (s *harness) found(a answer, list string) (said string) {
	if a.StatusCode != http.StatusOK {
		return fmt.Sprint(a.body["message"], a.body["error_message"])
	}
	items, _ := a.body[list].([]any)
	for _, item := range items {
		said += fmt.Sprintln(item.(map[string]any)["message"])
	}
	return said
}

// dataReaders are readers of datasets, and of settings.
func (s *harness) dataReaders() map[string]func(text string) string {
	made := map[string]func(text string) string{
		"--config, --credentials, --world": func(text string) string {
			_, err := filetype.Text([]byte(text), 1<<20)
			return said(err)
		},
		"--schemas": func(text string) string {
			_, err := schemas.Open(fstest.MapFS{"legacy/userbase.row.json": {Data: []byte(text)}})
			return said(err)
		},
	}
	for format, media := range map[input.Format]string{
		input.CSV: "text/csv", input.NDJSON: "application/x-ndjson", input.JSON: "application/json",
	} {
		made["--data "+string(format)] = func(text string) string {
			_, err := input.Read(s.library, input.Installations, format, "odd", strings.NewReader(text))
			return said(err)
		}
		made["/_mock/data "+string(format)] = func(text string) string { return s.found(s.load("installations", media, text), "") }
	}
	return made
}

// judge asks readers of files, and holds what they say against the verdict.
func judge(t *testing.T, files []oddFile, readers map[string]func(text string) string, except ...string) {
	t.Helper()
	for _, file := range files {
		for name, read := range readers {
			if slices.Contains(except, name+": "+file.name) || slices.Contains(except, name) {
				continue
			}
			said := read(file.text)
			if (said == "") != (file.verdict == "") || !strings.Contains(said, file.verdict) {
				t.Errorf("%s, read by %s: %q, want %q", file.name, name, said, file.verdict)
			}
		}
	}
}

// TestOddFiles: every reader says the same of a file that is not what it was given for, in the same sentence.
func TestOddFiles(t *testing.T) {
	s := newServer(t)
	inText, inRows := noText(), s.exportReaders("userbase")
	if count := len(inText) + len(inCSV) + len(inJSON); count < 80 {
		t.Errorf("there are %d files", count)
	}
	judge(t, inText, inRows)
	judge(t, inText, s.exportReaders("profiles.events"))
	judge(t, inText, s.dataReaders())
	// A copy is no judge of rows; without a kind, what may be of any kind, or of another, is.
	// With a key nothing is said that may quote a value.
	judge(t, inCSV, inRows, "copy with pseudonyms", "check without --kind", "import with pseudonyms: cut in a value",
		"import with pseudonyms: quoted names")
	judge(t, inJSON, s.exportReaders("profiles.events"), "copy with pseudonyms", "check without --kind",
		"import with pseudonyms: a name twice")
	judge(t, errorBodies, map[string]func(string) string{"check": inRows["check without --kind"], "copy": inRows["copy with pseudonyms"]})
	for _, name := range []string{"--data csv", "/_mock/data csv"} {
		judge(t, errorBodies, map[string]func(string) string{name: s.dataReaders()[name]})
	}
}

// TestMarkedFiles: a byte order mark is a fault where a file is judged, and read past where its rows are taken.
func TestMarkedFiles(t *testing.T) {
	s := newServer(t)
	for kind, text := range map[string]string{"userbase": oddHeader + oddRow, "profiles.events": "[]"} {
		for name, read := range s.exportReaders(kind) {
			if name == "check without --kind" {
				continue
			}
			taken := strings.Contains(name, "import") || strings.Contains(name, "copy")
			for _, marked := range []string{filetype.Mark + text, zipped(filetype.Mark + text)} {
				said := read(marked)
				if (said == "") != taken || !taken && strings.TrimSpace(said) != filetype.Marked && !strings.Contains(said, "/: "+filetype.Marked) {
					t.Errorf("%s with a mark, read by %s: %q", kind, name, said)
				}
			}
		}
	}
	texts := map[string]string{"csv": "install_id\na\n", "ndjson": `{"install_id":"a"}`, "json": `[{"install_id":"a"}]`}
	for name, read := range s.dataReaders() {
		text := texts[name[strings.LastIndex(name, " ")+1:]]
		if text == "" {
			continue
		}
		for _, form := range []string{text, filetype.Mark + text, zipped(text), zipped(filetype.Mark + text)} {
			must.Equal(t, read(form), "", "%s: %q", name, form)
		}
	}
}
