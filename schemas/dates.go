package schemas

import (
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/santhosh-tekuri/jsonschema/v5"
)

// The patterns of common/dates.json know the calendar, and cannot say which part of it a date breaks.

// likeDate is the shape of a date and time, its parts unchecked.
var likeDate = regexp.MustCompile(`^([0-9]{4}-[0-9]{2}-[0-9]{2})T([0-9]{2}):([0-9]{2}):([0-9]{2})(?:[.]([0-9]+))?(?:Z|[+-][0-9]{2}:[0-9]{2})?$`)

// mostFraction is how many digits of a second the patterns take.
const mostFraction = 9

// dateHint says what is wrong with a text that looks as a date should and that a schema of common/dates.json
// refuses; "" where its shape is the reason, or where the schema is another one.
func dateHint(s *jsonschema.Schema, value any) string {
	text, _ := value.(string)
	parts := likeDate.FindStringSubmatch(text)
	if parts == nil || !strings.HasPrefix(s.Location, Base+"common/dates.json#") {
		return ""
	}
	if _, err := time.Parse(time.DateOnly, parts[1]); err != nil {
		return say("date", "date", parts[1])
	}
	if beyond(parts[2], 23) || beyond(parts[3], 59) || beyond(parts[4], 59) {
		return say("time")
	}
	if digits := len(parts[5]); digits > mostFraction {
		return say("fraction", "digits", strconv.Itoa(digits), "limit", strconv.Itoa(mostFraction))
	}
	return ""
}

func beyond(number string, most int) bool {
	value, _ := strconv.Atoi(number)
	return value > most
}
