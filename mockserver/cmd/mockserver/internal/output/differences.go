package output

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/compare"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/report"
)

// Differences is what compare has found.
type Differences struct {
	*compare.Result
	Judged
}

func (d Differences) fails(of compare.Difference) bool { return d.Judged.fails(of.ID, of.Severity) }

// PrintDifferences prints them in the format of out, and returns ErrFaults if one of them fails the command.
func PrintDifferences(out *Findings, d Differences) error {
	return printFound(out, d, slices.ContainsFunc(d.Result.Differences, d.fails))
}

// document is a test case for each conversation.
func (d Differences) document(document *report.Report) {
	for _, each := range d.Result.Differences {
		document.Rules = append(document.Rules, report.Rule{Name: each.ID, About: each.Kind})
	}
	for _, had := range d.Had {
		made := document.Case("conversations", had.Name)
		made.Skipped = had.Undecided
		for _, each := range d.Result.Differences {
			if slices.Contains(had.Differs, each.ID) && d.fails(each) {
				made.Find(report.Finding{Rule: each.ID, Place: report.Place{File: had.Name}, Message: each.String()})
			}
		}
	}
}

func (d Differences) lines(out *Findings) {
	for _, each := range d.Result.Differences {
		out.line(struct {
			Difference compare.Difference `json:"difference"`
			State      string             `json:"state"`
		}{each, d.state(each.ID)})
	}
	undecided := 0
	for _, had := range d.Had {
		if had.Undecided != "" {
			undecided++
		}
		out.line(struct {
			Conversation compare.Had `json:"conversation"`
		}{had})
	}
	type summary struct {
		Differences   int      `json:"differences"`
		Conversations int      `json:"conversations"`
		Undecided     int      `json:"undecided"`
		Gone          []string `json:"gone"`
	}
	out.line(struct {
		Summary summary `json:"summary"`
	}{summary{len(d.Result.Differences), len(d.Had), undecided, listed(d.Gone)}})
}

func (d Differences) text(out *Findings) {
	for _, each := range d.Result.Differences {
		once := ""
		if each.Once {
			once = ", a was asked only once"
		}
		fmt.Fprintf(out, "%s (%s, seen %s%s)\n    in       %s\n", report.Printable(each.String()), d.state(each.ID), Count(each.Count, "time"), once, report.Printable(strings.Join(each.Seen, ", ")))
	}
	alike, undecided := 0, 0
	for _, had := range d.Had {
		switch {
		case had.Undecided != "":
			undecided++
			fmt.Fprintf(out, "undecided: %s: %s\n", report.Printable(had.Name), report.Printable(had.Undecided))
		case len(had.Differs) == 0:
			alike++
		}
		for _, unmet := range had.Both {
			fmt.Fprintf(out, "neither does what %s expects: %s\n", report.Printable(had.Name), report.Printable(unmet))
		}
	}
	d.gone(out)
	fmt.Fprintf(out, "%s, %d of them alike, %d undecided; %s\n", Count(len(d.Had), "conversation"), alike, undecided, Count(len(d.Result.Differences), "difference"))
}
