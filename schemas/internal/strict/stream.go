package strict

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"
)

// DecodeStream reads one JSON object from a reader, as strictly as [Decode], without keeping the items
// of those arrays among its members for which take has a function: each is handed over as it comes, without insignificant white
// space, and is good until the function returns. It returns the object with empty arrays in those places, and
// the text of it, which is at most so many bytes. An error is that of the reader or of a function, a [*SyntaxError], or a [*SizeError].
func DecodeStream(source io.Reader, most int, take map[string]func(item []byte) error) (value any, text []byte, err error) {
	s := &stream{most: most, take: take, text: []byte{'{'}}
	buffered := bufio.NewReader(source)
	mark, _ := buffered.Peek(3)
	s.lines.Source = buffered
	s.decoder = jsontext.NewDecoder(&s.lines)
	switch kind := s.decoder.PeekKind(); {
	case string(mark) == "\xef\xbb\xbf":
		return nil, nil, s.errorAt(0, &valueError{"JSON must not begin with a byte order mark"})
	case kind == '{':
		value, err = s.object()
	default:
		value, err = s.value("")
	}
	end := s.decoder.InputOffset()
	if err == nil {
		var spaces int64
		if spaces, err = skipSpaces(io.MultiReader(bytes.NewReader(s.decoder.UnreadBuffer()), &s.lines)); err == nil {
			end, err = end+spaces, &valueError{MoreAfter}
		}
		if errors.Is(err, io.EOF) {
			err = nil
		}
	}
	var failed *failedTake
	var large *SizeError
	switch {
	case errors.As(err, &large):
		return nil, nil, large
	case err == nil:
		return value, s.text, nil
	case errors.As(err, &failed):
		return nil, nil, failed.error
	case s.lines.failed != nil:
		return nil, nil, s.lines.failed
	}
	return nil, nil, s.errorAt(end, err)
}

// skipSpaces counts white space before something else, or before the error.
func skipSpaces(source io.Reader) (count int64, err error) {
	for text := bufio.NewReader(source); ; count++ {
		char, err := text.ReadByte()
		if err != nil || !bytes.ContainsRune([]byte(" \t\r\n"), rune(char)) {
			return count, err
		}
	}
}

// stream is an object on its way in.
type stream struct {
	decoder *jsontext.Decoder
	lines   Lines
	most    int
	take    map[string]func(item []byte) error
	text    []byte
}

// SizeError says that a member makes an object larger than it may be.
type SizeError struct {
	Member string
	Most   int // bytes
}

func (e *SizeError) Error() string {
	return fmt.Sprintf("with %q the object has more than %d bytes", e.Member, e.Most)
}

// failedTake is an error of the function that takes the items.
type failedTake struct{ error }

// object reads the object, but for the items that are taken.
func (s *stream) object() (any, error) {
	if _, err := s.decoder.ReadToken(); err != nil {
		return nil, err
	}
	object := map[string]any{}
	for s.decoder.PeekKind() != '}' {
		token, err := s.decoder.ReadToken()
		if err != nil {
			return nil, err
		}
		name := token.String()
		if len(object) > 0 {
			s.text = append(s.text, ',')
		}
		if s.text, err = jsontext.AppendQuote(s.text, name); err != nil {
			return nil, err
		}
		s.text = append(s.text, ':')
		if take := s.take[name]; take != nil && s.decoder.PeekKind() == '[' {
			object[name], err = []any{}, s.items(take)
			s.text = append(s.text, "[]"...)
		} else {
			object[name], err = s.value(name)
		}
		if err != nil {
			return nil, err
		}
	}
	s.text = append(s.text, '}')
	_, err := s.decoder.ReadToken()
	return object, err
}

// items hands over the items of an array.
func (s *stream) items(take func(item []byte) error) error {
	if _, err := s.decoder.ReadToken(); err != nil {
		return err
	}
	for s.decoder.PeekKind() != ']' {
		s.lines.Forget(s.decoder.InputOffset())
		item, err := s.decoder.ReadValue()
		if err != nil {
			return err
		}
		if err := checkTokens(item); err != nil {
			return err
		}
		if err := item.Compact(); err != nil {
			return err
		}
		if err := take(item); err != nil {
			return &failedTake{err}
		}
	}
	_, err := s.decoder.ReadToken()
	return err
}

// value reads a value, and keeps its text.
func (s *stream) value(member string) (any, error) {
	raw, err := s.decoder.ReadValue()
	if err != nil {
		return nil, err
	}
	if len(s.text)+len(raw) > s.most {
		return nil, &SizeError{Member: member, Most: s.most}
	}
	s.text = append(s.text, raw...)
	return Value(jsontext.NewDecoder(bytes.NewReader(raw)))
}

// checkTokens checks what the JSON reader does not know, as Value does.
func checkTokens(text []byte) error {
	decoder := jsontext.NewDecoder(bytes.NewReader(text))
	for {
		token, err := decoder.ReadToken()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err == nil && token.Kind() == '0' {
			_, err = decodeNumber(token.String())
		}
		if err == nil {
			err = checkDepth(decoder)
		}
		if err != nil {
			return err
		}
	}
}

// errorAt is an error with its place.
func (s *stream) errorAt(offset int64, err error) *SyntaxError {
	message := Message(err)
	var ours *valueError
	switch {
	case errors.As(err, &ours):
		message = ours.message
	case errors.Is(err, io.EOF) && offset == 0:
		message = "there is nothing here: a JSON value is missing"
	default:
		offset = syntaxOffset(err, offset)
	}
	offset = min(max(offset, 0), s.lines.read)
	line, column := s.lines.Position(offset)
	return &SyntaxError{Offset: offset, Line: line, Column: column, Message: message}
}
