// Package strict reads JSON and accepts nothing that two readers could take for two things: at once, or as
// it comes. Its errors say where, by line and column.
package strict

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
)

const (
	// maxDepth is how deep arrays and objects may be nested.
	maxDepth = 64
	// maxDigits is how long a number may be. A longer one means nothing here and costs much to compute with.
	maxDigits = 400
)

// SyntaxError says that bytes are not the strict JSON that [Decode] reads.
type SyntaxError struct {
	// Offset counts bytes from 0 to where reading stopped.
	Offset int64
	// Line counts from 1; Column counts bytes in that line from 1.
	Line, Column int
	// Message says what is wrong.
	Message string
}

// Error gives the place and the reason.
func (e *SyntaxError) Error() string {
	return fmt.Sprintf("line %d, column %d: %s", e.Line, e.Column, e.Message)
}

// Decode reads one JSON value strictly: nothing missing, nothing after it, valid UTF-8, no name twice in an object, at most 64 levels of
// nesting. Numbers come as [json.Number], objects as map[string]any, arrays as []any. Every error is a [*SyntaxError]. See
// docs/decisions/server.md#why-jsonschema-v5-and-why-is-a-body-decoded-with-jsontext
func Decode(data []byte) (any, error) {
	decoder := jsontext.NewDecoder(bytes.NewReader(data))
	value, err := Value(decoder)
	if err != nil {
		return nil, syntaxError(data, decoder.InputOffset(), err)
	}
	end := int(decoder.InputOffset())
	rest := bytes.TrimLeft(data[end:], " \t\r\n")
	if len(rest) > 0 {
		return nil, syntaxError(data, int64(len(data)-len(rest)), &valueError{MoreAfter})
	}
	return value, nil
}

// MoreAfter is what is wrong with JSON that goes on after its value.
const MoreAfter = "there is more after the JSON value"

// valueError is a rule of ours that the JSON reader does not know.
type valueError struct{ message string }

func (e *valueError) Error() string { return e.message }

// Value reads the next value of a stream.
func Value(decoder *jsontext.Decoder) (any, error) {
	token, err := decoder.ReadToken()
	if err != nil {
		return nil, err
	}
	switch token.Kind() {
	case 'n':
		return nil, nil
	case 't', 'f':
		return token.Bool(), nil
	case '"':
		return token.String(), nil
	case '0':
		return decodeNumber(token.String())
	case '[':
		return decodeArray(decoder)
	default:
		return decodeObject(decoder)
	}
}

func decodeNumber(text string) (any, error) {
	if len(text) > maxDigits {
		return nil, &valueError{fmt.Sprintf("a number of %d digits is too long: at most %d", len(text), maxDigits)}
	}
	if _, err := strconv.ParseFloat(text, 64); err != nil {
		return nil, &valueError{"the number " + Short(text) + " is out of range"}
	}
	return json.Number(text), nil
}

func decodeArray(decoder *jsontext.Decoder) (any, error) {
	if err := checkDepth(decoder); err != nil {
		return nil, err
	}
	list := []any{}
	for decoder.PeekKind() != ']' {
		item, err := Value(decoder)
		if err != nil {
			return nil, err
		}
		list = append(list, item)
	}
	_, err := decoder.ReadToken()
	return list, err
}

func decodeObject(decoder *jsontext.Decoder) (any, error) {
	if err := checkDepth(decoder); err != nil {
		return nil, err
	}
	object := map[string]any{}
	for decoder.PeekKind() != '}' {
		name, err := decoder.ReadToken()
		if err != nil {
			return nil, err
		}
		key := name.String()
		if object[key], err = Value(decoder); err != nil {
			return nil, err
		}
	}
	_, err := decoder.ReadToken()
	return object, err
}

func checkDepth(decoder *jsontext.Decoder) error {
	if decoder.StackDepth() > maxDepth {
		return &valueError{fmt.Sprintf("nested deeper than %d levels", maxDepth)}
	}
	return nil
}

// syntaxError places an error of the reader in the bytes that were read.
func syntaxError(data []byte, offset int64, err error) *SyntaxError {
	message, at := explainSyntax(data, offset, err)
	at = min(max(at, 0), int64(len(data)))
	before := data[:at]
	return &SyntaxError{
		Offset:  at,
		Line:    1 + bytes.Count(before, []byte{'\n'}),
		Column:  len(before) - bytes.LastIndexByte(before, '\n'),
		Message: message,
	}
}

// explainSyntax turns an error of the JSON reader into a sentence and the offset it speaks of.
func explainSyntax(data []byte, offset int64, err error) (string, int64) {
	var ours *valueError
	if errors.As(err, &ours) {
		return ours.message, offset
	}
	if len(bytes.TrimLeft(data, " \t\r\n")) == 0 {
		return "there is nothing here: a JSON value is missing", offset
	}
	if bytes.HasPrefix(data, []byte("\xef\xbb\xbf")) {
		return "JSON must not begin with a byte order mark", 0
	}
	return Message(err), syntaxOffset(err, offset)
}

// Message words what the JSON reader says.
func Message(err error) string {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return "the JSON value ends too early"
	}
	var syntax *jsontext.SyntacticError
	if !errors.As(err, &syntax) {
		return err.Error()
	}
	if errors.Is(syntax.Err, jsontext.ErrDuplicateName) {
		return "the name " + Quoted(syntax.JSONPointer.LastToken()) + " comes twice in one object"
	}
	return syntax.Err.Error()
}

func syntaxOffset(err error, offset int64) int64 {
	var syntax *jsontext.SyntacticError
	if errors.As(err, &syntax) {
		return syntax.ByteOffset
	}
	return offset
}
