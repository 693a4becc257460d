package schemas

import (
	"strconv"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/schemas/internal/jsonpointer"
)

// fileAndPointer splits a schema location into the name of the file and the JSON Pointer in it.
func fileAndPointer(location string) (file, pointer string) {
	address, fragment, _ := strings.Cut(location, "#")
	return strings.TrimPrefix(address, Base), jsonpointer.Unescape(fragment)
}

// namedTokens is how many tokens of a pointer a name has, the last ones.
const namedTokens = 8

// fieldName writes a JSON Pointer as a person would: events[0], filter.segment; "the value" for the whole.
func fieldName(pointer string) string {
	var name strings.Builder
	tokens := jsonpointer.Tokens(pointer)
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
