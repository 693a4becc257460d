package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Printable returns a text as it may be shown on a terminal: what is not printable, line ends and formatting characters included, is
// written as Go would escape it.
func Printable(text string) string {
	if strings.IndexFunc(text, func(r rune) bool { return r == utf8.RuneError || !strconv.IsPrint(r) }) < 0 {
		return text
	}
	var shown strings.Builder
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&shown, `\x%02x`, text[at])
		case strconv.IsPrint(r):
			shown.WriteRune(r)
		default:
			shown.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		}
		at += size
	}
	return shown.String()
}

// PrintableLines is [Printable] of each line.
func PrintableLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = Printable(line)
	}
	return strings.Join(lines, "\n")
}

// WriteJSON writes a value as a line of JSON that is safe to show on a terminal: what is not printable is escaped, not only what the
// format demands.
func WriteJSON(out io.Writer, value any) error { return writeJSON(out, value, "") }

func writeJSON(out io.Writer, value any, indent string) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", indent)
	if err := encoder.Encode(value); err != nil {
		return err
	}
	_, err := safeJSON{out}.Write(text.Bytes())
	return err
}

// safeJSON writes JSON so that it is safe to show on a terminal. Each write has whole characters.
type safeJSON struct{ out io.Writer }

func (w safeJSON) Write(text []byte) (int, error) {
	var safe bytes.Buffer
	for _, r := range string(text) {
		if r < utf8.RuneSelf && r != '\x7f' || strconv.IsPrint(r) {
			safe.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&safe, `\u%04x`, unit)
		}
	}
	if _, err := w.out.Write(safe.Bytes()); err != nil {
		return 0, err
	}
	return len(text), nil
}

// Log writes a log in the format text or json.
func Log(out io.Writer, format string, least slog.Level) *slog.Logger {
	options := &slog.HandlerOptions{Level: least}
	if format == JSON {
		return slog.New(slog.NewJSONHandler(safeJSON{out}, options))
	}
	return slog.New(slog.NewTextHandler(out, options))
}
