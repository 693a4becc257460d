package catalog

import (
	"bytes"
	"cmp"
	"encoding/json"
	"maps"
	"reflect"
	"slices"
	"strconv"

	"github.com/rehearsal-sdk/rehearsal/schemas"
	"github.com/rehearsal-sdk/rehearsal/schemas/internal/jsonpointer"
)

// Change says what happened to a value between two sets of schema files.
type Change string

// The changes.
const (
	Added   Change = "added"
	Removed Change = "removed"
	Changed Change = "changed"
)

// Difference is one place at which two sets of schema files differ.
type Difference struct {
	File string `json:"file"`
	// Pointer is the JSON Pointer to the place; "" for a whole file.
	Pointer string `json:"pointer"`
	Change  Change `json:"change"`
	// Before and After are the values; Before is absent when something was added, After when it was removed.
	Before json.RawMessage `json:"before,omitempty"`
	After  json.RawMessage `json:"after,omitempty"`
}

// Differences compares the files of a library with others, which were before them. Spaces and the order
// of members are no difference. A file that is no JSON gives a [*schemas.FileError].
func Differences(library *schemas.Library, before map[string][]byte) ([]Difference, error) {
	var c comparison
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if library.Source(name) == nil {
			c.file = name
			c.add("", Removed, nil, nil)
		}
	}
	for _, name := range library.Names() {
		c.file = name
		source, there := before[name]
		present := library.Source(name)
		switch {
		case !there:
			c.add("", Added, nil, nil)
		case !bytes.Equal(source, present):
			old, err := schemas.Decode(source)
			if err != nil {
				return nil, &schemas.FileError{File: name, Message: err.Error()}
			}
			now, err := schemas.Decode(present)
			if err != nil {
				return nil, &schemas.FileError{File: name, Message: err.Error()}
			}
			c.values("", old, now)
		}
	}
	slices.SortStableFunc(c.found, func(a, b Difference) int { return cmp.Compare(a.File, b.File) })
	return c.found, nil
}

// comparison collects the differences of files.
type comparison struct {
	file  string
	found []Difference
}

// values compares two values of the same place: members of objects, items of lists of the same length, and
// everything else as a whole.
func (c *comparison) values(pointer string, before, after any) {
	switch old := before.(type) {
	case map[string]any:
		if now, both := after.(map[string]any); both {
			c.members(pointer, old, now)
			return
		}
	case []any:
		if now, both := after.([]any); both && len(now) == len(old) {
			for i := range old {
				c.values(pointer+"/"+strconv.Itoa(i), old[i], now[i])
			}
			return
		}
	}
	if !reflect.DeepEqual(before, after) {
		c.add(pointer, Changed, encoded(before), encoded(after))
	}
}

func (c *comparison) members(pointer string, before, after map[string]any) {
	names := map[string]bool{}
	for name := range before {
		names[name] = true
	}
	for name := range after {
		names[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(names)) {
		place := pointer + "/" + jsonpointer.Escape(name)
		old, was := before[name]
		now, is := after[name]
		switch {
		case !was:
			c.add(place, Added, nil, encoded(now))
		case !is:
			c.add(place, Removed, encoded(old), nil)
		default:
			c.values(place, old, now)
		}
	}
}

func (c *comparison) add(pointer string, change Change, before, after json.RawMessage) {
	c.found = append(c.found, Difference{c.file, pointer, change, before, after})
}

// encoded writes a value that was decoded a moment ago, which cannot fail.
func encoded(value any) json.RawMessage {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	if encoder.Encode(value) != nil {
		return nil
	}
	return bytes.TrimSpace(text.Bytes())
}
