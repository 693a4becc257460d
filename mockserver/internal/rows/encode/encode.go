// Package encode says how values become text in the format of a file: a document of JSON, lines of JSON, or CSV.
package encode

import (
	"encoding/json"
	"strings"
)

// Format says how values become text.
type Format struct {
	CSV       bool
	Lines     bool // of JSON: one object a line
	Separator string
	CRLF      bool
}

// Text is a string as the format writes it.
func (f Format) Text(value string) []byte { return f.AppendText(nil, value) }

// AppendText is Text for every row: most texts need no escapes.
func (f Format) AppendText(dst []byte, value string) []byte {
	switch {
	case !f.CSV && plainJSON(value):
		return append(append(append(dst, '"'), value...), '"')
	case !f.CSV:
		return append(dst, JSON(value)...)
	case value == "":
		return dst
	case !strings.ContainsAny(value, f.Separator+"\"\r\n") && value[0] != ' ':
		return append(dst, value...)
	}
	return append(append(append(dst, '"'), strings.ReplaceAll(value, `"`, `""`)...), '"')
}

// Escape escapes the text at the end of dst, from begin on. In JSON, its quotes are written by others.
func (f Format) Escape(dst []byte, begin int) []byte {
	if !f.CSV && plainJSON(dst[begin:]) {
		return dst
	}
	value := string(dst[begin:])
	if dst = f.AppendText(dst[:begin], value); f.CSV {
		return dst
	}
	copy(dst[begin:], dst[begin+1:])
	return dst[:len(dst)-2]
}

// plainJSON reports whether a text stands in JSON as it is.
func plainJSON[T string | []byte](text T) bool {
	for i := range len(text) {
		if char := text[i]; char < ' ' || char > '~' || char == '"' || char == '\\' {
			return false
		}
	}
	return true
}

// Value is any JSON value as the format writes it; only strings stand in CSV.
func (f Format) Value(value any) []byte {
	if text, is := value.(string); is {
		return f.Text(text)
	}
	return JSON(value)
}

// Read is the value of a cell of CSV.
func (f Format) Read(cell []byte) string {
	text := string(cell)
	if inner, quoted := strings.CutPrefix(text, `"`); quoted {
		return strings.ReplaceAll(strings.TrimSuffix(inner, `"`), `""`, `"`)
	}
	return text
}

// JSON is any value as it stands in a document of JSON.
func JSON(value any) []byte {
	var out strings.Builder
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		// Values come out of JSON documents, so they go back into one.
		return []byte("null")
	}
	return []byte(strings.TrimSuffix(out.String(), "\n"))
}

// Missing is the value that stands where there is none.
func (f Format) Missing() any {
	if f.CSV {
		return ""
	}
	return nil
}

// lineEnd ends the lines of a CSV file.
func (f Format) lineEnd() string {
	if f.CRLF {
		return "\r\n"
	}
	return "\n"
}

// EndLine ends a line in the place of its last separator.
func (f Format) EndLine(line []byte) []byte {
	return append(line[:len(line)-1], f.lineEnd()...)
}
