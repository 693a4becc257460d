package output

import (
	"cmp"
	"fmt"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/report"
	"github.com/rehearsal-sdk/rehearsal/schemas"
)

// Faults is where validate prints faults.
type Faults struct {
	*Findings
	schema string
	most   int // of a file; 0 for all
}

// NewFaults is where validate prints faults against a schema, at most a number of
// a file.
func NewFaults(out *Findings, schema string, most int) *Faults { return &Faults{out, schema, most} }

// FileFaults is where it prints those of one file.
type FileFaults struct {
	*Faults
	name  string
	count int
	made  *report.Case // of JUnit and SARIF
}

// Begin begins a file.
func (f *Faults) Begin(name string) *FileFaults {
	file := &FileFaults{Faults: f, name: name}
	if f.whole() {
		file.made = f.document.Case(f.schema, name)
	}
	return file
}

// Print prints one fault, and says whether to go on.
func (f *FileFaults) Print(fault schemas.Fault) bool {
	f.count++
	message := cmp.Or(fault.Pointer, "/") + ": " + fault.Message
	place := report.Place{File: f.name, Line: fault.Line, Column: fault.Column, Row: fault.Row}
	switch {
	case f.whole():
		f.made.Find(report.Finding{Rule: fault.Keyword, Place: place, Message: message})
	case f.format == JSON:
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

// Broken notes that the file could not be read, or not to its end.
func (f *FileFaults) Broken(err error) {
	switch {
	case f.whole():
		f.made.Broken = err.Error()
	case f.format == JSON:
		f.line(problemOf(f.name, err))
	}
}

// Summarize prints what became of the file.
func (f *FileFaults) Summarize(summary schemas.Summary) {
	stopped := f.most > 0 && summary.Faults >= int64(f.most)
	switch f.format {
	case JSON:
		type ended struct {
			File string `json:"file"`
			schemas.Summary
			// Stopped says that there may be more faults.
			Stopped bool `json:"stopped"`
		}
		f.line(struct {
			Summary ended `json:"summary"`
		}{ended{f.name, summary, stopped}})
	case Text:
		f.printSummary(summary, stopped)
	}
}

func (f *FileFaults) printSummary(summary schemas.Summary, stopped bool) {
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
