// Package isoduration reads ISO 8601 durations.
package isoduration

import (
	"fmt"
	"strconv"
	"strings"
	"time"
)

// Duration reads an ISO 8601 duration in days, hours, minutes and seconds, such as P90D or PT2H30M.
type Duration time.Duration

// UnmarshalText implements [encoding.TextUnmarshaler].
func (d *Duration) UnmarshalText(text []byte) error {
	units := map[byte]time.Duration{'D': 24 * time.Hour, 'H': time.Hour, 'M': time.Minute, 'S': time.Second}
	var sum time.Duration
	digits := ""
	for _, c := range text {
		switch {
		case c >= '0' && c <= '9':
			digits += string(c)
		case units[c] > 0:
			n, err := strconv.ParseInt(digits, 10, 32)
			if err != nil || n > int64(10_000*24*time.Hour/units[c]) {
				return fmt.Errorf("the duration %q is not one of at most 10,000 days", text)
			}
			sum += time.Duration(n) * units[c]
			digits = ""
		}
	}
	*d = Duration(sum)
	return nil
}

// MarshalText implements [encoding.TextMarshaler].
func (d Duration) MarshalText() ([]byte, error) {
	return fmt.Appendf(nil, "PT%dS", time.Duration(d)/time.Second), nil
}

// String returns the duration in words, such as 20 minutes, by the largest unit of which it is a multiple.
func (d Duration) String() string {
	for _, unit := range []struct {
		length time.Duration
		name   string
	}{{24 * time.Hour, "day"}, {time.Hour, "hour"}, {time.Minute, "minute"}} {
		if count := time.Duration(d) / unit.length; count == 1 && time.Duration(d) == unit.length {
			return "1 " + unit.name
		} else if count > 0 && time.Duration(d)%unit.length == 0 {
			return fmt.Sprintf("%d %ss", count, unit.name)
		}
	}
	return fmt.Sprintf("%d seconds", time.Duration(d)/time.Second)
}

// Period is a duration, or a number of calendar months, such as P1M.
type Period struct {
	Months int
	Duration
}

// UnmarshalText implements [encoding.TextUnmarshaler].
func (p *Period) UnmarshalText(text []byte) error {
	months, found := strings.CutSuffix(strings.TrimPrefix(string(text), "P"), "M")
	count, err := strconv.Atoi(months)
	if !found || err != nil {
		*p = Period{}
		return p.Duration.UnmarshalText(text)
	}
	*p = Period{Months: count}
	return nil
}

// MarshalText implements [encoding.TextMarshaler].
func (p Period) MarshalText() ([]byte, error) {
	if p.Months > 0 {
		return fmt.Appendf(nil, "P%dM", p.Months), nil
	}
	return p.Duration.MarshalText()
}

// String returns the period in words, such as one month or 30 days.
func (p Period) String() string {
	switch p.Months {
	case 0:
		return p.Duration.String()
	case 1:
		return "one month"
	}
	return fmt.Sprintf("%d months", p.Months)
}

// After returns the end of a period that begins at an instant. A day that the last month does not have counts on into the month after it.
func (p Period) After(t time.Time) time.Time {
	return t.AddDate(0, p.Months, 0).Add(time.Duration(p.Duration))
}
