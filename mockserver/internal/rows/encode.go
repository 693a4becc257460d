package rows

import (
	"encoding/json"
	"strings"
)

// format says how values become text.
type format struct {
	csv       bool
	lines     bool // of JSON: one object a line
	separator string
	crlf      bool
}

// text is a string as the format writes it.
func (f format) text(value string) []byte { return f.appendText(nil, value) }

// appendText is text for every row: most texts need no escapes.
func (f format) appendText(dst []byte, value string) []byte {
	switch {
	case !f.csv && plainJSON(value):
		return append(append(append(dst, '"'), value...), '"')
	case !f.csv:
		return append(dst, jsonText(value)...)
	case value == "":
		return dst
	case !strings.ContainsAny(value, f.separator+"\"\r\n") && value[0] != ' ':
		return append(dst, value...)
	}
	return append(append(append(dst, '"'), strings.ReplaceAll(value, `"`, `""`)...), '"')
}

// escape escapes the text at the end of dst, from begin on. In JSON, its quotes
// are written by others.
func (f format) escape(dst []byte, begin int) []byte {
	value := string(dst[begin:])
	if dst = f.appendText(dst[:begin], value); f.csv {
		return dst
	}
	copy(dst[begin:], dst[begin+1:])
	return dst[:len(dst)-2]
}

// plainJSON reports whether a text stands in JSON as it is.
func plainJSON(text string) bool {
	for i := range len(text) {
		if char := text[i]; char < ' ' || char > '~' || char == '"' || char == '\\' {
			return false
		}
	}
	return true
}

// value is any JSON value as the format writes it; only strings stand in CSV.
func (f format) value(value any) []byte {
	if text, is := value.(string); is {
		return f.text(text)
	}
	return jsonText(value)
}

// read is the value of a cell of CSV.
func (f format) read(cell []byte) string {
	text := string(cell)
	if inner, quoted := strings.CutPrefix(text, `"`); quoted {
		return strings.ReplaceAll(strings.TrimSuffix(inner, `"`), `""`, `"`)
	}
	return text
}

func jsonText(value any) []byte {
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		// Values come out of JSON documents, so they go back into one.
		return []byte("null")
	}
	return []byte(strings.TrimSuffix(out.String(), "\n"))
}

// missing is the value that stands where there is none.
func (f format) missing() any {
	if f.csv {
		return ""
	}
	return nil
}
