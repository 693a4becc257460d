package texture

import (
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/mixer"
)

// literalNumbers are the numbers of which each has one of the words that stand for nothing as its identifier. They are among the first,
// since a small base has such people, too, and different ones.
func (c *Column) literalNumbers() (numbers []uint64) {
	for i := range uint64(len(nothings)) {
		numbers = append(numbers, 64*i+mixer.Mix(c.key, ^i)%64)
	}
	return numbers
}

// Literal is the number whose identifier is a word that stands for nothing.
func (c *Column) Literal(text string) (number uint64, is bool) {
	for i, word := range nothings {
		if c != nil && text == word && i < len(c.literals) {
			return c.literals[i], true
		}
	}
	return 0, false
}

// Plain is what an identifier was before it became awkward, if it was one that begins with a prefix, behind which stand 16 hexadecimal
// digits. Whether it was is for who knows the number to try.
func Plain(text, prefix string) (plain string, found bool) {
	const width = 16
	if len(text) == decimalWidth && strings.Trim(text, "0123456789") == "" {
		number, fits := parseDecimal(text)
		return string(appendHex([]byte(prefix), number)), fits
	}
	lower := strings.ToLower(undisguised(text))
	at := strings.Index(lower, prefix)
	if at < 0 || len(lower) < at+len(prefix)+width {
		return "", false
	}
	return lower[at : at+len(prefix)+width], true
}

// decimalWidth is how many digits the largest number of 64 bits has: smaller ones have zeros before them.
const decimalWidth = 20

// decimal writes the number that stands in hexadecimal at the end of a text in decimal, in place of the text; a text without one stays.
func decimal(dst []byte, begin int) []byte {
	const width = 16
	if len(dst)-begin < width {
		return dst
	}
	number := uint64(0)
	for _, char := range dst[len(dst)-width:] {
		digit := strings.IndexByte(hexDigits, char)
		if digit < 0 {
			return dst
		}
		number = number<<4 | uint64(digit)
	}
	var digits [decimalWidth]byte
	for i := range digits {
		digits[len(digits)-1-i] = '0' + byte(number%10)
		number /= 10
	}
	return append(dst[:begin], digits[:]...)
}

func parseDecimal(text string) (number uint64, fits bool) {
	for i := range len(text) {
		next := number*10 + uint64(text[i]-'0')
		if number > (1<<64-1)/10 || next < number*10 {
			return 0, false
		}
		number = next
	}
	return number, true
}

const hexDigits = "0123456789abcdef"

func appendHex(dst []byte, number uint64) []byte {
	for shift := 60; shift >= 0; shift -= 4 {
		dst = append(dst, hexDigits[number>>shift&15])
	}
	return dst
}
