package actions

import (
	"strings"
	"unicode/utf8"
)

// validText is the one rule for text from outside, identifiers and arguments alike: every byte that is not part of valid UTF-8
// becomes U+FFFD. A lone surrogate becomes U+FFFD before it gets here, on every surface.
func validText(text string) string {
	if utf8.ValidString(text) {
		return text
	}
	return strings.Map(func(r rune) rune { return r }, text)
}

// say makes a sentence: a "?" in the template stands for the next part, a "$" for the next part in quotation marks. It is what
// fmt would be for, at a hundredth of the size.
func say(template string, parts ...string) string {
	var room [128]byte
	sentence := room[:0]
	for i := 0; i < len(template); i++ {
		switch c := template[i]; c {
		case '?':
			sentence = append(sentence, parts[0]...)
			parts = parts[1:]
		case '$':
			sentence = appendQuoted(sentence, parts[0])
			parts = parts[1:]
		default:
			sentence = append(sentence, c)
		}
	}
	return string(sentence)
}

// appendQuoted puts a text into a message: in quotation marks, control characters made visible, long ones cut.
func appendQuoted(sentence []byte, text string) []byte {
	const longest = 80
	sentence = append(sentence, '"')
	count := 0
	for _, r := range text {
		if count++; count > longest {
			sentence = append(sentence, "…"...)
			break
		}
		if r < ' ' || r == 0x7f {
			r = '·'
		}
		sentence = utf8.AppendRune(sentence, r)
	}
	return append(sentence, '"')
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
