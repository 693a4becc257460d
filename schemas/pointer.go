package schemas

import (
	"net/url"
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

// fieldName writes a JSON Pointer as a person would: events[0], filter.segment; "the value" for the whole.
func fieldName(pointer string) string {
	var name strings.Builder
	for _, token := range pointerTokens(pointer) {
		if _, err := strconv.Atoi(token); err == nil {
			name.WriteString("[" + token + "]")
			continue
		}
		if name.Len() > 0 {
			name.WriteByte('.')
		}
		name.WriteString(token)
	}
	if name.Len() == 0 {
		return "the value"
	}
	return name.String()
}
