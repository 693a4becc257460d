package encode

import (
	"encoding/json"
	"strconv"
	"time"
)

// DateForms are the forms of instants: texts, seconds and milliseconds since 1970, and these as texts. The format is that of
// x-date-format.
func DateForms(format string) (forms []func(time.Time) any) {
	const local = "2006-01-02T15:04:05"
	layouts := []string{time.RFC3339, local, time.DateTime, "2006-01-02T15:04:05.000Z", "2006-01-02T15:04:05-07:00", time.DateOnly}
	if format == "local-date-time" {
		layouts = layouts[1:2]
	}
	for _, layout := range layouts {
		forms = append(forms, func(at time.Time) any { return at.UTC().Format(layout) })
	}
	for _, since := range []func(time.Time) int64{time.Time.Unix, time.Time.UnixMilli} {
		forms = append(forms, func(at time.Time) any { return json.Number(strconv.FormatInt(since(at), 10)) },
			func(at time.Time) any { return strconv.FormatInt(since(at), 10) })
	}
	return forms
}

// FlagForms are the forms of a flag, false first.
func FlagForms() [][2]any {
	return [][2]any{{false, true}, {"false", "true"}, {json.Number("0"), json.Number("1")}, {"0", "1"}, {"no", "yes"}, {"False", "True"},
		{"FALSE", "TRUE"}, {"N", "Y"}, {"f", "t"}}
}
