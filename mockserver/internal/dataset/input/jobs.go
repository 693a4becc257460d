package input

import (
	"errors"
	"fmt"
	"runtime"
	"sync"

	"github.com/rehearsal-sdk/rehearsal/schemas"
	"github.com/rehearsal-sdk/rehearsal/schemas/acceptor"
)

// batchJobs is how many rows a processor checks at a time.
const batchJobs = 256

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

// jobs has rows checked by all processors and takes the results in order.
type jobs struct {
	shared  *rowSchema
	take    func(*Row) error
	open    []job
	pending []*jobBatch
	workers sync.Pool // of *worker
	faults  Faults
	err     error
}

type jobBatch struct {
	jobs []job
	done chan struct{}
}

func newJobs(shared *rowSchema, take func(*Row) error) jobs {
	return jobs{shared: shared, take: take, workers: sync.Pool{New: func() any { return &worker{rowSchema: shared} }}}
}

// full reports whether reading on is of no use.
func (j *jobs) full() bool { return j.err != nil || j.faults.Full() }

func (j *jobs) put(one job) {
	if j.open == nil {
		j.open = make([]job, 0, batchJobs)
	}
	j.open = append(j.open, one)
	if len(j.open) < batchJobs {
		return
	}
	batch := &jobBatch{jobs: j.open, done: make(chan struct{})}
	j.open, j.pending = nil, append(j.pending, batch)
	go func() {
		defer close(batch.done)
		j.work(batch.jobs)
	}()
	if len(j.pending) > 2*runtime.GOMAXPROCS(0) {
		j.collect()
	}
}

func (j *jobs) work(list []job) {
	w := j.workers.Get().(*worker)
	defer j.workers.Put(w)
	for i := range list {
		w.do(&list[i])
	}
}

// collect takes the results of the first batch.
func (j *jobs) collect() {
	first := j.pending[0]
	j.pending = j.pending[1:]
	<-first.done
	j.results(first.jobs)
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
	for len(j.pending) > 0 {
		j.collect()
	}
	j.work(j.open)
	j.results(j.open)
	j.open = nil
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
