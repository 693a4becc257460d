package schemas

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json/jsontext"
	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/schemas/internal/strict"
)

// RowCheck returns a function that says why a row does not fit the schema of the files of an export; nil: it fits. A row is as it
// stands in a file, and header names the columns of CSV. The function is for one goroutine; nil: the schema does not ask rows alone.
func (l *Library) RowCheck(export Export, header []string) func(row []byte) error {
	schema, separator := l.Schema(export.Output), ""
	if layout := KeywordsOf(schema).CSV; layout != nil {
		separator = layout.Separator
	} else if schema = itemSchema(schema); schema == nil {
		return nil
	}
	fast := l.newFastCheck(schema)
	return func(row []byte) error {
		var value any
		var err error
		if separator == "" {
			row = bytes.Trim(row, ",\n")
			if fast.value(row) {
				return nil
			}
			value, err = strict.Value(jsontext.NewDecoder(bytes.NewReader(row)))
		} else {
			cells := cellsOf(strings.TrimRight(string(row), "\r\n"), separator)
			if len(cells) != len(header) {
				return fmt.Errorf("it has %d cells, and the header has %d", len(cells), len(header))
			}
			if fast.row(header, cells) {
				return nil
			}
			members := make(map[string]any, len(header))
			for i, cell := range cells {
				members[header[i]] = cell
			}
			value = members
		}
		if err != nil {
			return err
		}
		found, err := validate(schema, value)
		if err != nil || found == nil {
			return err
		}
		return &rowFault{l, found, value}
	}
}

// rowFault is a fault of a row. Its words take as long as the check: most rows that do not fit are drawn again, and nobody reads why.
type rowFault struct {
	library *Library
	found   *jsonschema.ValidationError
	value   any
}

func (e *rowFault) Error() string {
	problem := e.library.flatten(e.found, e.value)[0]
	return fmt.Sprintf("%s: %s (%s)", problem.Pointer, problem.Message, problem.Keyword)
}

// cellsOf splits a row of CSV that is written as RFC 4180 says.
func cellsOf(row, separator string) (cells []string) {
	for {
		var cell string
		if quoted, is := strings.CutPrefix(row, `"`); is {
			end := 0
			for end < len(quoted) && (quoted[end] != '"' || strings.HasPrefix(quoted[end:], `""`)) {
				if end++; quoted[end-1] == '"' {
					end++
				}
			}
			end = min(end, len(quoted))
			cell, row = strings.ReplaceAll(quoted[:end], `""`, `"`), strings.TrimPrefix(quoted[end:], `"`)
		} else {
			end := strings.Index(row, separator)
			if end < 0 {
				end = len(row)
			}
			cell, row = row[:end], row[end:]
		}
		cells = append(cells, cell)
		var more bool
		if row, more = strings.CutPrefix(row, separator); !more {
			return cells
		}
	}
}
