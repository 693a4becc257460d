package check

import (
	"time"
)

// moment is an instant in microseconds since 1970, UTC: files of an export hold no finer dates.
type moment int64

const (
	second = moment(1_000_000)
	day    = 86_400 * second
)

func momentOf(t time.Time) moment { return moment(t.UnixMicro()) }

func (m moment) String() string {
	return time.UnixMicro(int64(m)).UTC().Format("2006-01-02T15:04:05.999999Z")
}

func parseMoment(text string) (moment, bool) {
	at, ok := parseDate(text)
	return momentOf(at), ok
}

// parseDate reads a date with or without a zone; one without is UTC. It is false for anything else: the
// schemas say what is wrong with it. It is faster than the library's, since a check reads many.
func parseDate(text string) (when time.Time, ok bool) {
	const shape = "0000-00-00T00:00:00"
	if len(text) < len(shape) {
		return when, false
	}
	numbers := [6]int{}
	for i, at := range [6][2]int{{0, 4}, {5, 7}, {8, 10}, {11, 13}, {14, 16}, {17, 19}} {
		for _, c := range []byte(text[at[0]:at[1]]) {
			if c < '0' || c > '9' {
				return when, false
			}
			numbers[i] = 10*numbers[i] + int(c-'0')
		}
	}
	if text[4] != '-' || text[7] != '-' || text[10] != 'T' || text[13] != ':' || text[16] != ':' {
		return when, false
	}
	if rest := text[len(shape):]; rest != "" && rest != "Z" {
		parsed, err := time.Parse(time.RFC3339, text)
		return parsed, err == nil
	}
	if numbers[1] < 1 || numbers[1] > 12 || numbers[2] < 1 || numbers[2] > 31 {
		return when, false
	}
	return time.Date(numbers[0], time.Month(numbers[1]), numbers[2], numbers[3], numbers[4], numbers[5], 0, time.UTC), true
}
