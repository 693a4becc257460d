package schemas

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/schemas/filetype"
	"github.com/rehearsal-sdk/rehearsal/schemas/internal/jsonpointer"
)

// readHeader reads and checks the first line. It ends the check if the header does not tell which cell is which.
func (c *csvChecker) readHeader() error {
	cells, err := c.next()
	if err == io.EOF {
		return c.fault(Fault{1, 1, 0, "", "csv", "the file is empty: it must begin with the header " + strings.Join(c.columns, c.separator)})
	}
	if err != nil {
		return err
	}
	if cells == nil {
		return errStop
	}
	header := slices.Clone(cells)
	if at := strings.IndexAny(header[0], filetype.Separators); at >= 0 && len(header) == 1 {
		message := fmt.Sprintf("the columns must be separated by %q; found %q", c.separator, header[0][at:at+1])
		if err := c.fault(Fault{1, 1, 0, "", "csv", message}); err != nil {
			return err
		}
		return errStop
	}
	readable, err := c.checkHeader(header)
	if err != nil {
		return err
	}
	if !readable {
		return errStop
	}
	c.header = header
	return nil
}

// checkHeader reports the faults of the header and tells whether rows can be read by it.
func (c *csvChecker) checkHeader(header []string) (readable bool, err error) {
	readable = true
	fault := func(line, column int, name, keyword, message string) {
		if readable = false; err == nil {
			err = c.fault(Fault{line, column, 0, "/" + jsonpointer.Escape(name), keyword, message})
		}
	}
	at := func(i int, keyword, message string) {
		line, column := c.reader.FieldPos(i)
		fault(line, column, header[i], keyword, message)
	}
	seen := map[string]bool{}
	for i, name := range header {
		switch {
		case err != nil:
			return false, err
		case seen[name]:
			at(i, "csv", "the column "+plain(name)+" comes twice")
		case !slices.Contains(c.columns, name):
			at(i, "additionalProperties", fmt.Sprintf("the column %s is not known here: allowed are %s%s",
				plain(name), strings.Join(c.columns, ", "), DidYouMean(name, c.columns)))
		}
		seen[name] = true
	}
	for _, name := range c.root.Required {
		if !seen[name] {
			fault(1, 1, name, "required", "the column "+name+" is missing: it is required")
		}
	}
	if !readable {
		return false, err
	}
	last := -1
	for i, name := range header {
		place := slices.Index(c.columns, name)
		if place < last { // one still knows which cell is which
			at(i, "x-csv", fmt.Sprintf("the column %s must come before %s: the order is %s", name, c.columns[last], strings.Join(c.columns, ", ")))
			break
		}
		last = place
	}
	return true, err
}
