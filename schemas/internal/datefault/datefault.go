// Package datefault says what is wrong with a text that looks as a date and time should: the patterns of common/dates.json
// know the calendar, and cannot say which part of it a date breaks.
package datefault

import (
	"regexp"
	"strconv"
	"time"
)

// shape is that of a date and time, its parts unchecked.
var shape = regexp.MustCompile(`^([0-9]{4}-[0-9]{2}-[0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:[.]([0-9]+))?(?:Z|[+-][0-9]{2}:[0-9]{2})?$`)

// mostFraction is how many digits of a second the patterns take.
const mostFraction = 9

// Of is the name of the sentence that tells of the fault of a text, and pairs of a placeholder and what stands for it; ""
// where its shape is the reason.
func Of(text string) (sentence string, parts []string) {
	found := shape.FindStringSubmatch(text)
	if found == nil {
		return "", nil
	}
	if _, err := time.Parse(time.DateOnly, found[1]); err != nil {
		return "date", []string{"date", found[1]}
	}
	if beyond(found[2], 23) || beyond(found[3], 59) || beyond(found[4], 59) {
		return "time", nil
	}
	if digits := len(found[5]); digits > mostFraction {
		return "fraction", []string{"digits", strconv.Itoa(digits), "limit", strconv.Itoa(mostFraction)}
	}
	return "", nil
}

func beyond(number string, most int) bool {
	value, _ := strconv.Atoi(number)
	return value > most
}
