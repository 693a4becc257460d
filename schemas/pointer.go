package schemas

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/schemas/internal/jsonpointer"
)

// Base is the address that every $id begins with. Nothing is ever fetched from there.
const Base = "https://rehearsal.example/schemas/"

// FileError says that a schema file is not what it must be.
type FileError struct {
	// File is the path of the file, such as legacy/userbase.row.json.
	File string
	// Pointer is the JSON Pointer to the place in it; "" for the whole file.
	Pointer string
	// Message says what is wrong there.
	Message string
}

// Error gives the file, the place and the reason.
func (e *FileError) Error() string {
	return fmt.Sprintf("schema file %s#%s: %s", e.File, e.Pointer, e.Message)
}

// FaultOf is a fault of a compiled schema, with its file and its place.
func FaultOf(s *jsonschema.Schema, message string) *FileError {
	file, pointer := fileAndPointer(s.Location)
	return &FileError{file, pointer, message}
}

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
