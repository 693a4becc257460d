package amend

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
)

// span is where a value stands in a text; name is where the name of the member begins, or the value itself.
type span struct{ name, from, to int }

// find is where the value of a JSON Pointer stands.
func find(text []byte, pointer string) (span, error) {
	decoder := jsontext.NewDecoder(bytes.NewReader(text))
	found := span{name: -1}
	for _, token := range tokens(pointer) {
		kind := decoder.PeekKind()
		if kind != '{' && kind != '[' {
			return span{}, fmt.Errorf("there is nothing at %s", pointer)
		}
		if _, err := decoder.ReadToken(); err != nil {
			return span{}, err
		}
		number, err := strconv.Atoi(token)
		if kind == '[' && err != nil {
			return span{}, fmt.Errorf("there is nothing at %s", pointer)
		}
		for i := 0; ; i++ {
			if next := decoder.PeekKind(); next == '}' || next == ']' || next == 0 {
				return span{}, fmt.Errorf("there is nothing at %s", pointer)
			}
			if kind == '[' {
				if found.name = -1; i == number {
					break
				}
			} else {
				name, err := decoder.ReadToken()
				if err != nil {
					return span{}, err
				}
				if name.String() == token {
					quoted, _ := jsontext.AppendQuote(nil, token)
					found.name = int(decoder.InputOffset()) - len(quoted)
					break
				}
			}
			if err := decoder.SkipValue(); err != nil {
				return span{}, err
			}
		}
	}
	value, err := decoder.ReadValue()
	if err != nil {
		return span{}, err
	}
	found.to = int(decoder.InputOffset())
	found.from = found.to - len(value)
	if found.name < 0 {
		found.name = found.from
	}
	return found, nil
}

// tokens are the parts of a pointer.
func tokens(pointer string) []string {
	if pointer == "" {
		return nil
	}
	parts := strings.Split(strings.TrimPrefix(pointer, "/"), "/")
	for i, part := range parts {
		parts[i] = unescape.Replace(part)
	}
	return parts
}

var (
	unescape = strings.NewReplacer("~1", "/", "~0", "~")
	escape   = strings.NewReplacer("~", "~0", "/", "~1")
)

// Escape writes a name as a token of a pointer.
func Escape(name string) string { return escape.Replace(name) }

func splice(text []byte, from, to int, with string) []byte {
	return bytes.Join([][]byte{text[:from], []byte(with), text[to:]}, nil)
}

// set puts another value in the place of one.
func set(text []byte, pointer, value string) ([]byte, error) {
	at, err := find(text, pointer)
	if err != nil {
		return nil, err
	}
	return splice(text, at.from, at.to, value), nil
}

// rename puts a member, name and value, in the place of one.
func rename(text []byte, pointer, member string) ([]byte, error) {
	at, err := find(text, pointer)
	if err != nil {
		return nil, err
	}
	return splice(text, at.name, at.to, member), nil
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
