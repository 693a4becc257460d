package main

import (
	"fmt"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/report"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// faults is where validate prints faults.
type faults struct {
	*findings
	schema string
	most   int // of a file; 0 for all
}

// faultsOf is where it prints those of one file.
type faultsOf struct {
	*faults
	name  string
	count int
	made  *report.Case // of JUnit and SARIF
}

func (f *faults) begin(name string) *faultsOf {
	file := &faultsOf{faults: f, name: name}
	if f.whole() {
		file.made = f.document.Case(f.schema, name)
	}
	return file
}

// fault prints one fault, and says whether to go on.
func (f *faultsOf) fault(fault schemas.Fault) bool {
	f.count++
	message := orDefault(fault.Pointer, "/") + ": " + fault.Message
	place := report.Place{File: f.name, Line: fault.Line, Column: fault.Column, Row: fault.Row}
	switch {
	case f.whole():
		f.made.Find(report.Finding{Rule: fault.Keyword, Place: place, Message: message})
	case f.format == formatJSON:
		type located struct {
			File string `json:"file"`
			schemas.Fault
		}
		f.line(struct {
			Fault located `json:"fault"`
		}{located{f.name, fault}})
	default:
		fmt.Fprintf(f, "%s: %s (%s)\n", place, report.Printable(message), report.Printable(fault.Keyword))
	}
	return f.most == 0 || f.count < f.most
}

// broken notes that the file could not be read, or not to its end.
func (f *faultsOf) broken(err error) {
	switch {
	case f.whole():
		f.made.Broken = err.Error()
	case f.format == formatJSON:
		f.line(problemOf(f.name, err))
	}
}

// end prints what became of the file.
func (f *faultsOf) end(summary schemas.Summary) {
	stopped := f.most > 0 && summary.Faults >= int64(f.most)
	switch f.format {
	case formatJSON:
		type ended struct {
			File string `json:"file"`
			schemas.Summary
			// Stopped says that there may be more faults.
			Stopped bool `json:"stopped"`
		}
		f.line(struct {
			Summary ended `json:"summary"`
		}{ended{f.name, summary, stopped}})
	case formatText:
		f.printSummary(summary, stopped)
	}
}

func (f *faultsOf) printSummary(summary schemas.Summary, stopped bool) {
	verdict := "no faults"
	switch {
	case summary.Faults == 1:
		verdict = "1 fault"
	case summary.Faults > 1:
		verdict = fmt.Sprintf("%d faults", summary.Faults)
	}
	if stopped {
		verdict = fmt.Sprintf("stopped after %s; --max-faults 0 shows all", verdict)
	}
	what := "rows"
	switch {
	case summary.Single:
		what = "value"
	case summary.Rows == 1:
		what = "row"
	}
	fmt.Fprintf(f, "%s: %s: %d %s, %s\n", report.Printable(f.name), summary.Schema, summary.Rows, what, verdict)
}
