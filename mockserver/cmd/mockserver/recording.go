package main

import (
	"fmt"

	"github.com/spf13/cobra"

	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/files"
	"github.com/rehearsal-sdk/rehearsal/mockserver/cmd/mockserver/internal/usage"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/recording/audit"
	"github.com/rehearsal-sdk/rehearsal/mockserver/internal/report"
)

const recordingHelp = `usage: mockserver recording audit DIR

Looks for people and secrets in a directory that is to be shared, such as a recording of
proxy --record, or a dataset of import: e-mail addresses, telephone numbers, credentials,
tokens, and members with names of secrets. It says the file and the line, never the value,
for a hook before each commit. Names of people have no form by which it could find them.

The exit code is 0 when nothing was found, 1 when something was, 2 when the command line
is wrong, and 3 when a file could not be read.
`

func recordingCommand(t terminal) *cobra.Command {
	command := newCommand("recording audit DIR", "look for people and secrets in a directory", recordingHelp)
	judge(command)
	command.PreRunE = func(_ *cobra.Command, arguments []string) error {
		if len(arguments) != 2 || arguments[0] != "audit" {
			return usage.Errorf("say audit, and name one directory")
		}
		return nil
	}
	command.RunE = func(command *cobra.Command, arguments []string) error {
		ctx, name := command.Context(), arguments[1]
		directory, err := files.OpenRoot("audit", name)
		if err != nil {
			return err
		}
		found := int64(0)
		err = audit.Directory(ctx, directory, func(f audit.Finding) {
			found++
			fmt.Fprintf(t.out, "%s:%d: %s\n", f.File, f.Line, f.What)
		})
		if err != nil {
			return interrupted(ctx, err, "not every file was looked at")
		}
		if fmt.Fprintf(t.out, "%s: %s\n", name, report.Count(found, "finding")); found > 0 {
			return report.ErrFaults
		}
		return nil
	}
	return command
}
