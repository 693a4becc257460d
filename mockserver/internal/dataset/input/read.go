package input

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/rehearsal-sdk/rehearsal/schemas"
	"github.com/rehearsal-sdk/rehearsal/schemas/acceptor"
	"github.com/rehearsal-sdk/rehearsal/schemas/filetype"
)

// Format is how rows are written.
type Format string

// The formats of rows.
const (
	CSV    Format = "csv"    // a header, then a row a line; divided by commas, semicolons or tabs
	NDJSON Format = "ndjson" // a JSON object a line; blank lines are nothing
	JSON   Format = "json"   // one object, or an array of them
)

// maxLine is the most a row may have, in bytes.
const maxLine = 4 << 20

// Read reads rows of one kind and checks them against the schema of that kind. It gives all rows, or an [*InvalidError] that lists what
// is wrong with them. The name is that of a file, for messages; empty for a body.
func Read(library *schemas.Library, kind Kind, format Format, name string, from io.Reader) (rows []Row, err error) {
	err = readRows(library, kind, format, name, from, func(row *Row) error {
		rows = append(rows, *row)
		return nil
	})
	if err != nil {
		return nil, err
	}
	return rows, nil
}

// ReadInto reads rows as Read does, and adds them to a spool: they are not held in memory. After an error the spool has some of them.
func ReadInto(spool *Spool, library *schemas.Library, kind Kind, format Format, name string, from io.Reader) error {
	return readRows(library, kind, format, name, from, spool.add)
}

func readRows(library *schemas.Library, kind Kind, format Format, name string, from io.Reader, take func(*Row) error) error {
	r, err := newReader(library, kind, name, take)
	if err != nil {
		return err
	}
	if err = errors.Join(r.read(format, from), r.jobs.finish()); err != nil {
		return err
	}
	return r.jobs.faults.Err()
}

// read looks at a text, and reads it.
func (r *reader) read(format Format, from io.Reader) error {
	keyword := "json"
	if format == CSV {
		keyword = "csv"
	}
	file, err := filetype.Open(from)
	var refused *filetype.Error
	switch {
	case errors.As(err, &refused):
		r.syntax(keyword, refused.Error(), 1, 1)
		return nil
	case err != nil:
		return err
	}
	names := r.names()
	if unlike := file.Unlike(format == CSV, func(name string) bool { return slices.Contains(names, name) }); unlike != "" {
		r.syntax(keyword, unlike, 1, 1)
		return nil
	}
	switch format {
	case CSV:
		err = r.readCSV(file)
	case NDJSON:
		err = r.readLines(file)
	case JSON:
		err = r.readDocument(file)
	default:
		err = fmt.Errorf("rows of the format %q cannot be read", format)
	}
	if damage := file.Damage(); damage != nil && err == nil {
		r.syntax("gzip", damage.Error(), 1, 1)
	}
	return err
}

// reader divides the text of one file or body into rows, which others check.
type reader struct {
	shared *rowSchema
	count  int // rows so far, good or not
	jobs   jobs
}

// rowSchema is what is needed to check rows of a kind.
type rowSchema struct {
	library *schemas.Library
	kind    Kind
	name    string // of the file
	accept  *acceptor.Acceptor
	columns []column // of a CSV file
	order   []int    // of the columns, by member
}

func newReader(library *schemas.Library, kind Kind, name string, take func(*Row) error) (*reader, error) {
	schema := library.Schema(kind.Schema())
	if schema == nil {
		return nil, fmt.Errorf("there is no schema %s", kind.Schema())
	}
	// With an error the acceptor accepts nothing, which is right, if slow.
	accept, _ := acceptor.Compile(schema)
	shared := &rowSchema{library: library, kind: kind, name: name, accept: accept}
	return &reader{shared: shared, jobs: jobs{shared: shared, take: take}}, nil
}

// faultOf is a problem at a place of the file.
func (s *rowSchema) faultOf(problem schemas.Problem, line, column int) Fault {
	problem.Line, problem.Column = max(line, 1), max(column, 1)
	return Fault{File: s.name, Problem: problem}
}

// fault notes what is wrong with the text.
func (r *reader) fault(problem schemas.Problem, line, column int) {
	found := r.shared.faultOf(problem, line, column)
	r.jobs.put(job{fault: &found})
}

// syntax notes a fault that keeps a text from being read.
func (r *reader) syntax(keyword, message string, line, column int) {
	r.fault(schemas.Problem{Pointer: fmt.Sprintf("/%d", r.count), Keyword: keyword, Message: message}, line, column)
}

// row hands a row on. The place of a problem in it is found by place.
func (r *reader) row(text []byte, line, column int, place func(schemas.Problem) (line, column int)) {
	r.jobs.put(job{text: text, line: line, column: column, number: r.count, place: place})
	r.count++
}

// readLines reads NDJSON. A line that cannot be read does not hide the faults of the next.
func (r *reader) readLines(from io.Reader) error {
	lines := bufio.NewScanner(from)
	lines.Buffer(make([]byte, 0, 64<<10), maxLine)
	number := 0
	for !r.jobs.full() && lines.Scan() {
		number++
		text := lines.Bytes()
		indent := len(text) - len(bytes.TrimLeft(text, " \t\r"))
		if text = bytes.TrimSpace(text); len(text) == 0 {
			continue
		}
		text = bytes.Clone(text)
		line, begin := number, 1+indent
		r.row(text, line, begin, func(problem schemas.Problem) (int, int) {
			return line, begin + int(problem.Offset(text))
		})
	}
	err := lines.Err()
	if errors.Is(err, bufio.ErrTooLong) {
		r.syntax("json", fmt.Sprintf("the line is longer than %d MB", maxLine>>20), number+1, 1)
		return nil
	}
	return err
}

// readDocument reads one JSON value: an object, or an array of objects.
func (r *reader) readDocument(from io.Reader) error {
	document := filetype.NewJSON(from)
	take := func(value filetype.Value) error {
		item := json.RawMessage(bytes.Clone(value.Text))
		line, column := value.Place(0)
		r.row(item, line, column, func(problem schemas.Problem) (int, int) {
			before := item[:min(int(problem.Offset(item)), len(item))]
			if last := bytes.LastIndexByte(before, '\n'); last >= 0 {
				return line + bytes.Count(before, []byte("\n")), len(before) - last
			}
			return line, column + len(before)
		})
		if r.jobs.full() {
			return errFull
		}
		return nil
	}
	var err error
	if document.IsArray() {
		err = document.Items(take)
	} else if value, failed := document.Next(); failed != nil {
		err = failed
	} else if err = take(value); err == nil {
		err = document.End()
	}
	line, column, message, _, is := document.Malformed(err)
	switch {
	case is:
		r.syntax("json", message, line, column)
		return nil
	case errors.Is(err, errFull):
		return nil
	}
	return err
}

// errFull ends the reading of a document of which there are enough faults.
var errFull = errors.New("there are enough faults")
