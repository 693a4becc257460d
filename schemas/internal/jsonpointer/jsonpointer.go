// Package jsonpointer reads and writes JSON Pointers (RFC 6901).
package jsonpointer

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

var (
	tokenEscaper   = strings.NewReplacer("~", "~0", "/", "~1")
	tokenUnescaper = strings.NewReplacer("~1", "/", "~0", "~")
)

// Escape writes a member name as a token of a JSON Pointer.
func Escape(name string) string { return tokenEscaper.Replace(name) }

// Tokens splits a JSON Pointer into member names and indexes.
func Tokens(pointer string) []string {
	if pointer == "" {
		return nil
	}
	tokens := strings.Split(pointer, "/")[1:]
	for i, token := range tokens {
		tokens[i] = tokenUnescaper.Replace(token)
	}
	return tokens
}

// Value returns the value that a JSON Pointer leads to; false when there is none.
func Value(value any, pointer string) (any, bool) {
	for _, token := range Tokens(pointer) {
		switch container := value.(type) {
		case map[string]any:
			member, ok := container[token]
			if !ok {
				return nil, false
			}
			value = member
		case []any:
			index, err := strconv.Atoi(token)
			if err != nil || index < 0 || index >= len(container) {
				return nil, false
			}
			value = container[index]
		default:
			return nil, false
		}
	}
	return value, true
}

// Compare orders pointers token by token: indexes as numbers, before names.
func Compare(a, b string) int {
	return slices.CompareFunc(Tokens(a), Tokens(b), CompareTokens)
}

// CompareTokens orders two tokens: indexes as numbers, before names.
func CompareTokens(a, b string) int {
	if min(a, b) >= ":" { // neither begins as a number does
		return cmp.Compare(a, b)
	}
	left, leftErr := strconv.Atoi(a)
	right, rightErr := strconv.Atoi(b)
	switch {
	case leftErr == nil && rightErr == nil && left != right:
		return cmp.Compare(left, right)
	case leftErr == nil && rightErr != nil:
		return -1
	case leftErr != nil && rightErr == nil:
		return 1
	default:
		return cmp.Compare(a, b)
	}
}

// Unescape turns a location of the schema compiler, whose tokens are escaped for a URL as well, into a JSON Pointer.
func Unescape(location string) string {
	tokens := strings.Split(location, "/")
	for i, token := range tokens {
		if plain, err := url.PathUnescape(token); err == nil {
			tokens[i] = plain
		}
	}
	return strings.Join(tokens, "/")
}

// longestToken is how much of a token Short keeps, in bytes.
const longestToken = 80

// Short cuts the tokens of a pointer that are longer than any member that a schema names. It then leads
// nowhere, which is better than to repeat a megabyte that a client sent.
func Short(pointer string) string {
	if len(pointer) <= longestToken {
		return pointer
	}
	tokens := Tokens(pointer)
	for i, token := range tokens {
		if len(token) > longestToken {
			token = Cut(token, longestToken) + "..."
		}
		tokens[i] = Escape(token)
	}
	return "/" + strings.Join(tokens, "/")
}

// Cut is the beginning of a text, at most a number of bytes of it, and whole characters.
func Cut(text string, most int) string {
	if len(text) <= most {
		return text
	}
	for most > 0 && !utf8.RuneStart(text[most]) {
		most--
	}
	return text[:most]
}
