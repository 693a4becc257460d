package actionsjson

import (
	"math"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/rehearsal-sdk/rehearsal/actions"
)

// maxDepth bounds the nesting; it is that of [actions.Arguments].
const maxDepth = 128

// SyntaxError says why a text is not the JSON that this package reads.
type SyntaxError struct {
	// Offset counts bytes from 0 to where reading stopped.
	Offset int
	// Message says what is wrong there.
	Message string
}

// Error gives the reason and the place.
func (e *SyntaxError) Error() string {
	return e.Message + " at byte " + strconv.Itoa(e.Offset) + " of the JSON text"
}

// Decode reads one JSON value. The error is a [SyntaxError].
func Decode(data []byte) (any, error) {
	r := reader{data: data}
	value, err := r.value(0)
	if err != nil {
		return nil, err
	}
	if r.skipSpace(); r.at < len(data) {
		return nil, r.fail("something follows the value")
	}
	return value, nil
}

// DecodeArguments reads the arguments of an action: an object, or null, which is no arguments.
func DecodeArguments(data []byte) (actions.Arguments, error) {
	value, err := Decode(data)
	if err != nil {
		return nil, err
	}
	switch value := value.(type) {
	case nil:
		return actions.Arguments{}, nil
	case map[string]any:
		return value, nil
	}
	return nil, &SyntaxError{Message: "arguments are an object, something else is there"}
}

type reader struct {
	data []byte
	at   int
}

func (r *reader) fail(message string) error { return &SyntaxError{Offset: r.at, Message: message} }

func (r *reader) skipSpace() {
	for r.at < len(r.data) {
		switch r.data[r.at] {
		case ' ', '\t', '\n', '\r':
			r.at++
		default:
			return
		}
	}
}

// next gives the byte at hand, or 0 at the end.
func (r *reader) next() byte {
	if r.at < len(r.data) {
		return r.data[r.at]
	}
	return 0
}

func (r *reader) value(depth int) (any, error) {
	r.skipSpace()
	switch c := r.next(); {
	case c == '{':
		return r.object(depth + 1)
	case c == '[':
		return r.array(depth + 1)
	case c == '"':
		return r.text()
	case c == '-' || '0' <= c && c <= '9':
		return r.number()
	case r.word("null"):
		return nil, nil
	case r.word("true"):
		return true, nil
	case r.word("false"):
		return false, nil
	case r.at == len(r.data):
		return nil, r.fail("a value is missing")
	}
	return nil, r.fail("no value begins so")
}

func (r *reader) word(word string) bool {
	if len(r.data)-r.at < len(word) || string(r.data[r.at:r.at+len(word)]) != word {
		return false
	}
	r.at += len(word)
	return true
}

func (r *reader) object(depth int) (any, error) {
	if depth > maxDepth {
		return nil, r.fail("nested too deep")
	}
	object := map[string]any{}
	r.at++
	if r.skipSpace(); r.next() == '}' {
		r.at++
		return object, nil
	}
	for {
		if r.skipSpace(); r.next() != '"' {
			return nil, r.fail("a name in quotation marks is missing")
		}
		start := r.at
		name, err := r.text()
		if err != nil {
			return nil, err
		}
		if _, twice := object[name]; twice {
			return nil, &SyntaxError{Offset: start, Message: "the name " + strconv.Quote(name) + " is there twice"}
		}
		if r.skipSpace(); r.next() != ':' {
			return nil, r.fail("a colon is missing")
		}
		r.at++
		if object[name], err = r.value(depth); err != nil {
			return nil, err
		}
		if more, err := r.more('}', "a comma or a closing brace is missing"); !more {
			return object, err
		}
	}
}

func (r *reader) array(depth int) (any, error) {
	if depth > maxDepth {
		return nil, r.fail("nested too deep")
	}
	array := []any{}
	r.at++
	if r.skipSpace(); r.next() == ']' {
		r.at++
		return array, nil
	}
	for {
		value, err := r.value(depth)
		if err != nil {
			return nil, err
		}
		array = append(array, value)
		if more, err := r.more(']', "a comma or a closing bracket is missing"); !more {
			return array, err
		}
	}
}

// more reads what stands between two members, or after the last.
func (r *reader) more(end byte, complaint string) (bool, error) {
	r.skipSpace()
	switch r.next() {
	case ',':
		r.at++
		return true, nil
	case end:
		r.at++
		return false, nil
	}
	return false, r.fail(complaint)
}

// digits passes digits and reports whether there were any.
func (r *reader) digits() bool {
	start := r.at
	for c := r.next(); '0' <= c && c <= '9'; c = r.next() {
		r.at++
	}
	return r.at > start
}

func (r *reader) number() (any, error) {
	start, whole := r.at, true
	if r.next() == '-' {
		r.at++
	}
	if r.next() == '0' {
		r.at++
	} else if !r.digits() {
		return nil, r.fail("a digit is missing")
	}
	if r.next() == '.' {
		whole = false
		if r.at++; !r.digits() {
			return nil, r.fail("a digit is missing after the point")
		}
	}
	if c := r.next(); c == 'e' || c == 'E' {
		whole = false
		r.at++
		if c := r.next(); c == '+' || c == '-' {
			r.at++
		}
		if !r.digits() {
			return nil, r.fail("a digit is missing in the exponent")
		}
	}
	text := string(r.data[start:r.at])
	if whole && text != "-0" {
		if i, err := strconv.ParseInt(text, 10, 64); err == nil {
			return i, nil
		}
		if u, err := strconv.ParseUint(text, 10, 64); err == nil {
			return u, nil
		}
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsInf(f, 0) {
		return nil, &SyntaxError{Offset: start, Message: "the number is too large"}
	}
	return f, nil
}

func (r *reader) text() (string, error) {
	r.at++
	start := r.at
	for ; r.at < len(r.data); r.at++ { // the common case: nothing to unescape
		c := r.data[r.at]
		if c == '"' {
			text := string(r.data[start:r.at])
			if !utf8.ValidString(text) {
				return "", &SyntaxError{Offset: start, Message: "a string is not valid UTF-8"}
			}
			r.at++
			return text, nil
		}
		if c == '\\' {
			return r.escapedText(start)
		}
		if c < ' ' {
			return "", r.fail("a control character stands in a string")
		}
	}
	return "", r.fail("a string does not end")
}

// escapedText reads on in a string that has an escape.
func (r *reader) escapedText(start int) (string, error) {
	text := append([]byte(nil), r.data[start:r.at]...)
	for r.at < len(r.data) {
		c := r.data[r.at]
		switch {
		case c == '"':
			if !utf8.Valid(text) {
				return "", &SyntaxError{Offset: start, Message: "a string is not valid UTF-8"}
			}
			r.at++
			return string(text), nil
		case c < ' ':
			return "", r.fail("a control character stands in a string")
		case c != '\\':
			text = append(text, c)
			r.at++
			continue
		}
		r.at++
		switch c := r.next(); c {
		case '"', '\\', '/':
			text = append(text, c)
		case 'b':
			text = append(text, '\b')
		case 'f':
			text = append(text, '\f')
		case 'n':
			text = append(text, '\n')
		case 'r':
			text = append(text, '\r')
		case 't':
			text = append(text, '\t')
		case 'u':
			unit, ok := r.unit(r.at + 1)
			if !ok {
				return "", r.fail("four hexadecimal digits are missing")
			}
			r.at += 4
			if utf16.IsSurrogate(unit) {
				low, ok := rune(0), false
				if r.at+2 < len(r.data) && r.data[r.at+1] == '\\' && r.data[r.at+2] == 'u' {
					low, ok = r.unit(r.at + 3)
				}
				if unit = utf16.DecodeRune(unit, low); ok && unit != utf8.RuneError {
					r.at += 6
				} else {
					unit = utf8.RuneError
				}
			}
			text = utf8.AppendRune(text, unit)
		default:
			return "", r.fail("no escape is written so")
		}
		r.at++
	}
	return "", r.fail("a string does not end")
}

// unit reads four hexadecimal digits.
func (r *reader) unit(at int) (unit rune, ok bool) {
	if at+4 > len(r.data) {
		return 0, false
	}
	for _, c := range r.data[at : at+4] {
		switch {
		case '0' <= c && c <= '9':
			c -= '0'
		case 'a' <= c|0x20 && c|0x20 <= 'f':
			c = c | 0x20 - 'a' + 10
		default:
			return 0, false
		}
		unit = unit<<4 | rune(c)
	}
	return unit, true
}
