package output

import (
	"fmt"
	"slices"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/report"
)

const never = "never" // --fail-on, with which nothing fails

// FailLevels are the values of --fail-on.
func FailLevels() []string {
	levels := []string{never}
	for _, each := range drift.Severities() {
		levels = append(levels, string(each))
	}
	return levels
}

// Judged is how what was found is judged.
type Judged struct {
	// Known are findings that were known before, by identifier; Gone are those that were and are not found any more.
	Known map[string]bool
	Gone  []string
	// FailOn is the least severity of a new finding that makes the command fail; "" for none.
	FailOn drift.Severity
}

// Judge judges what was found, by --fail-on and the identifiers that are known.
func Judge[T any](found []T, id func(T) string, known []string, failOn string) Judged {
	made := Judged{Known: map[string]bool{}}
	for _, each := range known {
		if slices.ContainsFunc(found, func(of T) bool { return id(of) == each }) {
			made.Known[each] = true
		} else {
			made.Gone = append(made.Gone, each)
		}
	}
	if failOn != never {
		made.FailOn = drift.Severity(failOn)
	}
	return made
}

// fails tells whether a finding makes the command fail.
func (j Judged) fails(id string, severity drift.Severity) bool {
	return j.FailOn != "" && !j.Known[id] && severity.AtLeast(j.FailOn)
}

func (j Judged) state(id string) string {
	if j.Known[id] {
		return "known"
	}
	return "new"
}

// gone prints what is not found any more.
func (j Judged) gone(out *Findings) {
	for _, id := range j.Gone {
		fmt.Fprintf(out, "known and not found any more: %s\n", report.Printable(id))
	}
}

// shown is what can be printed in each format.
type shown interface {
	document(*report.Report)
	lines(*Findings)
	text(*Findings)
}

// printFound prints in the format of out, and returns ErrFaults if the command fails.
func printFound(out *Findings, what shown, fails bool) error {
	switch {
	case out.whole():
		what.document(&out.document)
	case out.format == JSON:
		what.lines(out)
	default:
		what.text(out)
	}
	if fails {
		return out.End(ErrFaults)
	}
	return out.End(nil)
}
