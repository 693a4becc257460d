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

// fails tells whether a difference makes the command fail. What follows from another one does not by itself: that one is as bad.
func (d Differences) fails(of compare.Difference) bool {
	return of.Relation.Follows == "" && d.Judged.fails(of.ID, of.Severity)
}

// following counts what follows from a difference, and what follows from that.
func (d Differences) following(id string) (count int) {
	for _, each := range d.Result.Differences {
		if each.Relation.Follows == id {
			count += 1 + d.following(each.ID)
		}
	}
	return count
}

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
	first := 0
	for _, each := range d.Result.Differences {
		if each.Relation.Follows == "" {
			first++
		}
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
		Following     int      `json:"following"`
		Conversations int      `json:"conversations"`
		Undecided     int      `json:"undecided"`
		Gone          []string `json:"gone"`
	}
	out.line(struct {
		Summary summary `json:"summary"`
	}{summary{first, len(d.Result.Differences) - first, len(d.Had), undecided, listed(d.Gone)}})
}

func (d Differences) text(out *Findings) {
	first, follow := 0, 0
	for _, each := range d.Result.Differences {
		if each.Relation.Follows != "" {
			follow++
			continue
		}
		first++
		d.one(out, each)
	}
	alike, undecided := 0, 0
	var open, unmet reasons
	for _, had := range d.Had {
		switch {
		case had.Undecided != "":
			undecided++
			open.add(had.Undecided, had.Name)
		case len(had.Differs) == 0:
			alike++
		}
		for _, each := range had.Both {
			unmet.add(each, had.Name)
		}
	}
	open.print(out, "undecided: ", "")
	unmet.print(out, "neither does what ", " expects")
	d.gone(out)
	more := ""
	if follow > 0 {
		more = fmt.Sprintf(", and %d that follow from others (--format json has them)", follow)
	}
	fmt.Fprintf(out, "%s, %d of them alike, %d undecided; %s%s\n", Count(len(d.Had), "conversation"), alike, undecided, Count(first, "difference"), more)
}

// one is a difference with the steps that saw it, and for a cause with what it keeps from being compared.
func (d Differences) one(out *Findings, each compare.Difference) {
	once, hinders, line := "", "", func(name, of string) {
		if of != "" {
			fmt.Fprintf(out, "    %-8s %s\n", name, report.Printable(of))
		}
	}
	if each.Once {
		once = ", a was asked only once"
	}
	if len(each.Relation.Hinders) > 0 {
		hinders = fmt.Sprintf(": %s could not be compared to the end because of it", Count(len(each.Relation.Hinders), "conversation"))
	}
	fmt.Fprintf(out, "%s%s (%s, seen %s%s)\n", report.Printable(each.String()), hinders, d.state(each.ID), Count(each.Count, "time"), once)
	line("advice", each.Relation.Advice)
	line("hinders", strings.Join(each.Relation.Hinders, ", "))
	line("at", strings.Join(each.Relation.At, ", "))
	line("in", strings.Join(each.Seen, ", "))
	if follow := d.following(each.ID); follow > 0 {
		line("follows", Count(follow, "difference"))
	}
}

// reasons are why something is so of conversations, in the order in which they were given.
type reasons struct {
	order []string
	names map[string][]string
}

func (r *reasons) add(why, name string) {
	if r.names == nil {
		r.names = map[string][]string{}
	}
	if r.names[why] == nil {
		r.order = append(r.order, why)
	}
	r.names[why] = append(r.names[why], name)
}

// print tells each reason once.
func (r *reasons) print(out *Findings, before, after string) {
	for _, why := range r.order {
		who, names := r.names[why][0], ""
		if all := r.names[why]; len(all) > 1 {
			who, names = Count(len(all), "conversation"), " ("+strings.Join(all, ", ")+")"
		}
		fmt.Fprintf(out, "%s%s%s: %s%s\n", before, report.Printable(who), after, report.Printable(why), report.Printable(names))
	}
}
