package store

import (
	"encoding/json"
	"strings"
	"unicode"
)

// SnakeCase renames the members of a record or a bucket that was written with
// names in camel case ({"createdAt": ...}), as all were before names in snake
// case. Values stay as they are, byte for byte, but for the parts of a record
// that have such names of their own. Settings of a world have hyphens.
func SnakeCase(encoded []byte) ([]byte, error) { return renamed(encoded, '_') }

func renamed(encoded []byte, between byte) ([]byte, error) {
	var members map[string]json.RawMessage
	if err := json.Unmarshal(encoded, &members); err != nil {
		return nil, err
	}
	made := make(map[string]json.RawMessage, len(members))
	for name, value := range members {
		switch name {
		case "file", "settings", "faults": // the request, for one, is not ours
			inside := byte('_')
			if name == "settings" {
				inside = '-'
			}
			var err error
			if value, err = renamed(value, inside); err != nil {
				return nil, err
			}
		}
		made[separated(name, between)] = value
	}
	return json.Marshal(made)
}

// separated is a name in camel case with something between its words.
func separated(name string, between byte) string {
	var snake strings.Builder
	for _, char := range name {
		if unicode.IsUpper(char) {
			snake.WriteByte(between)
		}
		snake.WriteRune(unicode.ToLower(char))
	}
	return snake.String()
}
