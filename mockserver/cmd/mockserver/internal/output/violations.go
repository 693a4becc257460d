package output

import (
	"cmp"
	"fmt"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/check"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/report"
)

// Violations is where check prints what it finds.
type Violations struct {
	*Findings
	cases map[string]*report.Case // of JUnit and SARIF, by rule
}

// NewViolations is where check prints what it finds.
func NewViolations(out *Findings) *Violations {
	for _, rule := range check.Rules() {
		out.document.Rules = append(out.document.Rules, report.Rule{Name: rule.Name, About: rule.About, Innocent: rule.Innocent})
	}
	return &Violations{out, map[string]*report.Case{}}
}

// caseOf is the case of a rule.
func (v *Violations) caseOf(rule string) *report.Case {
	if v.cases[rule] == nil {
		v.cases[rule] = v.document.Case("rules", rule)
	}
	return v.cases[rule]
}

// Print prints one violation.
func (v *Violations) Print(found check.Finding) {
	switch {
	case v.whole():
		made := report.Finding{Rule: found.Rule, Place: placeOf(found.Place), Message: found.Message}
		if found.Other != nil {
			other := placeOf(*found.Other)
			made.Other = &other
		}
		v.caseOf(found.Rule).Find(made)
	case v.format == JSON:
		v.line(struct {
			Finding check.Finding `json:"finding"`
		}{found})
	default:
		fmt.Fprintln(v, report.Printable(found.String()))
	}
}

func placeOf(p check.Place) report.Place {
	return report.Place{File: p.File, Line: int(p.Line), Row: p.Row}
}

// Broken prints what is left when the files could not be checked to their end:
// no rule is decided.
func (v *Violations) Broken(err error) error {
	switch {
	case v.whole():
		v.document.Case("files", "reading").Broken = err.Error()
	case v.format == JSON:
		v.line(problemOf("", err))
	}
	return v.Findings.End(err)
}

// Summarize prints what was read and what became of every rule.
func (v *Violations) Summarize(summary check.Summary) error {
	switch {
	case v.whole():
		for _, verdict := range summary.Rules {
			if verdict.Outcome == check.LeftOut {
				continue
			}
			made := v.caseOf(verdict.Rule)
			made.Count(verdict.Violations)
			if verdict.Outcome == check.NotCheckable {
				made.Skipped = "not checkable: " + verdict.Why
			}
		}
	case v.format == JSON:
		v.line(struct {
			Summary check.Summary `json:"summary"`
		}{summary})
	default:
		v.printVerdicts(summary)
	}
	var err error
	if summary.Violations() > 0 {
		err = ErrFaults
	}
	return v.Findings.End(err)
}

func (v *Violations) printVerdicts(summary check.Summary) {
	for _, file := range summary.Files {
		fmt.Fprintf(v, "%s: %s, %d rows\n", report.Printable(file.Name), cmp.Or(file.Kind, "an empty array"), file.Rows)
	}
	for _, verdict := range summary.Rules {
		switch verdict.Outcome {
		case check.LeftOut:
		case check.Violated:
			fmt.Fprintf(v, "%s: violated, %d of %d checked", verdict.Rule, verdict.Violations, verdict.Checked)
		case check.Held:
			fmt.Fprintf(v, "%s: held, %d checked", verdict.Rule, verdict.Checked)
		default:
			fmt.Fprintf(v, "%s: not checkable", verdict.Rule)
		}
		if verdict.Why != "" {
			fmt.Fprintf(v, ": %s", report.Printable(verdict.Why))
		}
		if verdict.Outcome != check.LeftOut {
			fmt.Fprintln(v)
		}
	}
}

// ListRules explains every rule.
func ListRules(out *Findings) {
	for _, rule := range check.Rules() {
		if out.format == JSON {
			out.line(rule)
			continue
		}
		fmt.Fprintf(out, "%s\n    %s.\n    Needs %s.\n", rule.Name, rule.About, rule.Needs)
		if rule.Innocent != "" {
			fmt.Fprintf(out, "    Files of the real service may break it without being wrong: %s.\n", rule.Innocent)
		}
	}
}
