package store

import (
	"encoding/json"
	"strings"
	"unicode"
)

// SnakeCase renames the members of a record or a bucket that was written with
// names in camel case ({"createdAt": ...}), as all were before names in snake
// case. Values stay as they are, byte for byte, but for the parts of a record
// that have such names of their own.
func SnakeCase(encoded []byte) ([]byte, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(encoded, &members); err != nil {
		return nil, err
	}
	renamed := make(map[string]json.RawMessage, len(members))
	for name, value := range members {
		switch name {
		case "file", "settings", "faults": // the request, for one, is not ours
			var err error
			if value, err = SnakeCase(value); err != nil {
				return nil, err
			}
		}
		renamed[snakeCase(name)] = value
	}
	return json.Marshal(renamed)
}

func snakeCase(name string) string {
	var snake strings.Builder
	for _, char := range name {
		if unicode.IsUpper(char) {
			snake.WriteByte('_')
		}
		snake.WriteRune(unicode.ToLower(char))
	}
	return snake.String()
}
