package strict

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	"github.com/rehearsal-sdk/rehearsal/schemas/internal/jsonpointer"
)

// ShownText is how much of a text a message shows, in bytes.
const ShownText = 60

// Short writes the name of a member, cut short if it is long.
func Short(name string) string {
	head := jsonpointer.Cut(name, ShownText)
	if len(head) < len(name) {
		head += "..."
	}
	if strings.ContainsFunc(head, func(char rune) bool { return !unicode.IsPrint(char) }) {
		return strconv.Quote(head)
	}
	return head
}

// Quoted is a text in quotes, cut short if it is long.
func Quoted(text string) string {
	if head := jsonpointer.Cut(text, ShownText); len(head) < len(text) {
		return fmt.Sprintf("%q and %d more bytes", head, len(text)-len(head))
	}
	return fmt.Sprintf("%q", text)
}
