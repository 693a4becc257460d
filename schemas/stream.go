package schemas

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v5"

	"github.com/rehearsal-sdk/rehearsal/schemas/filetype"
	"github.com/rehearsal-sdk/rehearsal/schemas/internal/jsonpointer"
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

// CheckFile checks a file against a schema, as CSV if the schema describes rows of CSV, else as JSON. Rows, and the items of an array, are
// read and checked one by one, in memory that depends on the largest of them (at most 1 MB and 32 MB) and not on the file.
//
// The header of CSV is checked against x-csv: columns that the schema does not require may be absent, no column may be unknown or come
// twice, and the order is fixed. A header that does not tell which cell is which ends the check. Every fault goes to report, which answers
// whether to go on. The error speaks of the schema's name or of reading, never of what the file holds.
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
	// Header and Cells are the column names and the cells of a CSV row; of a faulty one there may be more or fewer cells than names.
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
	root := l.Schema(file)
	made := &reporter{library: l, root: root, report: report, visit: visit, lines: l.isLines(file)}
	made.summary = Summary{Schema: file, Format: "json"}
	if layout := KeywordsOf(root).CSV; layout != nil {
		made.summary.Format = "csv"
		c := csvChecker{reporter: made, separator: layout.Separator, columns: l.Columns(root), fast: l.newFastCheck(root)}
		return made.result(c.read(r))
	}
	c := jsonChecker{reporter: made}
	return made.result(c.read(r))
}

// Unlike returns the reason why the beginning of a file is not of an export; "" if it may be.
// A first line without the name of a column may be of people: nothing of it is shown.
func (l *Library) Unlike(export Export, file *filetype.File) string {
	root := l.Schema(export.Output)
	columns := l.Columns(root)
	row := root
	if columns == nil {
		row = itemSchema(root)
	}
	sentence := file.Unlike(columns != nil, func(name string) bool { return row != nil && row.Properties[name] != nil })
	if sentence != "" || columns == nil {
		return sentence
	}
	line, _ := file.FirstLine()
	if line = strings.TrimSpace(line); line == "" || !utf8.ValidString(line) {
		return "" // which is said when it is read
	}
	for _, cell := range strings.FieldsFunc(line, func(char rune) bool { return strings.ContainsRune(filetype.Separators, char) }) {
		// A cell that is only like a name may be of a person, such as custom-42.
		if slices.Contains(columns, strings.ToLower(strings.Trim(cell, ` "`))) {
			return ""
		}
	}
	return fmt.Sprintf("the first line is no header: nothing in it is the name of a column of %s; a file of that kind begins with some of %s",
		export.Kind, strings.Join(columns, KeywordsOf(root).CSV.Separator))
}

// open opens a file. The refusal of another format goes to report.
func (r *reporter) open(from io.Reader) error {
	file, err := filetype.Open(from)
	var refused *filetype.Error
	switch {
	case errors.As(err, &refused):
		return errors.Join(r.whole(refused.Error()), errStop)
	case err != nil:
		return err
	}
	if r.file = file; file.Marked {
		if err := r.whole(filetype.Marked); err != nil {
			return err
		}
	}
	exports := r.library.exports
	if at := slices.IndexFunc(exports, func(e Export) bool { return e.Output == r.summary.Schema }); at >= 0 {
		if sentence := r.library.Unlike(exports[at], file); sentence != "" {
			if err := file.Failure(); err != nil {
				return err
			}
			return errors.Join(r.whole(sentence), errStop)
		}
	}
	return nil
}

// whole reports a fault of the file as a whole.
func (r *reporter) whole(sentence string) error {
	return r.fault(Fault{Line: 1, Column: 1, Keyword: r.summary.Format, Message: sentence})
}

// errStop ends a check because report asked for it.
var errStop = errors.New("stop")

// reporter counts faults on their way to the caller.
type reporter struct {
	library *Library
	root    *jsonschema.Schema
	summary Summary
	report  func(Fault) bool
	visit   func(Record) error // nil: nobody wants the records
	file    *filetype.File
	held    *Fault // the latest: only at the end is it known whether the file was cut off there
	enough  bool   // report said so
	lines   bool   // there is one object a line
}

// fault holds a fault until the next one, or the next record; errStop when there were enough before.
func (r *reporter) fault(f Fault) error {
	if err := r.flush(); err != nil {
		return err
	}
	f.Pointer = jsonpointer.Short(f.Pointer)
	r.held = &f
	return nil
}

// flush hands the held fault to the caller; errStop when that was enough.
func (r *reporter) flush() error {
	if r.enough {
		return errStop
	}
	if r.held == nil {
		return nil
	}
	f := *r.held
	r.held = nil
	r.summary.Faults++
	if r.enough = !r.report(f); r.enough {
		return errStop
	}
	return nil
}

// record hands a record on.
func (r *reporter) record(of Record) error {
	if err := r.flush(); err != nil || r.visit == nil {
		return err
	}
	return r.visit(of)
}

// cut says of a fault in the last row that the file ends there, if it does not end as files do.
func (r *reporter) cut() {
	f := r.held
	switch last := f != nil && f.Row >= max(r.summary.Rows, 1); {
	case f == nil || r.file == nil || r.summary.Single:
	case f.Keyword == "json" && strings.HasSuffix(f.Message, "ends too early"), last && f.Keyword == "csv" && r.file.Cut():
		f.Message = fmt.Sprintf("the file ends too early, on line %d", f.Line)
	case last && f.Keyword != "json" && r.file.Cut() && (r.lines || r.summary.Format == "csv"):
		f.Message += fmt.Sprintf("; the file ends here, on line %d, without a line break: it may be cut off", f.Line)
	}
}

// result turns the end of a check into what the caller sees.
func (r *reporter) result(err error) (Summary, error) {
	if err == io.EOF {
		err = nil
	}
	if err == nil {
		r.cut()
	}
	err = cmp.Or(err, r.flush())
	if r.file != nil && r.file.Damage() != nil && !r.enough {
		rows := r.summary.Rows
		message := fmt.Sprintf("%v, behind row %d", r.file.Damage(), rows)
		err = cmp.Or(err, r.fault(Fault{Line: int(rows) + 1, Column: 1, Row: rows, Keyword: "gzip", Message: message}), r.flush())
	}
	if errors.Is(err, errStop) {
		err = nil
	}
	return r.summary, err
}
