package amend

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/pattern"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

func asInvalid(err error, into **schemas.InvalidError) bool { return errors.As(err, into) }

// at is the value at a path.
func at(value any, path []string) (any, bool) {
	for _, token := range path {
		switch v := value.(type) {
		case map[string]any:
			member, there := v[token]
			if !there {
				return nil, false
			}
			value = member
		case []any:
			number, err := strconv.Atoi(token)
			if err != nil || number < 0 || number >= len(v) {
				return nil, false
			}
			value = v[number]
		default:
			return nil, false
		}
	}
	return value, true
}

// At is the value at a pointer.
func At(value any, pointer string) (any, bool) { return at(value, tokens(pointer)) }

// typeOf is the JSON Schema type of a value.
func typeOf(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case string:
		return "string"
	case []any:
		return "array"
	case map[string]any:
		return "object"
	case json.Number:
		if _, err := v.Int64(); err == nil {
			return "integer"
		}
	}
	return "number"
}

// schemaOf is a schema of values like one.
func (b *Bench) schemaOf(value any) string {
	switch v := value.(type) {
	case nil:
		return `{"type": ["string", "null"]}`
	case string:
		return b.textSchema([]string{v}, false)
	}
	return fmt.Sprintf(`{"type": %s}`, quote(typeOf(value)))
}

// Shape lets the objects of a schema file be like one, and no others.
func (b *Bench) Shape(schema string, like map[string]any) ([]Change, error) {
	shape := b.objectLike(like)
	return b.attempt(nil, step{Change{schema, "", "the shape " + shape}, func(text []byte) (made []byte, err error) {
		var parts map[string]json.RawMessage
		if err := json.Unmarshal([]byte(shape), &parts); err != nil {
			return nil, err
		}
		if _, err := find(text, "/oneOf"); err == nil {
			if text, err = drop(text, "/oneOf"); err != nil {
				return nil, err
			}
		}
		for _, name := range []string{"required", "properties"} {
			if text, err = put(text, "", name, string(parts[name])); err != nil {
				return nil, err
			}
		}
		return text, nil
	}})
}

// objectLike is a schema of objects like one. A sentence in it is the message of an error.
func (b *Bench) objectLike(like map[string]any) string {
	names := slices.Sorted(maps.Keys(like))
	var properties []string
	for _, name := range names {
		schema := b.schemaOf(like[name])
		switch value := like[name].(type) {
		case map[string]any:
			schema = b.objectLike(value)
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

var (
	localDate = pattern.Of(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$`)
	zonedDate = pattern.Of(`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z$`)
	number    = pattern.Of(`^-?\d+$`)
	flag      = pattern.Of(`^(?:true|false)$`)
)

// textSchema is a schema of texts like some; cells are those of CSV, which have no other type.
func (b *Bench) textSchema(texts []string, cells bool) string {
	filled := slices.DeleteFunc(slices.Clone(texts), func(text string) bool { return text == "" })
	all := func(shape func() *regexp.Regexp) bool {
		return len(filled) > 0 && !slices.ContainsFunc(filled, func(text string) bool { return !shape().MatchString(text) })
	}
	whole := len(filled) == len(texts)
	switch {
	case all(localDate) && whole:
		return `{"$ref": "../common/dates.json#/$defs/legacyDateTime"}`
	case all(zonedDate) && whole:
		return `{"$ref": "../common/dates.json#/$defs/utcDateTime"}`
	case cells && all(flag) && whole:
		return `{"enum": ["true", "false"]}`
	case cells && all(number):
		return `{"type": "string", "pattern": "^-?[0-9]*$"}`
	}
	return `{"type": "string"}`
}

// Column lets a CSV file have one column more, where its header has it.
func (b *Bench) Column(schema string, header []string, name string, cells []string) ([]Change, error) {
	root := b.library.Schema(schema)
	if root == nil || schemas.KeywordsOf(root).CSV == nil {
		return nil, errUseless
	}
	columns := slices.Clone(schemas.KeywordsOf(root).CSV.Columns)
	place := len(columns)
	for i := slices.Index(header, name) - 1; i >= 0; i-- {
		if before := slices.Index(columns, header[i]); before >= 0 {
			place = before + 1
			break
		}
	}
	columns = slices.Insert(columns, place, name)
	required := append(slices.Clone(root.Required), name)
	return b.attempt(nil, b.member(schema, "", name, b.textSchema(cells, true), []step{
		{Change{schema, "/x-csv/columns", "add " + quote(name)}, func(text []byte) ([]byte,
			error) {
			return set(text, "/x-csv/columns", list(columns))
		}},
		{Change{schema, "/required", "add " + quote(name)}, func(text []byte) ([]byte,
			error) {
			return put(text, "", "required", list(required))
		}},
	})...)
}

// Order puts the columns of a CSV file in the order of a header.
func (b *Bench) Order(schema string, header []string) ([]Change, error) {
	columns := slices.Clone(header)
	for i, name := range b.library.Columns(b.library.Schema(schema)) {
		if slices.Contains(columns, name) {
			continue
		}
		columns = slices.Insert(columns, min(i, len(columns)), name)
	}
	return b.Put(schema, "/x-csv", "columns", list(columns))
}

// Separator lets the columns of a CSV file be separated by another character.
func (b *Bench) Separator(schema, separator string) ([]Change, error) {
	return b.Put(schema, "/x-csv", "separator", quote(separator))
}

// drop takes a member out of an object.
func drop(text []byte, pointer string) ([]byte, error) {
	place, err := find(text, pointer)
	if err != nil {
		return nil, err
	}
	from, to := place.name, place.to
	isSpace := func(c byte) bool { return c == ' ' || c == '\n' || c == '\t' || c == '\r' }
	before := from
	for before > 0 && isSpace(text[before-1]) {
		before--
	}
	if before > 0 && text[before-1] == ',' {
		return splice(text, before-1, to, ""), nil
	}
	for to < len(text) && (isSpace(text[to]) || text[to] == ',') {
		to++
		if text[to-1] == ',' {
			break
		}
	}
	return splice(text, from, to, ""), nil
}
