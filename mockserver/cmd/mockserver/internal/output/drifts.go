package output

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/journal"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/report"
)

// Drifts is what the proxy has found.
type Drifts struct {
	Findings []drift.Finding
	Lints    []journal.Finding
	Seen     drift.Seen
	// Unseen are the endpoints that nobody asked for.
	Unseen []string
	Judged
}

func (d Drifts) fails(f drift.Finding) bool { return d.Judged.fails(f.ID, f.Severity) }

// PrintDrifts prints them in the format of out, and returns ErrFaults if one of them fails the command.
func PrintDrifts(out *Findings, d Drifts) error {
	fails := slices.ContainsFunc(d.Findings, d.fails)
	if out.format != HTML {
		return printFound(out, d, fails)
	}
	if err := d.page(out); err != nil || !fails {
		return out.End(err)
	}
	return out.End(ErrFaults)
}

// document is a test case for each finding.
func (d Drifts) document(document *report.Report) {
	if len(d.Findings) == 0 {
		document.Case("drift", "the service speaks as the schema files say")
	}
	for _, f := range d.Findings {
		document.Rules = append(document.Rules, report.Rule{Name: f.ID, About: f.Kind})
		made := document.Case(f.Where.Route, f.ID+" "+f.Kind)
		switch {
		case d.fails(f):
			made.Find(report.Finding{Rule: f.ID, Place: report.Place{File: f.Where.Route}, Message: f.String()})
		case d.Known[f.ID]:
			made.Skipped = "known: " + f.String()
		default:
			made.Skipped = "below --fail-on: " + f.String()
		}
	}
}

func (d Drifts) lines(out *Findings) {
	for _, f := range d.Findings {
		out.line(struct {
			Finding drift.Finding `json:"finding"`
			State   string        `json:"state"`
		}{f, d.state(f.ID)})
	}
	for _, each := range d.Lints {
		out.line(struct {
			Lint journal.Finding `json:"lint"`
		}{each})
	}
	var summary struct {
		Summary struct {
			drift.Seen
			Unseen   []string `json:"unseen"`
			Gone     []string `json:"gone"`
			Findings int      `json:"findings"`
			Lints    int      `json:"lints"`
		} `json:"summary"`
	}
	summary.Summary.Seen, summary.Summary.Unseen, summary.Summary.Gone = d.Seen, listed(d.Unseen), listed(d.Gone)
	summary.Summary.Findings, summary.Summary.Lints = len(d.Findings), len(d.Lints)
	out.line(summary)
}

func (d Drifts) text(out *Findings) {
	for _, f := range d.Findings {
		fmt.Fprintf(out, "%s (%s, seen %s, first in exchange %d)\n", report.Printable(f.String()), d.state(f.ID), Count(f.Count, "time"), f.First)
		if f.Sample != "" {
			fmt.Fprintf(out, "    payload  %s\n", report.Printable(f.Sample))
		}
		for _, change := range f.Overlay {
			fmt.Fprintf(out, "    overlay  %s\n", report.Printable(change.String()))
		}
		if len(f.Overlay) == 0 {
			fmt.Fprintln(out, "    overlay  none says this")
		}
	}
	for _, each := range d.Lints {
		fmt.Fprintf(out, "client: %s [%s, %s]\n    advice   %s\n", report.Printable(each.Message), each.Code, each.Severity, report.Printable(each.Advice))
	}
	d.gone(out)
	fmt.Fprintf(out, "%d exchanges, %d of them known to the schema files; %d files checked, %d not kept; %d without a whole answer\n",
		d.Seen.Exchanges, d.Seen.Known, d.Seen.Files, d.Seen.UncheckedFiles, d.Seen.Faults)
	if len(d.Unseen) > 0 {
		fmt.Fprintf(out, "nobody asked for %s\n", strings.Join(d.Unseen, ", "))
	}
	fmt.Fprintf(out, "%s, %s about the client\n", Count(len(d.Findings), "drift"), Count(len(d.Lints), "lint"))
}
