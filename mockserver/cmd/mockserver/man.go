package main

import (
	"fmt"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/manual"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
)

const manHelp = `usage: mockserver man --out DIR

Writes the manual pages of the program and of each command: mockserver.1,
mockserver-serve.1 and so on. A directory man1 in a directory of MANPATH is the place
for them.
`

func manCommand() *cobra.Command {
	command := newCommand("man --out DIR", "write the manual pages", manHelp)
	out := command.Flags().String("out", "", "write the pages to `DIR`, which is created if necessary (required)")
	command.RunE = func(command *cobra.Command, arguments []string) error {
		switch {
		case len(arguments) > 0:
			return usage.Errorf("unexpected argument %q; man takes only flags", arguments[0])
		case *out == "":
			return usage.Errorf("--out is missing; it names the directory for the pages")
		}
		if err := os.MkdirAll(*out, 0o755); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
		if err := writeManual(*out, command.Root()); err != nil {
			return fmt.Errorf("--out: %w", err)
		}
		return nil
	}
	return command
}

// writeManual writes a page for each command.
func writeManual(directory string, program *cobra.Command) error {
	version := versionNow()
	date := version.date
	if date.IsZero() {
		date = time.Unix(0, 0).UTC() // no two runs would be the same with the present
	}
	program.InitDefaultCompletionCmd()
	return manual.Manual{Version: version.version, Date: date, Sections: []manual.Section{
		{Title: "ENVIRONMENT", Text: "REHEARSAL_CONFIG names a file of settings. Every flag is set by a variable as well: REHEARSAL_LOG_LEVEL stands for --log-level.\n" +
			"The command line comes before the environment, and the environment before the file."},
		{Title: "EXIT STATUS", Text: "0 when all went well, 1 when something failed or faults were found, 2 when the command line is wrong,\n" +
			"3 when validate or check could not read what they were given."},
	}}.Write(directory, program)
}
