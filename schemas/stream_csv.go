package schemas

import (
	"errors"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/schemas/filetype"
	"github.com/rehearsal-sdk/rehearsal/schemas/internal/jsonpointer"
)

// Columns returns the column names of a row schema in order: those of x-csv, then further properties in the
// order of the file. It is nil for a schema without x-csv.
func (l *Library) Columns(row *jsonschema.Schema) []string {
	layout := KeywordsOf(row).CSV
	if layout == nil {
		return nil
	}
	columns := slices.Clone(layout.Columns)
	for _, name := range l.PropertyOrder(row) {
		if !slices.Contains(columns, name) {
			columns = append(columns, name)
		}
	}
	return columns
}

type csvChecker struct {
	*reporter
	separator string
	columns   []string
	reader    *filetype.CSV
	fast      *fastCheck
	header    []string
	// nextLine is the line where the next row should begin.
	nextLine int
}

func (c *csvChecker) read(r io.Reader) error {
	if err := c.open(r); err != nil {
		return err
	}
	c.reader = filetype.NewCSV(c.file, rune(c.separator[0]))
	c.nextLine = 1
	if err := c.readHeader(); err != nil {
		return err
	}
	row := make(map[string]any, len(c.header))
	for {
		cells, err := c.next()
		if err != nil {
			return err
		}
		c.summary.Rows++
		if cells == nil {
			continue
		}
		if err := c.checkRow(cells, row); err != nil {
			return err
		}
	}
}

// next reads a row. It reports rows that are no CSV and returns nil cells for them.
func (c *csvChecker) next() ([]string, error) {
	cells, err := c.reader.Read()
	if err == nil {
		return cells, errors.Join(c.flush(), c.placed(cells))
	}
	if errors.Is(err, filetype.ErrTooLong) {
		return nil, errors.Join(c.fault(Fault{c.nextLine, 1, c.row(), "", "csv", err.Error()}), errStop)
	}
	if line, column, message, is := c.reader.Malformed(err); is {
		c.nextLine = line + 1
		return nil, c.fault(Fault{line, column, c.row(), "", "csv", message})
	}
	return nil, err
}

// placed reports the empty lines before a row.
func (c *csvChecker) placed(cells []string) error {
	line, _ := c.reader.FieldPos(0)
	for empty := c.nextLine; empty < line; empty++ {
		if err := c.fault(Fault{empty, 1, c.row(), "", "csv", "the line is empty"}); err != nil {
			return err
		}
	}
	last := len(cells) - 1
	lastLine, _ := c.reader.FieldPos(last)
	c.nextLine = lastLine + strings.Count(cells[last], "\n") + 1
	return nil
}

// row is the number of the row that is being read.
func (c *csvChecker) row() int64 {
	if c.header == nil {
		return 0
	}
	return c.summary.Rows + 1
}

// checkRow checks one row; row is a map to fill anew.
func (c *csvChecker) checkRow(cells []string, row map[string]any) error {
	line, _ := c.reader.FieldPos(0)
	if err := c.record(Record{Row: c.summary.Rows, Line: line, Header: c.header, Cells: cells}); err != nil {
		return err
	}
	if len(cells) != len(c.header) {
		return c.fault(Fault{line, 1, c.summary.Rows, "", "csv", filetype.Cells(len(cells), len(c.header))})
	}
	if valid, err := c.checkText(cells); err != nil || valid && c.fast.row(c.header, cells) {
		return err
	}
	clear(row)
	for i, cell := range cells {
		row[c.header[i]] = cell
	}
	found, err := validate(c.root, row)
	if err != nil || found == nil {
		return err
	}
	for _, problem := range c.library.flatten(found, row) {
		column := 1
		if tokens := jsonpointer.Tokens(problem.Pointer); len(tokens) == 1 {
			if i := slices.Index(c.header, tokens[0]); i >= 0 {
				line, column = c.reader.FieldPos(i)
			}
		}
		if err := c.fault(Fault{line, column, c.summary.Rows, problem.Pointer, problem.Keyword, problem.Message}); err != nil {
			return err
		}
	}
	return nil
}

// checkText tells whether every cell is valid UTF-8, and reports those that are not.
func (c *csvChecker) checkText(cells []string) (valid bool, err error) {
	valid = true
	for i, cell := range cells {
		if utf8.ValidString(cell) {
			continue
		}
		valid = false
		line, column := c.reader.FieldPos(i)
		message := c.header[i] + " is not valid UTF-8"
		if err := c.fault(Fault{line, column, c.summary.Rows, "/" + jsonpointer.Escape(c.header[i]), "csv", message}); err != nil {
			return false, err
		}
	}
	return valid, nil
}
