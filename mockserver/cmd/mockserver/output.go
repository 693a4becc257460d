package main

import (
	"bufio"
	"errors"
	"slices"
	"strings"

	"github.com/spf13/pflag"

	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/report"
)

// The formats in which commands answer.
const (
	formatText  = "text"
	formatJSON  = "json"
	formatJUnit = "junit"
	formatSARIF = "sarif"
)

// defineFormat defines the flag --format.
func defineFormat(flags *pflag.FlagSet, into *string, usage string) {
	flags.StringVar(into, "format", formatText, usage)
}

// checkFormat refuses a format that a command does not have.
func checkFormat(format string, known ...string) error {
	if slices.Contains(known, format) {
		return nil
	}
	return misuse("--format %q is not known%s; it must be %s or %s", format, suggestion(format, known),
		strings.Join(known[:len(known)-1], ", "), known[len(known)-1])
}

// printable is a message as it may be shown on a terminal. Its lines stay.
func printable(message string) string {
	lines := strings.Split(message, "\n")
	for i, line := range lines {
		lines[i] = report.Printable(line)
	}
	return strings.Join(lines, "\n")
}

// findings is where a command prints what it finds in files.
type findings struct {
	*bufio.Writer
	format   string
	document report.Report // of JUnit and SARIF, which are written at the end
}

func newFindings(command, format string, t terminal) *findings {
	return &findings{bufio.NewWriter(t.out), format, report.Report{Command: command, Version: versionNow().version}}
}

// whole says whether the format is one document, and not a line for everything.
func (f *findings) whole() bool { return f.format == formatJUnit || f.format == formatSARIF }

// line prints a value as a line of JSON. A writer that fails is found at the
// end.
func (f *findings) line(value any) { _ = report.JSON(f, value) }

// end prints what is left, and returns the error of the command or of the
// output.
func (f *findings) end(err error) error {
	var failed error
	switch f.format {
	case formatJUnit:
		failed = f.document.JUnit(f)
	case formatSARIF:
		failed = f.document.SARIF(f)
	}
	if failed = errors.Join(failed, f.Flush()); failed != nil {
		return failed
	}
	return err
}

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
