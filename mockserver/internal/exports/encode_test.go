package exports_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
)

// encodes compares AppendJSON with encoding/json.
func encodes(t *testing.T, about string, record *exports.Record) {
	t.Helper()
	want, failed := json.Marshal(record)
	got, err := record.AppendJSON([]byte("before"))
	if (err != nil) != (failed != nil) {
		t.Errorf("%s: the error is %v, that of encoding/json is %v", about, err, failed)
	}
	if err == nil && string(got) != "before"+string(want) {
		t.Errorf("%s:\n%s\nand encoding/json writes\nbefore%s", about, got, want)
	}
}

// TestAppendJSON: every member, alone and beside all others, is written as encoding/json does.
func TestAppendJSON(t *testing.T) {
	record := &exports.Record{}
	encodes(t, "an empty record", record)
	all := &exports.Record{}
	var sets []func()
	eachMember(t, all, func(_ string, set func()) { sets = append(sets, set) })
	eachMember(t, record, func(path string, set func()) {
		set()
		if path == "Record.Request" {
			record.Request = json.RawMessage(`{}`)
		}
		encodes(t, path, record)
	})
	for _, set := range sets {
		set()
	}
	all.Request = json.RawMessage(`{}`)
	encodes(t, "all members", all)
}

// TestAppendTexts: so is every character, and every spelling of a payload.
func TestAppendTexts(t *testing.T) {
	var every strings.Builder
	for char := range rune(0x300) {
		every.WriteRune(char)
	}
	text := every.String() + "\u2028\u2029\U0001F600\xff"
	record := &exports.Record{Owner: text, ErrorMessage: "<b>", File: exports.File{Kind: `"`, Events: []string{"a", text, "b"}, IDs: []string{}}}
	encodes(t, "texts", record)
	for char := range 256 {
		encodes(t, "a character", &exports.Record{URI: "a" + string(rune(char)) + "b" + string([]byte{byte(char)})})
	}
	quoted, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	for _, payload := range []string{
		`{"from":"2025-01-01T00:00:00","to":"now"}`, " { \"a b\" :\t[ 1 ,\r\n 2.5e3 , true , null ] } ", `{"a":"\\\" x"}`, `{"a":"<&>"}`, `{"ä":"é\u00e9"}`, string(quoted), `"  "`, `{}`,
	} {
		encodes(t, payload, &exports.Record{Request: json.RawMessage(payload)})
	}
}

// TestAppendInstants: so are instants, those that JSON cannot say included.
func TestAppendInstants(t *testing.T) {
	for _, instant := range []time.Time{
		{}, time.Date(2026, 1, 2, 3, 4, 5, 670_000_000, time.UTC), time.Date(9999, 12, 31, 23, 59, 59, 999_999_999, time.UTC),
		time.Date(2026, 1, 2, 3, 4, 5, 1, time.FixedZone("", 5400)), time.Date(10000, 1, 1, 0, 0, 0, 0, time.UTC), time.Date(-1, 1, 1, 0, 0, 0, 0, time.UTC),
	} {
		encodes(t, instant.String(), &exports.Record{CreatedAt: instant, StartedAt: &instant, File: exports.File{Window: exports.Window{To: instant}}})
	}
}
