package exports_test

import (
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/testlevel/must"
)

var noon = time.Date(2025, 11, 20, 12, 0, 0, 0, time.UTC)

func TestParseDate(t *testing.T) {
	elsewhere := time.FixedZone("elsewhere", 3600)
	cases := []struct {
		text string
		want time.Time
	}{
		{"now", noon},
		{"2025-03-31T23:59:59", time.Date(2025, 3, 31, 23, 59, 59, 0, time.UTC)},
		{"2025-03-31T23:59:59Z", time.Date(2025, 3, 31, 23, 59, 59, 0, time.UTC)},
		{"2025-03-31T23:59:59.5Z", time.Date(2025, 3, 31, 23, 59, 59, 500_000_000, time.UTC)},
		{"2025-03-31T23:59:59.000000001Z", time.Date(2025, 3, 31, 23, 59, 59, 1, time.UTC)},
		{"2025-03-31T23:59:59.1234567899999Z", time.Date(2025, 3, 31, 23, 59, 59, 123_456_789, time.UTC)},
		{"2024-02-29T00:00:00", time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC)},
		{"2000-02-29T00:00:00", time.Date(2000, 2, 29, 0, 0, 0, 0, time.UTC)},
		{"0000-01-01T00:00:00Z", time.Date(0, 1, 1, 0, 0, 0, 0, time.UTC)},
		{"9999-12-31T23:59:59Z", time.Date(9999, 12, 31, 23, 59, 59, 0, time.UTC)},
	}
	for _, c := range cases {
		got, err := exports.ParseDate(c.text, noon.In(elsewhere))
		if err != nil || !got.Equal(c.want) || got.Location() != time.UTC {
			t.Errorf("ParseDate(%q) = %v, %v; want %v", c.text, got, err, c.want)
		}
	}
}

func TestParseDateRefuses(t *testing.T) {
	cases := []struct{ text, mentions string }{
		{"", "is not a date"},
		{"NOW", "use now"},
		{" now", "is not a date"},
		{"2025-03-31", "is not a date"},
		{"2025-03-31 23:59:59", "is not a date"},
		{"2025-03-31t23:59:59", "is not a date"},
		{"20250331T235959Z", "is not a date"},
		{"2025-3-31T23:59:59", "is not a date"},
		{"+025-03-31T23:59:59", "is not a date"},
		{"2025-03-31T23:59:59z", `"z" after the seconds`},
		{"2025-03-31T23:59:59.Z", `".Z" after the seconds`},
		{"2025-03-31T23:59:59.5", `".5" after the seconds`},
		{"2025-03-31T23:59:59,5Z", `",5Z" after the seconds`},
		{"2025-03-31T23:59:59.5xZ", "after the seconds"},
		{"2025-03-31T23:59:59+00:00", `"+00:00" after the seconds`},
		{"2025-03-31T23:59:59Z ", "after the seconds"},
		{"2025-03-31T24:00:00", "time of day 24:00:00 does not exist"},
		{"2025-03-31T23:60:00", "time of day"},
		{"2016-12-31T23:59:60Z", "time of day"},
		{"2025-02-29T00:00:00", "the day 2025-02-29 does not exist"},
		{"1900-02-29T00:00:00", "does not exist in the calendar"},
		{"2025-04-31T00:00:00", "does not exist in the calendar"},
		{"2025-00-10T00:00:00", "does not exist in the calendar"},
		{"2025-13-10T00:00:00", "does not exist in the calendar"},
		{"2025-01-00T00:00:00", "does not exist in the calendar"},
		{"2025-01-32T00:00:00", "does not exist in the calendar"},
		{strings.Repeat("9", 5000), "..."},
	}
	for _, c := range cases {
		_, err := exports.ParseDate(c.text, noon)
		checkError(t, c.text, err, exports.InvalidDate, c.mentions)
	}
}

// checkError checks the code and a part of the text of an error, and that a text from outside cannot make it long.
func checkError(t *testing.T, input string, err error, code exports.Code, mentions string) {
	t.Helper()
	var typed *exports.Error
	if !errors.As(err, &typed) || typed.Code != code {
		t.Errorf("%.100q: error %v, want code %s", input, err, code)
		return
	}
	must.Hold(t, strings.Contains(err.Error(), mentions), "%.100q: error %q does not mention %q", input, err, mentions)
	if len(err.Error()) > 1000 {
		t.Errorf("%.100q: the error has %d bytes", input, len(err.Error()))
	}
}

func FuzzParseDate(f *testing.F) {
	for _, text := range []string{"now", "2025-03-31T23:59:59", "2024-02-29T00:00:00.123Z", "2025-02-29T00:00:00", "x"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := exports.ParseDate(text, noon)
		if err != nil {
			checkError(t, text, err, exports.InvalidDate, "date")
			return
		}
		if text == "now" {
			return
		}
		// Whatever is accepted is a date for the standard library as well.
		zoned := text
		if !strings.HasSuffix(zoned, "Z") {
			zoned += "Z"
		}
		want, err := time.Parse(time.RFC3339Nano, zoned)
		if err != nil || !got.Equal(want) {
			t.Fatalf("ParseDate(%q) = %v; the standard library reads %v, %v", text, got, want, err)
		}
		again, err := exports.ParseDate(got.Format(time.RFC3339Nano), noon)
		if err != nil || !again.Equal(got) {
			t.Fatalf("%q does not survive a round trip: %v, %v", text, again, err)
		}
	})
}

// TestParseWindow: either end may be open, and a date alone is a moment.
func TestParseWindow(t *testing.T) {
	now := time.Date(2026, 3, 15, 12, 0, 0, 0, time.UTC)
	day := time.Date(2026, 3, 1, 0, 0, 0, 0, time.UTC)
	for text, want := range map[string]exports.Window{
		"2026-03-01T00:00:00/now": {From: day, To: now}, "2026-03-01T00:00:00/": {From: day}, "/2026-03-01T00:00:00": {To: day},
		"2026-03-01T00:00:00": {To: day}, "/": {}, "": {},
	} {
		if got, err := exports.ParseWindow(text, now); err != nil || got != want {
			t.Errorf("%q: %v, %v; want %v", text, got, err, want)
		} else if is := text != "" && !strings.Contains(text, "/"); got.IsMoment(text) != is {
			t.Errorf("%q is a moment: %t", text, !is)
		}
	}
	for text, want := range map[string]string{"now/2026-03-01T00:00:00": "begins after it ends", "x/now": `date "x"`, "now/x": `date "x"`} {
		if got, err := exports.ParseWindow(text, now); err == nil || !strings.Contains(err.Error(), want) || got != (exports.Window{}) {
			t.Errorf("%q: %v, %v; want an error with %q", text, got, err, want)
		}
	}
}
