package schemas

import (
	"fmt"
	"io"
	"slices"
	"strings"

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
	if found := otherSeparator(header, c.separator, c.columns); found != "" {
		message := fmt.Sprintf("the columns must be separated by %q; found %q", c.separator, found)
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
	var faults []Fault
	at := func(i int, keyword, message string) {
		line, column := c.reader.FieldPos(i)
		faults = append(faults, Fault{line, column, 0, "/" + jsonpointer.Escape(header[i]), keyword, message})
	}
	for i, name := range header {
		switch {
		case slices.Index(header, name) < i:
			at(i, "csv", "the column "+plain(name)+" comes twice")
		case !slices.Contains(c.columns, name):
			at(i, "additionalProperties", fmt.Sprintf("the column %s is not known here: allowed are %s%s",
				plain(name), strings.Join(c.columns, ", "), didYouMean(name, c.columns)))
		}
	}
	for _, name := range c.root.Required {
		if !slices.Contains(header, name) {
			faults = append(faults, Fault{1, 1, 0, "/" + jsonpointer.Escape(name), "required", "the column " + name + " is missing: it is required"})
		}
	}
	readable = len(faults) == 0
	if readable {
		last := -1
		for i, name := range header {
			place := slices.Index(c.columns, name)
			if place < last {
				at(i, "x-csv", fmt.Sprintf("the column %s must come before %s: the order is %s", name, c.columns[last], strings.Join(c.columns, ", ")))
				break
			}
			last = place
		}
	}
	for _, f := range faults {
		if err := c.fault(f); err != nil {
			return false, err
		}
	}
	return readable, nil
}

// otherSeparator tells which other separator a header of one cell was written with, "" if with none.
func otherSeparator(header []string, separator string, columns []string) string {
	if len(header) != 1 {
		return ""
	}
	for _, other := range []string{",", ";", "\t", "|"} {
		if other == separator {
			continue
		}
		names := strings.Split(header[0], other)
		known := slices.ContainsFunc(names, func(name string) bool { return slices.Contains(columns, strings.Trim(name, ` "`)) })
		if len(names) > 1 && known {
			return other
		}
	}
	return ""
}
