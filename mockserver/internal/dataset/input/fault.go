package input

import (
	"fmt"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Fault is what is wrong with one row. Its pointer begins with the number of the row, from 0, as if the rows were the items of an array.
type Fault struct {
	File string // empty for a body
	schemas.Problem
}

// maxFaults is how many faults of one load are listed.
const maxFaults = 100

// InvalidError says that rows cannot be loaded, so none of them was.
type InvalidError struct {
	Faults []Fault // in the order of the text, at most a hundred
	More   int     // how many further ones there are, or at least are
}

// Error gives the first faults with their places.
func (e *InvalidError) Error() string {
	const shown = 3
	var text strings.Builder
	for i, fault := range e.Faults {
		if i == shown {
			break
		}
		if i > 0 {
			text.WriteString("; ")
		}
		if fault.File != "" {
			text.WriteString(fault.File + ", ")
		}
		fmt.Fprintf(&text, "line %d, column %d: %s", fault.Line, fault.Column, fault.Message)
	}
	if more := len(e.Faults) - shown + e.More; more > 0 {
		fmt.Fprintf(&text, "; and %d more", more)
	}
	return text.String()
}

// Faults collects what is wrong.
type Faults struct {
	list []Fault
	more int
}

// Full reports whether there are more faults than are reported: reading on is of no use.
func (f *Faults) Full() bool { return f.more >= 9*maxFaults }

// Add notes a fault, or counts it when there are many.
func (f *Faults) Add(fault Fault) {
	if len(f.list) == maxFaults {
		f.more++
		return
	}
	f.list = append(f.list, fault)
}

// join adds the faults of another text.
func (f *Faults) join(other *InvalidError) {
	for _, fault := range other.Faults {
		f.Add(fault)
	}
	f.more += other.More
}

// Err is an [*InvalidError] if there are faults.
func (f *Faults) Err() error {
	if len(f.list) == 0 {
		return nil
	}
	return &InvalidError{Faults: f.list, More: f.more}
}

// FaultAt is a fault of a row that fits its schema.
func (r *Row) FaultAt(member, keyword, format string, arguments ...any) Fault {
	line, column := r.Line, r.Column
	pointer := fmt.Sprintf("/%d", r.number)
	if member != "" {
		pointer += "/" + member
	}
	return Fault{File: r.File, Problem: schemas.Problem{
		Pointer: pointer, Keyword: keyword, Message: fmt.Sprintf(format, arguments...), Line: line, Column: column,
	}}
}
