package dataset

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/rehearsal-sdk/rehearsal/schemas"
	"github.com/rehearsal-sdk/rehearsal/schemas/acceptor"
)

// Format is how rows are written.
type Format string

// The formats of rows.
const (
	CSV    Format = "csv"    // a header, then a row a line; divided by commas, semicolons or tabs
	NDJSON Format = "ndjson" // a JSON object a line; blank lines are nothing
	JSON   Format = "json"   // one object, or an array of them
)

// longestLine is the most a row may have, in bytes.
const maxLine = 4 << 20

// Read reads rows of one kind and checks them against the schema of that kind.
// It gives all rows, or an [*InvalidError] that lists what is wrong with them.
// The name is that of a file, for messages; empty for a body.
func Read(library *schemas.Library, kind Kind, format Format, name string, from io.Reader) ([]Row, error) {
	r, err := newReader(library, kind, name)
	if err != nil {
		return nil, err
	}
	switch format {
	case CSV:
		err = r.readCSV(from)
	case NDJSON:
		err = r.readLines(from)
	case JSON:
		err = r.readDocument(from)
	default:
		err = fmt.Errorf("rows of the format %q cannot be read", format)
	}
	if err == nil {
		err = r.faults.err()
	}
	if err != nil {
		return nil, err
	}
	return r.rows, nil
}

// reader reads the rows of one file or body.
type reader struct {
	library *schemas.Library
	kind    Kind
	name    string
	accept  *acceptor.Acceptor
	memory  acceptor.Document
	rows    []Row
	count   int // rows so far, good or not
	faults  faults
}

func newReader(library *schemas.Library, kind Kind, name string) (*reader, error) {
	schema := library.Schema(kind.Schema())
	if schema == nil {
		return nil, fmt.Errorf("there is no schema %s", kind.Schema())
	}
	// With an error the acceptor accepts nothing, which is right, if slow.
	accept, _ := acceptor.Compile(schema)
	return &reader{library: library, kind: kind, name: name, accept: accept}, nil
}

// fault notes what is wrong with the row that is being read, or with the text.
func (r *reader) fault(problem schemas.Problem, line, column int) {
	problem.Line, problem.Column = max(line, 1), max(column, 1)
	r.faults.add(Fault{File: r.name, Problem: problem})
}

// syntax notes a fault that keeps a text from being read.
func (r *reader) syntax(keyword, message string, line, column int) {
	r.fault(schemas.Problem{Pointer: fmt.Sprintf("/%d", r.count), Keyword: keyword, Message: message}, line, column)
}

// row checks the text of one row. The place of a problem in it is found by
// place.
func (r *reader) row(text []byte, line, column int, place func(schemas.Problem) (line, column int)) error {
	row := Row{Kind: r.kind, Text: text, File: r.name, Line: line, Column: column, number: r.count}
	defer func() { r.count++ }()
	if !r.accept.Accept(text, &r.memory) {
		valid, err := r.check(text, place)
		if err != nil || !valid {
			return err
		}
	}
	if err := row.decode(); err != nil {
		// The schema has more to allow than can be shown.
		r.syntax("type", err.Error(), line, column)
		return nil
	}
	if !row.hasIdentifier() { // the schemas of an overlay directory may ask for less
		r.syntax("required", "the row names no profile and no installation: give it an identifier", line, column)
		return nil
	}
	if row.event != nil {
		for _, fault := range row.event.contradictions(&row) {
			r.faults.add(fault)
		}
	}
	r.rows = append(r.rows, row)
	return nil
}

// check notes everything that the schema finds wrong with a text.
func (r *reader) check(text []byte, place func(schemas.Problem) (line, column int)) (valid bool, err error) {
	value, err := schemas.Decode(text)
	if err != nil {
		var syntax *schemas.SyntaxError
		if !errors.As(err, &syntax) {
			return false, err
		}
		line, column := place(schemas.Problem{})
		if syntax.Line > 1 {
			line, column = line+syntax.Line-1, 1
		}
		r.syntax("json", syntax.Message, line, column+syntax.Column-1)
		return false, nil
	}
	err = r.library.Validate(r.kind.Schema(), value)
	var invalid *schemas.InvalidError
	if err == nil || !errors.As(err, &invalid) {
		return err == nil, err
	}
	for _, problem := range invalid.Problems {
		line, column := place(problem)
		problem.Pointer = fmt.Sprintf("/%d%s", r.count, problem.Pointer)
		r.fault(problem, line, column)
	}
	r.faults.more += invalid.More
	return false, nil
}

// readLines reads NDJSON. A line that cannot be read does not hide the faults
// of the next.
func (r *reader) readLines(from io.Reader) error {
	lines := bufio.NewScanner(from)
	lines.Buffer(make([]byte, 0, 64<<10), maxLine)
	number := 0
	for lines.Scan() && !r.faults.full() {
		number++
		text := lines.Bytes()
		if number == 1 {
			text = bytes.TrimPrefix(text, byteOrderMark)
		}
		indent := len(text) - len(bytes.TrimLeft(text, " \t\r"))
		if text = bytes.TrimSpace(text); len(text) == 0 {
			continue
		}
		text = bytes.Clone(text)
		line, begin := number, 1+indent
		err := r.row(text, line, begin, func(problem schemas.Problem) (int, int) {
			return line, begin + int(problem.Offset(text))
		})
		if err != nil {
			return err
		}
	}
	err := lines.Err()
	if errors.Is(err, bufio.ErrTooLong) {
		r.syntax("json", fmt.Sprintf("the line is longer than %d MB", maxLine>>20), number+1, 1)
		return nil
	}
	return err
}

// byteOrderMark is what some programs begin a UTF-8 text with.
var byteOrderMark = []byte("\xef\xbb\xbf")

// readDocument reads one JSON value: an object, or an array of objects.
func (r *reader) readDocument(from io.Reader) error {
	text, err := io.ReadAll(from)
	if err != nil {
		return err
	}
	place := func(offset int64) (line, column int) {
		before := text[:min(int(offset), len(text))]
		return 1 + bytes.Count(before, []byte("\n")), len(before) - bytes.LastIndexByte(before, '\n')
	}
	decoder := jsontext.NewDecoder(bytes.NewReader(text), jsontext.AllowDuplicateNames(true))
	array := decoder.PeekKind() == '['
	fail := func(err error) error {
		offset := decoder.InputOffset()
		var syntax *jsontext.SyntacticError
		message := "there is nothing here: send a JSON object, or an array of them"
		if errors.As(err, &syntax) {
			offset, message = syntax.ByteOffset, strings.TrimPrefix(syntax.Err.Error(), "jsontext: ")
		} else if !errors.Is(err, io.EOF) || len(bytes.TrimSpace(text)) > 0 {
			message = "the JSON text ends too early"
		}
		line, column := place(offset)
		r.syntax("json", message, line, column)
		return nil
	}
	if array {
		if _, err := decoder.ReadToken(); err != nil {
			return fail(err)
		}
	}
	for first := true; (array || first) && !r.faults.full(); first = false {
		if array && decoder.PeekKind() == ']' {
			break
		}
		raw, err := decoder.ReadValue()
		if err != nil {
			return fail(err)
		}
		item := json.RawMessage(bytes.Clone(raw))
		start := decoder.InputOffset() - int64(len(raw))
		line, column := place(start)
		if err := r.row(item, line, column, func(problem schemas.Problem) (int, int) {
			return place(start + problem.Offset(item))
		}); err != nil {
			return err
		}
	}
	if array && !r.faults.full() {
		if _, err := decoder.ReadToken(); err != nil {
			return fail(err)
		}
	}
	if rest := bytes.TrimSpace(text[decoder.InputOffset():]); len(rest) > 0 && !r.faults.full() {
		line, column := place(int64(len(text) - len(bytes.TrimLeft(text[decoder.InputOffset():], " \t\r\n"))))
		r.syntax("json", "there is more after the JSON value: send an array, or NDJSON", line, column)
	}
	return nil
}
