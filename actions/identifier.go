package actions

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// reservedPrefix begins the identifiers of the built-ins, and of nothing else.
const reservedPrefix = "service."

// fold gives the form in which identifiers compare: Go's lower-casing, character by character and without a locale, so that it
// is the same on every surface. Invalid UTF-8 becomes U+FFFD on the way. Nothing is trimmed. What is small letters of ASCII already costs a
// look.
func fold(identifier string) string {
	for i := 0; i < len(identifier); i++ {
		if c := identifier[i]; c >= utf8.RuneSelf || 'A' <= c && c <= 'Z' {
			return strings.ToLower(validText(identifier))
		}
	}
	return identifier
}

// foldASCII appends the folded identifier to buffer, or gives nil when the identifier has other than ASCII characters or does
// not fit. It saves the hot path an allocation.
func foldASCII(buffer []byte, identifier string) []byte {
	if len(identifier) > cap(buffer) {
		return nil
	}
	for i := 0; i < len(identifier); i++ {
		c := identifier[i]
		if c >= utf8.RuneSelf {
			return nil
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		buffer = append(buffer, c)
	}
	return buffer
}

// isBlank reports whether there is nothing but white space, as strings.TrimSpace understands it.
func isBlank(identifier string) bool {
	for _, r := range identifier {
		if !unicode.IsSpace(r) {
			return false
		}
	}
	return true
}

func isReserved(folded string) bool { return strings.HasPrefix(folded, reservedPrefix) }

// checkIdentifier says why an identifier cannot be registered, or gives its folded form.
func checkIdentifier(identifier string) (folded string, err error) {
	if isBlank(identifier) {
		return "", &Error{Code: CodeInvalidIdentifier, Message: "the identifier is blank: it needs at least one visible character"}
	}
	folded = fold(identifier)
	if isReserved(folded) {
		return "", reservedError(identifier)
	}
	return folded, nil
}

func reservedError(identifier string) error {
	return &Error{Code: CodeReservedIdentifier, Message: say("the identifier $ begins with $, which is reserved for built-in actions",
		identifier, reservedPrefix)}
}
