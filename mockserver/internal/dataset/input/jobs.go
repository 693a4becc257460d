package input

import (
	"errors"
	"fmt"

	"github.com/rehearsal-sdk/rehearsal/schemas"
	"github.com/rehearsal-sdk/rehearsal/schemas/acceptor"
)

// batchJobs is how many rows are checked together, by all processors.
const batchJobs = 1024

// job is a row to be checked, or a fault that was found before.
type job struct {
	text         []byte
	line, column int
	number       int // of the row, from 0
	place        func(schemas.Problem) (line, column int)
	cells        []string // of a row of CSV; the text is made of them
	places       []place  // of the cells
	fault        *Fault

	row    Row
	good   bool // the row may be taken
	faults Faults
	err    error
}

// place is a line and a column, from 1.
type place struct{ line, column int }

// jobs has rows checked while others are read, and takes the results in order.
type jobs struct {
	shared     *rowSchema
	take       func(*Row) error
	open, busy []job
	done       chan struct{} // the busy ones are checked; nil: there are none
	faults     Faults
	err        error
}

// full reports whether reading on is of no use.
func (j *jobs) full() bool { return j.err != nil || j.faults.Full() }

func (j *jobs) put(one job) {
	if j.open = append(j.open, one); len(j.open) == batchJobs {
		j.next()
	}
}

// next takes the results of the rows that are being checked, and has the open ones checked.
func (j *jobs) next() {
	if j.done != nil {
		<-j.done
		j.results(j.busy)
	}
	done := make(chan struct{})
	j.open, j.busy, j.done = j.busy[:0], j.open, done
	go func(list []job) {
		defer close(done)
		_ = inParallel(list, func(some []job) error {
			w := worker{rowSchema: j.shared}
			for i := range some {
				w.do(&some[i])
			}
			return nil
		})
	}(j.busy)
}

func (j *jobs) results(list []job) {
	for i := range list {
		one := &list[i]
		switch {
		case j.full():
			return
		case one.fault != nil:
			j.faults.Add(*one.fault)
			continue
		}
		for _, fault := range one.faults.list {
			j.faults.Add(fault)
		}
		j.faults.more += one.faults.more
		if j.err = one.err; j.err == nil && one.good {
			j.err = j.take(&one.row)
		}
	}
}

// finish waits for all results.
func (j *jobs) finish() error {
	j.next()
	j.next()
	return j.err
}

// worker checks rows, one at a time.
type worker struct {
	*rowSchema
	memory acceptor.Document
	some   []member // memory for those of a row
	*job
}

func (w *worker) do(one *job) {
	if w.job = one; one.fault != nil {
		return
	}
	if one.cells != nil && !w.textOfCells() {
		return
	}
	row := &one.row
	*row = Row{Kind: w.kind, Text: string(one.text), File: w.name, Line: one.line, Column: one.column, number: one.number}
	if !w.accept.Accept(one.text, &w.memory) {
		valid, err := w.check(one.text)
		if one.err = err; err != nil || !valid {
			return
		}
	}
	var err error
	if w.some, err = row.read(w.some[:0]); err == nil {
		err = row.check()
	}
	if err != nil {
		// The schema has more to allow than can be shown.
		w.syntax("type", err.Error(), one.line, one.column)
		return
	}
	if !row.hasIdentifier() { // the schemas of an overlay directory may ask for less
		w.syntax("required", "the row names no profile and no installation: give it an identifier", one.line, one.column)
		return
	}
	if row.Kind == Events {
		for _, fault := range row.contradictions() {
			one.faults.Add(fault)
		}
	}
	row.members = nil // a dataset reads them from its spool
	one.good = true
}

func (w *worker) syntax(keyword, message string, line, column int) {
	w.job.faults.Add(w.faultOf(schemas.Problem{Pointer: fmt.Sprintf("/%d", w.job.number), Keyword: keyword, Message: message}, line, column))
}

// check notes everything that the schema finds wrong with a text.
func (w *worker) check(text []byte) (valid bool, err error) {
	value, err := schemas.Decode(text)
	if err != nil {
		var syntax *schemas.SyntaxError
		if !errors.As(err, &syntax) {
			return false, err
		}
		line, column := w.job.place(schemas.Problem{})
		if syntax.Line > 1 {
			line, column = line+syntax.Line-1, 1
		}
		w.syntax("json", syntax.Message, line, column+syntax.Column-1)
		return false, nil
	}
	err = w.library.Validate(w.kind.Schema(), value)
	var invalid *schemas.InvalidError
	if err == nil || !errors.As(err, &invalid) {
		return err == nil, err
	}
	for _, problem := range invalid.Problems {
		line, column := w.job.place(problem)
		problem.Pointer = fmt.Sprintf("/%d%s", w.job.number, problem.Pointer)
		w.job.faults.Add(w.faultOf(problem, line, column))
	}
	w.job.faults.more += invalid.More
	return false, nil
}
