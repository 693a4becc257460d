package schemas

import (
	"bufio"
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/schemas/internal/jsonpointer"
)

// maxRow is how many bytes one row may take.
const maxRow = 1 << 20

// CheckCSV checks a CSV file against the schema of its rows, in memory that does not depend on the file.
// The header is checked against x-csv: columns that the schema does not require may be absent, no column may
// be unknown or come twice, and the order is fixed. A header that does not tell which cell is which ends
// the check. Every fault goes to report, which answers whether to go on. The error speaks of the schema's
// name or of reading, never of what the file holds.
func (l *Library) CheckCSV(name string, r io.Reader, report func(Fault) bool) (Summary, error) {
	return l.readCSV(name, r, nil, report)
}

func (l *Library) readCSV(name string, r io.Reader, visit func(Record) error, report func(Fault) bool) (Summary, error) {
	reporter, err := l.newReporter(name, "csv", report)
	if err != nil {
		return Summary{}, err
	}
	reporter.visit = visit
	layout := KeywordsOf(reporter.root).CSV
	if layout == nil {
		return Summary{}, fmt.Errorf("the schema %s describes JSON, not rows of CSV: it has no x-csv", reporter.summary.Schema)
	}
	c := csvChecker{reporter: reporter, separator: layout.Separator, columns: l.Columns(reporter.root), fast: l.newFastCheck(reporter.root)}
	return reporter.result(c.file(r))
}

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
	limit     *limitReader
	reader    *csv.Reader
	fast      *fastCheck
	header    []string
	// nextLine is the line where the next row should begin.
	nextLine int
}

// limitReader refuses to read on when a row does not end.
type limitReader struct {
	source io.Reader
	left   int
}

func (r *limitReader) Read(p []byte) (int, error) {
	if r.left <= 0 {
		return 0, errTooLong
	}
	n, err := r.source.Read(p)
	r.left -= n
	return n, err
}

func (c *csvChecker) file(r io.Reader) error {
	buffered := bufio.NewReaderSize(r, 64<<10)
	if err := c.mark(buffered); err != nil {
		return err
	}
	c.limit = &limitReader{source: buffered}
	c.reader = csv.NewReader(c.limit)
	c.reader.Comma = rune(c.separator[0])
	c.reader.FieldsPerRecord = -1
	c.reader.ReuseRecord = true
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

// mark looks at the first bytes: a byte order mark is a fault, and UTF-16 cannot be read.
func (c *csvChecker) mark(buffered *bufio.Reader) error {
	first, _ := buffered.Peek(3)
	if bytes.HasPrefix(first, []byte{0xff, 0xfe}) || bytes.HasPrefix(first, []byte{0xfe, 0xff}) {
		if err := c.fault(Fault{1, 1, 0, "", "csv", "the file is in UTF-16: it must be in UTF-8"}); err != nil {
			return err
		}
		return errStop
	}
	if !bytes.Equal(first, []byte("\xef\xbb\xbf")) {
		return nil
	}
	_, _ = buffered.Discard(len(first))
	return c.fault(Fault{1, 1, 0, "", "csv", "the file must not begin with a byte order mark"})
}

// next reads a row. It reports rows that are no CSV and returns nil cells for them.
func (c *csvChecker) next() ([]string, error) {
	c.limit.left = maxRow
	cells, err := c.reader.Read()
	var malformed *csv.ParseError
	switch {
	case errors.Is(err, errTooLong):
		message := "a row is longer than 1 MB: a quote may be open"
		if err := c.fault(Fault{c.nextLine, 1, c.row(), "", "csv", message}); err != nil {
			return nil, err
		}
		return nil, errStop
	case errors.As(err, &malformed):
		c.nextLine = malformed.Line + 1
		return nil, c.fault(Fault{malformed.Line, malformed.Column, c.row(), "", "csv", quoteMessage(malformed)})
	case err != nil:
		return nil, err
	}
	line, _ := c.reader.FieldPos(0)
	for empty := c.nextLine; empty < line; empty++ {
		if err := c.fault(Fault{empty, 1, c.row(), "", "csv", "the line is empty"}); err != nil {
			return nil, err
		}
	}
	last := len(cells) - 1
	lastLine, _ := c.reader.FieldPos(last)
	c.nextLine = lastLine + strings.Count(cells[last], "\n") + 1
	return cells, nil
}

func quoteMessage(err *csv.ParseError) string {
	switch {
	case errors.Is(err.Err, csv.ErrBareQuote):
		return "a quote inside a cell: a cell with quotes must be quoted, and its quotes doubled"
	case errors.Is(err.Err, csv.ErrQuote):
		return "a quoted cell does not end as it must: a quote inside must be doubled, and nothing may follow the last one"
	default:
		return err.Err.Error()
	}
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
	if c.visit != nil {
		if err := c.visit(Record{Row: c.summary.Rows, Line: line, Header: c.header, Cells: cells}); err != nil {
			return err
		}
	}
	if len(cells) != len(c.header) {
		message := fmt.Sprintf("the row has %s, but the header has %d", count(len(cells), "cell"), len(c.header))
		return c.fault(Fault{line, 1, c.summary.Rows, "", "csv", message})
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
