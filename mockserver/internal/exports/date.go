package exports

import (
	"strings"
	"time"
)

// LocalDateTime is the layout of the legacy dates: no zone, always UTC (export
// API sections 2.1, 2.3 and 2.4).
const LocalDateTime = "2006-01-02T15:04:05"

const dateForms = "use now, a UTC date such as 2025-03-31T23:59:59, or one with Z such as 2025-03-31T23:59:59.5Z"

// ParseDate reads a date of a request: "now" (lower case) is the given
// instant, a date without a zone is UTC (YYYY-MM-ddTHH:mm:ss), and a date that
// ends in Z may carry a fraction of a second, of which nine digits count.
// Other offsets, leap seconds and dates that the calendar does not have are an
// [Error] with code [InvalidDate]. Which of the forms an interface allows is
// the business of its schema. The result is in UTC.
func ParseDate(text string, now time.Time) (time.Time, error) {
	if text == "now" {
		return now.UTC(), nil
	}
	year, ok1 := digits(text, 0, 4, '-')
	month, ok2 := digits(text, 5, 2, '-')
	day, ok3 := digits(text, 8, 2, 'T')
	hour, ok4 := digits(text, 11, 2, ':')
	minute, ok5 := digits(text, 14, 2, ':')
	second, ok6 := digits(text, 17, 2, 0)
	if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 || !ok6 {
		return time.Time{}, errorf(InvalidDate, "date %s is not a date: %s", quote(text), dateForms)
	}
	nanosecond, ok := dateTail(text[len(LocalDateTime):])
	if !ok {
		return time.Time{}, errorf(InvalidDate, "date %s: %s after the seconds is not allowed: %s", quote(text), quote(text[len(LocalDateTime):]), dateForms)
	}
	if hour > 23 || minute > 59 || second > 59 {
		return time.Time{}, errorf(InvalidDate, "date %s: the time of day %s does not exist: it goes from 00:00:00 to 23:59:59", quote(text), text[11:19])
	}
	parsed := time.Date(year, time.Month(month), day, hour, minute, second, nanosecond, time.UTC)
	// time.Date moves a day that does not exist into the next month.
	if month < 1 || month > 12 || parsed.Day() != day || parsed.Month() != time.Month(month) {
		return time.Time{}, errorf(InvalidDate, "date %s: the day %s does not exist in the calendar", quote(text), text[:10])
	}
	return parsed, nil
}

// digits reads count digits at the offset, followed by the separator (0: by
// anything).
func digits(text string, offset, count int, separator byte) (int, bool) {
	end := offset + count
	if len(text) < end || (separator != 0 && (len(text) == end || text[end] != separator)) {
		return 0, false
	}
	value := 0
	for i := offset; i < end; i++ {
		digit := text[i] - '0'
		if digit > 9 {
			return 0, false
		}
		value = value*10 + int(digit)
	}
	return value, true
}

// dateTail reads what follows the seconds: nothing, "Z", or a fraction and
// "Z". It returns the nanoseconds.
func dateTail(tail string) (nanosecond int, ok bool) {
	if tail == "" || tail == "Z" {
		return 0, true
	}
	if len(tail) < 3 || tail[0] != '.' || tail[len(tail)-1] != 'Z' {
		return 0, false
	}
	unit := 100_000_000
	for i := 1; i < len(tail)-1; i++ {
		digit := tail[i] - '0'
		if digit > 9 {
			return 0, false
		}
		nanosecond += int(digit) * unit
		unit /= 10 // 0 after nine digits: the rest is read and dropped
	}
	return nanosecond, true
}

// ParseWindow reads FROM/TO, dates of which one may be empty, or the moment that
// a snapshot shows, which is the end of a window alone. What is empty stays the
// zero time.
func ParseWindow(text string, now time.Time) (window Window, err error) {
	from, to, both := strings.Cut(text, "/")
	if !both {
		from, to = "", from
	}
	for _, date := range []struct {
		text string
		into *time.Time
	}{{from, &window.From}, {to, &window.To}} {
		if date.text == "" {
			continue
		}
		if *date.into, err = ParseDate(date.text, now); err != nil {
			return Window{}, err
		}
	}
	if !window.From.IsZero() && !window.To.IsZero() && window.From.After(window.To) {
		return Window{}, errorf(InvalidDate, "it begins after it ends")
	}
	return window, nil
}

// IsMoment tells whether the text that [ParseWindow] read the window from is a
// moment and no window of which one end is open.
func (w Window) IsMoment(text string) bool {
	return !w.To.IsZero() && !strings.Contains(text, "/")
}
