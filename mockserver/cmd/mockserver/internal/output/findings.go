// Package output is how commands answer: the formats, and what validate and
// check print of the files that they read.
package output

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/report"
)

// The formats in which commands answer.
const (
	Text  = "text"
	JSON  = "json"
	JUnit = "junit"
	SARIF = "sarif"
	HTML  = "html"
)

// DefineFormat defines the flag --format.
func DefineFormat(flags *pflag.FlagSet, into *string, usage string) {
	flags.StringVar(into, "format", Text, usage)
}

// CheckFormat refuses a format that a command does not have.
func CheckFormat(format string, known ...string) error {
	if slices.Contains(known, format) {
		return nil
	}
	return usage.Errorf("--format %q is not known%s; it must be %s or %s", format, usage.Suggestion(format, known),
		strings.Join(known[:len(known)-1], ", "), known[len(known)-1])
}

// Printable is a message as it may be shown on a terminal. Its lines stay.
func Printable(message string) string {
	lines := strings.Split(message, "\n")
	for i, line := range lines {
		lines[i] = report.Printable(line)
	}
	return strings.Join(lines, "\n")
}

// Findings is where a command prints what it finds in files.
type Findings struct {
	*bufio.Writer
	format   string
	document report.Report // of JUnit and SARIF, which are written at the end
}

// NewFindings is where a command prints, in a format.
func NewFindings(command, version, format string, out io.Writer) *Findings {
	return &Findings{bufio.NewWriter(out), format, report.Report{Command: command, Version: version}}
}

// whole says whether the format is one document, and not a line for everything.
func (f *Findings) whole() bool { return f.format == JUnit || f.format == SARIF }

// line prints a value as a line of JSON. A writer that fails is found at the
// end.
func (f *Findings) line(value any) { _ = report.JSON(f, value) }

// listed is a list that JSON shows as one, also without items.
func listed(of []string) []string { return append([]string{}, of...) }

// Count is a number of things, such as "1 difference" and "2 differences".
func Count[N int | int64](number N, of string) string {
	if number == 1 {
		return "1 " + of
	}
	return fmt.Sprintf("%d %ss", number, of)
}

// End prints what is left, and returns the error of the command or of the
// output.
func (f *Findings) End(err error) error {
	var failed error
	switch f.format {
	case JUnit:
		failed = f.document.JUnit(f)
	case SARIF:
		failed = f.document.SARIF(f)
	}
	if failed = errors.Join(failed, f.Flush()); failed != nil {
		return failed
	}
	return err
}

// ErrFaults is returned by a command that did its work and found faults, which
// it has printed.
var ErrFaults = errors.New("faults found")

// problem is how lines of JSON say what ended a command early.
type problem struct {
	Error struct {
		File    string `json:"file,omitempty"`
		Message string `json:"message"`
	} `json:"error"`
}

func problemOf(file string, err error) problem {
	var p problem
	p.Error.File, p.Error.Message = file, err.Error()
	return p
}
