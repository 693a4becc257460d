package exports

import (
	"fmt"
	"strconv"
	"strings"
)

// Code tells the kinds of [Error] apart. The values are stable.
type Code string

// The codes an [Error] of this package carries.
const (
	// InvalidDate: a date that [ParseDate] does not accept.
	InvalidDate Code = "invalid_date"
	// InvalidProgress: a progression that [ParseProgress] does not accept.
	InvalidProgress Code = "invalid_progress"
	// InvalidScenario: a scenario header that [ParseScenario] does not accept.
	InvalidScenario Code = "invalid_scenario"
	// AlreadyFinal: the export is SUCCESS or ERROR and can no longer move.
	AlreadyFinal Code = "already_final"
	// NotCreatedYet: the clock was set to an instant before the export was created.
	NotCreatedYet Code = "not_created_yet"
)

// Error is what a text from outside, or a move of an export, is refused with; see [Refusal] for requests. Message names what was found,
// what is allowed and what to do.
type Error struct {
	Code    Code
	Message string
}

// Error returns the message.
func (e *Error) Error() string { return e.Message }

func errorf(code Code, format string, arguments ...any) error {
	return &Error{Code: code, Message: fmt.Sprintf(format, arguments...)}
}

// quote shows a text from outside in an error message.
func quote(text string) string { return strconv.Quote(Shorten(text)) }

// Shorten cuts a text from outside, so that a hostile one cannot fill a message or a log.
func Shorten(text string) string {
	const most = 200
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "..."
	}
	return text
}
