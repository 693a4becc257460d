package schemas

import (
	"bytes"
	"errors"
	"io"
	"regexp"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/schemas/internal/strict"
)

// maxItem is how many bytes one item of an array, or a single value, may take.
const maxItem = 32 << 20

// CheckJSON checks a JSON file against a schema. The items of an array are read and checked one by one, so
// that memory depends on the largest of them (at most 32 MB) and not on the file. Every fault goes to
// report, which answers whether to go on. The error speaks of the schema's name or of reading, never of
// what the file holds.
func (l *Library) CheckJSON(name string, r io.Reader, report func(Fault) bool) (Summary, error) {
	return l.readJSON(name, r, nil, report)
}

func (l *Library) readJSON(name string, r io.Reader, visit func(Record) error, report func(Fault) bool) (Summary, error) {
	reporter, err := l.newReporter(name, "json", report)
	if err != nil {
		return Summary{}, err
	}
	reporter.visit = visit
	lines := &strict.Lines{Source: r}
	c := jsonChecker{reporter: reporter, lines: lines, decoder: jsontext.NewDecoder(lines)}
	if l.isLines(reporter.summary.Schema) {
		return reporter.result(c.objects())
	}
	return reporter.result(c.file())
}

type jsonChecker struct {
	*reporter
	lines   *strict.Lines
	decoder *jsontext.Decoder
	fast    *fastCheck
	// oneLine tells that every value has a line for itself; lastLine is where the one before ended.
	oneLine  bool
	lastLine int
}

// file checks the one value of the file and that nothing follows.
func (c *jsonChecker) file() error {
	c.expect()
	var err error
	if items := itemSchema(c.root); items != nil && c.decoder.PeekKind() == '[' {
		c.fast = c.library.newFastCheck(items)
		err = c.array(items)
	} else {
		c.summary.Single = true
		c.fast = c.library.newFastCheck(c.root)
		err = c.value(c.root, "", 0)
		if err == nil {
			c.summary.Rows = 1
		}
	}
	if err != nil {
		return c.syntax(err)
	}
	return c.end()
}

// isLines tells whether files of a schema have one object a line.
func (l *Library) isLines(file string) bool {
	return slices.ContainsFunc(l.exports, func(e Export) bool { return e.Output == file && e.Lines() })
}

// objects checks a file that has one object a line.
func (c *jsonChecker) objects() error {
	items := c.root.Items2020
	c.fast = c.library.newFastCheck(items)
	c.oneLine = true
	c.expect()
	if c.decoder.PeekKind() == '[' {
		return c.fault(Fault{Line: 1, Column: 1, Keyword: "json",
			Message: "the file must have one object a line, as files.json of its interface says; found an array"})
	}
	for {
		row := c.summary.Rows + 1
		err := c.value(items, "/"+strconv.FormatInt(row-1, 10), row)
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return c.syntax(err)
		}
		c.summary.Rows = row
		c.expect()
	}
}

// onOneLine checks that a value has a line for itself.
func (c *jsonChecker) onOneLine(raw jsontext.Value, row int64) error {
	line, column := c.lines.Position(c.decoder.InputOffset() - int64(len(raw)))
	before := c.lastLine
	c.lastLine = line + bytes.Count(raw, []byte("\n"))
	switch {
	case c.lastLine > line:
		return c.fault(Fault{Line: line, Column: column, Row: row, Keyword: "json",
			Message: "an object must stand on one line; found one on several"})
	case row > 1 && line == before:
		return c.fault(Fault{Line: line, Column: column, Row: row, Keyword: "json",
			Message: "an object must stand on a line of its own; found two on one"})
	}
	return nil
}

// end checks that nothing but blanks follows.
func (c *jsonChecker) end() error {
	c.expect()
	c.decoder.PeekKind()
	unread := c.decoder.UnreadBuffer()
	offset := c.decoder.InputOffset() + int64(len(unread)-len(bytes.TrimLeft(unread, " \t\r\n")))
	_, err := c.decoder.ReadToken()
	var syntax *jsontext.SyntacticError
	switch {
	case err == io.EOF:
		return nil
	case err == nil || errors.As(err, &syntax):
		line, column := c.lines.Position(offset)
		return c.fault(Fault{Line: line, Column: column, Keyword: "json", Message: strict.MoreAfter})
	default:
		return c.syntax(err)
	}
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

func (c *jsonChecker) array(items *jsonschema.Schema) error {
	if _, err := c.decoder.ReadToken(); err != nil {
		return err
	}
	for c.decoder.PeekKind() != ']' {
		row := c.summary.Rows + 1
		if err := c.value(items, "/"+strconv.FormatInt(row-1, 10), row); err != nil {
			return err
		}
		c.summary.Rows = row
		c.expect()
	}
	_, err := c.decoder.ReadToken()
	return err
}

// expect says that the next value begins here: what lies before is no longer of interest, and what follows
// has a limit.
func (c *jsonChecker) expect() {
	offset := c.decoder.InputOffset()
	c.lines.Forget(offset)
	c.lines.Limit = offset + maxItem
}

// value reads the next value and checks it.
func (c *jsonChecker) value(s *jsonschema.Schema, prefix string, row int64) error {
	raw, err := c.decoder.ReadValue()
	if err != nil {
		return err
	}
	if c.oneLine {
		if err := c.onOneLine(raw, row); err != nil {
			return err
		}
	}
	if c.visit != nil && row > 0 {
		line, _ := c.lines.Position(c.decoder.InputOffset() - int64(len(raw)))
		if err := c.visit(Record{Row: row, Line: line, JSON: raw}); err != nil {
			return err
		}
	}
	if c.fast.value(raw) {
		return nil
	}
	start := c.decoder.InputOffset() - int64(len(raw))
	inner := jsontext.NewDecoder(bytes.NewReader(raw))
	value, err := strict.Value(inner)
	if err != nil {
		line, column := c.lines.Position(start + inner.InputOffset())
		return c.fault(Fault{line, column, row, prefix, "json", err.Error()})
	}
	found, err := validate(s, value)
	if err != nil || found == nil {
		return err
	}
	for _, problem := range c.library.flatten(found, value) {
		line, column := c.lines.Position(start + problem.Offset(raw))
		if err := c.fault(Fault{line, column, row, prefix + problem.Pointer, problem.Keyword, problem.Message}); err != nil {
			return err
		}
	}
	return nil
}

// syntax reports what makes the file no JSON. Nothing after it can be read.
func (c *jsonChecker) syntax(err error) error {
	var syntax *jsontext.SyntacticError
	offset := c.decoder.InputOffset()
	message := ""
	switch {
	case errors.Is(err, errStop):
		return err
	case errors.Is(err, errTooLong):
		message = "a value is longer than 32 MB"
	case errors.As(err, &syntax):
		offset, message = syntax.ByteOffset, strict.Message(err)
		if offset == 0 && c.decoder.InputOffset() == 0 && byteOrderMark.MatchString(message) {
			message = "JSON must not begin with a byte order mark"
		}
	case err == io.EOF:
		message = "there is nothing here: a JSON value is missing"
	default:
		return err
	}
	line, column := c.lines.Position(offset)
	row := int64(0)
	if c.decoder.StackDepth() > 0 {
		row = c.summary.Rows + 1
	}
	return c.fault(Fault{line, column, row, "", "json", message})
}

// byteOrderMark recognises what the JSON reader says of a byte order mark, whole or cut in two.
var byteOrderMark = regexp.MustCompile(`\\ufeff|\\xef`)
