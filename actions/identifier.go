package actions

import (
	"strings"
	"unicode/utf8"
)

// reservedPrefix begins the identifiers of the built-ins, and of nothing else.
const reservedPrefix = "service."

// fold gives the form in which identifiers compare: Go's lower-casing, character by character and without a locale, so that it
// is the same on every surface. Invalid UTF-8 becomes U+FFFD on the way. Nothing is trimmed.
func fold(identifier string) string { return strings.ToLower(validText(identifier)) }

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

func isReserved(folded string) bool { return strings.HasPrefix(folded, reservedPrefix) }

// checkIdentifier says why an identifier cannot be registered, or gives its folded form.
func checkIdentifier(identifier string) (folded string, err error) {
	if strings.TrimSpace(identifier) == "" {
		return "", &Error{Code: CodeInvalidIdentifier, Message: "the identifier is blank: it needs at least one visible character"}
	}
	folded = fold(identifier)
	if isReserved(folded) {
		return "", reservedError(identifier)
	}
	return folded, nil
}

func reservedError(identifier string) error {
	return &Error{Code: CodeReservedIdentifier, Message: "the identifier " + quote(identifier) + ` begins with "` + reservedPrefix + `", which is reserved for built-in actions`}
}

// validText is the one rule for text from outside, identifiers and arguments alike: every byte that is not part of valid UTF-8
// becomes U+FFFD. A lone surrogate becomes U+FFFD before it gets here, on every surface.
func validText(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return strings.Map(func(r rune) rune { return r }, text)
}

// quote puts a text into a message: in quotation marks, control characters made visible, long ones cut.
func quote(text string) string {
	const longest = 80
	var b strings.Builder
	b.WriteByte('"')
	count := 0
	for _, r := range text {
		if count++; count > longest {
			b.WriteString("…")
			break
		}
		if r < ' ' || r == 0x7f {
			r = '·'
		}
		b.WriteRune(r)
	}
	b.WriteByte('"')
	return b.String()
}

// decimal writes a number that is not negative. It is here so that strconv is not linked for the sake of a message.
func decimal(n int) string {
	var digits [20]byte
	i := len(digits)
	for {
		i--
		digits[i] = byte('0' + n%10)
		if n /= 10; n == 0 {
			return string(digits[i:])
		}
	}
}
