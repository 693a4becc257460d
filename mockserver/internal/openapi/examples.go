package openapi

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/exports"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/httpd"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Examples are made from the schema files, which give values of their members: so they follow files of the user.

func exampleOf(value any) object { return object{{"value", value}} }

// addExamples puts examples beside a schema, unless there are none.
func addExamples(described *object, given object) {
	if len(given) > 0 {
		described.set("examples", given)
	}
}

// requestExamples are bodies that a route takes: the sample of the route, or one of each schema.
func (d *builder) requestExamples(route *httpd.Route) (object, error) {
	if route.Sample != "" {
		var value any = route.Sample
		if mediaOf(route) == mediaJSON || route.Request != "" {
			var err error
			if value, err = parse([]byte(route.Sample)); err != nil {
				return nil, fmt.Errorf("its sample: %w", err)
			}
		}
		return object{{"example", exampleOf(value)}}, nil
	}
	made := object{}
	for _, export := range route.Exports {
		schema, err := d.bundle.refer(export.Request)
		if err != nil {
			return nil, err
		}
		value, _ := d.sample(schema).(object)
		if to := export.Roles["to"]; len(to) == 1 && export.Roles["from"] != nil {
			value.set(to[0], "now") // at any time of the clock
		}
		made.set(exampleName(export.Kind), exampleOf(value))
	}
	if route.Request != "" {
		schema, err := d.bundle.refer(route.Request)
		if err != nil {
			return nil, err
		}
		made.set("example", exampleOf(d.sample(schema)))
	}
	return made, nil
}

// answers are values of a schema file: one for each state that it lists, or a single one.
func (d *builder) answers(file string) (object, error) {
	schema, err := d.bundle.refer(file)
	if err != nil {
		return nil, err
	}
	value := d.sample(schema)
	made := object{}
	for _, property := range d.resolve(schema).object("properties") {
		described := d.resolve(property.value)
		if described.get("x-states") == nil {
			continue
		}
		for _, state := range described.list("enum") {
			record := slices.Clone(value.(object))
			record.set(property.name, state)
			if fitting := d.fitting(file, record, nil); fitting != nil {
				made.set(strings.ToLower(fmt.Sprint(state)), exampleOf(fitting))
			}
		}
	}
	if len(made) == 0 {
		if fitting := d.fitting(file, value, nil); fitting != nil {
			made.set("example", exampleOf(fitting))
		}
	}
	return made, nil
}

// fitting returns a value without the members that its schema refuses beside the
// others, or with another value in their place; nil if it is refused anyway.
func (d *builder) fitting(file string, value, instead any) any {
	for range 8 {
		err := d.library.Validate(file, value)
		if err == nil {
			return value
		}
		var invalid *schemas.InvalidError
		if !errors.As(err, &invalid) {
			return nil
		}
		for _, problem := range invalid.Problems {
			value = replaced(value, strings.Split(problem.Pointer, "/")[1:], instead)
		}
	}
	return nil
}

// replaced copies a value with another one at a pointer, or with nothing there.
func replaced(value any, pointer []string, instead any) any {
	if len(pointer) == 0 {
		return instead
	}
	switch value := value.(type) {
	case object:
		made := object{}
		for _, m := range value {
			if m.name == strings.NewReplacer("~1", "/", "~0", "~").Replace(pointer[0]) {
				m.value = replaced(m.value, pointer[1:], instead)
			}
			if m.value != nil {
				made = append(made, m)
			}
		}
		return made
	case []any:
		made := []any{}
		for i, item := range value {
			if fmt.Sprint(i) == pointer[0] {
				item = replaced(item, pointer[1:], instead)
			}
			if item != nil {
				made = append(made, item)
			}
		}
		return made
	}
	return value
}

// refusalExamples are errors of schema files that shown selects, one of each name, as the server writes them.
func (d *builder) refusalExamples(files []string, shown func(schemas.ErrorBranch) bool) (object, error) {
	made := object{}
	tables, err := httpd.ReadErrorTables(d.library)
	if err != nil {
		return nil, err
	}
	for _, file := range files {
		for _, its := range d.dialect {
			if its.Errors.Schema != file {
				continue
			}
			for _, branch := range d.library.ErrorBranches(file) {
				if !shown(branch) || made.get(branch.Name) != nil {
					continue
				}
				refused, err := parse(tables.Of(its)[branch.Name].Body(&exports.Refusal{Message: branch.Description}))
				if err != nil {
					return nil, err
				}
				made.set(branch.Name, exampleOf(refused))
			}
		}
	}
	return made, nil
}

// fileExamples are the beginnings of files of a media type, one of each kind.
func (d *builder) fileExamples(media string, of []schemas.Export) (object, error) {
	made := object{}
	for _, export := range of {
		if exports.MediaTypeOf(export) != media {
			continue
		}
		schema, err := d.bundle.refer(export.Output)
		if err != nil {
			return nil, err
		}
		var instead any
		if media == mediaCSV { // a row has all of its cells
			instead = ""
		}
		value := d.fitting(export.Output, d.sample(schema), instead)
		switch media {
		case mediaCSV:
			row, _ := value.(object)
			value, err = d.csvFile(export, row)
		case mediaLines:
			var text []byte
			items, _ := value.([]any)
			for _, item := range items {
				line := bytes.Buffer{}
				err = errors.Join(err, write(&line, item))
				text = append(append(text, line.Bytes()...), '\n')
			}
			value = string(text)
		}
		if err != nil {
			return nil, err
		}
		if value != nil {
			made.set(exampleName(export.Kind), object{{"summary", "The beginning of a file of " + export.Kind + "."}, {"value", value}})
		}
	}
	return made, nil
}

// csvFile is a file of one row; nil without a row.
func (d *builder) csvFile(export schemas.Export, row object) (any, error) {
	if row == nil {
		return nil, nil
	}
	columns := d.columns(export)
	cells := make([]string, len(columns))
	for i, column := range columns {
		if value := row.get(column); value != nil {
			cells[i] = fmt.Sprint(value)
		}
	}
	var text strings.Builder
	writer := csv.NewWriter(&text)
	writer.Comma = []rune(d.separator(export))[0]
	err := writer.WriteAll([][]string{columns, cells})
	return text.String(), err
}

// exampleName is the name of an example of a kind of export, of letters and digits.
func exampleName(kind string) string {
	words := strings.FieldsFunc(kind, func(char rune) bool { return char == '.' || char == '-' || char == '_' })
	for i, word := range words[1:] {
		words[i+1] = strings.ToUpper(word[:1]) + word[1:]
	}
	return strings.Join(words, "")
}

// plainMedia is a media type without its parameters.
func plainMedia(media string) string {
	plain, _, _ := strings.Cut(media, ";")
	return strings.TrimSpace(plain)
}
