package importer

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// members are those of a row of a dataset, as JSON.
type members map[string]json.RawMessage

func (m members) text(name string) string {
	if raw := m[name]; isPlain(raw) {
		return string(raw[1 : len(raw)-1])
	}
	var text string
	if json.Unmarshal(m[name], &text) != nil {
		return ""
	}
	return text
}

// isPlain reports whether a value is a text that stands in JSON as it is, as nearly all do: those are read many times.
func isPlain(raw json.RawMessage) bool {
	if len(raw) < 2 || raw[0] != '"' || raw[len(raw)-1] != '"' {
		return false
	}
	for _, char := range raw[1 : len(raw)-1] {
		if char < ' ' || char == '"' || char == '\\' || char >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

func (m members) putText(name, value string) {
	if value != "" {
		m[name] = quoted(value)
	}
}

// quoted is a text as JSON.
func quoted(value string) json.RawMessage {
	text, err := encode(value)
	if err != nil { // texts can be encoded
		panic(err)
	}
	return text
}

// record is what a row of a file says.
type record struct {
	members       members
	installations []members // of a profile
	custom        members   // custom attributes
	withoutCustom bool      // the row has a custom identifier, and it is empty
}

// reader turns the rows of one file into records.
type reader struct {
	layout  *layout
	mask    *mask
	unknown map[string]int64
}

// read reads a row. Members that no dataset has are counted.
func (r *reader) read(from schemas.Record) (*record, error) {
	made := &record{members: members{}, custom: members{}}
	if from.JSON != nil {
		return made, r.value(r.layout, "", from.JSON, made.members, made)
	}
	if len(from.Cells) != len(from.Header) {
		return nil, fmt.Errorf("it has %d cells, and the header %d", len(from.Cells), len(from.Header))
	}
	for i, name := range from.Header {
		column := r.layout.members[name]
		if column.isLost() {
			r.unknown[name]++
			continue
		}
		cell := from.Cells[i]
		if cell == "" || column.member == "" {
			made.withoutCustom = made.withoutCustom || column.member == customID
			continue
		}
		if err := r.put(column, cellAsJSON(column.member, cell), made.members); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return made, nil
}

func cellAsJSON(member, cell string) json.RawMessage {
	if flags[member] && (cell == "true" || cell == "false") {
		return json.RawMessage(cell)
	}
	if integers[member] {
		if number, err := strconv.ParseInt(cell, 10, 64); err == nil {
			return json.RawMessage(strconv.FormatInt(number, 10))
		}
	}
	return quoted(cell)
}

// value reads a value of JSON into some members.
func (r *reader) value(at *layout, name string, text json.RawMessage, into members, whole *record) error {
	text = bytes.TrimSpace(text)
	switch {
	case bytes.Equal(text, []byte("null")):
		return nil
	case at.list:
		return r.installations(at, text, whole)
	case at.member != "":
		if err := r.put(at, text, into); err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		return nil
	case at.members == nil && !at.custom:
		if at.isLost() {
			r.unknown[name]++
		}
		return nil
	}
	var object members
	if err := json.Unmarshal(text, &object); err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	for _, name := range slices.Sorted(maps.Keys(object)) { // the same rows in every run
		value, below := object[name], at.members[name]
		var err error
		switch {
		case below != nil:
			err = r.value(below, name, value, into, whole)
			if below.member == customID && (string(value) == `""` || string(value) == "null") {
				whole.withoutCustom = true
				delete(into, customID)
			}
		case at.custom && !strings.HasPrefix(name, "$"):
			value, err = r.mask.value(attributes, nil, value)
			whole.custom[r.mask.text(nameOf, name)] = value
		default:
			r.unknown[name]++
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// installations reads those of a profile: objects, or identifiers alone.
func (r *reader) installations(at *layout, text json.RawMessage, whole *record) error {
	var list []json.RawMessage
	if err := json.Unmarshal(text, &list); err != nil || at.items == nil {
		return err
	}
	for _, item := range list {
		made := members{}
		if err := r.value(at.items, installID, item, made, whole); err != nil {
			return err
		}
		whole.installations = append(whole.installations, made)
	}
	return nil
}

// put keeps a value under the name that a dataset has for it.
func (r *reader) put(at *layout, value json.RawMessage, into members) error {
	var word string
	if at.neutral != nil && json.Unmarshal(value, &word) == nil && at.neutral[word] != "" {
		value = quoted(at.neutral[word])
	}
	value, err := r.mask.value(at.member, at.listed, value)
	into[at.member] = bytes.Clone(value)
	return err
}
