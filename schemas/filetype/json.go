package filetype

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rehearsal-sdk/rehearsal/schemas/internal/strict"
)

// mostValue is how many bytes an item of an array, or a single value, may take.
const mostValue = 32 << 20

// JSON reads JSON to the end: the items of an array one by one, or values one after another, in memory that depends on the largest.
type JSON struct {
	lines   strict.Lines
	decoder *jsontext.Decoder
}

// NewJSON reads JSON.
func NewJSON(r io.Reader) *JSON {
	j := &JSON{lines: strict.Lines{Source: r}}
	j.decoder = jsontext.NewDecoder(&j.lines)
	j.expect()
	return j
}

// expect begins the next value: it forgets the text before, and sets the limit.
func (j *JSON) expect() {
	offset := j.decoder.InputOffset()
	j.lines.Forget(offset)
	j.lines.Limit = offset + mostValue
}

// IsArray reports whether an array comes next.
func (j *JSON) IsArray() bool { return j.decoder.PeekKind() == '[' }

// Items calls visit with each item of an array, and finds out that nothing follows it.
func (j *JSON) Items(visit func(item Value) error) error {
	if _, err := j.decoder.ReadToken(); err != nil {
		return err
	}
	for j.decoder.PeekKind() != ']' {
		value, err := j.Next()
		if err == nil {
			err = visit(value)
		}
		if err != nil {
			return err
		}
	}
	if _, err := j.decoder.ReadToken(); err != nil {
		return err
	}
	return j.End()
}

// Value is a value with the place of each byte.
type Value struct {
	Text  []byte
	start int64
	from  *JSON
}

// Place is the line and column of a byte. It is known until the next value is read.
func (v Value) Place(offset int64) (line, column int) { return v.from.lines.Position(v.start + offset) }

// Next reads the next value; io.EOF behind the last one. It is good until the one after it is read.
func (j *JSON) Next() (Value, error) {
	j.expect()
	raw, err := j.decoder.ReadValue()
	return Value{raw, j.decoder.InputOffset() - int64(len(raw)), j}, err
}

// moreError says that something follows the value of a file.
type moreError struct{ offset int64 }

func (moreError) Error() string { return strict.MoreAfter + ": write an array, or NDJSON" }

// End finds out that nothing but blanks follows.
func (j *JSON) End() error {
	j.expect()
	j.decoder.PeekKind()
	unread := j.decoder.UnreadBuffer()
	offset := j.decoder.InputOffset() + int64(len(unread)-len(bytes.TrimLeft(unread, blanks)))
	_, err := j.decoder.ReadToken()
	var syntax *jsontext.SyntacticError
	switch {
	case err == io.EOF:
		return nil
	case err == nil || errors.As(err, &syntax):
		return moreError{offset}
	}
	return err
}

// Malformed says where and why a text is no JSON; nothing behind that can be read. Inside says that it is in an array.
func (j *JSON) Malformed(err error) (line, column int, sentence string, inside, is bool) {
	var syntax *jsontext.SyntacticError
	var more moreError
	offset := j.decoder.InputOffset()
	inside = j.decoder.StackDepth() > 0
	switch {
	case errors.As(err, &more):
		offset, sentence, inside = more.offset, more.Error(), false
	case errors.Is(err, strict.ErrTooLong):
		sentence = fmt.Sprintf("a value is longer than %d MB", mostValue>>20)
	case errors.As(err, &syntax):
		offset, sentence = syntax.ByteOffset, strict.Message(err)
	case err == io.EOF:
		sentence = "there is nothing here: a JSON value is missing"
	default:
		return 0, 0, "", false, false
	}
	line, column = j.lines.Position(offset)
	return line, column, sentence, inside, true
}
