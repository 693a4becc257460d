package openapi

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"slices"
)

// object is a JSON object whose members keep their order, so that the document
// shows members as the schema files list them, and is the same on every run.
type object []member

type member struct {
	name  string
	value any
}

// get is the value of a member; nil if there is none.
func (o object) get(name string) any {
	for _, m := range o {
		if m.name == name {
			return m.value
		}
	}
	return nil
}

// text is a member that is a string; empty otherwise.
func (o object) text(name string) string {
	text, _ := o.get(name).(string)
	return text
}

// object is a member that is an object; nil otherwise.
func (o object) object(name string) object {
	inner, _ := o.get(name).(object)
	return inner
}

// list is a member that is an array; nil otherwise.
func (o object) list(name string) []any {
	items, _ := o.get(name).([]any)
	return items
}

// set replaces a member, or adds it at the end.
func (o *object) set(name string, value any) {
	for i := range *o {
		if (*o)[i].name == name {
			(*o)[i].value = value
			return
		}
	}
	*o = append(*o, member{name, value})
}

// sort orders the members by name.
func (o object) sort() {
	slices.SortFunc(o, func(a, b member) int { return bytes.Compare([]byte(a.name), []byte(b.name)) })
}

// parse reads JSON: objects become object, arrays []any, numbers json.Number.
func parse(data []byte) (any, error) {
	decoder := json.NewDecoder(bytes.NewReader(data))
	decoder.UseNumber()
	value, err := parseValue(decoder)
	if err != nil {
		return nil, err
	}
	if _, err := decoder.Token(); err != io.EOF {
		return nil, fmt.Errorf("there is more after the value")
	}
	return value, nil
}

func parseValue(decoder *json.Decoder) (any, error) {
	token, err := decoder.Token()
	if err != nil {
		return nil, err
	}
	switch token {
	case json.Delim('{'):
		made := object{}
		for decoder.More() {
			name, err := decoder.Token()
			if err != nil {
				return nil, err
			}
			value, err := parseValue(decoder)
			if err != nil {
				return nil, err
			}
			made = append(made, member{name.(string), value})
		}
		_, err = decoder.Token()
		return made, err
	case json.Delim('['):
		made := []any{}
		for decoder.More() {
			value, err := parseValue(decoder)
			if err != nil {
				return nil, err
			}
			made = append(made, value)
		}
		_, err = decoder.Token()
		return made, err
	}
	return token, nil
}

// encode writes a value as JSON, indented by one blank per level: the document is looked at by people as well.
func encode(value any) ([]byte, error) {
	var short, out bytes.Buffer
	if err := write(&short, value); err != nil {
		return nil, err
	}
	err := json.Indent(&out, short.Bytes(), "", " ")
	return out.Bytes(), err
}

func write(out *bytes.Buffer, value any) error {
	switch value := value.(type) {
	case object:
		for i, m := range value {
			out.WriteByte("{,"[min(i, 1)])
			if err := write(out, m.name); err != nil {
				return err
			}
			out.WriteByte(':')
			if err := write(out, m.value); err != nil {
				return fmt.Errorf("%s: %w", m.name, err)
			}
		}
		out.WriteString("{}"[min(len(value), 1):])
		return nil
	case []any:
		for i, item := range value {
			out.WriteByte("[,"[min(i, 1)])
			if err := write(out, item); err != nil {
				return err
			}
		}
		out.WriteString("[]"[min(len(value), 1):])
		return nil
	}
	encoder := json.NewEncoder(out)
	encoder.SetEscapeHTML(false)
	if err := encoder.Encode(value); err != nil {
		return err
	}
	out.Truncate(out.Len() - 1) // the line break
	return nil
}

// MarshalJSON lets the schemas look at an object.
func (o object) MarshalJSON() ([]byte, error) { return encode(o) }

// texts turns strings into the items of an array.
func texts(items []string) []any {
	made := make([]any, len(items))
	for i, item := range items {
		made[i] = item
	}
	return made
}

// without is a copy without some members.
func without(given object, names ...string) object {
	made := object{}
	for _, m := range given {
		if !slices.Contains(names, m.name) {
			made = append(made, m)
		}
	}
	return made
}
