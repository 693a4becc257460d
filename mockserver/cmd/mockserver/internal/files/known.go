package files

import "strings"

// ReadKnown reads the identifiers in a file of what is known, which a flag names.
func ReadKnown(flag, name string) (ids []string, err error) {
	if name == "" {
		return nil, nil
	}
	const limit = 4 << 20
	text, err := ReadBounded(flag, name, limit)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		if words := strings.Fields(line); len(words) > 0 && !strings.HasPrefix(words[0], "#") {
			ids = append(ids, words[0])
		}
	}
	return ids, nil
}
