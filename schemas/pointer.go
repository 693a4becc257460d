package schemas

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"strings"
)

var (
	tokenEscaper   = strings.NewReplacer("~", "~0", "/", "~1")
	tokenUnescaper = strings.NewReplacer("~1", "/", "~0", "~")
)

// escapeToken writes a member name as a token of a JSON Pointer.
func escapeToken(name string) string { return tokenEscaper.Replace(name) }

// pointerTokens splits a JSON Pointer into member names and indexes.
func pointerTokens(pointer string) []string {
	if pointer == "" {
		return nil
	}
	tokens := strings.Split(pointer, "/")[1:]
	for i, token := range tokens {
		tokens[i] = tokenUnescaper.Replace(token)
	}
	return tokens
}

// plainPointer turns a location of the schema compiler, whose tokens are escaped for a URL as well, into
// a JSON Pointer.
func plainPointer(location string) string {
	tokens := strings.Split(location, "/")
	for i, token := range tokens {
		if plain, err := url.PathUnescape(token); err == nil {
			tokens[i] = plain
		}
	}
	return strings.Join(tokens, "/")
}

// fileAndPointer splits a schema location into the name of the file and the JSON Pointer in it.
func fileAndPointer(location string) (file, pointer string) {
	address, fragment, _ := strings.Cut(location, "#")
	return strings.TrimPrefix(address, Base), plainPointer(fragment)
}

// valueAt returns the value that a JSON Pointer leads to; false when there is none.
func valueAt(value any, pointer string) (any, bool) {
	for _, token := range pointerTokens(pointer) {
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

// longestToken is how much of a token a pointer keeps that is handed out, in bytes.
const longestToken = 80

// shortPointer cuts the tokens of a pointer that are longer than any member that a schema names. It then leads
// nowhere, which is better than to repeat a megabyte that a client sent.
func shortPointer(pointer string) string {
	if len(pointer) <= longestToken {
		return pointer
	}
	tokens := pointerTokens(pointer)
	for i, token := range tokens {
		if len(token) > longestToken {
			token = cut(token, longestToken) + "..."
		}
		tokens[i] = escapeToken(token)
	}
	return "/" + strings.Join(tokens, "/")
}

// comparePointers orders pointers token by token: indexes as numbers, before names.
func comparePointers(a, b string) int {
	return slices.CompareFunc(pointerTokens(a), pointerTokens(b), compareTokens)
}

func compareTokens(a, b string) int {
	if min(a, b) >= ":" { // neither begins as a number does
		return cmp.Compare(a, b)
	}
	left, leftErr := strconv.Atoi(a)
	right, rightErr := strconv.Atoi(b)
	switch {
	case leftErr == nil && rightErr == nil && left != right:
		return cmp.Compare(left, right)
	case (leftErr == nil) != (rightErr == nil):
		return cmp.Compare(boolNumber(rightErr == nil), boolNumber(leftErr == nil))
	default:
		return cmp.Compare(a, b)
	}
}

func boolNumber(b bool) int {
	if b {
		return 1
	}
	return 0
}

// namedTokens is how many tokens of a pointer a name has, the last ones.
const namedTokens = 8

// fieldName writes a JSON Pointer as a person would: events[0], filter.segment; "the value" for the whole.
func fieldName(pointer string) string {
	var name strings.Builder
	tokens := pointerTokens(pointer)
	if len(tokens) > namedTokens {
		name.WriteString("...")
		tokens = tokens[len(tokens)-namedTokens:]
	}
	for _, token := range tokens {
		if _, err := strconv.Atoi(token); err == nil {
			name.WriteString("[" + token + "]")
			continue
		}
		if name.Len() > 0 {
			name.WriteByte('.')
		}
		name.WriteString(short(token))
	}
	if name.Len() == 0 {
		return "the value"
	}
	return name.String()
}
