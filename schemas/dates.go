package schemas

import (
	"fmt"
	"regexp"
	"strconv"
	"time"
)

// dateShape is that of a date and time, its parts unchecked.
var dateShape = regexp.MustCompile(`^([0-9]{4}-[0-9]{2}-[0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:[.]([0-9]+))?(?:Z|[+-][0-9]{2}:[0-9]{2})?$`)

// mostFraction is how many digits of a second the patterns take.
const mostFraction = 9

// dateFault returns a remark on the fault of a text, to close a message with; "" where its dateShape is the reason.
func dateFault(text string) string {
	found := dateShape.FindStringSubmatch(text)
	if found == nil {
		return ""
	}
	if _, err := time.Parse(time.DateOnly, found[1]); err != nil {
		return "; the date " + found[1] + " does not exist in the calendar"
	}
	if beyond(found[2], 23) || beyond(found[3], 59) || beyond(found[4], 59) {
		return "; there is no such time of day: the last one is 23:59:59"
	}
	if digits := len(found[5]); digits > mostFraction {
		return fmt.Sprintf("; the fraction of the second has %d digits, and at most %d are allowed", digits, mostFraction)
	}
	return ""
}

func beyond(number string, most int) bool {
	value, _ := strconv.Atoi(number)
	return value > most
}
