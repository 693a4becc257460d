package input

import (
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"sort"
	"strings"
	"unicode/utf8"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/schemas"
	"github.com/rehearsal-sdk/rehearsal/schemas/filetype"
)

// listSeparator divides the items of a list in a cell.
const listSeparator = "|"

// column is what the cells under a name of the header mean.
type column struct {
	name   string
	member string // the member of the row
	inner  string // the member of that, for attributes.NAME
	schema *jsonschema.Schema
}

// readCSV reads a header and rows. An empty cell is a member that is not there.
func (r *reader) readCSV(from *filetype.File) error {
	line, _ := from.FirstLine()
	lines := filetype.NewCSV(from, separator(line))
	header, err := lines.Read()
	if err == io.EOF {
		r.syntax("csv", "there is nothing here: begin with a header of column names, such as "+strings.Join(r.names(), string(lines.Comma)), 1, 1)
		return nil
	}
	if err != nil {
		return r.broken(lines, err)
	}
	header = slices.Clone(header)
	if len(header) > mostColumns {
		r.syntax("csv", fmt.Sprintf("the header has %d columns; at most %d are allowed", len(header), mostColumns), 1, 1)
		return nil
	}
	columns := r.columns(header, lines.Reader)
	if len(r.jobs.open) > 0 {
		return nil // without a header nobody knows which cell is which
	}
	r.shared.columns, r.shared.order = columns, nil
	for i := range columns {
		r.shared.order = append(r.shared.order, i)
	}
	slices.SortFunc(r.shared.order, func(a, b int) int {
		return cmp.Or(strings.Compare(columns[a].member, columns[b].member), strings.Compare(columns[a].inner, columns[b].inner))
	})
	for !r.jobs.full() {
		cells, err := lines.Read()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return r.broken(lines, err)
		}
		line, start := lines.FieldPos(0)
		if len(cells) != len(columns) {
			r.syntax("csv", filetype.Cells(len(cells), len(columns)), line, start)
			r.count++
			continue
		}
		places := make([]place, len(cells))
		for i := range cells {
			places[i].line, places[i].column = lines.FieldPos(i)
		}
		r.jobs.put(job{cells: slices.Clone(cells), places: places, line: line, column: start, number: r.count})
		r.count++
	}
	return nil
}

// broken notes a text that is no CSV; nothing after it can be read.
func (r *reader) broken(from *filetype.CSV, err error) error {
	if errors.Is(err, filetype.ErrTooLong) {
		r.syntax("csv", err.Error(), 1, 1)
		return nil
	}
	line, column, message, is := from.Malformed(err)
	if !is {
		return err
	}
	r.syntax("csv", message, line, column)
	return nil
}

// separator returns the most frequent separator of a header.
func separator(header string) rune {
	found, most := ',', 0
	for _, separator := range ",;\t" {
		if count := strings.Count(header, string(separator)); count > most {
			found, most = separator, count
		}
	}
	return found
}

func (r *reader) names() []string {
	return r.shared.library.PropertyOrder(r.shared.library.Schema(r.shared.kind.Schema()))
}

// mostColumns is how many columns a file has at most: those of the schema, and more attributes than an export shows.
const mostColumns = 5_000

// columns finds what the names of the header mean, and notes those that mean nothing.
func (r *reader) columns(header []string, lines *csv.Reader) []column {
	root := r.shared.library.Schema(r.shared.kind.Schema())
	names := r.names()
	columns, seen := make([]column, len(header)), map[string]bool{}
	for i, name := range header {
		twice := seen[name]
		seen[name] = true
		line, place := lines.FieldPos(i)
		refuse := func(keyword, format string, arguments ...any) {
			r.fault(schemas.Problem{Pointer: "", Keyword: keyword, Message: fmt.Sprintf(format, arguments...)}, line, place)
		}
		member, inner, nested := strings.Cut(name, ".")
		property := root.Properties[member]
		open := root.AdditionalProperties == nil
		switch {
		case !utf8.ValidString(name):
			refuse("csv", "a column name is not valid UTF-8")
		case twice:
			refuse("csv", "the column %.80q comes twice", name)
		case root.Properties[name] == nil && nested && inner != "" && property != nil && isA(property, "object"):
			columns[i] = column{name: name, member: member, inner: inner, schema: innerSchema(property, inner)}
			continue
		case root.Properties[name] == nil && !open:
			suggestion := ""
			if likely := schemas.Likely(name, names); likely != "" {
				suggestion = "; did you mean " + likely + "?"
			}
			refuse("additionalProperties", "the column %.80q is not known here: allowed are %s%s", name, strings.Join(names, ", "), suggestion)
		case isA(root.Properties[name], "object"):
			refuse("csv", "the column %s holds members: give each a column of its own, such as %s.colour", name, name)
		}
		columns[i] = column{name: name, member: name, schema: root.Properties[name]}
	}
	return columns
}

// textOfCells makes the text of a row of its cells; false with a fault.
func (w *worker) textOfCells() bool {
	one := w.job
	one.place = w.placeOfCell(one)
	text, open := append(make([]byte, 0, 256), '{'), "" // the member whose members are being written
	for _, i := range w.order {
		cell, column := one.cells[i], &w.columns[i]
		if !utf8.ValidString(cell) {
			w.syntax("csv", column.name+" is not valid UTF-8", one.places[i].line, one.places[i].column)
			return false
		}
		if cell == "" {
			continue
		}
		if open != "" && open != column.member {
			text, open = append(text, '}'), ""
		}
		if text[len(text)-1] != '{' {
			text = append(text, ',')
		}
		name := column.member
		if column.inner != "" {
			if open == "" {
				text = append(quoted(text, name), ":{"...)
			}
			name, open = column.inner, column.member
		}
		text = append(quoted(text, name), ':')
		if value, is := valueOf(cell, column.schema).(string); is {
			text = quoted(text, value)
		} else {
			value, _ := json.Marshal(valueOf(cell, column.schema)) // a number, a flag, or texts
			text = append(text, value...)
		}
	}
	if open != "" {
		text = append(text, '}')
	}
	one.text = append(text, '}')
	return true
}

// quoted appends a text, which is valid UTF-8, as JSON.
func quoted(dst []byte, text string) []byte {
	dst, _ = jsontext.AppendQuote(dst, text)
	return dst
}

// placeOfCell finds the cell that a problem is about.
func (s *rowSchema) placeOfCell(one *job) func(schemas.Problem) (line, column int) {
	places, line, start := one.places, one.line, one.column
	return func(problem schemas.Problem) (int, int) {
		parts := strings.Split(problem.Pointer, "/")
		found := slices.IndexFunc(s.columns, func(c column) bool {
			if len(parts) < 2 || unescaped(parts[1]) != c.member {
				return false
			}
			return c.inner == "" || len(parts) > 2 && unescaped(parts[2]) == c.inner
		})
		if found < 0 {
			return line, start
		}
		return places[found].line, places[found].column
	}
}

func unescaped(token string) string { return strings.NewReplacer("~1", "/", "~0", "~").Replace(token) }

// valueOf reads a cell as what its schema asks for; a cell that is something else stays text, for the schema to refuse.
func valueOf(cell string, schema *jsonschema.Schema) any {
	switch {
	case isA(schema, "string") || schema == nil:
		return cell
	case isA(schema, "boolean") && cell == "true":
		return true
	case isA(schema, "boolean") && cell == "false":
		return false
	case isA(schema, "array"):
		var list []any
		for _, item := range strings.Split(cell, listSeparator) {
			list = append(list, strings.TrimSpace(item))
		}
		return list
	case isA(schema, "integer"), isA(schema, "number"):
		if value, err := schemas.Decode([]byte(cell)); err == nil {
			if number, is := value.(json.Number); is {
				return number
			}
		}
	}
	return cell
}

// isA says whether a schema, or what it refers to, allows a type by name. The values of a choice of types are read as text.
func isA(schema *jsonschema.Schema, kind string) bool {
	for ; schema != nil; schema = schema.Ref {
		if len(schema.AnyOf)+len(schema.OneOf) > 0 {
			return kind == "string"
		}
		if len(schema.Types) > 0 {
			return slices.Contains(schema.Types, kind)
		}
	}
	return kind == "string"
}

// innerSchema is the schema of a member of an object.
func innerSchema(object *jsonschema.Schema, name string) *jsonschema.Schema {
	if found := object.Properties[name]; found != nil {
		return found
	}
	var patterns []string
	byPattern := map[string]*jsonschema.Schema{}
	for pattern, schema := range object.PatternProperties {
		patterns = append(patterns, pattern.String())
		if pattern.MatchString(name) {
			byPattern[pattern.String()] = schema
		}
	}
	sort.Strings(patterns)
	for _, pattern := range patterns {
		if schema := byPattern[pattern]; schema != nil {
			return schema
		}
	}
	return nil
}
