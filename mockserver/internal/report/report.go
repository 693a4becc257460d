// Package report writes what a command has found in files in the formats that
// other programs read: JSON, JUnit XML and SARIF.
package report

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Most is how many findings a report holds; more are counted. Services that
// show SARIF take no more than 25,000.
const Most = 10_000

// Place says where something stands.
type Place struct {
	File string
	// Line and Column count from 1, the column in bytes; 0 where it is not known.
	Line, Column int
	// Row counts the rows of a file; 0 for what belongs to none.
	Row int64
}

// String gives the place as compilers do.
func (p Place) String() string {
	text := Printable(p.File)
	for _, number := range []int{p.Line, p.Column} {
		if number == 0 {
			break
		}
		text += ":" + strconv.Itoa(number)
	}
	return text
}

// Finding is one thing that is wrong.
type Finding struct {
	Rule    string
	Place   Place
	Message string
	// Other is the place that the message contradicts; nil for none.
	Other *Place
}

// Rule is a rule that findings may name.
type Rule struct {
	Name, About string
	// Innocent says when a file that breaks the rule may be right; "" for never.
	Innocent string
}

// Case is what a command decides about: a file, or a rule over several files.
type Case struct {
	// Class groups cases, such as by the schema of a file.
	Class, Name string
	// Skipped says why nothing could be decided; "" if something could.
	Skipped string
	// Broken says what kept the command from deciding; "" for nothing.
	Broken string

	report   *Report
	findings []Finding
	count    int64
}

// Report is the result of one command.
type Report struct {
	// Command is the command line without arguments, Version that of the program.
	Command, Version string
	// Rules are those that findings may name; others are added as they come.
	Rules []Rule

	cases []*Case
	kept  int
}

// Case adds a case.
func (r *Report) Case(class, name string) *Case {
	made := &Case{Class: class, Name: name, report: r}
	r.cases = append(r.cases, made)
	return made
}

// Find adds a finding to a case.
func (c *Case) Find(found Finding) {
	c.count++
	if c.report.kept < Most {
		c.report.kept++
		c.findings = append(c.findings, found)
	}
}

// Count says how many findings there are if not all of them were added.
func (c *Case) Count(findings int64) { c.count = max(c.count, findings) }

// dropped says how many findings are only counted; "" for none.
func (c *Case) dropped() string {
	if more := c.count - int64(len(c.findings)); more > 0 {
		return fmt.Sprintf("and %d more", more)
	}
	return ""
}

// Printable returns a text as it may be shown on a terminal: what is not
// printable, line ends and formatting characters included, is written as Go
// would escape it.
func Printable(text string) string {
	if strings.IndexFunc(text, func(r rune) bool { return r == utf8.RuneError || !strconv.IsPrint(r) }) < 0 {
		return text
	}
	var shown strings.Builder
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRuneInString(text[at:])
		switch {
		case r == utf8.RuneError && size == 1:
			fmt.Fprintf(&shown, `\x%02x`, text[at])
		case strconv.IsPrint(r):
			shown.WriteRune(r)
		default:
			shown.WriteString(strings.Trim(strconv.QuoteRune(r), "'"))
		}
		at += size
	}
	return shown.String()
}

// JSON writes a value as a line of JSON that is safe to show on a terminal:
// what is not printable is escaped, not only what the format demands.
func JSON(out io.Writer, value any) error {
	return writeJSON(out, value, "")
}

func writeJSON(out io.Writer, value any, indent string) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", indent)
	if err := encoder.Encode(value); err != nil {
		return err
	}
	_, err := SafeJSON{out}.Write(text.Bytes())
	return err
}

// SafeJSON writes JSON so that it is safe to show on a terminal. Each write has
// whole characters.
type SafeJSON struct{ io.Writer }

func (w SafeJSON) Write(text []byte) (int, error) {
	var safe bytes.Buffer
	for _, r := range string(text) {
		if r < utf8.RuneSelf && r != '\x7f' || strconv.IsPrint(r) {
			safe.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&safe, `\u%04x`, unit)
		}
	}
	if _, err := w.Writer.Write(safe.Bytes()); err != nil {
		return 0, err
	}
	return len(text), nil
}
