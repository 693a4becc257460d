// Package usage says what is wrong with a command line, apart from all that goes wrong when a command runs: the program answers with
// another exit code, and points to the help.
package usage

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Error is a mistake on the command line, in the environment or in the file of settings.
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

// Either lists words, of which one is to be chosen; the empty one is left out.
func Either(words []string) string {
	words = slices.DeleteFunc(slices.Clone(words), func(word string) bool { return word == "" })
	last := len(words) - 1
	return strings.Join(words[:last], ", ") + " or " + words[last]
}
