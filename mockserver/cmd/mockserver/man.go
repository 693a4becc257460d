package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
)

const manHelp = `usage: mockserver man --out DIR

Writes the manual pages of the program and of each command: mockserver.1,
mockserver-serve.1 and so on. A directory man1 in a directory of MANPATH is the place
for them.
`

func manCommand(t terminal) *cobra.Command {
	command := newCommand("man --out DIR", "write the manual pages", manHelp)
	out := command.Flags().String("out", "", "write the pages to `DIR`, which is created if necessary (required)")
	command.RunE = func(_ *cobra.Command, arguments []string) error {
		switch {
		case len(arguments) > 0:
			return usage.Errorf("unexpected argument %q; man takes only flags", arguments[0])
		case *out == "":
			return usage.Errorf("--out is missing; it names the directory for the pages")
		}
		if err := os.MkdirAll(*out, 0o755); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
		if err := writeManual(*out, t); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
		return nil
	}
	return command
}

// writeManual writes a page for each command.
func writeManual(directory string, t terminal) error {
	version := versionNow()
	date := version.date
	if date.IsZero() {
		date = time.Unix(0, 0).UTC() // the library would take the present, and no two runs would be the same
	}
	program := newProgram(t)
	program.DisableAutoGenTag = true
	program.InitDefaultCompletionCmd()
	for _, command := range append(program.Commands(), program) {
		command.Long = manualText(command)
		command.DisableAutoGenTag = true
	}
	return doc.GenManTree(program, &doc.GenManHeader{
		Section: "1", Manual: "Rehearsal", Source: "mockserver " + version.version, Date: &date,
	}, directory)
}

// manualText is the help of a command in the form of a manual page: the line
// that shows its use has a section of its own there, and what is indented stays
// as it is.
func manualText(command *cobra.Command) string {
	text := strings.TrimPrefix(command.Long, "usage: "+command.CommandPath())
	if text != command.Long {
		_, text, _ = strings.Cut(text, "\n")
	}
	var lines []string
	before := ""
	for line := range strings.Lines(strings.TrimSpace(text)) {
		line = strings.TrimRight(line, "\n")
		indented := strings.HasPrefix(line, "  ")
		if indented && !strings.HasPrefix(before, "  ") && before != "" {
			lines = append(lines, "") // a block is one only after an empty line
		}
		if indented {
			line = "  " + line
		}
		lines = append(lines, line)
		before = line
	}
	if !command.HasParent() {
		return strings.Join(lines, "\n")
	}
	return strings.Join(append(lines, "",
		"# ENVIRONMENT", "",
		"REHEARSAL_CONFIG names a file of settings. Every flag is set by a variable as well: REHEARSAL_LOG_LEVEL stands for **--log-level**.",
		"The command line comes before the environment, and the environment before the file.", "",
		"# EXIT STATUS", "",
		"0 when all went well, 1 when something failed or faults were found, 2 when the command line is wrong,",
		"3 when validate, check or schemas diff could not read what they were given."), "\n")
}
