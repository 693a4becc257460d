package drift

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/drift/amend"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/report"
)

// Severity says how bad a finding is for who builds on the schemas.
type Severity string

// The severities, the worst first.
const (
	Critical Severity = "critical" // the service lets in what it must not, or fails
	High     Severity = "high"     // what is relied on is otherwise, or missing
	Medium   Severity = "medium"   // there is more than is known
	Low      Severity = "low"      // what hardly anybody relies on
)

// Severities are all, the worst first.
func Severities() []Severity { return []Severity{Critical, High, Medium, Low} }

// AtLeast tells whether a severity is as bad as another, or worse.
func (s Severity) AtLeast(other Severity) bool {
	return slices.Index(Severities(), s) <= slices.Index(Severities(), other)
}

// Sides of a finding.
const (
	Request   = "request"
	Answer    = "answer"
	File      = "file"
	Lifecycle = "lifecycle"
)

// Place is what a finding is about.
type Place struct {
	Interface string `json:"interface"`
	// Route is the name of the endpoint or the kind of the export.
	Route  string `json:"route"`
	Status int    `json:"status,omitempty"`
	Side   string `json:"side"`
	// Pointer is the member, with * for the numbers of items; a header or a rule where it is none.
	Pointer string `json:"pointer"`
}

// Finding is one difference between the service and the schema files. Its JSON are the details of its [Finding.Report].
type Finding struct {
	// ID stays the same from run to run, whatever the wording.
	ID       string   `json:"-"`
	Where    Place    `json:"where"`
	Kind     string   `json:"-"`
	Severity Severity `json:"-"`
	// Allowed is what the schema files say, Came what was there, by its shape.
	Allowed string `json:"allowed"`
	Came    string `json:"came"`
	// Sample is the payload, every value by its shape.
	Sample string `json:"sample,omitempty"`
	Count  int64  `json:"-"`
	// First and Last are numbers of exchanges.
	First uint64 `json:"first"`
	Last  uint64 `json:"last"`
	// Overlay are the changes that would allow it; none: no overlay says this.
	Overlay []amend.Change `json:"overlay,omitempty"`
	// Mock says whether a mock under the overlay shows it, and why not.
	Mock string `json:"mock,omitempty"`
}

// Report is the finding as commands print it, with what is known of it: new or known.
func (f Finding) Report(state string) report.Finding {
	status := ""
	if f.Where.Status != 0 {
		status = fmt.Sprintf(" %d", f.Where.Status)
	}
	notes := []string{fmt.Sprintf("seen     %s, first in exchange %d", report.Count(f.Count, "time"), f.First)}
	if f.Sample != "" {
		notes = append(notes, "payload  "+f.Sample)
	}
	for _, change := range f.Overlay {
		notes = append(notes, "overlay  "+change.String())
	}
	if len(f.Overlay) == 0 {
		notes = append(notes, "overlay  none says this")
	}
	if f.Mock != "" {
		notes = append(notes, "the mock "+f.Mock)
	}
	return report.Finding{
		ID: f.ID, Rule: f.Kind, Severity: string(f.Severity), State: state, Count: f.Count, Details: f, Notes: notes,
		Subject: fmt.Sprintf("%s%s %s %s", f.Where.Route, status, f.Where.Side, cmp.Or(f.Where.Pointer, "/")),
		Message: fmt.Sprintf("allowed %s; came %s", f.Allowed, f.Came),
	}
}

// String is the finding in a line.
func (f Finding) String() string { return f.Report("").String() }

func (f *Finding) identify() {
	sum := sha256.Sum256([]byte(strings.Join([]string{f.Where.Interface, f.Where.Route, fmt.Sprint(f.Where.Status), f.Where.Side,
		f.Where.Pointer, f.Kind}, "\x00")))
	f.ID = hex.EncodeToString(sum[:6])
}

// found counts a finding, and keeps the first of its kind.
func (o *Observer) found(f Finding) {
	f.identify()
	known := o.findings[f.ID]
	if known == nil {
		known, f.First = &f, o.number
		o.findings[f.ID] = known
		o.order = append(o.order, f.ID)
	} else if len(known.Overlay) == 0 {
		known.Overlay = f.Overlay
	}
	known.Count++
	if known.Last = o.number; known.Count == 1 && o.fresh != nil {
		o.fresh()
	}
}

// Findings are all so far, the worst first.
func (o *Observer) Findings() []Finding {
	var all []Finding
	for _, id := range o.order {
		all = append(all, *o.findings[id])
	}
	slices.SortStableFunc(all, func(a, b Finding) int {
		return slices.Index(Severities(), a.Severity) - slices.Index(Severities(), b.Severity)
	})
	return all
}
