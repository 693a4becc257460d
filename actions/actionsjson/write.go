package actionsjson

import (
	"bytes"
	"errors"
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/rehearsal-sdk/rehearsal/actions"
)

// Append writes a value: of the types of [actions.Arguments], or of those that a perform turns into them. Everything else,
// numbers that are infinite or no number, and nesting deeper than 128 are errors; what was appended until then is not given.
func Append(dst []byte, value any) ([]byte, error) {
	canonical, err := actions.Canonical(value)
	if err != nil {
		return nil, err
	}
	return appendValue(dst, canonical)
}

// AppendResult writes a result as {"status", "message", "value", "items"}: the message when it is not empty, the value when it
// is not nil, the items when there was a group. The error is that of [Append] for a value that no JSON text can hold.
func AppendResult(dst []byte, result actions.Result) ([]byte, error) {
	dst = append(dst, `{"status":`...)
	dst = appendText(dst, string(result.Status))
	if result.Message != "" {
		dst = append(dst, `,"message":`...)
		dst = appendText(dst, result.Message)
	}
	var err error
	if result.Value != nil {
		dst = append(dst, `,"value":`...)
		if dst, err = Append(dst, result.Value); err != nil {
			return nil, err
		}
	}
	if result.Items != nil {
		dst = append(dst, `,"items":[`...)
		for i, item := range result.Items {
			if i > 0 {
				dst = append(dst, ',')
			}
			if dst, err = AppendResult(dst, item); err != nil {
				return nil, err
			}
		}
		dst = append(dst, ']')
	}
	return append(dst, '}'), nil
}

// AppendProblems writes what [actions.Registry.Validate] gives as an array of {"at", "status", "message"}.
func AppendProblems(dst []byte, problems []actions.Problem) []byte {
	dst = append(dst, '[')
	for i, problem := range problems {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, `{"at":`...)
		dst = appendText(dst, problem.At)
		dst = append(dst, `,"status":`...)
		dst = appendText(dst, string(problem.Status))
		dst = append(dst, `,"message":`...)
		dst = appendText(dst, problem.Message)
		dst = append(dst, '}')
	}
	return append(dst, ']')
}

func appendValue(dst []byte, value any) ([]byte, error) {
	var err error
	switch v := value.(type) {
	case nil:
		return append(dst, "null"...), nil
	case bool:
		return strconv.AppendBool(dst, v), nil
	case int64:
		return strconv.AppendInt(dst, v, 10), nil
	case uint64:
		return strconv.AppendUint(dst, v, 10), nil
	case float64:
		return appendFloat(dst, v)
	case string:
		return appendText(dst, v), nil
	case []any:
		dst = append(dst, '[')
		for i, item := range v {
			if i > 0 {
				dst = append(dst, ',')
			}
			if dst, err = appendValue(dst, item); err != nil {
				return nil, err
			}
		}
		return append(dst, ']'), nil
	case map[string]any:
		names := make([]string, 0, len(v))
		for name := range v {
			names = append(names, name)
		}
		slices.Sort(names)
		dst = append(dst, '{')
		for i, name := range names {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = append(appendText(dst, name), ':')
			if dst, err = appendValue(dst, v[name]); err != nil {
				return nil, err
			}
		}
		return append(dst, '}'), nil
	}
	return nil, errors.New("a value of this Go type cannot be written as JSON")
}

// appendFloat writes the shortest text that reads back as the same number and as a float.
func appendFloat(dst []byte, f float64) ([]byte, error) {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return nil, errors.New("a number that is infinite or no number cannot be written as JSON")
	}
	format := byte('f')
	if size := math.Abs(f); size != 0 && (size < 1e-6 || size >= 1e21) {
		format = 'e'
	}
	start := len(dst)
	dst = strconv.AppendFloat(dst, f, format, -1, 64)
	if format == 'f' && !bytes.ContainsRune(dst[start:], '.') {
		dst = append(dst, ".0"...)
	}
	return dst, nil
}

func appendText(dst []byte, text string) []byte {
	const hex = "0123456789abcdef"
	dst = append(dst, '"')
	for i := 0; i < len(text); {
		c := text[i]
		if c < utf8.RuneSelf {
			switch {
			case c == '"' || c == '\\':
				dst = append(dst, '\\', c)
			case c == '\n':
				dst = append(dst, '\\', 'n')
			case c == '\r':
				dst = append(dst, '\\', 'r')
			case c == '\t':
				dst = append(dst, '\\', 't')
			case c < ' ' || c == 0x7f:
				dst = append(dst, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
			default:
				dst = append(dst, c)
			}
			i++
			continue
		}
		r, size := utf8.DecodeRuneInString(text[i:])
		dst = utf8.AppendRune(dst, r)
		i += size
	}
	return append(dst, '"')
}
