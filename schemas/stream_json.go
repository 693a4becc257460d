package schemas

import (
	"bytes"
	"io"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/schemas/filetype"
	"github.com/rehearsal-sdk/rehearsal/schemas/internal/strict"
)

type jsonChecker struct {
	*reporter
	reader *filetype.JSON
	fast   *fastCheck
	// lastLine is where the value before ended.
	lastLine int
}

func (c *jsonChecker) read(r io.Reader) error {
	if err := c.open(r); err != nil {
		return err
	}
	c.reader = filetype.NewJSON(c.file)
	err := c.values()
	if line, column, message, inside, is := c.reader.Malformed(err); is {
		row := int64(0)
		if inside {
			row = c.summary.Rows + 1
		}
		return c.fault(Fault{line, column, row, "", "json", message})
	}
	return err
}

// values checks the one value of the file, or one object a line.
func (c *jsonChecker) values() error {
	items := itemSchema(c.root)
	switch isArray := c.reader.IsArray(); {
	case c.lines && isArray:
		return c.whole("the file must have one object a line, as files.json of its interface says; found an array")
	case c.lines:
		return c.objects(c.root.Items2020)
	case items != nil && isArray:
		c.fast = c.library.newFastCheck(items)
		return c.reader.Items(func(item filetype.Value) error { return c.item(item, items) })
	}
	c.summary.Single = true
	c.fast = c.library.newFastCheck(c.root)
	value, err := c.reader.Next()
	if err == nil {
		err = c.value(value, c.root, "", 0)
	}
	if err != nil {
		return err
	}
	c.summary.Rows = 1
	return c.reader.End()
}

// isLines tells whether files of a schema have one object a line.
func (l *Library) isLines(file string) bool {
	return slices.ContainsFunc(l.exports, func(e Export) bool { return e.Output == file && e.Lines() })
}

// objects checks a file that has one object a line.
func (c *jsonChecker) objects(items *jsonschema.Schema) error {
	c.fast = c.library.newFastCheck(items)
	for {
		item, err := c.reader.Next()
		if err == io.EOF {
			return nil
		}
		if err == nil {
			err = c.onOneLine(item, c.summary.Rows+1)
		}
		if err == nil {
			err = c.item(item, items)
		}
		if err != nil {
			return err
		}
	}
}

// onOneLine checks that a value has a line for itself.
func (c *jsonChecker) onOneLine(item filetype.Value, row int64) error {
	line, column := item.Place(0)
	before := c.lastLine
	c.lastLine = line + bytes.Count(item.Text, []byte("\n"))
	message := ""
	switch {
	case c.lastLine > line:
		message = "an object must stand on one line; found one on several"
	case row > 1 && line == before:
		message = "an object must stand on a line of its own; found two on one"
	default:
		return nil
	}
	return c.fault(Fault{Line: line, Column: column, Row: row, Keyword: "json", Message: message})
}

// itemSchema returns what the items of an array must be, if that and being an array is all the schema asks.
func itemSchema(root *jsonschema.Schema) *jsonschema.Schema {
	more := root.MinItems > 0 || root.MaxItems >= 0 || root.UniqueItems || root.Contains != nil || root.UnevaluatedItems != nil ||
		len(root.PrefixItems)+len(root.AllOf)+len(root.AnyOf)+len(root.OneOf)+len(root.Enum)+len(root.Constant) > 0 ||
		root.Ref != nil || root.Not != nil || root.If != nil
	if more || len(root.Types) != 1 || root.Types[0] != "array" {
		return nil
	}
	return root.Items2020
}

// item checks an item of an array, or of a line.
func (c *jsonChecker) item(item filetype.Value, items *jsonschema.Schema) error {
	row := c.summary.Rows + 1
	line, _ := item.Place(0)
	err := c.record(Record{Row: row, Line: line, JSON: item.Text})
	if err == nil {
		err = c.value(item, items, "/"+strconv.FormatInt(row-1, 10), row)
	}
	if err == nil {
		c.summary.Rows = row
	}
	return err
}

// value checks a value.
func (c *jsonChecker) value(of filetype.Value, s *jsonschema.Schema, prefix string, row int64) error {
	raw := of.Text
	if c.fast.value(raw) {
		return nil
	}
	inner := jsontext.NewDecoder(bytes.NewReader(raw))
	value, err := strict.Value(inner)
	if err != nil {
		line, column := of.Place(inner.InputOffset())
		return c.fault(Fault{line, column, row, prefix, "json", err.Error()})
	}
	found, err := validate(s, value)
	if err != nil || found == nil {
		return err
	}
	for _, problem := range c.library.flatten(found, value) {
		line, column := of.Place(problem.Offset(raw))
		if err := c.fault(Fault{line, column, row, prefix + problem.Pointer, problem.Keyword, problem.Message}); err != nil {
			return err
		}
	}
	return nil
}
