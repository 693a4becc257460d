package amend

import (
	"encoding/json"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pattern"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// at are the values at a path; all: those of every item, wherever the path has the number of one.
func at(value any, path []string, all bool) (found []any) {
	if len(path) == 0 {
		return []any{value}
	}
	switch of := value.(type) {
	case map[string]any:
		if member, there := of[path[0]]; there {
			return at(member, path[1:], all)
		}
	case []any:
		for i, item := range of {
			if all || fmt.Sprint(i) == path[0] {
				found = append(found, at(item, path[1:], all)...)
			}
		}
	}
	return found
}

// At is the value at a pointer.
func At(value any, pointer string) (any, bool) {
	found := append(at(value, tokens(pointer), false), nil)
	return found[0], len(found) > 1
}

// typeOf is the JSON Schema type of a value.
func typeOf(value any) string {
	text, _ := json.Marshal(value)
	switch jsontext.Value(text).Kind() {
	case 'n':
		return "null"
	case 't', 'f':
		return "boolean"
	case '"':
		return "string"
	case '[':
		return "array"
	case '{':
		return "object"
	}
	if number().Match(text) {
		return "integer"
	}
	return "number"
}

// schemaOf is a schema of values like one.
func schemaOf(value any) string {
	switch v := value.(type) {
	case nil:
		return `{"type": ["string", "null"]}`
	case string:
		return textSchema([]string{v}, false)
	}
	return fmt.Sprintf(`{"type": %q}`, typeOf(value))
}

// Shape lets the objects of a schema file be like one, and no others.
func (b *Bench) Shape(schema string, like map[string]any) []Change {
	shape := objectLike(like)
	return b.Apply(step(schema, "", "the shape "+shape, func(text []byte) (made []byte, err error) {
		var parts map[string]json.RawMessage
		err = json.Unmarshal([]byte(shape), &parts)
		if without, err := drop(text, "/oneOf"); err == nil {
			text = without
		}
		for _, name := range []string{"required", "properties"} {
			if err == nil {
				text, err = put(text, "", name, string(parts[name]))
			}
		}
		return text, err
	}))
}

// objectLike is a schema of objects like one. A sentence in it is the message of an error.
func objectLike(like map[string]any) string {
	names := slices.Sorted(maps.Keys(like))
	var properties []string
	for _, name := range names {
		schema := schemaOf(like[name])
		switch value := like[name].(type) {
		case map[string]any:
			schema = objectLike(value)
		case string:
			if strings.Contains(value, " ") {
				schema = `{"type": "string", "x-source": "error.message"}`
			}
		}
		properties = append(properties, quote(name)+": "+schema)
	}
	return `{"type": "object", "required": ` + list(names) + `, "properties": {` + strings.Join(properties, ", ") +
		`}, "additionalProperties": false}`
}

var number = pattern.Of(`^-?\d+$`)

// forms are schemas of texts by their form, with dates first; those of cells are of CSV, which has no other type.
var forms = []struct {
	is            func() *regexp.Regexp
	cells, filled bool // for cells alone, and for texts of which none is empty
	schema        string
}{
	{pattern.Of(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$`), false, true, `{"$ref": "../common/dates.json#/$defs/legacyDateTime"}`},
	{pattern.Of(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$`), false, true, `{"$ref": "../common/dates.json#/$defs/utcDateTime"}`},
	{pattern.Of(`^(?:true|false)$`), true, true, `{"enum": ["true", "false"]}`},
	{number, true, false, `{"type": "string", "pattern": "^-?[0-9]*$"}`},
}

// textSchema is a schema of texts like some.
func textSchema(texts []string, cells bool) string {
	filled := slices.DeleteFunc(slices.Clone(texts), func(text string) bool { return text == "" })
	for _, form := range forms {
		other := func(text string) bool { return !form.is().MatchString(text) }
		if len(filled) > 0 && (cells || !form.cells) && (len(filled) == len(texts) || !form.filled) && !slices.ContainsFunc(filled, other) {
			return form.schema
		}
	}
	return `{"type": "string"}`
}

// Column lets a CSV file have one column more, where its header has it.
func (b *Bench) Column(schema string, header []string, name string, cells []string) []Change {
	root := b.library.Schema(schema)
	if root == nil || schemas.KeywordsOf(root).CSV == nil {
		return nil
	}
	columns := slices.Clone(schemas.KeywordsOf(root).CSV.Columns)
	place := len(columns)
	for i := slices.Index(header, name) - 1; i >= 0; i-- {
		if before := slices.Index(columns, header[i]); before >= 0 {
			place = before + 1
			break
		}
	}
	return b.Apply(member(schema, "", name, textSchema(cells, true)),
		become(schema, "/x-csv/columns", list(slices.Insert(columns, place, name)), "add "+quote(name)),
		Put(schema, "", "required", list(append(slices.Clone(root.Required), name))))
}

// Order puts the columns of a CSV file in the order of a header.
func (b *Bench) Order(schema string, header []string) []Change {
	columns := slices.Clone(header)
	for i, name := range b.library.Columns(b.library.Schema(schema)) {
		if !slices.Contains(columns, name) {
			columns = slices.Insert(columns, min(i, len(columns)), name)
		}
	}
	return b.Apply(Put(schema, "/x-csv", "columns", list(columns)))
}
