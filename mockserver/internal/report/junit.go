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

// JUnit writes the report as JUnit XML: a test case for each case.
func (r *Report) JUnit(out io.Writer) error {
	suite := junitSuite{Name: r.Command, Tests: len(r.cases)}
	for _, c := range r.cases {
		made := junitCase{Class: Printable(c.Class), Name: Printable(c.Name)}
		switch {
		case c.Broken != "":
			suite.Errors++
			made.Error = &junitResult{Type: "error", Message: Printable(c.Broken), Text: c.text()}
		case c.count > 0:
			suite.Failures++
			message := "1 finding"
			if c.count != 1 {
				message = fmt.Sprintf("%d findings", c.count)
			}
			made.Failure = &junitResult{Type: Printable(c.ruleOf()), Message: message, Text: c.text()}
		case c.Skipped != "":
			suite.Skipped++
			made.Skipped = &junitResult{Message: Printable(c.Skipped)}
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

// ruleOf is the rule of the first finding.
func (c *Case) ruleOf() string {
	if len(c.findings) == 0 {
		return ""
	}
	return c.findings[0].Rule
}

// text has a line for each finding.
func (c *Case) text() string {
	var text strings.Builder
	for _, found := range c.findings {
		fmt.Fprintf(&text, "%s: %s", found.Place, Printable(found.Message))
		if found.Other != nil {
			fmt.Fprintf(&text, "; see %s", found.Other)
		}
		fmt.Fprintf(&text, " [%s]\n", Printable(found.Rule))
	}
	if more := c.dropped(); more != "" {
		fmt.Fprintln(&text, more)
	}
	return text.String()
}
