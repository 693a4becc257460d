package report

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"
)

// The elements of JUnit XML, in the order in which readers expect them.
type (
	junitSuites struct {
		XMLName xml.Name   `xml:"testsuites"`
		Suite   junitSuite `xml:"testsuite"`
	}
	junitSuite struct {
		Name     string      `xml:"name,attr"`
		Tests    int         `xml:"tests,attr"`
		Failures int         `xml:"failures,attr"`
		Errors   int         `xml:"errors,attr"`
		Skipped  int         `xml:"skipped,attr"`
		Cases    []junitCase `xml:"testcase"`
	}
	junitCase struct {
		Class   string       `xml:"classname,attr"`
		Name    string       `xml:"name,attr"`
		Skipped *junitResult `xml:"skipped"`
		Error   *junitResult `xml:"error"`
		Failure *junitResult `xml:"failure"`
	}
	junitResult struct {
		Type    string `xml:"type,attr,omitempty"`
		Message string `xml:"message,attr"`
		Text    string `xml:",cdata"`
	}
)

// junit writes the report as JUnit XML: a test case for each case.
func (r *Report) junit(out io.Writer) error {
	suite := junitSuite{Name: r.command, Tests: len(r.cases)}
	for _, c := range r.cases {
		made := junitCase{Class: Printable(c.class), Name: Printable(c.name)}
		switch {
		case c.broken != "":
			suite.Errors++
			made.Error = &junitResult{Type: "error", Message: Printable(c.broken), Text: c.text()}
		case c.count > 0:
			suite.Failures++
			made.Failure = &junitResult{Message: Count(c.count, "finding"), Text: c.text()}
			if len(c.findings) > 0 {
				made.Failure.Type = Printable(c.findings[0].Rule)
			}
		case c.skipped != "":
			suite.Skipped++
			made.Skipped = &junitResult{Message: Printable(c.skipped)}
		}
		suite.Cases = append(suite.Cases, made)
	}
	if _, err := io.WriteString(out, xml.Header); err != nil {
		return err
	}
	encoder := xml.NewEncoder(out)
	encoder.Indent("", "  ")
	if err := encoder.Encode(junitSuites{Suite: suite}); err != nil {
		return err
	}
	_, err := io.WriteString(out, "\n")
	return err
}

// text has a line for each finding.
func (c *Case) text() string {
	var text strings.Builder
	for _, found := range c.findings {
		fmt.Fprintln(&text, Printable(found.String()))
	}
	if more := c.dropped(); more != "" {
		fmt.Fprintln(&text, more)
	}
	return text.String()
}
