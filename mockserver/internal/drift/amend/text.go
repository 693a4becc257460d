package amend

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// span is where a value stands in a text; name is where the name of the member begins, or the value itself.
type span struct{ name, from, to int }

// find is where the value of a JSON Pointer stands.
func find(text []byte, pointer string) (span, error) {
	decoder := jsontext.NewDecoder(bytes.NewReader(text))
	for {
		token, err := decoder.ReadToken()
		if err == io.EOF {
			return span{}, fmt.Errorf("there is nothing at %s", pointer)
		}
		if err != nil {
			return span{}, err
		}
		if string(decoder.StackPointer()) != pointer {
			continue
		}
		found := span{to: int(decoder.InputOffset())}
		quoted, _ := jsontext.AppendQuote(nil, token.String())
		if within, at := decoder.StackIndex(decoder.StackDepth()); within == '{' && at%2 == 1 { // a name
			value, err := decoder.ReadValue()
			found.name, found.to = found.to-len(quoted), int(decoder.InputOffset())
			found.from = found.to - len(value)
			return found, err
		}
		switch found.from = found.to - 1; token.Kind() {
		case '{', '[':
			for depth := decoder.StackDepth(); err == nil && decoder.StackDepth() >= depth; {
				_, err = decoder.ReadToken()
			}
			found.to = int(decoder.InputOffset())
		case '"':
			found.from = found.to - len(quoted)
		default:
			found.from = found.to - len(token.String())
		}
		found.name = found.from
		return found, err
	}
}

// tokens are the parts of a pointer.
func tokens(pointer string) (parts []string) {
	for token := range jsontext.Pointer(pointer).Tokens() {
		parts = append(parts, token)
	}
	return parts
}

// Escape writes a name as a token of a pointer.
func Escape(name string) string { return string(jsontext.Pointer("").AppendToken(name))[1:] }

func splice(text []byte, from, to int, with string) []byte {
	return bytes.Join([][]byte{text[:from], []byte(with), text[to:]}, nil)
}

// set puts another value in the place of one.
func set(text []byte, pointer, value string) ([]byte, error) {
	at, err := find(text, pointer)
	return splice(text, at.from, at.to, value), err
}

// rename puts a member, name and value, in the place of one.
func rename(text []byte, pointer, member string) ([]byte, error) {
	at, err := find(text, pointer)
	return splice(text, at.name, at.to, member), err
}

// add puts an item or a member at the end of an array or an object, laid out as those before it.
func add(text []byte, pointer, item string) ([]byte, error) {
	at, err := find(text, pointer)
	if err != nil {
		return nil, err
	}
	inside := text[at.from+1 : at.to-1]
	kept := bytes.TrimRight(inside, " \t\r\n")
	if len(kept) == 0 {
		return splice(text, at.from+1, at.to-1, item), nil
	}
	between := ", "
	if tail := inside[len(kept):]; bytes.Contains(tail, []byte("\n")) {
		between = ",\n" + strings.TrimLeft(string(tail), "\r\n") + "  "
	}
	end := at.from + 1 + len(kept)
	return splice(text, end, end, between+item), nil
}

// put sets a member of an object, or adds it.
func put(text []byte, pointer, name, value string) ([]byte, error) {
	if changed, err := set(text, pointer+"/"+Escape(name), value); err == nil {
		return changed, nil
	}
	return add(text, pointer, quote(name)+": "+value)
}

// drop takes a member out of an object, with the comma beside it.
func drop(text []byte, pointer string) ([]byte, error) {
	at, err := find(text, pointer)
	const blank = " \t\r\n"
	before, behind := bytes.TrimRight(text[:at.name], blank), bytes.TrimLeft(text[at.to:], blank)
	if begun, is := bytes.CutSuffix(before, []byte(",")); is {
		return append(bytes.Clone(begun), text[at.to:]...), err
	}
	return append(bytes.Clone(text[:at.name]), bytes.TrimPrefix(behind, []byte(","))...), err
}

// list writes names as an array.
func list(names []string) string {
	quoted := make([]string, len(names))
	for i, name := range names {
		quoted[i] = quote(name)
	}
	return "[" + strings.Join(quoted, ", ") + "]"
}

func quote(text string) string {
	var out bytes.Buffer
	encoder := json.NewEncoder(&out)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(text) // a string always has a text
	return strings.TrimSpace(out.String())
}
