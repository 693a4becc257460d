package exports

import (
	"regexp"
	"strings"
	"time"
)

// LocalDateTime is the layout of the legacy dates: no zone, always UTC (export API sections 2.1, 2.3 and 2.4).
const LocalDateTime = "2006-01-02T15:04:05"

const dateForms = "use now, a UTC date such as 2025-03-31T23:59:59, or one with Z such as 2025-03-31T23:59:59.5Z"

// ParseDate reads a date of a request: "now" (lower case) is the given instant, a date without a zone is UTC (YYYY-MM-ddTHH:mm:ss), and a
// date that ends in Z may carry a fraction of a second, of which nine digits count. Other offsets, leap seconds and dates that the
// calendar does not have are an [Error] with code [InvalidDate]. Which of the forms an interface allows is the business of its schema.
// The result is in UTC.
func ParseDate(text string, now time.Time) (time.Time, error) {
	if text == "now" {
		return now.UTC(), nil
	}
	shape := dateShape.FindStringSubmatch(text)
	if shape == nil {
		return time.Time{}, errorf(InvalidDate, "date %s is not a date: %s", quote(text), dateForms)
	}
	day, clock, tail := shape[1], shape[2], shape[3]
	if !dateTail.MatchString(tail) {
		return time.Time{}, errorf(InvalidDate, "date %s: %s after the seconds is not allowed: %s", quote(text), quote(tail), dateForms)
	}
	if _, err := time.Parse(time.TimeOnly, clock); err != nil {
		return time.Time{}, errorf(InvalidDate, "date %s: the time of day %s does not exist: it goes from 00:00:00 to 23:59:59", quote(text),
			clock)
	}
	parsed, err := time.Parse(LocalDateTime, day+"T"+clock)
	if err != nil {
		return time.Time{}, errorf(InvalidDate, "date %s: the day %s does not exist in the calendar", quote(text), day)
	}
	fraction, _ := time.ParseDuration("0" + strings.TrimSuffix(tail, "Z") + "s") // its shape was checked
	return parsed.Add(fraction), nil
}

// The shapes of a date, and of what follows its seconds.
var (
	dateShape = regexp.MustCompile(`(?s)^([0-9]{4}-[0-9]{2}-[0-9]{2})T([0-9]{2}:[0-9]{2}:[0-9]{2})(.*)$`)
	dateTail  = regexp.MustCompile(`^(?:[.][0-9]+Z|Z)?$`)
)

// layouts are forms of dates in requests, the usual ones first, and how long each names.
var layouts = []struct {
	layout string
	unit   time.Duration
}{
	{LocalDateTime, time.Second}, {time.RFC3339, time.Second}, {time.DateOnly, 24 * time.Hour}, {"20060102", 24 * time.Hour},
	{"2006-01-02T15", time.Hour}, {"20060102T15", time.Hour}, {"2006-01-02T15:04", time.Minute}, {time.DateTime, time.Second},
}

// readDate reads a date of a request that its schema allows, in any of the forms, and how long a time it names.
func readDate(text string, now time.Time) (at time.Time, unit time.Duration, err error) {
	for _, form := range layouts {
		if at, err := time.Parse(form.layout, text); err == nil && len(text) == len(form.layout) {
			return at, form.unit, nil
		}
	}
	at, err = ParseDate(text, now)
	return at, time.Second, err
}

// ParseWindow reads FROM/TO, dates of which one may be empty, or the moment that a snapshot shows, which is the end of a window alone.
// What is empty stays the zero time.
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

// IsMoment tells whether the text that [ParseWindow] read the window from is a moment and no window of which one end is open.
func (w Window) IsMoment(text string) bool {
	return !w.To.IsZero() && !strings.Contains(text, "/")
}
