// Package report prints what commands find, as text, JSON, JUnit XML, SARIF and a page of HTML.
package report

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"strings"
)

// The formats.
const (
	Text  = "text"
	JSON  = "json"
	JUnit = "junit"
	SARIF = "sarif"
	HTML  = "html"
)

// Formats are all of them.
func Formats() []string { return []string{Text, JSON, JUnit, SARIF, HTML} }

// Most is how many findings JUnit XML, SARIF and HTML hold; more are counted. Services that show SARIF take no more than 25,000.
const Most = 10_000

// ErrFaults is returned by a command that did its work and printed findings that fail it.
var ErrFaults = errors.New("faults found")

// Place says where something stands in a file.
type Place struct {
	// File is the name of the file, as the command line gives it.
	File string `json:"file"`
	// Row counts the rows of a CSV file, its header being 0, or the items of a JSON array, from 1.
	Row int64 `json:"row"`
	// Line and Column count from 1, the column in bytes; 0 where they are not known.
	Line   int64 `json:"line"`
	Column int64 `json:"column,omitempty"`
}

// String gives the place as compilers do, with the row where there is no column.
func (p Place) String() string {
	switch {
	case p.Column > 0:
		return fmt.Sprintf("%s:%d:%d", p.File, p.Line, p.Column)
	case p.Line > 0:
		return fmt.Sprintf("%s:%d (row %d)", p.File, p.Line, p.Row)
	}
	return p.File
}

// Finding is one thing that is wrong: with a row, a payload, a service or its client.
type Finding struct {
	// ID is the same in every run; "" where no run is compared with another.
	ID string `json:"id,omitempty"`
	// Rule is what is broken: a rule of check, a keyword of a schema, a kind of drift, the code of a lint.
	Rule     string `json:"rule"`
	Severity string `json:"severity,omitempty"`
	// Place is nil, and Subject given, for what is in no file.
	*Place
	Subject string `json:"subject,omitempty"`
	// Pointer is the member; "" for the whole.
	Pointer string `json:"pointer,omitempty"`
	Message string `json:"message"`
	// Other is the place that the message contradicts.
	Other *Place `json:"other,omitempty"`
	// State is known or new; "" where nothing can be known.
	State string `json:"state,omitempty"`
	// Count is how often it was seen; 0 for once.
	Count int64 `json:"count,omitempty"`
	// Details are what only this command knows.
	Details any `json:"details,omitempty"`
	// Notes are lines of text below the finding.
	Notes []string `json:"-"`
}

// String gives all in one line.
func (f Finding) String() string {
	var text strings.Builder
	if prefix := strings.TrimSpace(f.ID + " " + f.Severity); prefix != "" {
		text.WriteString(prefix + ": ")
	}
	text.WriteString(f.where() + ": ")
	if f.Pointer != "" {
		text.WriteString(f.Pointer + ": ")
	}
	text.WriteString(f.Message)
	if f.Other != nil {
		text.WriteString("; see " + f.Other.String())
	}
	text.WriteString(" [" + f.Rule + "]")
	if f.State != "" {
		text.WriteString(" (" + f.State + ")")
	}
	return text.String()
}

func (f Finding) where() string {
	if f.Place != nil {
		return f.Place.String()
	}
	return f.Subject
}

// Rule is a rule that findings may name.
type Rule struct {
	Name, About string
	// Innocent says when a file that breaks the rule may be right; "" for never.
	Innocent string
}

// Report is where a command prints what it finds.
type Report struct {
	out     *bufio.Writer
	format  string
	command string
	version string
	rules   []Rule
	cases   []*Case
	known   map[[2]string]*Case // by class and name
	kept    int                 // findings, for the formats that are one document
	excused []Finding           // of the page
	summary strings.Builder
}

// New begins the report of a command, given as its command line without arguments, in a format. Findings may name other rules than
// those that are given.
func New(out io.Writer, format, command, version string, rules ...Rule) *Report {
	return &Report{out: bufio.NewWriter(out), format: format, command: command, version: version, rules: rules, known: map[[2]string]*Case{}}
}

// Case is what a command decides about: a file, or a rule over several files.
type Case struct {
	class, name string
	report      *Report
	skipped     string
	broken      string
	findings    []Finding
	count       int64
}

// Case returns the case of a name, which begins here if it is new. A class groups cases, such as by the schema of a file.
func (r *Report) Case(class, name string) *Case {
	known := r.known[[2]string{class, name}]
	if known == nil {
		known = &Case{class: class, name: name, report: r}
		r.known[[2]string{class, name}] = known
		r.cases = append(r.cases, known)
	}
	return known
}

// Find prints a finding that fails the case.
func (c *Case) Find(f Finding) {
	c.count++
	if c.report.print(f); c.report.whole() && c.report.kept < Most {
		c.report.kept++
		c.findings = append(c.findings, f)
	}
}

// Excuse prints a finding that does not fail the case, and why.
func (c *Case) Excuse(f Finding, why string) {
	if c.report.print(f); c.report.format == HTML && c.report.kept < Most {
		c.report.kept++
		c.report.excused = append(c.report.excused, f)
	}
	c.Skip(why + ": " + f.String())
}

// Skip says why nothing is decided.
func (c *Case) Skip(why string) { c.skipped = why }

// Count says how many findings there are if some were not printed.
func (c *Case) Count(findings int64) { c.count = max(c.count, findings) }

// Break says what kept the command from deciding, and in which file; "" for none.
func (c *Case) Break(file string, err error) {
	c.broken = err.Error()
	type problem struct {
		File    string `json:"file,omitempty"`
		Message string `json:"message"`
	}
	c.report.line("error", problem{file, err.Error()})
}

// whole reports whether the format is one document, which is written at the end.
func (r *Report) whole() bool { return r.format == JUnit || r.format == SARIF || r.format == HTML }

func (r *Report) print(f Finding) {
	r.line("finding", f)
	if r.format == Text {
		fmt.Fprintln(r.out, Printable(f.String()))
		for _, note := range f.Notes {
			fmt.Fprintf(r.out, "    %s\n", Printable(note))
		}
	}
}

// line prints a value under a name, as a line of JSON in that format only. A writer that fails is found at the end.
func (r *Report) line(name string, value any) {
	if r.format == JSON {
		_ = WriteJSON(r.out, map[string]any{name: value})
	}
}

// Summarize prints what was looked at: a value in JSON, and its text.
func (r *Report) Summarize(summary any, text string) {
	r.line("summary", summary)
	switch r.format {
	case Text:
		_, _ = r.out.WriteString(PrintableLines(text))
	case HTML:
		r.summary.WriteString(PrintableLines(text))
	}
}

// End prints what is left. It returns err if that works, and ErrFaults without one if a case failed.
func (r *Report) End(err error) error {
	var failed error
	switch r.format {
	case JUnit:
		failed = r.junit(r.out)
	case SARIF:
		failed = r.sarif(r.out)
	case HTML:
		failed = r.html(r.out)
	}
	if failed = errors.Join(failed, r.out.Flush()); failed != nil {
		return failed
	}
	if err != nil {
		return err
	}
	for _, c := range r.cases {
		if c.count > 0 {
			return ErrFaults
		}
	}
	return nil
}

// dropped says how many findings are only counted; "" for none.
func (c *Case) dropped() string {
	if more := c.count - int64(len(c.findings)); more > 0 {
		return fmt.Sprintf("and %d more", more)
	}
	return ""
}

// Count is a number of things, such as "1 difference" and "2 differences".
func Count[N int | int64](number N, of string) string {
	if number == 1 {
		return "1 " + of
	}
	return fmt.Sprintf("%d %ss", number, of)
}
