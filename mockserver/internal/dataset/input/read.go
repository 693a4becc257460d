package input

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

// maxLine is the most a row may have, in bytes.
const maxLine = 4 << 20

// Read reads rows of one kind and checks them against the schema of that kind.
// It gives all rows, or an [*InvalidError] that lists what is wrong with them.
// The name is that of a file, for messages; empty for a body.
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

// ReadInto reads rows as Read does, and adds them to a spool: they are not held
// in memory. After an error the spool has some of them.
func ReadInto(spool *Spool, library *schemas.Library, kind Kind, format Format, name string, from io.Reader) error {
	return readRows(library, kind, format, name, from, spool.add)
}

func readRows(library *schemas.Library, kind Kind, format Format, name string, from io.Reader, take func(*Row) error) error {
	r, err := newReader(library, kind, name, take)
	if err != nil {
		return err
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
	if err = errors.Join(err, r.jobs.finish()); err != nil {
		return err
	}
	return r.jobs.faults.Err()
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
	columns *columns // of a CSV file
}

func newReader(library *schemas.Library, kind Kind, name string, take func(*Row) error) (*reader, error) {
	schema := library.Schema(kind.Schema())
	if schema == nil {
		return nil, fmt.Errorf("there is no schema %s", kind.Schema())
	}
	// With an error the acceptor accepts nothing, which is right, if slow.
	accept, _ := acceptor.Compile(schema)
	shared := &rowSchema{library: library, kind: kind, name: name, accept: accept}
	return &reader{shared: shared, jobs: newJobs(shared, take)}, nil
}

// fault notes what is wrong with the text.
func (r *reader) fault(problem schemas.Problem, line, column int) {
	problem.Line, problem.Column = max(line, 1), max(column, 1)
	r.jobs.put(job{fault: &Fault{File: r.shared.name, Problem: problem}})
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

// readLines reads NDJSON. A line that cannot be read does not hide the faults
// of the next.
func (r *reader) readLines(from io.Reader) error {
	lines := bufio.NewScanner(from)
	lines.Buffer(make([]byte, 0, 64<<10), maxLine)
	number := 0
	for !r.jobs.full() && lines.Scan() {
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

// byteOrderMark is what some programs begin a UTF-8 text with.
var byteOrderMark = []byte("\xef\xbb\xbf")

// readDocument reads one JSON value: an object, or an array of objects.
func (r *reader) readDocument(from io.Reader) error {
	text := &placedReader{from: from}
	decoder := jsontext.NewDecoder(text, jsontext.AllowDuplicateNames(true))
	fail := func(err error) error {
		if text.err != nil {
			return text.err
		}
		offset := decoder.InputOffset()
		var syntax *jsontext.SyntacticError
		message := "there is nothing here: send a JSON object, or an array of them"
		if errors.As(err, &syntax) {
			offset, message = syntax.ByteOffset, strings.TrimPrefix(syntax.Err.Error(), "jsontext: ")
		} else if !errors.Is(err, io.EOF) || text.something {
			message = "the JSON text ends too early"
		}
		line, column := text.place(offset)
		r.syntax("json", message, line, column)
		return nil
	}
	array := decoder.PeekKind() == '['
	if array {
		if _, err := decoder.ReadToken(); err != nil {
			return fail(err)
		}
	}
	for first := true; (array || first) && !r.jobs.full(); first = false {
		if array && decoder.PeekKind() == ']' {
			break
		}
		raw, err := decoder.ReadValue()
		if err != nil {
			return fail(err)
		}
		item := json.RawMessage(bytes.Clone(raw))
		start := decoder.InputOffset() - int64(len(raw))
		line, column := text.place(start)
		text.forget(start)
		r.row(item, line, column, func(problem schemas.Problem) (int, int) {
			before := item[:min(int(problem.Offset(item)), len(item))]
			if last := bytes.LastIndexByte(before, '\n'); last >= 0 {
				return line + bytes.Count(before, []byte("\n")), len(before) - last
			}
			return line, column + len(before)
		})
	}
	if array && !r.jobs.full() {
		if _, err := decoder.ReadToken(); err != nil {
			return fail(err)
		}
	}
	offset := decoder.InputOffset()
	rest := bufio.NewReader(io.MultiReader(bytes.NewReader(bytes.Clone(decoder.UnreadBuffer())), text))
	for ; !r.jobs.full(); offset++ {
		char, err := rest.ReadByte()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return err
		}
		if !strings.ContainsRune(" \t\r\n", rune(char)) {
			line, column := text.place(offset)
			r.syntax("json", "there is more after the JSON value: send an array, or NDJSON", line, column)
			return nil
		}
	}
	return nil
}

// placedReader knows the lines of the text that it reads.
type placedReader struct {
	from      io.Reader
	at        int64
	breaks    []int64 // offsets of the ends of lines
	forgotten int     // those before them
	something bool    // there was more than white space
	err       error
}

func (p *placedReader) Read(into []byte) (int, error) {
	n, err := p.from.Read(into)
	for i, char := range into[:n] {
		if char == '\n' {
			p.breaks = append(p.breaks, p.at+int64(i))
		}
	}
	p.something = p.something || len(bytes.TrimSpace(into[:n])) > 0
	p.at += int64(n)
	if err != nil && err != io.EOF {
		p.err = err
	}
	return n, err
}

// place is the line and column of an offset.
func (p *placedReader) place(offset int64) (line, column int) {
	before, last := 0, int64(-1)
	for before < len(p.breaks) && p.breaks[before] < offset {
		last = p.breaks[before]
		before++
	}
	return 1 + p.forgotten + before, int(min(offset, p.at) - last)
}

// forget forgets lines that end before an offset, but for the last of them.
func (p *placedReader) forget(offset int64) {
	count := 0
	for count+1 < len(p.breaks) && p.breaks[count+1] < offset {
		count++
	}
	p.breaks, p.forgotten = p.breaks[count:], p.forgotten+count
}
