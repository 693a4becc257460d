package schemas

import (
	"errors"
	"fmt"
	"io"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/schemas/internal/jsonpointer"
	"github.com/rehearsal-sdk/rehearsal/schemas/internal/strict"
)

// Fault is one fault of a file.
type Fault struct {
	// Line counts from 1; Column counts bytes in that line from 1.
	Line   int `json:"line"`
	Column int `json:"column"`
	// Row counts the rows of a CSV file, its header being 0, or the items of a JSON array, from 1. It is 0
	// for a fault that belongs to no row.
	Row int64 `json:"row"`
	// Pointer, Keyword and Message are those of a [Problem]. The pointer of a CSV fault names the column.
	// Where the file is not CSV or JSON at all the keyword is "csv" or "json".
	Pointer string `json:"pointer"`
	Keyword string `json:"keyword"`
	Message string `json:"message"`
}

// String gives the place, the rule and the reason in one line.
func (f Fault) String() string {
	return fmt.Sprintf("line %d, column %d: %s (%s)", f.Line, f.Column, f.Message, f.Keyword)
}

// Summary tells what a file check saw.
type Summary struct {
	// Schema is the path of the schema file.
	Schema string `json:"schema"`
	// Format is csv or json.
	Format string `json:"format"`
	// Rows counts the rows, or the items of an array; 1 for a single JSON value.
	Rows int64 `json:"rows"`
	// Single tells that the file holds one JSON value, such as a payload, and no rows.
	Single bool `json:"single,omitempty"`
	// Faults counts the faults that were reported.
	Faults int64 `json:"faults"`
}

// CheckFile checks a file against a schema, as CSV if the schema describes rows of CSV, else as JSON. See
// [Library.CheckCSV] and [Library.CheckJSON].
func (l *Library) CheckFile(name string, r io.Reader, report func(Fault) bool) (Summary, error) {
	return l.ReadFile(name, r, nil, report)
}

// Record is one row of a CSV file or one item of a JSON array, as it stands in the file. What it holds is
// valid until the function it was given to returns.
type Record struct {
	// Row counts the rows or items from 1.
	Row int64
	// Line is where it begins, from 1.
	Line int
	// Header and Cells are the column names and the cells of a CSV row; of a faulty one there may be more or
	// fewer cells than names.
	Header, Cells []string
	// JSON is the text of an item.
	JSON []byte
}

// ReadFile is [Library.CheckFile] with a function that is given every record that can be told apart from
// its neighbours, whether it has faults or not, before its faults are reported. An error of visit ends the
// check and is returned. A file that holds one JSON value has no records.
func (l *Library) ReadFile(name string, r io.Reader, visit func(Record) error, report func(Fault) bool) (Summary, error) {
	file, err := l.Resolve(name)
	if err != nil {
		return Summary{}, err
	}
	if KeywordsOf(l.Schema(file)).CSV != nil {
		return l.readCSV(file, r, visit, report)
	}
	return l.readJSON(file, r, visit, report)
}

// errStop ends a check because report asked for it.
var errStop = errors.New("stop")

// errTooLong says that one row or item does not end.
var errTooLong = strict.ErrTooLong

// reporter counts faults on their way to the caller.
type reporter struct {
	library *Library
	root    *jsonschema.Schema
	summary Summary
	report  func(Fault) bool
	visit   func(Record) error // nil: nobody wants the records
}

func (l *Library) newReporter(name, format string, report func(Fault) bool) (*reporter, error) {
	file, err := l.Resolve(name)
	if err != nil {
		return nil, err
	}
	return &reporter{library: l, root: l.Schema(file), summary: Summary{Schema: file, Format: format}, report: report}, nil
}

// fault hands a fault to the caller; errStop when that was enough.
func (r *reporter) fault(f Fault) error {
	r.summary.Faults++
	f.Pointer = jsonpointer.Short(f.Pointer)
	if !r.report(f) {
		return errStop
	}
	return nil
}

// result turns the end of a check into what the caller sees.
func (r *reporter) result(err error) (Summary, error) {
	if errors.Is(err, errStop) || err == io.EOF {
		err = nil
	}
	return r.summary, err
}
