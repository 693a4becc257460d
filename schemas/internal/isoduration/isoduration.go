// Package isoduration reads ISO 8601 durations.
package isoduration

import (
	"fmt"
	"strconv"
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
