// Package usage says what is wrong with a command line, apart from all that
// goes wrong when a command runs: the program answers with another exit code,
// and points to the help.
package usage

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Error is a mistake on the command line, in the environment or in the file of
// settings.
type Error struct {
	message string
}

func (e *Error) Error() string { return e.message }

// Errorf is an [Error] with a formatted message.
func Errorf(format string, arguments ...any) error {
	return &Error{fmt.Sprintf(format, arguments...)}
}

// Suggestion names what a misspelt word probably means, ready to be appended.
func Suggestion(word string, known []string) string {
	if likely := schemas.Likely(word, known); likely != "" {
		return fmt.Sprintf(", did you mean %s?", likely)
	}
	return ""
}

// CheckFormat refuses a value of --format that a command does not have.
func CheckFormat(format string, known ...string) error {
	if slices.Contains(known, format) {
		return nil
	}
	last := len(known) - 1
	return Errorf("--format %q is not known%s; it must be %s or %s", format, Suggestion(format, known), strings.Join(known[:last], ", "), known[last])
}
